import { describe, expect, it } from 'vitest';
import { lines, readText, statementOf } from '../../../support/inputs/statements.ts';

describe('a NUL character', () => {
  const refused = (content: string | Uint8Array, options = {}): unknown => {
    const read = readText(content, options);
    return read.ok
      ? read.value.lines
      : [read.error.code, read.error.row, read.error.column, /(?:column|character) \d+/.exec(read.error.message)?.[0]];
  };

  it('is named by row and column', () => {
    const table = lines('Date;Details;Amount', '2026-06-01;"two\r\nlines";1,00', '2026-06-02;Re\0nt;2,00');
    expect(refused(table)).toEqual(['binary_file', 4, '2', 'column 2']);
    expect(refused(lines('Date,Amount', '2026-06-01,1.00\0'))).toEqual(['binary_file', 2, '2', 'column 2']);
    expect(refused(lines('Date,Amount', '\0'))).toEqual(['binary_file', 2, '1', 'column 1']);
  });

  it('is named far down in a file, in UTF-16, and where a person chooses the encoding', () => {
    const many = Array.from({ length: 9_000 }, (_, index) => `2026-06-01,Line ${index},1.00`);
    const late = lines('Date,Details,Amount', ...many, '2026-06-02,a\0,2.00');
    expect(refused(late)).toEqual(['binary_file', 9_002, '2', 'column 2']);
    expect(refused(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(late, 'utf16le')]))).toEqual([
      'binary_file',
      9_002,
      '2',
      'column 2',
    ]);
    expect(refused(late, { table: { encoding: 'windows-1252' } })).toEqual(['binary_file', 9_002, '2', 'column 2']);
  });

  it('is named by its character in a bank format', () => {
    expect(refused(lines(':20:A', ':25:1', ':60F:C260601EUR1,00', ':61:260602C5,\x0000NMSC1', ':62F:C260602EUR6,00', '-'))).toEqual([
      'binary_file',
      4,
      '14',
      'character 14',
    ]);
  });

  it('is binary data where it is one of many', () => {
    const read = readText(new Uint8Array([1, 2, 0, 3, 0, 0, 5, 0, 6, 7, 0, 2, 0]));
    expect(read).toMatchObject({ ok: false, error: { code: 'binary_file', message: expect.stringContaining('binary data') } });
  });
});

describe('a day that no month has', () => {
  it.each([
    ['30/02/2026', '28/02/2026', 'does not exist: February 2026 has 28 days.'],
    ['31.04.2026', '30.04.2026', 'does not exist: April 2026 has 30 days.'],
    ['2023-02-29', '2024-02-29', 'does not exist: February 2023 has 28 days.'],
    ['20260231', '20260228', 'does not exist: February 2026 has 28 days.'],
    ['31 Jun 2026', '30 Jun 2026', 'does not exist: June 2026 has 30 days.'],
    ['2026-13-01', '2026-12-01', 'is not on the calendar of the years 1000 to 2199.'],
  ])('%s is rejected with its row, its column and what to do', (wrong, right, why) => {
    const { problems, lines: read } = statementOf(lines('Booked,Amount', `${right},1.00`, `${wrong},2.00`, `${right},3.00`), {
      currency: 'GBP',
    });
    expect(problems).toMatchObject([
      { code: 'signs_assumed', severity: 'note' },
      { row: 3, column: 'Booked', code: 'impossible_date', severity: 'rejected' },
    ]);
    expect(problems[1]?.message).toBe(`The date "${wrong}" in row 3, column Booked, ${why} Correct it in the file, or take the row out.`);
    expect(read).toHaveLength(2);
  });

  it('is rejected in bank formats as well', () => {
    const ofx = (posted: string): string =>
      `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT<DTPOSTED>${posted}<TRNAMT>-1.00<FITID>1</STMTTRN></BANKTRANLIST></STMTRS></OFX>\n`;
    for (const posted of ['20260230', '20260230120000'])
      expect(statementOf(ofx(posted)).problems[0]?.message).toBe(
        `The date "${posted}" in row 3 (DTPOSTED) does not exist: February 2026 has 28 days. Correct it in the file.`,
      );
    const mt940 = lines(':20:A', ':25:1', ':60F:C260601EUR1,00', ':61:260230C5,00NMSC1', ':62F:C260602EUR6,00', '-');
    expect(statementOf(mt940).problems[0]?.message).toBe(
      'The date "260230" in row 4 (61) does not exist: February 2026 has 28 days. Correct it in the file.',
    );
  });
});
