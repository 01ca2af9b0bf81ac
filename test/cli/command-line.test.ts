import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { createOutput } from '../../src-main/commands/output.ts';
import { CFP_BANK, CFP_BOOKS } from '../support/cfp-june.ts';
import { runCli, runCliAlone, temporaryFolder } from '../support/processes/run-cli.ts';

/** The words of every command, groups included. */
async function allCommands(group: readonly string[] = []): Promise<string[][]> {
  const { stdout } = await runCli(...group, '--help');
  const [, listed = ''] = stdout.split('\nCommands:\n');
  const names = [...listed.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  const inner = await Promise.all(names.map((name) => allCommands([...group, name])));
  return [...(group.length === 0 ? [] : [[...group]]), ...inner.flat()];
}

test('the help of each command has examples, which use options that it has', async () => {
  const commands = await allCommands();
  const helps = new Map<string, string>();
  for (const words of commands) helps.set(words.join(' '), (await runCli(...words, '--help')).stdout);
  for (const name of 'import reconcile close report sync backup restore verify keys rules runs export serve demo'.split(' '))
    expect(helps.keys()).toContain(name);
  for (const [words, help] of helps) {
    const [, examples = ''] = help.split('\nExamples:\n');
    const lines = examples.split('\n').filter((line) => line.startsWith('  $ '));
    expect([words, lines.length > 0]).toEqual([words, true]);
    for (const line of lines) {
      const called = /tieout (.+)/.exec(line)?.[1] ?? '';
      const of = [...helps.keys()].filter((each) => `${called} `.startsWith(`${each} `)).toSorted((a, b) => b.length - a.length)[0] ?? '';
      expect([line, of.startsWith(words)]).toEqual([line, true]);
      for (const [option] of called.matchAll(/--[a-z-]+/g)) expect([line, helps.get(of)?.includes(`${option} `)]).toEqual([line, true]);
    }
  }
});

test('a mistyped option is named with the nearest one, before any that is missing', async () => {
  const typed = async (...args: string[]) => (await runCli(...args)).stderr;
  expect(await typed('close', '--perid', '2026-06')).toContain("Unknown option '--perid' (Did you mean --period?)");
  expect(await typed('sync', 'resolve', '4', '--chioce', 'keep_local')).toContain('Did you mean --choice?');
  expect(await typed('reconcile', '--a', 'bank')).toContain('Needed option --b <keys> is missing.');
  expect(await typed('restore', 'file.sqlite')).toContain('Needed option --data <folder> is missing.');
  expect(await typed('sync', '--remote', 'http://localhost:1/v1')).toContain('Needed option --key-file <file> is missing.');
});

test('without --data a command works on the book of TIEOUT_DATA, and else on the own book', async () => {
  const home = temporaryFolder();
  const env = { XDG_DATA_HOME: home, APPDATA: home, HOME: home, TIEOUT_DATA: '' };
  const file = path.join(home, 'bank.csv');
  writeFileSync(file, CFP_BANK);
  const own = await runCliAlone(['import', file, '--stream', 'bank', '--json'], env);
  expect([own.exitCode, own.document]).toMatchObject([0, { kept: 17 }]);
  expect((await runCliAlone(['verify', '--json'], env)).document).toMatchObject({ findings: 0 });
  const named = { ...env, TIEOUT_DATA: path.join(home, 'named') };
  expect((await runCliAlone(['verify', '--json'], named)).document['error']).toMatchObject({ code: 'no_book' });
  // An option counts before the variable.
  const given = await runCliAlone(['keys', 'list', '--data', path.join(home, 'given'), '--json'], named);
  expect(given.document['error']).toMatchObject({ code: 'no_book', message: expect.stringContaining('given') });
});

test('import takes what is piped into it, and a folder', async () => {
  const folder = temporaryFolder();
  const book = ['--data', path.join(folder, 'book')];
  const piped = await runCliAlone(['import', '-', '--stream', 'bank', ...book], {}, CFP_BANK);
  expect([piped.exitCode, piped.stdout]).toEqual([0, expect.stringContaining('the standard input -> bank (csv)')]);
  const empty = await runCliAlone(['import', '-', '--stream', 'bank', ...book, '--json'], {}, '');
  expect([empty.exitCode, empty.document['error']]).toMatchObject([2, { code: 'file_unreadable' }]);
  const twice = await runCliAlone(['import', '-', 'other.csv', '--stream', 'bank', ...book, '--json'], {}, CFP_BANK);
  expect([twice.exitCode, twice.document['error']]).toMatchObject([2, { code: 'usage' }]);
  const files = path.join(folder, 'files');
  mkdirSync(path.join(files, 'inner'), { recursive: true });
  writeFileSync(path.join(files, 'july.csv'), 'Date,Description,Amount\n2026-07-10,Rent,-9.50\n');
  writeFileSync(path.join(files, 'august.csv'), 'Date,Description,Amount\n2026-08-10,Rent,-9.50\n');
  writeFileSync(path.join(files, '.hidden'), 'no statement');
  writeFileSync(path.join(folder, 'elsewhere.csv'), 'Date,Description,Amount\n2026-09-10,Rent,-9.50\n');
  symlinkSync(path.join(folder, 'elsewhere.csv'), path.join(files, 'september.csv'));
  const all = await runCli('import', files, '--stream', 'rent', '--currency', 'GBP', ...book, '--json');
  expect([all.exitCode, all.document]).toMatchObject([
    0,
    { kept: 3, failing: 0, files: [{ file: path.join(files, 'august.csv') }, {}, {}] },
  ]);
  expect(all.stderr).toContain(`${path.join(files, 'inner')} is a folder within the folder: its files are not imported.`);
  const none = await runCli('import', path.join(files, 'inner'), '--stream', 'rent', ...book, '--json');
  expect(none.document['error']).toMatchObject({ code: 'file_unreadable', message: expect.stringContaining('has no files') });
});

test.each(['26', '1899', '2026-06', 'x'])('import reads no year in %j, and says what one is', async (year) => {
  const { document, exitCode } = await runCli('import', 'june.pdf', '--stream', 'bank', '--year', year, '--json');
  expect(exitCode).toBe(2);
  expect(document['error']).toMatchObject({ code: 'usage', message: expect.stringContaining('a year in four digits') });
});

test.each(['export', 'report'] as const)('%s says in words why a file cannot be written', async (command) => {
  const { folder, data } = await matchedBook();
  const june = ['--reconciliation', 'June', '--period', '2026-06'];
  await runCli('close', ...data, ...june);
  const to = {
    export: (file: string) => ['matches', '--reconciliation', 'June', '--out', file],
    report: (file: string) => [...june, '--format', 'csv', '--out', file],
  }[command];
  mkdirSync(path.join(folder, 'taken'));
  for (const [file, why] of [
    ['nowhere/out.csv', 'its folder does not exist'],
    ['taken', 'it is a folder'],
    ['bank.csv/out.csv', 'a file is where its folder should be'],
  ] as const) {
    const { exitCode, stderr } = await runCli(command, ...data, ...to(path.join(folder, file)));
    expect([file, exitCode, stderr]).toEqual([file, 3, expect.stringContaining(`${path.join(folder, file)} cannot be written: ${why}.`)]);
  }
});

test('reconcile matches nothing where its matches cannot be written', async () => {
  const { folder, data } = await matchedBook();
  for (const file of ['nowhere/out.csv', '.', 'bank.csv/out.csv']) {
    const { exitCode } = await runCli(
      'reconcile',
      ...data,
      '--a',
      'ledger',
      '--b',
      'bank',
      '--name',
      'June',
      '--matches-out',
      path.join(folder, file),
    );
    expect([file, exitCode]).toEqual([file, 2]);
  }
  const { document } = await runCli('runs', 'list', ...data, '--reconciliation', 'June', '--json');
  expect(document).toHaveLength(1);
});

/** A book of both sides, matched, in a folder of its own. */
async function matchedBook(currency = 'GBP'): Promise<{ readonly folder: string; readonly data: readonly string[] }> {
  const folder = temporaryFolder();
  const data = ['--data', path.join(folder, 'book')];
  for (const [stream, text] of [
    ['bank', CFP_BANK.replaceAll('GBP', currency)],
    ['ledger', CFP_BOOKS.replaceAll('GBP', currency)],
  ] as const) {
    writeFileSync(path.join(folder, `${stream}.csv`), text);
    await runCli('import', path.join(folder, `${stream}.csv`), ...data, '--stream', stream, '--currency', currency);
  }
  await runCli('reconcile', ...data, '--a', 'ledger', '--b', 'bank', '--name', 'June');
  return { folder, data };
}

test('an amount is read by the currency of the period, and how is said', async () => {
  const { data } = await matchedBook();
  const june = ['--reconciliation', 'June', '--period', '2026-06'];
  const opening = async (text: string) => {
    const { document, stderr, exitCode } = await runCli('close', ...data, ...june, `--opening-books=${text}`, '--json');
    return exitCode === 0 ? [(document['books'] as { opening: number }).opening, stderr.split('\n')[0]] : document['error'];
  };
  // Nothing is said of an amount that can be read in one way.
  for (const plain of ['12,500.00', '12.500,00', '12500.00', '12 500,00']) expect(await opening(plain)).toEqual([1_250_000, '']);
  // A whole number may be minor units to an old script.
  expect(await opening('1250000')).toEqual([125_000_000, '--opening-books is read as 1,250,000.00 GBP.']);
  expect(await opening('1,234')).toEqual([123_400, '--opening-books is read as 1,234.00 GBP.']);
  expect(await opening('-12,5')).toEqual([-1250, '--opening-books is read as -12.50 GBP.']);
  // Here a point is the decimal mark, so it groups no digits by itself. Marks between digits that are no groups may be a slip.
  for (const wrong of ['12.505', '38,612.405', '12.5050', 'twelve', '1e3', '1,23.45', '1.234.5']) {
    expect([wrong, await opening(wrong)]).toEqual([wrong, expect.objectContaining({ code: 'usage' })]);
  }
  // A balance that is refused leaves no new period behind.
  const july = ['--reconciliation', 'June', '--period', '2026-07'];
  expect((await runCli('close', ...data, ...july, '--opening-books', '0.005', '--json')).exitCode).toBe(2);
  expect((await runCli('report', ...data, ...july, '--format', 'json', '--out', '-', '--json')).document['error']).toMatchObject({
    code: 'unknown_period',
  });
  const share = async (limit: string) =>
    (await runCli('reconcile', ...data, '--a', 'ledger', '--b', 'bank', '--name', 'June', '--allow-difference', limit)).exitCode;
  expect([await share('0.50'), await share('15%'), await share('0.505'), await share('0')]).toEqual([0, 0, 2, 2]);
  const rules = await runCli('rules', 'list', ...data, '--reconciliation', 'June', '--json');
  expect(rules.document).toMatchObject([{ max_difference: { percent: 15 } }]);
});

test('tables are exported as spreadsheets take them, and rules as a file that is taken back', async () => {
  const { folder, data } = await matchedBook();
  const june = ['--reconciliation', 'June'];
  const table = async (...args: string[]) => {
    const { stdout } = await runCli('export', ...args, ...data, '--out', '-');
    return stdout
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
  };
  const [head = [], ...matches] = await table('matches', ...june);
  expect(head.join(',')).toBe(
    '\uFEFFmatch_id,status,side,record_id,data_stream_key,date,amount,amount_decimal,direction,currency,decimal_places,description,external_id,rule_id,likelihood,difference_code,difference_note',
  );
  // One row a line: of each match, a line of either side.
  const sides = Map.groupBy(matches, ([id]) => id);
  expect(sides.size).toBeGreaterThan(3);
  for (const rows of sides.values()) expect(new Set(rows.map((row) => row[2]))).toEqual(new Set(['a', 'b']));
  expect((await table('open-items', ...june, '--as-of', '2026-06-30'))[0]).toContain('amount_decimal');
  expect((await table('transactions', '--account', 'bank')).length).toBe(18);
  expect((await runCli('export', 'matches', ...data, '--out', '-')).exitCode).toBe(2);
  const file = path.join(folder, 'rules.json');
  expect((await runCli('export', 'rules', ...data, ...june, '--out', file, '--json')).document).toMatchObject({ file, what: 'rules' });
  const set = await runCli('rules', 'set', file, ...data, ...june, '--json');
  const [rule] = set.document as unknown as readonly { id: number; paused: boolean }[];
  const id = String(rule?.id);
  expect((await runCli('rules', 'pause', id, ...data, '--json')).document).toMatchObject({ paused: true });
  expect((await runCli('rules', 'resume', id, ...data, '--json')).document).toMatchObject({ paused: false });
  const runs = await runCli('runs', 'list', ...data, ...june, '--json');
  expect(runs.document).toMatchObject([{ status: 'completed', undone_at: null }]);
  expect((await runCli('runs', 'undo', '1', ...data, ...june, '--json')).document).toMatchObject({ run_id: 1, kept: 0 });
  expect((await table('matches', ...june)).filter(([, status]) => status === 'matched')).toEqual([]);
  expect((await runCli('rules', 'remove', id, ...data)).stdout).toContain('is deleted');
});

test('progress is one line on a terminal, which the answer replaces, and nothing in a pipe', () => {
  const written: string[] = [];
  const spies = [process.stderr, process.stdout].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0),
  );
  const isTty = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  try {
    for (const value of [false, true]) {
      Object.defineProperty(process.stderr, 'isTTY', { value, configurable: true });
      const output = createOutput(false);
      output.progress('reading 10 %');
      output.progress('reading 20 %');
      output.print({}, ['done']);
    }
  } finally {
    for (const spy of spies) spy.mockRestore();
    if (isTty === undefined) Reflect.deleteProperty(process.stderr, 'isTTY');
    else Object.defineProperty(process.stderr, 'isTTY', isTty);
  }
  const clear = '\r\u001B[2K';
  expect(written).toEqual(['done\n', `${clear}reading 10 %`, `${clear}reading 20 %`, clear, 'done\n']);
});

/** Returns what bash completes of a line. */
function completedByBash(script: string, folder: string, line: readonly string[]): string[] {
  const words = line.map((word) => `'${word}'`).join(' ');
  const asked = `source ${script}; COMP_WORDS=(tieout ${words}); COMP_CWORD=${line.length}; _tieout; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync('bash', ['-c', asked], { cwd: folder, encoding: 'utf8' }).stdout.trim().split('\n');
}

test('each shell completes all commands, and bash options, their values and files', async () => {
  const folder = temporaryFolder();
  const commands = await allCommands();
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout, exitCode } = await runCli('completion', shell);
    expect(exitCode).toBe(0);
    for (const words of commands) expect(stdout).toContain(words.join(' '));
    expect(stdout).toContain('opening-books');
    writeFileSync(path.join(folder, shell), stdout);
  }
  expect((await runCli('completion', 'tcsh')).exitCode).toBe(2);
  if (process.platform === 'win32') return;
  mkdirSync(path.join(folder, 'statements'));
  cpSync(path.join(folder, 'fish'), path.join(folder, 'state.csv'));
  const completed = (...line: string[]) => completedByBash('./bash', folder, line).toSorted();
  expect(completed('re')).toEqual(['reconcile', 'report', 'restore']);
  expect(completed('rules', 'pa')).toEqual(['pause']);
  expect(completed('sync', 'un')).toEqual(['undo']);
  expect(completed('close', '--data', 'book', '--op')).toEqual(['--opening-bank', '--opening-books']);
  expect(completed('report', '--format', 'p')).toEqual(['pack', 'pdf']);
  expect(completed('import', 'sta')).toEqual(['state.csv', 'statements']);
  expect(completed('import', '--data', 'sta')).toEqual(['statements']);
  expect(readFileSync(path.join(folder, 'zsh'), 'utf8')).toMatch(/^#compdef tieout/);
});

test('a folder of a book that is named by nothing is refused, and a quoted ~ is the folder of the user', async () => {
  for (const words of [['move'], ['forget']]) {
    const { exitCode, stderr } = await runCli('books', ...words, ' ', ...(words[0] === 'move' ? ['--data', temporaryFolder()] : []));
    expect([words, exitCode, stderr]).toEqual([words, 2, expect.stringContaining('an empty name is not the current folder')]);
  }
  const { stdout } = await runCli('books', 'forget', '~/no-such-book', '--json');
  expect(JSON.parse(stdout)).toEqual({ folder: path.join(homedir(), 'no-such-book') });
});
