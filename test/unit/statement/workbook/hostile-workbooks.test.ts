import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { codesOf, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';
import { ROWS, STRINGS, workbookParts, zipOf, type ZipPart } from '../../../support/inputs/zips.ts';
import { randomBytes } from 'node:crypto';
import { STATEMENT_LIMITS } from '../../../../src-main/domain/statement/model/limits.ts';
import { quickTest, some } from '../../../support/long.ts';

const LINES = ['2026-06-01 -950 EUR', '2026-06-02 -100 EUR'];
const EUR = { currency: 'EUR' };
const damaged = { ok: false, error: { code: 'unreadable_workbook', message: expect.stringMatching(/^The workbook .*\.$/) } };
const tooLarge = { ok: false, error: { code: 'too_large', message: expect.stringMatching(/\.$/) } };

const changed = (name: string, change: Partial<ZipPart>): Uint8Array =>
  zipOf(workbookParts().map((part) => (part.name === name ? { ...part, ...change } : part)));
const SHEET = 'xl/worksheets/sheet1.xml';

it('a sound workbook is read', () => {
  const read = statementOf(zipOf(workbookParts()), EUR);
  expect([summaryOf(read), read.lines.map(({ description }) => description), codesOf(read)]).toEqual([LINES, ['Rent', 'Tea'], []]);
});

describe('archives that lie about their entries', () => {
  it('an entry that claims to be empty and is not', () => {
    expect(readText(changed(SHEET, { says: { unpacked: 0 } }))).toMatchObject(damaged);
    const bomb = { content: Buffer.alloc(64 * 1024 * 1024, ' '), says: { unpacked: 0 } };
    const before = process.memoryUsage().rss;
    expect(readText(changed('xl/sharedStrings.xml', bomb))).toMatchObject(damaged);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
  });

  it.each([
    { unpacked: 10 },
    { unpacked: 5_000 },
    { packed: 10 },
    { packed: 50_000_000 },
    { sum: 1 },
    { offset: 3 },
    { offset: 90_000_000 },
  ])('one that claims %o', (says) => {
    expect(readText(changed(SHEET, { says }))).toMatchObject(damaged);
  });

  it('a repeated name, a protected entry, an entry that claims 4 GB', () => {
    expect(readText(zipOf([...workbookParts(), ...workbookParts().slice(4, 5)]))).toMatchObject(damaged);
    expect(readText(changed(SHEET, { says: { flags: 1 } }))).toMatchObject({ error: { message: expect.stringContaining('password') } });
    expect(readText(changed(SHEET, { says: { unpacked: 0xff_ff_ff_ff } }))).toMatchObject(tooLarge);
  });

  it('a deflated entry that is cut off', () => {
    const whole = deflateRawSync(Buffer.from(`<worksheet>${ROWS}</worksheet>`));
    const stored = { content: whole.subarray(0, whole.length - 20), isStored: true };
    const bytes = changed(SHEET, stored);
    // Stored as it is, but said to be deflated.
    const view = Buffer.from(bytes.buffer);
    for (let at = view.indexOf(SHEET); at >= 0; at = view.indexOf(SHEET, at + 1)) {
      const isLocal = view.readUInt32LE(Math.max(0, at - 30)) === 0x04_03_4b_50;
      view.writeUInt16LE(8, isLocal ? at - 22 : at - 36);
    }
    expect(readText(bytes)).toMatchObject(damaged);
  });
});

describe('sheets that claim far more than they have', () => {
  it.each([
    ['a dimension of everything', `<dimension ref="A1:XFD1048576"/>${ROWS}`],
    [
      'a link over every cell, which was laid over each of them',
      `${ROWS}<hyperlinks><hyperlink ref="A1:XFD1048576" location="x"/></hyperlinks>`,
    ],
    ['merged cells over everything', `${ROWS}<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>`],
    ['widths of billions of columns', `<cols><col min="1" max="4000000000" width="9"/></cols>${ROWS}`],
    [
      'a link outside, a picture and a web query',
      `${ROWS}<hyperlinks><hyperlink ref="A2" r:id="rId9"/></hyperlinks><legacyDrawing r:id="rId7"/>`,
    ],
    ['formulas, whose last values stand', ROWS.replace('<v>-9.5</v>', '<f>WEBSERVICE("http://127.0.0.1:9/x")</f><v>-9.5</v>')],
  ])('%s: the rows are read', (_what, sheet) => {
    expect(summaryOf(statementOf(zipOf(workbookParts({ sheet })), EUR))).toEqual(LINES);
  });

  it.each([
    ['a text of a number that there is not, which dropped the sheet in silence', ROWS.replace('<v>3</v>', '<v>99999999</v>')],
    ['a text of a number below 0', ROWS.replace('<v>3</v>', '<v>-1</v>')],
    ['a row behind the last that a sheet can have', ROWS.replace('r="A3"', 'r="A3000000000"')],
    ['a column behind the last', ROWS.replace('r="C3"', 'r="ZZZZ3"')],
    ['a cell in the row 0', ROWS.replace('r="A3"', 'r="A0"')],
    ['a cell without a column', ROWS.replace('r="B3"', 'r="3"')],
  ])('%s: it is refused', (_what, sheet) => {
    expect(readText(zipOf(workbookParts({ sheet })), EUR)).toMatchObject(damaged);
  });

  it('a cell beyond the last column is reported, not dropped', () => {
    const sheet = ROWS.replace('r="C3"', 'r="AMJ3"');
    expect(readText(zipOf(workbookParts({ sheet })), EUR)).toMatchObject({
      error: { code: 'too_large', row: 3, message: "Row 3 has 1024 cells; 1000 is the limit. Check the file's delimiter." },
    });
  });

  it('a sheet named very often is read once or not at all', () => {
    const workbook = Array.from({ length: 500 }, (_, index) => `<sheet name="S${index}" sheetId="${index + 2}" r:id="rId1"/>`).join('');
    expect(readText(zipOf(workbookParts({ workbook })))).toMatchObject(damaged);
  });

  it('a damaged sheet beside a sound one is named', () => {
    const parts = workbookParts({ workbook: '<sheet name="July" sheetId="2" r:id="rId3"/>' }).map((part) =>
      part.name.endsWith('workbook.xml.rels')
        ? {
            ...part,
            content: String(part.content).replace(
              '</Relationships>',
              '<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/></Relationships>',
            ),
          }
        : part,
    );
    const broken = { name: 'xl/worksheets/sheet2.xml', content: `<worksheet>${ROWS.replace('<v>3</v>', '<v>77</v>')}</worksheet>` };
    const read = statementOf(zipOf([...parts, broken]), EUR);
    expect([summaryOf(read), codesOf(read)]).toEqual([LINES, ['sheets_damaged']]);
  });

  it('entities and document types are refused by the part that declares them', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
    const strings = STRINGS.replace('Rent', '&c;&b;');
    const parts = workbookParts({ strings }).map((part) => ({ ...part, content: String(part.content).replace('<sst', `${bomb}<sst`) }));
    expect(readText(zipOf(parts), EUR)).toMatchObject({
      error: {
        code: 'unreadable_workbook',
        message: expect.stringContaining('The part xl/sharedStrings.xml of the workbook declares a document type'),
      },
    });
  });

  it('a binary workbook is refused by its name', () => {
    const bytes = zipOf([...workbookParts().slice(0, 2), { name: 'xl/workbook.bin', content: 'x' }]);
    expect(readText(bytes)).toMatchObject({ error: { code: 'unsupported_format', message: expect.stringContaining('XLSB') } });
  });
});

describe('found once: small workbook takes gigabytes', () => {
  const MEBIBYTE = 1024 * 1024;
  /** What does not pack, so that the file is large enough to unpack to so much. */
  const padding = (bytes: number): ZipPart => ({ name: 'xl/media/image1.png', content: randomBytes(bytes), isStored: true });
  type TooMuch = readonly [what: string, parts: Parameters<typeof workbookParts>[0], message: string];
  const CELLS: readonly TooMuch[] = [
    [
      'cells',
      { sheet: `<sheetData><row r="1">${'<c/>'.repeat(STATEMENT_LIMITS.workbookCells + 1)}</row></sheetData>` },
      'more than 6000000 cells',
    ],
    [
      'cells with a prefix',
      { sheet: `<sheetData>${'<x:c/>'.repeat(STATEMENT_LIMITS.workbookCells + 1)}</sheetData>` },
      'more than 6000000 cells',
    ],
  ];
  const OTHERS: readonly TooMuch[] = [
    ['rows', { sheet: `<sheetData>${'<row></row>'.repeat(STATEMENT_LIMITS.sheetRows + 1)}</sheetData>` }, 'more than 1048576 rows'],
    ['texts', { strings: '<si/>'.repeat(STATEMENT_LIMITS.sharedTexts + 1) }, 'more than 2000000 different texts'],
    ['one text', { strings: `<si><t>${'a'.repeat(STATEMENT_LIMITS.cellCharacters * 4 + 1)}</t></si>` }, 'is longer than 1 MiB'],
    ['blanks between rows', { sheet: ROWS.replace('<row r="3">', `${' '.repeat(5 * MEBIBYTE)}<row r="3">`) }, 'is longer than 1 MiB'],
  ];
  const refused = (message: string) => ({ ok: false, error: { code: 'too_large', message: expect.stringContaining(message) } });

  describe('a workbook of some hundred kilobytes', () => {
    quickTest('unpacks to no more than a hundred times its size beyond 16 MB', () => {
      const strings = '<si><t>a</t></si>'.repeat(2_000_000);
      const bytes = zipOf(workbookParts({ strings }));
      expect(bytes.length).toBeLessThan(0.5 * MEBIBYTE);
      const before = process.memoryUsage().rss;
      const read = readText(bytes);
      expect(read).toMatchObject(refused('The workbook unpacks to more than'));
      expect(read).toMatchObject(refused('the limit for a file of its size. Save the sheet with the statement as CSV'));
      expect(process.memoryUsage().rss - before).toBeLessThan(64 * MEBIBYTE);
    });

    it.each([...some(CELLS, 1), ...OTHERS])('is refused for its %s before anything of it is read', (_what, parts, message) => {
      const before = process.memoryUsage().rss;
      expect(readText(zipOf([...workbookParts(parts), padding(0.4 * MEBIBYTE)]))).toMatchObject(refused(message));
      expect(process.memoryUsage().rss - before).toBeLessThan(256 * MEBIBYTE);
    });

    quickTest('is refused for the size of its styles', () => {
      const styles = { name: 'xl/styles.xml', content: `<styleSheet>${'<xf/>'.repeat((STATEMENT_LIMITS.partBytes / 5) | 0)}</styleSheet>` };
      expect(readText(zipOf([...workbookParts(), styles, padding(0.2 * MEBIBYTE)]))).toMatchObject(
        refused('The part xl/styles.xml of the workbook unpacks to more than 16 MB'),
      );
    });

    quickTest('with much formatting and few figures is read', () => {
      const empty = Array.from(
        { length: 20_000 },
        (_, at) => `<row r="${at + 4}"><c r="A${at + 4}" s="1"/><c r="B${at + 4}" s="1"/></row>`,
      ).join('');
      expect(readText(zipOf(workbookParts({ sheet: ROWS.replace('</sheetData>', `${empty}</sheetData>`) })), { currency: 'EUR' }).ok).toBe(
        true,
      );
    });
  });
});
