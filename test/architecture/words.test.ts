import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { catalogue, type WordKey } from '../../src-shared/words/catalogue.ts';
import { say } from '../../src-shared/words/say.ts';
import { codeUnder, readSource } from './sources.ts';
import { wordFaults } from './word-check.ts';

const sources = [
  ...codeUnder('src-renderer', 'src-main/commands', 'src-main/shell'),
  ...['src-main/cli.ts', 'src-main/cli.ts', 'src-main/cli-options.ts'].map(readSource),
  // Parts of the service that say all their sentences by the catalogue.
  ...codeUnder('src-main/imports/work'),
  ...['src-main/close/work/close-warnings.ts', 'src-main/service/period-lock.ts'].map(readSource),
];
const code = codeUnder('src-main', 'src-renderer', 'src-shared').filter(({ file }) => !/^src-shared\/words\/(?!say)/.test(file));

const entries = Object.entries(catalogue) as [WordKey, string][];

it('finds every sentence of the window, of the command line and of these parts of the service in the catalogue', () => {
  expect(sources.flatMap(wordFaults)).toEqual([]);
});

describe('the catalogue', () => {
  it('holds each sentence for a place that says it', () => {
    const said = new Set(code.flatMap(({ text }) => [...text.matchAll(/['"]([a-z][\w]*(?:\.\w+)+)['"]/gi)].map(([, key]) => key)));
    expect(entries.filter(([key]) => !said.has(key)).map(([key]) => key)).toEqual([]);
  });

  it('holds words alone, and no style, media query or key of the keyboard', () => {
    const isCode = (text: string): boolean => /^[a-z]+\.$|\d(?:px|cqi|rem)\b|^(?:Control|Meta|Shift|Alt)\+/.test(text);
    expect(['(max-width: 820px)', 'clamp(22%, 26cqi - 4rem, 30%)', 'Control+Enter Meta+Enter', 'metadata.'].filter(isCode)).toHaveLength(4);
    expect(entries.filter(([, text]) => isCode(text))).toEqual([]);
  });

  it('holds whole sentences and clauses, which the code neither indents nor joins by a comma', () => {
    const isFragment = (text: string): boolean => /^[\s,.;:)…–·]|\s$/.test(text);
    expect([' on side A', ', net', '; stays', '. No match', ' · none', 'a number from '].filter(isFragment)).toHaveLength(6);
    expect(entries.filter(([, text]) => isFragment(text))).toEqual([]);
  });

  it('names values as the types of say read them', () => {
    const differing = entries.filter(([, text]) => {
      const byTypes = [...text.matchAll(/(one|other|yes|=0)?\{([^{},]+)[},]/g)]
        .filter(([, form]) => form === undefined)
        .map(([, , name]) => name);
      return text.includes('{') && byTypes.toSorted().join() !== namesIn(new IntlMessageFormat(text, 'en').getAst()).toSorted().join();
    });
    expect(differing).toEqual([]);
  });

  it('says a sentence without values as it is written', () => {
    const plain = entries.filter(([, text]) => !text.includes('{') && !text.includes('</'));
    expect(plain.length).toBeGreaterThan(100);
    expect(plain.filter(([key, text]) => (say as (key: WordKey) => string)(key) !== text)).toEqual([]);
  });
});

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** Returns the names of the values of a parsed message, each as often as it is there. */
function namesIn(elements: readonly Element[]): string[] {
  return elements.flatMap((element) => {
    const own = 'value' in element && element.type !== 0 && element.type !== 8 ? [String(element.value)] : [];
    const inner =
      'options' in element
        ? Object.values(element.options).flatMap(({ value }) => namesIn(value))
        : 'children' in element
          ? namesIn(element.children)
          : [];
    return [...own, ...inner];
  });
}
