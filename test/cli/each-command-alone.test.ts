import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { ANSWERS, failure, schemaOf } from '../../src-shared/contract/command-answers.ts';
import { openTestBook } from '../support/books/backend.ts';
import { CFP_BANK, CFP_BOOKS } from '../support/cfp-june.ts';
import { longTest, quickTest } from '../support/long.ts';
import { runCli, runCliAlone, serveCli, temporaryFolder } from '../support/processes/run-cli.ts';

/** Other tests run commands one after another in a process that has loaded the command line; people start a process for each. */

interface Ground {
  /** A folder with the two files, and room for more. */
  readonly folder: string;
  /** The options that name a book whose two sides are imported, reconciled and proved. */
  readonly data: readonly string[];
  /** A backup of that book. */
  readonly backup: string;
}

let template: string | null = null;
afterAll(() => rmSync(template ?? '', { recursive: true, force: true }));

async function newTemplate(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-alone-'));
  const data = ['--data', path.join(folder, 'book'), '--json'];
  const done = async (...args: string[]) => expect((await runCli(...args, ...data)).document).not.toHaveProperty('error');
  for (const [stream, text] of [
    ['bank', CFP_BANK],
    ['ledger', CFP_BOOKS],
  ] as const) {
    writeFileSync(path.join(folder, `${stream}.csv`), text);
    await done('import', path.join(folder, `${stream}.csv`), '--stream', stream, '--currency', 'GBP');
  }
  await done('reconcile', '--a', 'ledger', '--b', 'bank', '--name', 'June');
  await done('close', '--reconciliation', 'June', '--period', '2026-06', '--opening-books', '12,500.00');
  await done('backup', '--out', path.join(folder, 'backup.sqlite'));
  return folder;
}

async function newGround(): Promise<Ground> {
  template ??= await newTemplate();
  const folder = temporaryFolder();
  cpSync(template, folder, { recursive: true });
  return { folder, data: ['--data', path.join(folder, 'book')], backup: path.join(folder, 'backup.sqlite') };
}

/** Another book behind HTTP, and the options that name it. */
async function remoteOf(folder: string): Promise<readonly string[]> {
  const there = await openTestBook();
  const server = await there.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
  onTestFinished(() => server.close());
  const key = path.join(folder, 'key.txt');
  writeFileSync(key, `${server.apiKey}\n`);
  return ['--remote', server.baseUrl, '--key-file', key];
}

interface Expected {
  readonly exitCode: number;
  readonly document: unknown;
}

const alone = async (...args: string[]): Promise<Expected> => {
  const { exitCode, document } = await runCliAlone([...args, '--json']);
  return { exitCode: exitCode ?? -1, document };
};

const JUNE = ['--reconciliation', 'June', '--period', '2026-06'];

/** What each command answers, by its words, on a ground of its own. */
const COMMANDS: Readonly<Record<string, readonly [run: (ground: Ground) => Promise<Expected>, expected: Expected]>> = {
  serve: [
    async ({ folder }) => {
      const { printed, stop } = await serveCli(path.join(folder, 'book'));
      const answer = await fetch(`${printed.base_url}/data_streams`, { headers: { 'x-api-key': printed.api_key } });
      return { document: await answer.json(), exitCode: (await stop('SIGTERM')) ?? -1 };
    },
    { exitCode: 0, document: [{ key: 'bank' }, { key: 'ledger' }] },
  ],
  import: [
    ({ folder }) => {
      const files = [6, 7].map((month) => path.join(folder, `${month}.csv`));
      for (const [at, file] of files.entries()) writeFileSync(file, `Date,Description,Amount\n2026-0${at + 6}-10,Rent,-9.50\n`);
      return alone('import', ...files, '--data', path.join(folder, 'new'), '--stream', 'both', '--currency', 'GBP');
    },
    { exitCode: 0, document: { kept: 2, failing: 0, files: [{}, {}] } },
  ],
  reconcile: [
    ({ data }) => alone('reconcile', ...data, '--a', 'ledger', '--b', 'bank', '--name', 'Anew'),
    { exitCode: 0, document: { reconciliation_id: 2, run: { status: 'completed' } } },
  ],
  close: [
    ({ data }) => alone('close', ...data, ...JUNE, '--prepare', 'Amira'),
    { exitCode: 0, document: { state: 'prepared', reconciliation: { name: 'June' } } },
  ],
  report: [
    ({ data, folder }) => alone('report', ...data, ...JUNE, '--format', 'html', '--out', path.join(folder, 'june.html')),
    // Its books state no balance: the report says that it is not proved, and so does the exit code.
    { exitCode: 1, document: { format: 'html', unexplained: 0, agrees: false } },
  ],
  'keys add': [
    ({ data }) => alone('keys', 'add', ...data, '--permission', 'read', '--name', 'Sheet'),
    { exitCode: 0, document: { id: 1, name: 'Sheet' } },
  ],
  'keys link': [
    ({ data, folder }) => {
      const workbook = path.join(folder, 'figures.xlsx');
      return alone('keys', 'link', ...data, '--reconciliation', 'June', '--name', 'Sheet', '--workbook', workbook);
    },
    { exitCode: 0, document: { reconciliation: 'June' } },
  ],
  'keys list': [({ data }) => alone('keys', 'list', ...data), { exitCode: 0, document: [] }],
  'keys revoke': [({ data }) => alone('keys', 'revoke', '7', ...data), { exitCode: 2, document: { error: {} } }],
  export: [
    ({ data, folder }) => alone('export', 'matches', ...data, '--reconciliation', 'June', '--out', path.join(folder, 'matches.csv')),
    { exitCode: 0, document: { what: 'matches' } },
  ],
  'rules list': [({ data }) => alone('rules', 'list', ...data, '--reconciliation', 'June'), { exitCode: 0, document: [{ id: 1 }] }],
  'rules set': [
    async ({ data, folder }) => {
      const file = path.join(folder, 'rules.json');
      await runCli('export', 'rules', ...data, '--reconciliation', 'June', '--out', file);
      return alone('rules', 'set', file, ...data, '--reconciliation', 'June');
    },
    { exitCode: 0, document: [{ status: 'active' }] },
  ],
  'rules use': [({ data }) => alone('rules', 'use', '1', ...data), { exitCode: 2, document: { error: { code: 'rule_not_proposed' } } }],
  'rules pause': [({ data }) => alone('rules', 'pause', '1', ...data), { exitCode: 0, document: { paused: true } }],
  'rules resume': [({ data }) => alone('rules', 'resume', '1', ...data), { exitCode: 0, document: { paused: false } }],
  'rules remove': [({ data }) => alone('rules', 'remove', '1', ...data), { exitCode: 0, document: { id: 1 } }],
  'runs list': [({ data }) => alone('runs', 'list', ...data, '--reconciliation', 'June'), { exitCode: 0, document: [{ id: 1 }] }],
  'runs undo': [({ data }) => alone('runs', 'undo', '1', ...data, '--reconciliation', 'June'), { exitCode: 0, document: { run_id: 1 } }],
  completion: [
    async () => {
      const { exitCode, stdout } = await runCliAlone(['completion', 'bash']);
      return { exitCode: exitCode ?? -1, document: stdout };
    },
    { exitCode: 0, document: expect.stringContaining('complete -o filenames') },
  ],
  sync: [
    async ({ data, folder }) => alone('sync', ...data, ...(await remoteOf(folder))),
    { exitCode: 0, document: { ok: true, preview: false, sent: { streams: 2 }, error: null } },
  ],
  'sync verify': [
    async ({ data, folder }) => alone('sync', 'verify', ...data, ...(await remoteOf(folder))),
    { exitCode: 1, document: { equal: false } },
  ],
  'sync repair': [
    async ({ data, folder }) => {
      const remote = await remoteOf(folder);
      await runCli('sync', ...data, ...remote, '--json');
      return alone('sync', 'repair', ...data, ...remote);
    },
    { exitCode: 0, document: { ok: true, error: null } },
  ],
  'sync resolve': [
    ({ data }) => alone('sync', 'resolve', '9', '--choice', 'keep_local', ...data),
    { exitCode: 2, document: { error: { code: 'no_such_choice' } } },
  ],
  'sync move': [({ data }) => alone('sync', 'move', ...data), { exitCode: 0, document: [] }],
  'sync undo': [({ data }) => alone('sync', 'undo', ...data), { exitCode: 2, document: { error: {} } }],
  'sync settle': [({ data }) => alone('sync', 'settle', ...data), { exitCode: 0, document: [] }],
  demo: [({ folder }) => alone('demo', '--data', path.join(folder, 'sample')), { exitCode: 0, document: { created: true } }],
  start: [
    // A window would stay open, and browser tests open some: here the folder is refused, whether there is a display or not.
    async ({ folder }) => {
      const { exitCode, stderr } = await runCliAlone(['start', '--data', path.join(folder, 'bank.csv')], {
        DISPLAY: '',
        WAYLAND_DISPLAY: '',
      });
      return { exitCode: exitCode ?? -1, document: stderr };
    },
    { exitCode: 3, document: expect.stringContaining('cannot be used') },
  ],
  verify: [({ data }) => alone('verify', ...data), { exitCode: 0, document: { findings: 0, is_more: false } }],
  // Which windows other tests opened is not known here.
  'books list': [() => alone('books', 'list'), { exitCode: 0, document: expect.any(Array) as unknown }],
  'books move': [
    ({ data, folder }) => alone('books', 'move', path.join(folder, 'moved'), ...data),
    { exitCode: 0, document: { folder: expect.stringContaining('moved') as unknown } },
  ],
  'books forget': [({ folder }) => alone('books', 'forget', path.join(folder, 'book')), { exitCode: 0, document: {} }],
  backup: [
    ({ data, folder }) => alone('backup', ...data, '--out', path.join(folder, 'again.sqlite')),
    { exitCode: 0, document: { file: expect.stringMatching(/again\.sqlite$/) } },
  ],
  restore: [
    ({ folder, backup }) => alone('restore', backup, '--data', path.join(folder, 'restored')),
    { exitCode: 0, document: { replaced: null } },
  ],
};

quickTest('every command that --help lists is run in a process of its own', async () => {
  expect(Object.keys(COMMANDS).toSorted()).toEqual(await commandsOf());
});

/** The words of every command. One that groups some is a command itself where it opens a book. */
async function commandsOf(group: readonly string[] = []): Promise<string[]> {
  const { stdout } = await runCli(...group, '--help');
  const [, listed] = stdout.split('\nCommands:\n');
  const names = [...(listed ?? '').matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  const found = listed === undefined || stdout.includes('--data <') ? [group.join(' ')] : [];
  for (const name of names) found.push(...(await commandsOf([...group, name])));
  return found.toSorted();
}

/** Returns what is wrong with an answer, members that its schema does not name included; null where nothing is. */
function answerFault(words: string, document: unknown): string | null {
  const checked = z.union([ANSWERS[words] ?? z.never(), failure]).safeParse(document);
  if (!checked.success) return z.prettifyError(checked.error);
  const [given, known] = [JSON.stringify(document), JSON.stringify(checked.data)];
  return given.length === known.length ? null : `The schema of ${words} does not name all members: ${known} of ${given}`;
}

/** Commands whose answers have no schema: their tests look at what is no document of theirs. */
const WITHOUT_SCHEMA = new Set(['start', 'completion', 'serve']);

for (const [words, [run, expected]] of Object.entries(COMMANDS)) {
  longTest(`tieout ${words}`, async () => {
    const answer = await run(await newGround());
    expect(answer).toMatchObject(expected);
    if (!WITHOUT_SCHEMA.has(words)) expect(answerFault(words, answer.document)).toBeNull();
  });
}

quickTest('the guide has the schema of each answer', () => {
  expect(Object.keys(ANSWERS).toSorted()).toEqual(
    Object.keys(COMMANDS)
      .filter((words) => words !== 'start' && words !== 'completion')
      .toSorted(),
  );
  for (const words of Object.keys(ANSWERS)) expect(schemaOf(words)).toMatchObject({ title: `tieout ${words} --json`, anyOf: [{}, {}] });
  expect(schemaOf('start')).toBeNull();
  expect(answerFault('keys revoke', { id: 1, revoked: true })).toBeNull();
  expect(answerFault('keys revoke', { id: 1, revoked: true, other: 1 })).toContain('does not name all members');
  expect(answerFault('keys revoke', { id: 'one', revoked: true })).toContain('id');
});
