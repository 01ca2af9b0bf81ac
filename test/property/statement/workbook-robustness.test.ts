import * as fc from 'fast-check';
import { utils, write } from '@e965/xlsx';
import { expect, it, test } from 'vitest';
import { unzipped } from '../../../src-main/domain/statement/archive/zip-archive.ts';
import { readText } from '../../support/inputs/statements.ts';
import { ROWS, STRINGS, workbookParts, zipOf, type ZipPart } from '../../support/inputs/zips.ts';
import { runs } from '../../support/long.ts';

/** What one file may take; a sound one takes some milliseconds. Far more, so that a busy machine is no failure. */
const MOST_MS = 10_000;
const MOST_BYTES = 512 * 1024 * 1024;

const statement = utils.aoa_to_sheet([
  ['Bank of Somewhere'],
  [],
  ['Date', 'Text', 'Amount', 'Balance'],
  ...Array.from({ length: 40 }, (_, index) => [
    `2026-06-${String((index % 28) + 1).padStart(2, '0')}`,
    `Line ${index}`,
    -index - 0.5,
    index,
  ]),
]);
const book = utils.book_new();
utils.book_append_sheet(book, statement, 'June');
const written = (bookType: 'xlsx' | 'biff8'): Uint8Array => new Uint8Array(write(book, { type: 'array', bookType }) as ArrayBuffer);
const XLSX = written('xlsx');
const XLS = written('biff8');
const PARTS: readonly ZipPart[] = (() => {
  const read = unzipped(XLSX, 10_000_000, () => true);
  return read.ok ? read.value.map(({ name, bytes }) => ({ name, content: bytes })) : [];
})();

/** What is wrong with an answer, whatever the file. */
function faultsOf(bytes: Uint8Array): string[] {
  const { rss } = process.memoryUsage();
  const { user } = process.cpuUsage();
  const read = readText(bytes, { filename: 'a.xlsx' });
  const faults: string[] = [];
  if ((process.cpuUsage().user - user) / 1_000 > MOST_MS) faults.push('took too long');
  if (process.memoryUsage().rss - rss > MOST_BYTES) faults.push('took too much memory');
  if (!read.ok) return /^[A-Z].*\.$/su.test(read.error.message) ? faults : [...faults, `no sentence: ${read.error.message}`];
  const { rows, lines, rejectedRows } = read.value;
  if (rows !== lines.length + rejectedRows) faults.push('rows do not add up');
  for (const { amountMinor, day, currency } of lines) {
    if (!Number.isSafeInteger(amountMinor) || amountMinor < 0 || !Number.isSafeInteger(day))
      faults.push(`a line of ${amountMinor} on ${day}`);
    if (!/^[A-Z]{3}$/.test(currency)) faults.push(`currency ${currency}`);
  }
  return faults;
}

it('has parts to damage', () => {
  expect(PARTS.map(({ name }) => name)).toEqual(expect.arrayContaining(['xl/workbook.xml', 'xl/worksheets/sheet1.xml']));
  expect(readText(XLSX)).toMatchObject({ ok: true, value: { rows: 40 } });
  expect(readText(XLS)).toMatchObject({ ok: true, value: { rows: 40 } });
  expect(readText(zipOf(PARTS))).toMatchObject({ ok: true, value: { rows: 40 } });
});

const places = fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(255)), {
  minLength: 1,
  maxLength: 12,
});

function damagedBy(bytes: Uint8Array, changes: readonly (readonly [number, number])[]): Uint8Array {
  const copy = bytes.slice();
  for (const [share, value] of changes) copy[Math.floor(share * copy.length)] = value;
  return copy;
}

test.each([
  ['xlsx', XLSX],
  ['xls', XLS],
])('bytes of an %s changed anywhere, and its end cut off', (_kind, sound) => {
  fc.assert(
    fc.property(places, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (changes, kept, isCut) => {
      const bytes = damagedBy(sound, changes);
      expect(faultsOf(isCut ? bytes.slice(0, Math.ceil(kept * bytes.length)) : bytes)).toEqual([]);
    }),
    { numRuns: runs(250) },
  );
});

test('bytes of its parts changed, with sums that are right', () => {
  fc.assert(
    fc.property(fc.nat(PARTS.length - 1), places, (which, changes) => {
      const parts = PARTS.map((part, index) =>
        index === which ? { ...part, content: damagedBy(Buffer.from(part.content), changes) } : part,
      );
      expect(faultsOf(zipOf(parts))).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});

const figure = fc.constantFrom(0, 1, 9, 1_000, 65_535, 0x7f_ff_ff_ff, 0xff_ff_ff_fe, 0xff_ff_ff_ff);
const says = fc.record(
  { unpacked: figure, packed: figure, sum: figure, offset: figure, flags: fc.constantFrom(0, 1, 8, 0x20_41) },
  { requiredKeys: [] },
);

test('entries that lie, stand there twice, or do not', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(PARTS.length - 1), says, fc.boolean()), { minLength: 1, maxLength: 4 }),
      fc.subarray([...PARTS], { minLength: 2 }),
      (lies, kept) => {
        const parts = kept.map((part, index) => {
          const lie = lies.find(([which]) => which === index);
          return lie === undefined ? part : { ...part, says: lie[1], isStored: lie[2] };
        });
        expect(faultsOf(zipOf(parts))).toEqual([]);
        expect(faultsOf(zipOf([...parts, ...kept.slice(0, 1)]))).toEqual([]);
      },
    ),
    { numRuns: runs(250) },
  );
});

const reference = fc.oneof(
  fc.constantFrom(
    'A1',
    'C3',
    'XFD1048576',
    'ZZZZZZ9',
    'A0',
    'A-1',
    '1',
    'A',
    '',
    'a1',
    'A99999999999999999999',
    'AMK2',
    '__proto__1',
    'A1:XFD1048576',
  ),
  fc.string({ maxLength: 6 }).map((text) => text.replaceAll(/[<>&"]/g, '')),
);
const value = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '4',
    '5',
    '-1',
    '99999999999',
    '1e400',
    'NaN',
    '1.5',
    '&#0;',
    '&amp;',
    '&lt;b&gt;',
    '2026-06-01',
    '<![CDATA[x]]>',
  ),
  fc.double().map(String),
);
const cell = fc
  .tuple(reference, fc.constantFrom('', 's', 'n', 'str', 'inlineStr', 'b', 'e', 'd', 'x'), value, fc.boolean(), fc.nat(40))
  .map(([r, t, v, hasFormula, style]) => {
    const formula = hasFormula ? '<f t="shared" si="99999" ref="A1:XFD1048576">\'http://x/[1]S\'!A1</f>' : '';
    return `<c r="${r}" s="${style}"${t === '' ? '' : ` t="${t}"`}>${formula}${t === 'inlineStr' ? `<is><t>${v}</t></is>` : `<v>${v}</v>`}</c>`;
  });
const sheetRows = fc
  .array(fc.tuple(reference, fc.array(cell, { maxLength: 6 })), { maxLength: 8 })
  .map(
    (rows) => `<sheetData>${rows.map(([r, cells]) => `<row r="${r.replace(/\D+/g, '')}">${cells.join('')}</row>`).join('')}</sheetData>`,
  );
const around = fc.constantFrom(
  '',
  '<dimension ref="A1:XFD1048576"/>',
  '<hyperlinks><hyperlink ref="A1:XFD1048576" location="x"/></hyperlinks>',
  '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
  '<cols><col min="1" max="99999999999"/></cols>',
  '<sheetData/>',
  '<x:sheetData xmlns:x="y"><x:row r="1"/></x:sheetData>',
  '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
  '</worksheet>',
);

test('rows, cells and texts of any kind', () => {
  fc.assert(
    fc.property(
      around,
      fc.oneof(sheetRows, fc.constant(ROWS)),
      around,
      fc.constantFrom(STRINGS, '', '<si/>', '<si><t>'),
      (before, rows, after, strings) => {
        expect(faultsOf(zipOf(workbookParts({ sheet: `${before}${rows}${after}`, strings })))).toEqual([]);
      },
    ),
    { numRuns: runs(500) },
  );
});
