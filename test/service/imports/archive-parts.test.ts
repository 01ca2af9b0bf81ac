import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { STATEMENT_LIMITS } from '../../../src-main/domain/statement/model/limits.ts';
import { FileTokens } from '../../../src-main/imports/operations/file-tokens.ts';
import { openFile, packedAt } from '../../../src-main/imports/work/understand.ts';
import { openTestBook, testFolder, testRandom } from '../../support/books/backend.ts';
import { workbookParts, zipOf, type ZipPart } from '../../support/inputs/zips.ts';

const csv = (what: string, month = '06'): string =>
  `Date,Description,Amount\n2026-${month}-01,${what},-9.50\n2026-${month}-02,${what} again,-1.00\n`;

function write(folder: string, name: string, bytes: Uint8Array | string): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

/** Imports each file of an archive into one stream; answers their names and what came of them. */
async function importParts(parts: readonly ZipPart[]) {
  const book = await openTestBook();
  const chosen = book.backend.registerFile(write(testFolder(), 'statements.zip', zipOf(parts)));
  if (!chosen.ok) throw new Error(chosen.error.message);
  const { files } = await book.client.get('imports.parts', { file_token: chosen.value.token });
  const results = [];
  for (const { file_token } of files) {
    const job = await book.ended(await book.client.get('imports.start', { file_token, stream_key: 'bank', currency: 'GBP' }));
    results.push(job.import_result);
  }
  return { book, names: files.map(({ name }) => name), results };
}

test('each file of an archive with several is taken separately, and one that is larger than stated stops no other', async () => {
  const bomb = { name: 'bomb.csv', content: Buffer.alloc(3_000_000, 'a'), says: { unpacked: 100 } };
  const parts = [{ name: 'out/june.csv', content: csv('Tea') }, { name: 'july.csv', content: csv('Bus', '07') }, bomb];
  const { book, names, results } = await importParts(parts);
  expect(names).toEqual(['statements.zip › bomb.csv', 'statements.zip › july.csv', 'statements.zip › out/june.csv']);
  expect(results).toMatchObject([{ kept: 0, problems: [{ severity: 'fatal' }] }, { kept: 2 }, { kept: 2 }]);
  const { data } = await book.client.get('import_batches.list', { key: 'bank' });
  expect(data.map(({ filename }) => filename).toSorted()).toEqual(['july.csv', 'june.csv']);
});

test('an archive that claims to unpack to too much is refused', async () => {
  const huge = { name: 'huge.csv', content: csv('Huge'), says: { unpacked: 4_000_000_000 } };
  const { results } = await importParts([{ name: 'june.csv', content: csv('Tea') }, huge]);
  const refused = { kept: 0, problems: [{ severity: 'fatal', code: 'too_large' }] };
  expect(results).toMatchObject([refused, refused]);
});

const { cellCharacters, columns, bytesOfAnyWorkbook } = STATEMENT_LIMITS;
const row = (text: string): string => `Date,Description,Amount,Transaction ID\n2026-06-01,${text},-9.50,a\n`;

test.each<readonly [string, string, Uint8Array | string, string]>([
  ['a cell that is too long', 'a.csv', row('x'.repeat(cellCharacters + 1)), 'too_large'],
  ['too many columns', 'a.csv', `Date,Amount${',x'.repeat(columns)}\n2026-06-01,-1.00${',y'.repeat(columns)}\n`, 'too_large'],
  ['a description that no record holds', 'a.csv', row('x '.repeat(1_500)), 'description_too_long'],
  ['an id that no record holds', 'a.csv', row('x').replace(',a\n', `,${'y'.repeat(256)}\n`), 'external_id_too_long'],
  ['a workbook that unpacks to too much', 'a.xlsx', zipOf(workbookParts({ sheet: ' '.repeat(bytesOfAnyWorkbook * 2) })), 'too_large'],
  ['nothing at all', 'a.csv', '', 'empty_file'],
  ['binary data', 'a.csv', new Uint8Array([1, 2, 0, 3, 0, 0, 5, 0, 6, 7, 0, 2, 0]), 'binary_file'],
])('a file of an archive has the limits of any file: %s', async (_what, name, content, code) => {
  const book = await openTestBook();
  const single = book.backend.registerFile(write(testFolder(), name, content));
  if (!single.ok) throw new Error(single.error.message);
  const started = await book.client.get('imports.start', { file_token: single.value.token, stream_key: 'bank', currency: 'GBP' });
  const alone = (await book.ended(started)).import_result;
  const { results } = await importParts([
    { name, content },
    { name: 'z.csv', content: csv('Tea') },
  ]);
  expect(alone?.problems.map((problem) => problem.code)).toContain(code);
  const [packed, other] = results;
  expect(packed?.problems.filter((problem) => problem.code !== 'unpacked')).toEqual(alone?.problems);
  expect([packed?.kept, alone?.kept, other?.kept]).toEqual([0, 0, 2]);
});

test('any other file has no parts; an archive with too many is refused', async () => {
  const book = await openTestBook();
  const parts = async (name: string, bytes: Uint8Array | string) => {
    const chosen = book.backend.registerFile(write(testFolder(), name, bytes));
    if (!chosen.ok) throw new Error(chosen.error.message);
    return { file_token: chosen.value.token };
  };
  expect(await book.client.get('imports.parts', await parts('june.csv', csv('Tea')))).toEqual({ files: [] });
  expect(await book.client.get('imports.parts', await parts('one.zip', zipOf([{ name: 'june.csv', content: csv('Tea') }])))).toEqual({
    files: [],
  });
  expect(await book.client.get('imports.parts', await parts('damaged.zip', zipOf([]).subarray(0, 10)))).toEqual({ files: [] });
  const many = zipOf(Array.from({ length: 101 }, (_, index) => ({ name: `${index}.csv`, content: csv('Tea') })));
  expect(await book.client.refusal('imports.parts', await parts('many.zip', many))).toMatchObject({
    code: 'file_unreadable',
    message: 'many.zip holds 101 files, and up to 100 of one archive are taken at once. Unpack it and choose some of them.',
  });
  expect(await book.client.refusal('imports.parts', { file_token: 'x' })).toMatchObject({ code: 'file_unreadable' });
});

test('an upload is kept as long as one of its files has a token', () => {
  const folder = testFolder();
  const tokens = new FileTokens(testRandom());
  const archive = write(folder, 'upload', 'x');
  tokens.register(archive, { temporary: true });
  const part = tokens.register(archive, { part: 'june.csv', temporary: true });
  const other = write(folder, 'other', 'x');
  for (let index = 0; index < 199; index += 1) tokens.register(other);
  expect([part.ok && tokens.find(part.value.token)?.part, existsSync(archive)]).toEqual(['june.csv', true]);
  tokens.register(other);
  expect(existsSync(archive)).toBe(false);
});

test('a file of an archive is unpacked once for its name and its content, and again when the archive is another one', () => {
  const folder = testFolder();
  const place = (part: string) => ({ path: path.join(folder, 'a.zip'), filename: 'a.zip', part });
  const bytesOf = (part: string) => {
    const opened = openFile(place(part));
    const read = opened.ok ? opened.value.bytes() : opened;
    if (!read.ok) throw new Error(read.error.message);
    return read.value;
  };
  write(
    folder,
    'a.zip',
    zipOf([
      { name: 'june.csv', content: csv('Tea') },
      { name: 'july.csv', content: csv('Bus', '07') },
    ]),
  );
  const june = packedAt(place('june.csv'));
  expect(bytesOf('june.csv')).toBe(june?.bytes);
  expect(Buffer.from(bytesOf('july.csv')).toString()).toBe(csv('Bus', '07'));
  write(
    folder,
    'a.zip',
    zipOf([
      { name: 'june.csv', content: csv('Tea') },
      { name: 'july.csv', content: csv('Tram', '07') },
    ]),
  );
  expect(Buffer.from(bytesOf('july.csv')).toString()).toBe(csv('Tram', '07'));
});
