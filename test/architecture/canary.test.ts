import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expressionFaults, madeExpressions } from './expression-check.ts';
import { keyFaults } from './key-check.ts';
import { bridgeFaults, entranceFaults, importFaults, importRings, roomFaults } from './import-check.ts';
import { emptyFolderFaults, linkFaults, readmeFaults } from './readme-check.ts';
import { repository, type Source } from './sources.ts';
import { lockfileFaults, machinePathFaults, styleFaults, tidyFaults } from './tidy-check.ts';
import { wordFaults } from './word-check.ts';

/** Each check gets a text with a fault and one without: a check that cannot fail guards nothing. */
const source = (file: string, text: string): Source => ({ file, text });
/** Joins parts of a banned text, so that this file itself passes the checks. */
const glued = (...parts: readonly string[]): string => parts.join('');
const ring = (kind: string) => [
  source('src-main/service/a.ts', `import { b } from './b.ts';`),
  source('src-main/service/b.ts', `import { c } from './c.ts';`),
  source('src-main/service/c.ts', `import ${kind}{ a } from './a.ts';`),
];
const lines = (count: number) => Array.from({ length: count }, () => '  work();').join('\n');
const lockfile = (entry: object) => JSON.stringify({ packages: { '': {}, 'node_modules/zod': entry } });

describe('keys', () => {
  const help = [
    { screens: 'all', keys: [[['Ctrl', 'K'], 'Palette']] },
    { screens: ['close'], keys: [[['P'], 'Close pack']] },
  ] as const;

  it.each([
    ['src-renderer/screens/close/a.tsx', `useShortcuts({ q: () => go() });`, 'does not list q for close'],
    ['src-renderer/screens/sync/a.tsx', `useShortcuts(isShown ? { p: print } : {});`, 'does not list p for sync'],
    ['src-renderer/screens/close/a.tsx', `const keys = { 'mod+q': go }; useShortcuts(isShown ? keys : {});`, 'does not list mod+q'],
    ['src-renderer/screens/close/a.tsx', `useShortcuts(Object.fromEntries(['q'].map((key) => [key, go])));`, 'does not list q'],
    ['src-renderer/screens/attic/a.tsx', `useShortcuts({ p: go });`, 'no screen is known'],
  ])('refuses in %s: %s', (file, text, words) => {
    const faults = keyFaults(source(file, text), help);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(words);
  });

  it('takes what is listed, and nothing that a function does for a key', () => {
    const text = `useShortcuts(isShown ? { 'mod+k': () => show({ q: 1 }), p: print } : {});`;
    expect(keyFaults(source('src-renderer/screens/close/a.tsx', text), help)).toEqual([]);
  });
});

describe('imports', () => {
  it.each([
    ['src-main/domain/ledger/a.ts', `import fs from 'node:fs';`, 'node:fs'],
    ['src-main/domain/ledger/a.ts', `import { createHash } from 'crypto';`, 'write node:crypto'],
    ['src-main/domain/ledger/a.ts', `import type { Kysely } from 'kysely';`, 'package kysely'],
    ['src-main/domain/ledger/a.ts', `import { systemClock } from '../../platform/system.ts';`, 'src-main/platform/system.ts'],
    ['src-main/service/a.ts', `export { app } from 'electron';`, 'package electron'],
    ['src-main/service/a.ts', `const sqlite = await import('better-sqlite3');`, 'package better-sqlite3'],
    ['src-main/service/a.ts', `import type { Window } from '../shell/window.ts';`, 'src-main/shell/window.ts'],
    ['src-main/transport/a.ts', `import { BackendOptions } from '../backend/types.ts';`, 'by value'],
    ['src-main/transport/a.ts', `import { type Handlers } from '../service/handler.ts';`, 'by value'],
    ['src-main/transport/a.ts', `type Rows = import('../records/store/records.ts').Rows;`, 'src-main/records/store/records.ts'],
    ['src-main/records/store/a.ts', `import { record } from '../operations/records.ts';`, 'src-main/records/operations/records.ts'],
    ['src-main/records/store/a.ts', `import { wipe } from '../work/wiping.ts';`, 'src-main/records/work/wiping.ts'],
    ['src-main/records/work/a.ts', `import { record } from '../operations/records.ts';`, 'src-main/records/operations/records.ts'],
    ['src-main/streams/store/a.ts', `import { insert } from '../../records/store/records.ts';`, 'src-main/records/store/records.ts'],
    ['src-main/attic/store/a.ts', `export const a = 1;`, 'no row'],
    ['src-main/cli.ts', `import { app } from 'electron';`, 'package electron'],
    ['src-main/launch.mjs', `import { app } from 'electron';`, 'package electron'],
    ['src-renderer/screens/a.tsx', `import { createClient } from '../../src-shared/client/client.ts';`, 'src-shared/client/client.ts'],
    ['src-renderer/screens/a.tsx', `import { startBackend } from '../../src-main/backend/backend.ts';`, 'src-main/backend/backend.ts'],
    ['src-renderer/api/a.ts', `import path from 'node:path';`, 'node:path'],
    ['src-shared/values/a.ts', `import { z } from 'zod';`, 'package zod'],
    ['src-shared/values/a.ts', `import { contract } from '../contract/index.ts';`, 'src-shared/contract/index.ts'],
    ['src-shared/values/a.ts', `import { assert } from './assert';`, 'lacks its extension'],
    ['src-main/helpers/a.ts', `export const a = 1;`, 'no row'],
  ])('refuses in %s: %s', (file, text, words) => {
    const faults = importFaults(source(file, text));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(file);
    expect(faults[0]).toContain(words);
  });

  it.each([
    ['src-main/domain/ledger/a.ts', `import { createHash } from 'node:crypto'; // import fs from 'node:fs'`],
    ['src-main/transport/a.ts', `import type { Handlers } from '../service/handler.ts';`],
    ['src-main/records/operations/a.ts', `import { wipe } from '../work/wiping.ts'; import { insert } from '../store/records.ts';`],
    ['src-main/records/work/a.ts', `import { batch } from '../../imports/store/import-batches.ts';`],
    ['src-main/main.ts', `import { app } from 'electron'; import { startBackend } from './backend/backend.ts';`],
    ['src-renderer/api/a.ts', `import { createClient } from '../../src-shared/client/client.ts';`],
  ])('takes in %s: %s', (file, text) => {
    expect(importFaults(source(file, text))).toEqual([]);
  });

  it.each(['', 'type '])('finds a ring of three, closed by import %s', (kind) => {
    expect(importRings(ring(kind))).toEqual([
      'src-main/service/a.ts -> src-main/service/b.ts -> src-main/service/c.ts -> src-main/service/a.ts',
    ]);
  });

  it('finds no ring where imports only meet', () => {
    const [a, b] = ring('');
    expect(
      importRings([a, b, source('src-main/service/c.ts', `import type { d } from './d.ts';`)].filter((one) => one !== undefined)),
    ).toEqual([]);
  });

  it.each([
    ['src-main/domain/records/a.ts', `import type { Plan } from '../matching/index.ts';`, 'may not import'],
    ['src-main/domain/statement/rows/a.ts', `import { questions } from '../table/questions.ts';`, 'may not import'],
    ['src-main/domain/matching/rules/a.ts', `import { limits } from '../model/limits.ts';`, 'may not import'],
    ['src-main/domain/attic/a.ts', `export const a = 1;`, 'no row'],
  ])('refuses between rooms in %s: %s', (file, text, words) => {
    const faults = roomFaults(source(file, text));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(words);
  });

  it.each([
    ['src-main/domain/matching/rules/a.ts', `import type { EngineRule } from '../model/rule.ts';`],
    ['src-main/domain/statement/read.ts', `import { questions } from './table/questions.ts';`],
    ['src-main/domain/statement/rows/a.ts', `import { b } from './b.ts';`],
  ])('takes between rooms in %s: %s', (file, text) => {
    expect(roomFaults(source(file, text))).toEqual([]);
  });

  it('finds an import past the entry of a room', () => {
    const text = `import type { Rule } from '../domain/matching/rules/compile.ts';`;
    expect(entranceFaults(source('src-main/service/a.ts', text))).toHaveLength(1);
    expect(entranceFaults(source('src-main/service/a.ts', text.replace('rules/compile', 'index')))).toEqual([]);
    expect(entranceFaults(source('src-main/domain/matching/a.ts', `import { a } from './rules/compile.ts';`))).toEqual([]);
  });

  it('finds the shell outside src-renderer/api', () => {
    const text = 'const bridge = window.tieout;\nconst address = location.origin;';
    expect(bridgeFaults(source('src-renderer/screens/a.tsx', text))).toHaveLength(2);
    expect(bridgeFaults(source('src-renderer/api/a.ts', text))).toEqual([]);
  });
});

describe('sizes', () => {
  /** Returns the rules by which oxlint, with the settings of the house, refuses a file of the service. */
  function refusedBy(text: string): string[] {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-sizes-'));
    try {
      const file = path.join(folder, 'a.tsx');
      fs.writeFileSync(file, text);
      const oxlint = path.join(repository, 'node_modules/oxlint/bin/oxlint');
      const { stdout } = spawnSync(process.execPath, [oxlint, '--config', path.join(repository, '.oxlintrc.json'), file], {
        encoding: 'utf8',
      });
      return ['max-lines', 'max-lines-per-function'].filter((rule) => stdout.includes(`eslint(${rule})`));
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  }

  it('measures a file', () => {
    expect(refusedBy(`${lines(800)}\n`)).toEqual([]);
    expect(refusedBy(`${lines(801)}\n`)).toEqual(['max-lines']);
  });

  it.each([
    ['function Screen(): void {\n', '}'],
    ['export const Screen = () => {\n', '};'],
    ['class Screen { show(): void {\n', '} }'],
    ['const all = { show() {\n', '} };'],
  ])('measures %j', (head, tail) => {
    const ofLines = (count: number) => `${head}${lines(count - 2)}\n${tail}\n`;
    expect(refusedBy(ofLines(70))).toEqual([]);
    expect(refusedBy(ofLines(71))).toEqual(['max-lines-per-function']);
  });
});

describe('bans', () => {
  it.each([
    ['src-main/database/a.ts', 'export let found: any;', '`any`'],
    ['src-main/database/a.ts', 'export const a = list[0]!;', '`!`'],
    ['src-main/database/a.ts', 'enum Side { A, B }', 'an enum'],
    ['src-main/database/a.ts', 'export default 1;', 'a default export'],
    ['src-main/database/a.ts', 'export class A { private readonly rows = 1; }', '`#name`'],
    ['src-main/database/a.ts', 'export class A { private async read(): Promise<void> {} }', '`#name`'],
    ['src-main/database/index.ts', `export { a } from './a.ts';`, 'a barrel'],
    ['src-main/database/all.ts', `export * from '../records/store/records.ts';`, 'a barrel'],
    ['src-main/database/RecordStore.ts', 'export const a = 1;', 'kebab-case'],
    ['src-main/database/a.ts', glued('// @ts-', 'ignore\nexport const a = 1;'), 'a type that says it'],
    ['src-main/database/a.ts', glued('// oxlint-', 'disable-next-line no-console\nexport const a = 1;'), 'reason'],
    ['src-main/database/a.ts', glued('// TO', 'DO later\nexport const a = 1;'), 'the thing itself'],
    ['src-main/database/a.ts', glued('export const a = req', "uire('fs');"), 'import'],
    ['src-main/service/a.ts', 'export const a = Date.now();', 'Clock port'],
    ['src-main/service/a.ts', 'export const a = new Date();', 'Clock port'],
    ['src-main/service/a.ts', 'export const a = performance.now();', 'Clock port'],
    ['src-main/service/a.ts', glued('export const a = Math', '.random();'), 'Random port'],
    ['src-main/service/a.ts', 'export const a = crypto.randomUUID();', 'Random port'],
    ['src-main/service/a.ts', `console.warn('a');`, 'Log port'],
    ['src-main/service/a.ts', 'export const a = (cents / 100).toFixed(2);', 'decimalText'],
    ['src-main/domain/statement/a.ts', 'export const a = new Date(0);', 'civil-date'],
    ['src-main/domain/statement/a.ts', 'export const a = process.env;', 'a function of its input'],
    ['src-main/database/a.ts', 'await read();', 'synchronous'],
    ['src-main/rules/store/a.ts', 'export const a = JSON.parse(row.filters) as Rule;', 'storedJson'],
    ['src-main/service/a.ts', 'export const a: unknown = JSON.parse(row.answer);', 'storedJson'],
    ['src-main/domain/statement/a.ts', 'export const a = parseFloat(text);', 'minor units'],
    ['src-main/domain/statement/a.ts', 'export const a = Math.round(amount * 100);', 'minor units'],
    ['src-renderer/screens/a.tsx', 'export const A = () => <b dangerouslySetInnerHTML={{ __html: a }} />;', 'React elements'],
    ['src-renderer/components/a.tsx', 'export const A = (props: P) => <b className={styles.a} id="a" {...props} />;', 'classes('],
    ['src-renderer/format/a.ts', glued('export const a = (1).toLo', 'caleString();'), 'values/notation.ts'],
    ['src-main/domain/report/a.ts', glued('export const a = new Intl', ".DateTimeFormat('fr').format(0);"), 'values/notation.ts'],
    ['src-main/commands/a.ts', glued('export const a = new Intl', '.NumberFormat();'), 'values/notation.ts'],
    ['src-renderer/screens/a.tsx', glued('export const a = <input type', '="date" />;'), 'DateField'],
    ['src-renderer/screens/a.tsx', glued('export const a = { type', ": 'date' };"), 'DateField'],
    ['src-renderer/screens/a.tsx', 'export const a = decimalText(5, 2);', 'typedAmount'],
    ['src-shared/words/a.ts', "export const a = { 'a.b': 'Such as 1,234.50' };", 'put into the sentence'],
    ['src-shared/words/a.ts', "export const a = { 'a.b': 'Such as 30/06' };", 'put into the sentence'],
    ['src-main/domain/report/a.ts', glued("export const a = 'en", "-GB';"), 'values/notation.ts'],
    ['test/unit/a.test.ts', glued('it.', "only('a', () => {});"), 'by its name'],
    ['test/unit/a.test.ts', glued('describe.', "skip('a', () => {});"), 'only where it can run'],
    ['test/unit/a.test.ts', glued('it.', "todo('a');"), 'only where it can run'],
  ])('refuses in %s: %s', (file, text, words) => {
    const faults = tidyFaults(source(file, text));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(words);
  });

  it.each([
    ['src-main/platform/system.ts', 'export const now = () => Date.now();'],
    ['src-main/service/a.ts', 'export const at = (atMs: number) => new Date(atMs).toISOString();'],
    ['src-main/domain/statement/a.ts', '// Date.now() is not for here\nexport const a: unknown = 1;'],
    ['src-main/database/a.ts', 'export class A { readonly #rows = 1; private constructor() {} }'],
    ['src-main/preload/index.ts', `import { ipcRenderer } from 'electron';\nipcRenderer.send('a');`],
    ['src-shared/contract/index.ts', `export * from './errors.ts';`],
    ['src-renderer/components/a.tsx', 'export const A = ({ c, ...rest }: P) => <b className={classes(styles.a, c)} {...rest} />;'],
    ['test/vitest.config.ts', 'export default {};'],
    ['src-main/database/json-columns.ts', 'export const a: unknown = JSON.parse(text);'],
    ['src-main/sync/work/remote-http.ts', 'export const a: unknown = JSON.parse(text);'],
    ['test/e2e/true-runtime.test.ts', glued('test.', "skip(true, 'no runtime here');")],
    ['src-main/database/a.ts', glued('// oxlint-', 'disable-next-line no-console -- stdout is the answer\nexport const a = 1;')],
  ])('takes in %s: %s', (file, text) => {
    expect(tidyFaults(source(file, text))).toEqual([]);
  });

  it.each([
    glued('/wo', 'rk/book'),
    glued('see /tm', 'p/a.csv'),
    glued('"/ro', 'ot/.cache"'),
    glued('file:///ho', 'me/ann/book'),
    glued('C:\\Us', 'ers\\ann'),
  ])('finds the machine path in %s', (text) => {
    expect(machinePathFaults(source('README.md', `first\n${text}\n`))).toHaveLength(1);
  });

  it.each(['./work/list.ts', 'https://example.org/home/page', '/v1/records', 'src-main/jobs/worker.ts', '/workbook/a', 'a/tmp/b'])(
    'takes %s',
    (text) => {
      expect(machinePathFaults(source('README.md', text))).toEqual([]);
    },
  );

  it('finds a registry in the lockfile', () => {
    expect(lockfileFaults(lockfile({ version: '4.0.0', resolved: 'https://registry.example.org/zod.tgz' }))).toHaveLength(1);
    expect(lockfileFaults(lockfile({ version: '4.0.0' }))).toEqual([]);
  });

  it('finds a class that a style sheet lacks, one that nothing uses, and one whose name is computed', () => {
    const sheet = source(
      'src-renderer/a/a.module.css',
      '/* .old */ .card :global(.amount) { gap: 1.5rem; } @media print { .card, .row[data-x] { gap: 0; } }',
    );
    const component = (body: string) => source('src-renderer/a/b/c.tsx', `import looks from '../a.module.css';\n${body}`);
    expect(styleFaults([sheet], [component('looks.card; looks.row;')])).toEqual([]);
    expect(styleFaults([sheet], [component('looks.card; looks.row; looks.lost;')])).toEqual([
      'src-renderer/a/b/c.tsx:2: src-renderer/a/a.module.css has no class lost',
    ]);
    expect(styleFaults([sheet], [component('looks.card;')])).toEqual(['src-renderer/a/a.module.css: nothing uses the class row']);
    expect(styleFaults([sheet], [component('looks.card; looks.row; looks[kind];')])).toEqual([expect.stringContaining('a computed class')]);
    expect(styleFaults([], [component('looks.card;')])).toEqual([expect.stringContaining('has no class card')]);
  });
});

describe('folders', () => {
  it('misses the README of a room, and finds one where none is needed', () => {
    const rooms = ['src-main/database', 'src-main/jobs'];
    expect(readmeFaults(['src-main/database/README.md'], rooms)).toEqual([expect.stringContaining('src-main/jobs:')]);
    expect(readmeFaults(['src-main/database/README.md', 'src-main/jobs/README.md'], rooms)).toEqual([]);
    const more = ['src-main/database/README.md', 'src-main/jobs/README.md', 'src-main/jobs/queue/README.md'];
    expect(readmeFaults(more, rooms)).toEqual([expect.stringContaining('src-main/jobs/queue:')]);
  });

  it('finds an empty folder', () => {
    expect(emptyFolderFaults(['src-main/database', 'src-main/jobs'], ['src-main/database/a.ts'])).toEqual(['src-main/jobs: is empty']);
  });

  it('finds a link that leads nowhere', () => {
    const text = '[a](a.md) ![b](../b.png "B") [c](https://example.org) [d](#d) [e](sub/e.md#part)';
    expect(linkFaults(source('src-main/README.md', text), (file) => file === 'src-main/a.md')).toEqual([
      expect.stringContaining('b.png'),
      expect.stringContaining('src-main/sub/e.md'),
    ]);
  });
});

describe('expressions', () => {
  /** Expressions that once kept a core busy forever on files of a few kilobytes, and simpler ones. */
  it.each([
    String.raw`/<OFX>\s*(?:<!--[\s\S]*?-->\s*)*<\w+MSGSRS(?:V\d)?>/i`,
    String.raw`/^[^<]*(?:<(?:\?[^>]*|!--[\s\S]*?--)>[^<]*)*<!DOCTYPE/i`,
    String.raw`/<c\b([^>]*)>(?:<f\b[^>]*\/>|<f\b[^>]*>([^<]*)<\/f>)(?:<v\s*\/>|<v><\/v>)?<\/c>/g`,
    String.raw`/<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<(\/?)([A-Za-z][\w.:-]*)[^<>]*?(\/?)>/g`,
    String.raw`/(?:[T\s,]|(?<=\d\.)\s)\s*\d{1,2}[:.h]\d{2}\s*(?:[ap]\.?m\.?|uhr)?\s*(?:Z|\(?[A-Z]{3,4}\)?)?$/i`,
    String.raw`/\s+as of\s+[\d/.-]{8,10}$/i`,
    String.raw`/(?:^|\s)((?:[-+(]\s?)?(?:\p{Sc}\s?|[A-Z]{3}\s)?\d[\d.,' ]*(?:[.,]\d{2}|(?=\s?\p{Sc}))\)?-?)$/u`,
    String.raw`/^(.*\S)\s*[([]\s*([^()[\]]{1,4})\s*[)\]]\s*$/`,
    String.raw`/payments? .*(?:thank you|received)/`,
    String.raw`/^\d*\.?\d*$/`,
    String.raw`/\s+$/`,
    String.raw`/\r+\n|\r/g`,
    String.raw`/\u2029+x/g`,
    String.raw`/(?:a+)+$/`,
    String.raw`/^(?:a|aa)+$/`,
    String.raw`/\B(?=(\d{3})+$)/g`,
  ])('finds that %s takes ever longer', (expression) => {
    expect(expressionFaults(source('src-main/a.ts', `export const a = ${expression};`))).toHaveLength(1);
  });

  it.each([
    String.raw`/^\s*(?:\d+[.,])*\d+\s*$/`,
    String.raw`/(?<!\s)\s+$/`,
    String.raw`/<(\/?)([A-Za-z][\w.:-]*)(?![\w.:-])([^<>]*)>/y`,
    String.raw`/\s+/g`,
    String.raw`/a{1,40}b/`,
  ])('takes %s', (expression) => {
    expect(expressionFaults(source('src-main/a.ts', `export const a = ${expression};`))).toEqual([]);
  });

  it('finds those that are made of texts', () => {
    expect(madeExpressions(source('src-main/a.ts', `export const a = (word: string) => new RegExp(word);`))).toHaveLength(1);
    expect(madeExpressions(source('src-main/a.ts', `export const a = /word/;`))).toHaveLength(0);
  });
});

describe('sentences', () => {
  const code = (text: string) => wordFaults(source('src-renderer/screens/a.tsx', text));

  it.each([
    ['between tags', '<Text>Nothing to match</Text>'],
    ['as one word', '<Button>Cancel</Button>'],
    ['in a title', '<Button title="Undo" />'],
    ['for a screen reader', "<div aria-label={isOpen ? 'Hide' : name} />"],
    ['in braces', "<Text>{count === 0 ? 'none' : count}</Text>"],
    ['in a template', '<Text>{`${count} left`}</Text>'],
    ['as a member', "const tab = { label: 'Matched' };"],
    ['as a value', "const hint = 'Look at the first matches.';"],
  ])('finds a sentence %s', (_, text) => {
    expect(code(text)).toHaveLength(1);
  });

  it.each([
    ['that refuses', "const closed = () => refuse('conflict', 'The period is closed.');"],
    ['with values', 'throw new Refusal(`${name} is not open any more: try again.`);'],
    ['in a list', "const WORDS = ['added by hand', CODE];"],
    ['in a choice', "const why = isDue ? 'it came too late' : CODE;"],
  ])('finds a sentence of the service %s', (_, text) => {
    expect(wordFaults(source('src-main/service/a.ts', text), false)).toHaveLength(1);
  });

  it.each([
    ['a statement', "read.prepare('SELECT id, name FROM streams WHERE id = ?');"],
    ['a part of a statement', "const order = 'ORDER BY value DESC, id DESC';"],
    ['an alias', "query.innerJoin('streams as s', 's.id', 'r.stream_id');"],
    ['a code in a member that holds sentences elsewhere', "const field = { text: 'number' };"],
    ['a sentence of the catalogue', "const closed = () => refuse('conflict', phrase('close.closed', { period }));"],
  ])('takes %s for no sentence of the service', (_, text) => {
    expect(wordFaults(source('src-main/service/a.ts', text), false)).toEqual([]);
  });

  it.each([
    ['of the catalogue', "<Button title={say('matches.undo')}>{say('matches.match')}</Button>"],
    ['of a style', '<div className="row is-open wide" style={{ border: "1px solid var(--line)" }} />'],
    ['of a type', "type Verb = 'look at this one';"],
    ['of the log', "log.error('The backend failed to start');"],
    ['of a broken assumption', "assert(isOpen, 'the door is open');"],
  ])('takes the words %s', (_, text) => {
    expect(code(text)).toEqual([]);
  });
});
