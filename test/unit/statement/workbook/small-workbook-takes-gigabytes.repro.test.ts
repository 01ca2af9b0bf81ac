import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { STATEMENT_LIMITS } from '../../../../src-main/domain/statement/model/limits.ts';
import { readText } from '../../../support/inputs/statements.ts';
import { quickTest, some } from '../../../support/long.ts';
import { ROWS, workbookParts, zipOf, type ZipPart } from '../../../support/inputs/zips.ts';

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
