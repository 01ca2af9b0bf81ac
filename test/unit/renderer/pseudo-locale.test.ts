import { globSync } from 'node:fs';
import path from 'node:path';
import type { QueryClient } from '@tanstack/react-query';
import { createElement, type FunctionComponent, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Connection } from '../../../src-renderer/api/use-operation.ts';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import type { WordKey } from '../../../src-shared/words/catalogue.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { fullBook } from '../../support/books/full-book.ts';

// The window reads its address as it loads.
vi.hoisted(() => {
  vi.stubGlobal('location', { hash: '' });
  vi.stubGlobal('window', { addEventListener: () => undefined });
});
// Other files of this worker run without a window.
afterAll(() => void vi.unstubAllGlobals());

const root = path.resolve(import.meta.dirname, '../../..');
const ACCENTED = 'åƀçđéƒğħîĵķłɱñøþɋřšŧûṽŵẋýž';
const accent = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => ACCENTED[letter.toLowerCase().charCodeAt(0) - 97] ?? letter);

/** Returns a message with every letter of its text accented. Names of values, keywords of plurals and choices, and tags stay. */
function pseudo(message: string): string {
  const [, before, name, rest] = /^([^{<]*)(<[^>]*>|\{\w+\}|\{\w+, (?:plural|select), )?(.*)$/s.exec(message) ?? [];
  if (name === undefined) return accent(message);
  return accent(before ?? '') + name + (name.endsWith(', ') ? formsOf(rest ?? '') : pseudo(rest ?? ''));
}

/** Returns the forms of a plural or a choice, `one{# line} other{# lines}}`, and what follows it. */
function formsOf(text: string): string {
  const [whole, keyword, body] = /^ ?(one|other|yes|=\d+)\{([^{}]*)\}/.exec(text) ?? [''];
  if (whole === '') return text.slice(0, 1) + pseudo(text.slice(1));
  return `${whole.startsWith(' ') ? ' ' : ''}${keyword ?? ''}{${accent(body ?? '')}}${formsOf(text.slice(whole.length))}`;
}

/** Plain words in a row; what Commander itself writes is no text of ours. */
const PLAIN = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i;
const COMMANDER = ['display help for command', 'output the version number'];

/** Returns the lines that the catalogue did not say. */
function hardCoded(text: string): string[] {
  return text.split('\n').filter((line) => PLAIN.test(COMMANDER.reduce((rest, own) => rest.replace(own, ''), line)));
}

async function helpOf(words: readonly string[]): Promise<string> {
  const { runCli } = await import('../../../src-main/cli.ts');
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await runCli([...words, '--help']);
  } finally {
    spy.mockRestore();
  }
  return written.join('');
}

/** Returns every text within a value, with the way to it. */
function textsIn(value: unknown, way: string): [way: string, text: string][] {
  if (typeof value === 'string') return [[way, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, `${way}.${name}`));
}

// Tables of words are made as their modules load, so these load after the catalogue was replaced.
beforeAll(async () => {
  vi.resetModules();
  const { catalogue } = await import('../../../src-shared/words/catalogue.ts');
  const { useCatalogue } = await import('../../../src-shared/words/say.ts');
  useCatalogue(Object.fromEntries(Object.entries(catalogue).map(([key, text]) => [key, pseudo(text)])) as Record<WordKey, string>);
});
afterAll(() => vi.resetModules());

test('a text that the catalogue did not say is found', () => {
  expect(hardCoded(`${accent('from the catalogue alone')}\nwritten into the code\n  -h  display help for command`)).toEqual([
    'written into the code',
  ]);
});

test('the catalogue says all that the command line shows with --help', async () => {
  const all = await helpOf([]);
  const names = [...all.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? '').filter((name) => name !== 'help');
  expect(names).toEqual(expect.arrayContaining(['import', 'reconcile', 'close', 'sync']));
  const faults: string[] = hardCoded(all);
  for (const name of names) faults.push(...hardCoded(await helpOf([name])).map((line) => `${name}: ${line.trim()}`));
  expect(faults).toEqual([]);
});

test('the catalogue says all words that the window has for codes', async () => {
  // The service says these as well, from the contract.
  const shared: readonly string[] = Object.values(REASON_WORDS);
  const faults: string[] = [];
  for (const file of globSync('src-renderer/format/*.ts', { cwd: root })) {
    const module = (await import(path.join(root, file))) as Record<string, unknown>;
    for (const [way, text] of textsIn(module, path.basename(file))) {
      if (/[a-z]{2,} [a-z]{2,}/i.test(text) && !shared.includes(text)) faults.push(`${way}: ${text}`);
    }
  }
  expect(faults).toEqual([]);
});

/** What people read of a page: the texts between tags, and what a screen reader or a pointer finds. */
function textsOf(markup: string): string[] {
  const page = markup.replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, '');
  const attributes = [...page.matchAll(/ (?:aria-label|aria-valuetext|title|placeholder|alt)="([^"]*)"/g)].map(([, text]) => text ?? '');
  const between = page.split(/<[^>]*>/);
  return [...between, ...attributes]
    .map((text) => text.replaceAll(/&[a-z]+;|&#x?\w+;/g, ' ').trim())
    .filter((text) => /[a-z]{3,}/i.test(text));
}

/** Names, codes and keys, which every language writes as they are. */
const SAME_EVERYWHERE =
  /Tieout|tieout|https?:\S+|\b(?:Esc|Ctrl|Enter|Tab|Shift|Space|Alt|Cmd|CSV|XLSX|PDF|API|OFX|QIF|CAMT|MT940|BAI2|NACHA|JSON|GBP|EUR|USD|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October|November|December)\b/g;

/** Renders a screen until every answer that it asks for is there. */
async function pageOf(element: ReactNode, connection: Connection, around: (inner: ReactNode) => ReactNode): Promise<string> {
  const { queries } = connection;
  let page = '';
  for (let round = 0; round < 12; round += 1) {
    page = renderToStaticMarkup(around(element));
    const missing = queries
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.data === undefined && state.error === null);
    if (missing.length === 0) return page;
    for (const { queryKey } of missing) await queries.fetchQuery({ queryKey }).catch(() => undefined);
  }
  return page;
}

/** Returns every text that the service answered: it is the service's to word, and data of the book. */
function answered(queries: QueryClient): string[] {
  const texts = queries
    .getQueryCache()
    .getAll()
    .flatMap(({ state }) => textsIn(state.data, ''));
  return texts.map(([, text]) => text).toSorted((one, other) => other.length - one.length);
}

test('the catalogue says every word of the screens that is no answer of the service', { timeout: 60_000 }, async () => {
  const { client } = await fullBook();
  const [{ MantineProvider }, { ConnectionContext, createEventHub, createQueries }] = await Promise.all([
    import('@mantine/core'),
    import('../../../src-renderer/api/use-operation.ts'),
  ]);
  const events = createEventHub();
  const queries = createQueries(client, events);
  const connection: Connection = {
    client,
    queries,
    events,
    answered: () => Promise.resolve(),
    isSignedIn: true,
    chooseFile: null,
    showInFolder: null,
    takeOpened: null,
    chooseFolder: null,
    sendFile: null,
  };
  const around = (inner: ReactNode): ReactNode =>
    createElement(MantineProvider, null, createElement(ConnectionContext, { value: connection }, inner));
  const [reconciliation] = (await client.get('reconciliations.list', {})).data;
  const { id } = present(reconciliation, 'reconciliation');
  const screens = path.join(root, 'src-renderer/screens');
  const part = (file: string, name: string, props: object): Promise<readonly [string, ReactNode]> =>
    import(path.join(screens, file)).then((module: Record<string, FunctionComponent>) => [
      name,
      createElement(present(module[name], name), props),
    ]);
  const pages = await Promise.all([
    part('book/book-screen.tsx', 'BookScreen', {}),
    part('book/settings-screen.tsx', 'SettingsScreen', {}),
    part('imports/import-screen.tsx', 'ImportScreen', { streamKey: null }),
    part('streams/accounts-screen.tsx', 'AccountsScreen', {}),
    part('streams/stream-screen.tsx', 'StreamScreen', { streamKey: 'ledger' }),
    part('records/records-screen.tsx', 'RecordsScreen', { streamKey: null }),
    ...['open', 'proposed', 'matched', 'rules', 'runs', 'evidence'].map((firstTab) =>
      part('reconciliations/reconciliation-screen.tsx', 'ReconciliationScreen', { id, firstTab }),
    ),
    part('close/close-screen.tsx', 'CloseScreen', { id, periodId: null }),
    part('sync/remote-sync.tsx', 'SyncScreen', { place: { screen: 'sync', id: null } }),
  ]);
  const faults: string[] = [];
  for (const [name, element] of pages) {
    const page = await pageOf(element, connection, around);
    expect(page, `${name} says something`).toMatch(new RegExp(`[${ACCENTED}]{3}`));
    const answers = answered(queries);
    for (const text of textsOf(page)) {
      const rest = answers.reduce((left, answer) => (answer.length < 3 ? left : left.replaceAll(answer, '')), text);
      if (/[a-z]{3,}/i.test(rest.replaceAll(SAME_EVERYWHERE, ''))) faults.push(`${name}: ${text}`);
    }
  }
  expect([...new Set(faults)]).toEqual([]);
});
