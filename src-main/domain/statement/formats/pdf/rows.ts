import { phrase } from '../../../../../src-shared/words/say.ts';
import type { PdfGlyph } from './pages.ts';

/** Some letters without a gap between them. */
export interface PdfWord {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  readonly size: number;
}

/** A line of text on a page, its words from left to right. */
export interface PdfRow {
  /** Page of the file, and row of the file over all its pages, from 1. */
  readonly page: number;
  readonly row: number;
  readonly y: number;
  readonly size: number;
  readonly words: readonly PdfWord[];
  /** Where the row is on its page as it is shown: left, top, width, height. */
  readonly place: readonly [number, number, number, number];
  /** Quarter turns by which its text runs on the page as it is shown; 0 from left to right. */
  readonly quarter: number;
}

/** Returns the place of a row in words. */
export function placeOf({ page, row }: PdfRow): string {
  return phrase('statement.rows.rowOnPage', { row, page });
}

/** Least gap between two words, and most height by which the letters of one row differ, as shares of the height of type. */
const WORD_GAP = 0.16;
const ROW_DRIFT = 0.38;
/** The same letter nearer than this is one letter that is drawn twice, to look bold. */
const TWICE = 0.1;
const LEAST_OVERLAPS = 3;
const QUARTER = Math.PI / 2;
/** Text that runs askew by more than this is a watermark. */
const ASKEW = 0.035;

/** Returns the quarter turn of a direction, 0 to 3; null for slanted text. */
function quarterOf(direction: number): number | null {
  const quarter = Math.round(direction / QUARTER);
  return Math.abs(direction - quarter * QUARTER) > ASKEW ? null : ((quarter % 4) + 4) % 4;
}

function turned(glyph: PdfGlyph, quarter: number): PdfGlyph {
  switch (quarter) {
    case 1:
      return { ...glyph, x: glyph.y, y: -glyph.x };
    case 2:
      return { ...glyph, x: -glyph.x, y: -glyph.y };
    case 3:
      return { ...glyph, x: -glyph.y, y: glyph.x };
    default:
      return glyph;
  }
}

/** Returns the letters that run the way most letters of the page run. */
function upright(glyphs: readonly PdfGlyph[]): { readonly glyphs: PdfGlyph[]; readonly quarter: number } {
  const byQuarter = Map.groupBy(glyphs, ({ direction }) => quarterOf(direction));
  let quarter = 0;
  for (const turn of [1, 2, 3]) if ((byQuarter.get(turn)?.length ?? 0) > (byQuarter.get(quarter)?.length ?? 0)) quarter = turn;
  return { glyphs: (byQuarter.get(quarter) ?? []).map((glyph) => turned(glyph, quarter)), quarter };
}

/** Points of a side of the squares by which letters are looked up, and how many columns of them are apart from all others. */
const SQUARE = 4;
const COLUMNS = 100_000;

/** Returns the letters without those that are drawn a second time at the same place. */
function once(glyphs: readonly PdfGlyph[]): PdfGlyph[] {
  const byText = new Map<string, Map<number, PdfGlyph[]>>();
  const squareOf = (value: number): number => Math.floor(value / SQUARE);
  return glyphs.filter((glyph) => {
    const { text, x, y, size } = glyph;
    const near = size * TWICE;
    const squares = byText.get(text) ?? new Map<number, PdfGlyph[]>();
    byText.set(text, squares);
    // Only the squares that a letter so near may stand in: mostly its own.
    for (let column = squareOf(x - near); column <= squareOf(x + near); column += 1)
      for (let line = squareOf(y - near); line <= squareOf(y + near); line += 1)
        for (const other of squares.get(line * COLUMNS + column) ?? [])
          if (Math.abs(other.x - x) < near && Math.abs(other.y - y) < near) return false;
    const key = squareOf(y) * COLUMNS + squareOf(x);
    const own = squares.get(key);
    if (own === undefined) squares.set(key, [glyph]);
    else own.push(glyph);
    return true;
  });
}

/** Returns the letters by the lines on which they stand, from top to bottom. */
function byLines(glyphs: readonly PdfGlyph[]): PdfGlyph[][] {
  const lines: { y: number; size: number; glyphs: PdfGlyph[] }[] = [];
  for (const glyph of glyphs.toSorted((one, other) => one.y - other.y)) {
    const line = lines.findLast((each) => Math.abs(each.y - glyph.y) <= ROW_DRIFT * Math.min(each.size, glyph.size));
    if (line === undefined || lines.indexOf(line) < lines.length - 3) lines.push({ y: glyph.y, size: glyph.size, glyphs: [glyph] });
    else line.glyphs.push(glyph);
  }
  return lines.flatMap((line) => apart(line.glyphs));
}

/** Returns a line as several where texts of different heights run through each other, as a footer through the last row. */
function apart(line: PdfGlyph[]): PdfGlyph[][] {
  const sorted = line.toSorted((one, other) => one.x - other.x);
  const overlaps = sorted.filter((glyph, index) => {
    const next = sorted[index + 1];
    return next !== undefined && Math.abs(next.y - glyph.y) > 0.02 && next.x < glyph.x + glyph.width * 0.45;
  });
  if (overlaps.length < LEAST_OVERLAPS) return [line];
  const byHeight: PdfGlyph[][] = [];
  for (const glyph of line.toSorted((one, other) => one.y - other.y)) {
    const last = byHeight.at(-1);
    const before = last?.at(-1);
    if (last === undefined || before === undefined || glyph.y - before.y > 0.05 || Math.abs(glyph.size - before.size) > 0.2)
      byHeight.push([glyph]);
    else last.push(glyph);
  }
  return byHeight;
}

function wordsOf(line: readonly PdfGlyph[]): PdfWord[] {
  const words: { text: string; x0: number; x1: number; size: number }[] = [];
  for (const { text, x, width, size } of line.toSorted((one, other) => one.x - other.x)) {
    const last = words.at(-1);
    const clean = text.normalize('NFKC').trim();
    if (clean === '') continue;
    if (last === undefined || x - last.x1 > WORD_GAP * Math.min(size, last.size)) words.push({ text: clean, x0: x, x1: x + width, size });
    else {
      last.text += clean;
      last.x1 = Math.max(last.x1, x + width);
    }
  }
  return words;
}

function boxOf(line: readonly PdfGlyph[], quarter: number): PdfRow['place'] {
  const x0 = Math.min(...line.map(({ x }) => x));
  const x1 = Math.max(...line.map(({ x, width }) => x + width));
  const y0 = Math.min(...line.map(({ y, size }) => y - size * 0.8));
  const y1 = Math.max(...line.map(({ y, size }) => y + size * 0.25));
  const [width, height] = [x1 - x0, y1 - y0];
  const rounded = (numbers: readonly number[]): PdfRow['place'] => {
    const [x = 0, y = 0, w = 0, h = 0] = numbers.map((each) => Math.round(each));
    return [x, y, w, h];
  };
  switch (quarter) {
    case 1:
      return rounded([-y1, x0, height, width]);
    case 2:
      return rounded([-x1, -y1, width, height]);
    case 3:
      return rounded([y0, -x1, height, width]);
    default:
      return rounded([x0, y0, width, height]);
  }
}

/** Returns the rows of text of all pages. Slanted letters are those of a watermark and left out. */
export function rowsOfPages(pages: Iterable<readonly PdfGlyph[]>): PdfRow[] {
  const rows: PdfRow[] = [];
  let index = -1;
  for (const page of pages) {
    index += 1;
    const { glyphs, quarter } = upright(page);
    for (const line of byLines(once(glyphs))) {
      const words = wordsOf(line);
      if (words.length === 0) continue;
      const sizes = line.map(({ size }) => size).toSorted((one, other) => one - other);
      const y = line.reduce((sum, glyph) => sum + glyph.y, 0) / line.length;
      rows.push({
        page: index + 1,
        row: rows.length + 1,
        y,
        size: sizes[sizes.length >> 1] ?? 0,
        words,
        place: boxOf(line, quarter),
        quarter,
      });
    }
  }
  return rows;
}
