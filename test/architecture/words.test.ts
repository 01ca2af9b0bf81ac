import path from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { catalogue, type WordKey } from '../../src-shared/words/catalogue.ts';
import { say } from '../../src-shared/words/say.ts';
import { wordsSaid } from '../../electron.vite.config.ts';
import { codeUnder, readSource, repository } from './sources.ts';
import { wordFaults } from './word-check.ts';

const window = [
  ...codeUnder('src-renderer', 'src-main/commands', 'src-main/shell'),
  ...['src-main/cli.ts', 'src-main/cli-options.ts'].map(readSource),
];

/** Files of the service with texts that the catalogue does not hold, and why. */
const OUTSIDE: Readonly<Record<string, string>> = {
  'src-main/domain/statement/vocabulary/': 'words of statements, in many languages',
  'src-main/domain/statement/accounts/account-names.ts': 'words of statements, in many languages',
  'src-main/domain/statement/cells/': 'words of statements, in many languages',
  'src-main/domain/statement/formats/ofx.ts': 'names of elements',
  'src-main/domain/ledger/plain-causes.ts': 'words of statements, in many languages',
  'src-main/domain/report/report-style.ts': 'names of fonts',
  'src-main/domain/evidence/comparison/levels.ts': 'names of levels, as they are stored',
  'src-main/domain/evidence/estimation/stored-parameters.ts': 'faults of what is stored, for engineers',
  'src-main/database/': 'SQL, and faults of the file that `tieout verify` quotes',
  'src-main/warehouse/': 'types and statements of other databases',
  'src-main/transport/openapi/': 'the documentation for programs',
  'src-main/transport/validation/': 'refusals that name fields of the contract',
  'src-main/transport/http/server.ts': 'lines of the log',
  'src-main/transport/access/guards.ts': 'lists of headers',
  'src-main/launch.mjs': 'runs before the packages are there',
  'src-main/bin.mjs': 'runs before the packages are there',
  'src-main/main.ts': 'says that nothing could be loaded',
  'src-main/cli-completion.ts': 'programs for shells',
  'src-main/backend/queue.ts': 'lines of the log',
  'src-main/book/work/keep-book.ts': 'lines of the log',
  'src-main/records/work/pack-stream.ts': 'lines of the log',
  'src-main/service/search-indexer.ts': 'lines of the log',
};

const service = codeUnder('src-main').filter(({ file }) => !window.some((source) => source.file === file));
const code = codeUnder('src-main', 'src-renderer', 'src-shared').filter(({ file }) => !/^src-shared\/words\/(?!say)/.test(file));

/** A key that code puts together, such as `book.undo.${code}`. A type of keys is none. */
const PUT_TOGETHER = /\b(?:say|phrase|sayInParts)\(`|\bwords=\{`/;

const entries = Object.entries(catalogue) as [WordKey, string][];

it('finds every sentence of the window and of the command line in the catalogue', () => {
  expect(window.flatMap((source) => wordFaults(source))).toEqual([]);
});

describe('the window', () => {
  const ofWindow = code.filter(({ file }) => /^src-(?:renderer|shared)\//.test(file));

  it('names each key whole, since the build leaves all others out of it', () => {
    const put = ['say(`book.undo.${code}`)', '<Said words={`book.${name}`} />', "say('book.undo.undo')"];
    expect(put.filter((text) => PUT_TOGETHER.test(text))).toHaveLength(2);
    expect(ofWindow.filter(({ text }) => PUT_TOGETHER.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('is built with what it says, and with nothing that only the service says', async () => {
    const files = codeUnder('src-shared/words').filter(({ file }) => !/(?:say|catalogue)\.ts$/.test(file));
    const built = (await Promise.all(files.map(({ file }) => wordsSaid(path.join(repository, file))))).join('\n');
    const text = ofWindow.map((source) => source.text).join('\n');
    const { said = [], unsaid = [] } = Object.groupBy(entries, ([key]) =>
      text.includes(`'${key}'`) || text.includes(`"${key}"`) ? 'said' : 'unsaid',
    );
    expect(said.filter(([key, words]) => !built.includes(`${JSON.stringify(key)}:${JSON.stringify(words)}`))).toEqual([]);
    expect(unsaid.filter(([key]) => built.includes(`"${key}"`))).toEqual([]);
    expect(unsaid.length).toBeGreaterThan(1_000);
  });
});

describe('the service', () => {
  const outside = (file: string): string | undefined => Object.keys(OUTSIDE).find((place) => file.startsWith(place));

  it('has every sentence in the catalogue', () => {
    expect(service.filter(({ file }) => outside(file) === undefined).flatMap((source) => wordFaults(source, false))).toEqual([]);
  });

  it('has each exception for a file that needs it', () => {
    const needed = new Set(service.filter((source) => wordFaults(source, false).length > 0).map(({ file }) => outside(file)));
    expect(Object.keys(OUTSIDE).filter((place) => !needed.has(place))).toEqual([]);
  });
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

  it('calls an account an account; only fields of the contract and options of the command line are named after streams', () => {
    const plain = (text: string): string => text.replaceAll(/\{\w+|--[\w-]+|\w*_\w*/g, '');
    const callsItStream = (text: string): boolean => /\bstreams?\b/i.test(plain(text));
    expect(
      ['There is no data stream {key}.', 'Streams of the book', '{stream}: check data_stream_key', '--stream bank'].map(callsItStream),
    ).toEqual([true, true, false, false]);
    expect(entries.filter(([, text]) => callsItStream(text))).toEqual([]);
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
