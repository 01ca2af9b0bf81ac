import { describe, expect, it, test } from 'vitest';
import type { ReadOptions } from '../../../../src-main/domain/statement/model/read-options.ts';
import type { Unreadable } from '../../../../src-main/domain/statement/model/statement.ts';
import { readStatement } from '../../../../src-main/domain/statement/read.ts';
import { readLarge } from '../../../../src-main/domain/statement/read.ts';
import type { TableByHand } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { codesOf, lines, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const quiet = { onProgress: (): void => undefined, isCancelled: (): boolean => false };

function refusalOf(content: string | Uint8Array, table: TableByHand): Unreadable {
  const read = readText(content, { table });
  if (read.ok) throw new Error('it was read');
  return read.error;
}

/** The first line could be a header as well. */
const TWO_HEADERS = lines('Date,Text,Amount', 'Booked,What for,Sum', '2026-06-01,Rent,-9.00', '2026-06-02,Tea,-1.00');

describe('the header, as a person says it', () => {
  it('is the line that is named; those above are left out', () => {
    const read = statementOf(TWO_HEADERS, { table: { header_row: 2 } });
    expect(read.columns.map(({ header }) => header)).toEqual(['Booked', 'What for', 'Sum']);
    expect([read.dialect.headerRow, summaryOf(read).length, read.rejectedRows]).toEqual([2, 2, 0]);
    expect(statementOf(TWO_HEADERS).dialect.headerRow).toBe(1);
  });

  it('is none: the table begins with the first row of data', () => {
    const read = statementOf(TWO_HEADERS, { table: { header_row: null } });
    expect([read.dialect.headerRow, summaryOf(read).length, read.table?.recipe.has_header]).toEqual([null, 2, false]);
  });

  it.each([5, 3, 200])('row %i of a file in which it is blank or not there is refused with the row', (row) => {
    const text = lines('Date,Text,Amount', '2026-06-01,Rent,-9.00', '', '2026-06-02,Tea,-1.00');
    expect(refusalOf(text, { header_row: row })).toMatchObject({
      code: 'no_header',
      row,
      message: `Row ${row} cannot be the header: it is blank, or not among the first 200 rows. Choose the row that names the columns, or none.`,
    });
  });

  it('that is a row of data loses only that row', () => {
    const read = statementOf(lines('2026-06-01,Rent,-9.00', '2026-06-02,Tea,-1.00', '2026-06-03,Bun,-2.00'), { table: { header_row: 1 } });
    expect(summaryOf(read)).toEqual(['2026-06-02 -100 XXX', '2026-06-03 -200 XXX']);
  });
});

describe('delimiter, encoding, marks and lines at the end, as a person states them', () => {
  it('a delimiter that is never guessed', () => {
    const text = lines('Date^Text^Amount', '2026-06-01^Rent^-9.00', '2026-06-02^Tea^-1.00');
    expect(readText(text).ok).toBe(false);
    const read = statementOf(text, { table: { delimiter: '^' } });
    expect([summaryOf(read).length, read.dialect.delimiter, read.table?.recipe.delimiter]).toEqual([2, '^', '^']);
  });

  it('an encoding, with the delimiter guessed again', () => {
    const text = lines('Data;Opis;Kwota', '2026-06-01;Łódź;-9,00', '2026-06-02;Tea;-1,00');
    const polish = new Uint8Array([...text].map((letter) => ({ Ł: 0xa3, ó: 0xf3, ź: 0xbc })[letter] ?? letter.charCodeAt(0)));
    const read = statementOf(polish, { table: { encoding: 'iso-8859-2' } });
    expect([read.lines[0]?.description, read.dialect.encoding, codesOf(read)]).toEqual(['Łódź', 'iso-8859-2', []]);
    const wide = new Uint8Array(Buffer.from(text, 'utf16le'));
    expect(statementOf(wide, { table: { encoding: 'utf-16le' } }).lines[0]?.description).toBe('Łódź');
  });

  it('an encoding that is not known, or gives no table, is refused with a sentence', () => {
    expect(refusalOf(TWO_HEADERS, { encoding: 'klingon' }).message).toContain('"klingon", which is not known');
    expect(refusalOf(TWO_HEADERS, { encoding: 'utf-16le' })).toMatchObject({ code: 'not_csv', message: expect.stringMatching(/\.$/) });
  });

  it('the mark, the order of dates and the lines at the end, together with it', () => {
    const text = lines('Date,Text,Amount', '03/04/2026,Rent,"1,234"', '05/04/2026,Tea,"2,345"', '30/06/2026,Average,"1,790"');
    const table: TableByHand = { header_row: 1, date_order: 'mdy', decimal_mark: ',', footer_rows: 1 };
    const read = statementOf(text, { table, currency: 'KWD' });
    expect(summaryOf(read)).toEqual(['2026-03-04 1234 KWD', '2026-05-04 2345 KWD']);
    expect(read.table?.recipe).toMatchObject({ date_order: 'mdy', decimal_mark: ',', footer_rows: 1 });
  });

  it('a table by hand is refused for a file whose format defines everything', () => {
    expect(refusalOf(lines('!Type:Bank', 'D01/06/2026', 'T-9.00', '^'), { delimiter: ';' })).toMatchObject({
      code: 'recipe_does_not_fit',
      message: expect.stringContaining('of the format qif, which says itself what everything means'),
    });
  });
});

it('its recipe reads the file again to the same lines', () => {
  for (const table of [{ header_row: 2 }, { header_row: null }, { delimiter: ',', footer_rows: 1 }] satisfies TableByHand[]) {
    const read = statementOf(TWO_HEADERS, { table });
    const again = statementOf(TWO_HEADERS, { recipe: present(read.table, 'table').recipe });
    expect([again.lines, again.table?.recipe]).toEqual([read.lines, read.table?.recipe]);
  }
});

it('known recipes are not followed', () => {
  const recipe = { ...present(statementOf(TWO_HEADERS).table, 'table').recipe, sign_model: 'signed_inverted' as const };
  const known = [{ id: 7, fingerprint: 'none', recipe }];
  expect(statementOf(TWO_HEADERS, { known, table: { header_row: 1 } }).table?.followed).toBeNull();
});

test('a table that is not understood is shown as it was split, so that a person can help', () => {
  const read = readText(lines('My bank', 'When|Why|How much', 'yesterday|Rent|a lot', 'today|Tea|little'), { table: { header_row: 2 } });
  expect(read).toMatchObject({
    ok: false,
    error: {
      code: 'no_date_column',
      seen: {
        delimiter: '|',
        headerRow: 2,
        head: [{ row: 1, cells: ['My bank'] }, { row: 2 }, { row: 3, cells: ['yesterday', 'Rent', 'a lot'] }, { row: 4 }],
        columns: [
          { index: 0, header: 'When', role: 'metadata', samples: ['yesterday', 'today'] },
          { index: 1, header: 'Why' },
          { index: 2, header: 'How much' },
        ],
      },
    },
  });
});

describe('a file that is read in stretches', () => {
  const readings = (text: string | Uint8Array, table: TableByHand) => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    const options: ReadOptions = { filename: 'a.csv', currency: 'EUR', table };
    const whole = readStatement(bytes, options, quiet);
    const source = { byteLength: bytes.length, head: bytes.slice(0, 40), stretches: () => [bytes.slice(0, 33), bytes.slice(33)] };
    const large = readLarge(source, options, quiet);
    if (!large.ok || large.value === null) return [whole, large] as const;
    return [whole, large.value.read(quiet, () => undefined)] as const;
  };
  const caret = lines('Date^Text^Amount', '2026-06-01^Rent^-9.00', '2026-06-02^Tea^-1.00', '2026-06-02^Sum^-10.00');
  const CASES: readonly (readonly [string, string, TableByHand])[] = [
    ['another header', TWO_HEADERS, { header_row: 2 }],
    ['no header', TWO_HEADERS, { header_row: null }],
    ['a delimiter and a footer', caret, { delimiter: '^', footer_rows: 1 }],
    ['an encoding', TWO_HEADERS, { encoding: 'windows-1252' }],
    ['a header that is none', TWO_HEADERS, { header_row: 9 }],
    ['a delimiter that is none', TWO_HEADERS, { delimiter: ';' }],
  ];

  it.each(CASES)('is read like a whole file: %s', (_what, text, table) => {
    const [whole, large] = readings(text, table);
    expect(large).toEqual(whole.ok ? { ok: true, value: { ...whole.value, unlistedProblems: 0 } } : whole);
  });

  it('in UTF-8 that a person insists on, whatever its bytes are', () => {
    const bytes = new Uint8Array(Buffer.from(lines('Date,Text,Amount', '2026-06-01,Caf\u00e9,-9.00', '2026-06-02,Tea,-1.00'), 'latin1'));
    const [whole, large] = readings(bytes, { encoding: 'utf-8' });
    const said = { ok: true, value: { dialect: { encoding: 'utf-8' }, lines: [{ description: 'Caf\ufffd' }, { description: 'Tea' }] } };
    expect([whole, large]).toMatchObject([said, said]);
  });
});
