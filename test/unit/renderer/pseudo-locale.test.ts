import { globSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import type { WordKey } from '../../../src-shared/words/catalogue.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const ACCENTED = 'åƀçđéƒğħîĵķłɱñøþɋřšŧûṽŵẋýž';
const accent = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => ACCENTED[letter.toLowerCase().charCodeAt(0) - 97] ?? letter);

/** Returns a message with every letter of its text accented. Names of values, keywords of plurals and tags stay. */
function pseudo(message: string): string {
  const [, before, name, rest] = /^([^{<]*)(<[^>]*>|\{\w+\}|\{\w+, plural, )?(.*)$/s.exec(message) ?? [];
  if (name === undefined) return accent(message);
  return accent(before ?? '') + name + (name.endsWith(', plural, ') ? formsOf(rest ?? '') : pseudo(rest ?? ''));
}

/** Returns the forms of a plural, `one{# line} other{# lines}}`, and what follows it. */
function formsOf(text: string): string {
  const [whole, keyword, body] = /^ ?(\S+?)\{([^{}]*)\}/.exec(text) ?? [''];
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
