import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { PdfEnd, PdfProgress, PdfStart } from './understand.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import type { MessagePort } from 'node:worker_threads';
import { heartbeat } from '../../jobs/heartbeat.ts';
import {
  packedPage,
  type PackedPage,
  type PackedText,
  type PdfFault,
  PDF_LIMITS,
  type PdfGlyph,
  type PdfPage,
  type PdfText,
  unpackedText,
} from '../../domain/statement/index.ts';

type Matrix = readonly [number, number, number, number, number, number];
type Point = readonly [x: number, y: number];

/** The part of pdfjs that is used. */
interface PdfLibrary {
  readonly OPS: Readonly<Record<string, number>>;
  readonly getDocument: (options: Readonly<Record<string, unknown>>) => {
    readonly promise: Promise<PdfDocument>;
    readonly destroy: () => Promise<void>;
  };
}

interface PdfDocument {
  readonly numPages: number;
  readonly getPage: (number: number) => Promise<PageOfLibrary>;
  readonly getAttachments: () => Promise<unknown>;
  readonly getMetadata: () => Promise<{ readonly info?: { readonly CreationDate?: unknown } }>;
}

interface PageOfLibrary {
  readonly view: readonly [number, number, number, number];
  readonly rotate: number;
  readonly commonObjs: { readonly has: (name: string) => boolean; readonly get: (name: string) => FontOfLibrary };
  readonly getOperatorList: (options: { readonly annotationMode: number }) => Promise<{
    readonly fnArray: readonly number[];
    readonly argsArray: readonly (readonly unknown[] | null)[];
  }>;
  readonly cleanup: () => void;
}

interface FontOfLibrary {
  readonly vertical?: boolean;
  readonly fontMatrix?: Matrix;
}

interface GlyphOfLibrary {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
}

interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

type Colour = readonly [red: number, green: number, blue: number];

/** A rectangle that is filled with one colour: text in that colour cannot be seen on it. */
interface Fill extends Box {
  readonly colour: Colour | null;
}

interface TextState {
  readonly ctm: Matrix;
  readonly font: string;
  readonly size: number;
  readonly charSpacing: number;
  readonly wordSpacing: number;
  readonly scale: number;
  readonly rise: number;
  readonly leading: number;
  readonly mode: number;
  /** Null for a pattern. */
  readonly fill: Colour | null;
  readonly opacity: number;
}

const PAPER: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];
/** Colours that differ by less than this on every channel look alike on paper. */
const ALIKE = 26;
/** Rendering modes of text that paint nothing. */
const UNPAINTED: ReadonlySet<number> = new Set([3, 7]);
const FAINTEST = 0.06;
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const FIRST_STATE: TextState = {
  ctm: IDENTITY,
  font: '',
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  rise: 0,
  leading: 0,
  mode: 0,
  fill: BLACK,
  opacity: 1,
};

function product(one: Matrix, other: Matrix): Matrix {
  return [
    one[0] * other[0] + one[2] * other[1],
    one[1] * other[0] + one[3] * other[1],
    one[0] * other[2] + one[2] * other[3],
    one[1] * other[2] + one[3] * other[3],
    one[0] * other[4] + one[2] * other[5] + one[4],
    one[1] * other[4] + one[3] * other[5] + one[5],
  ];
}

function applied(matrix: Matrix, x: number, y: number): Point {
  return [matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]];
}

/** Returns the matrix from the space of a page to its picture: the origin at the top left, the rotation of the page applied. */
function matrixOfPage([x0, y0, x1, y1]: PageOfLibrary['view'], rotate: number): Matrix {
  switch (((rotate % 360) + 360) % 360) {
    case 90:
      return [0, 1, 1, 0, -y0, -x0];
    case 180:
      return [-1, 0, 0, 1, x1, -y0];
    case 270:
      return [0, -1, -1, 0, y1, x1];
    default:
      return [1, 0, 0, -1, -x0, y1];
  }
}

function colourOf(args: readonly unknown[]): Colour | null {
  const [first] = args;
  const hex = typeof first === 'string' ? /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(first) : null;
  if (hex !== null) return [Number.parseInt(hex[1] ?? '0', 16), Number.parseInt(hex[2] ?? '0', 16), Number.parseInt(hex[3] ?? '0', 16)];
  const [red, green, blue] = args;
  return typeof red === 'number' && typeof green === 'number' && typeof blue === 'number' ? [red, green, blue] : null;
}

function areAlike(one: Colour, other: Colour): boolean {
  return one.every((channel, index) => Math.abs(channel - (other[index] ?? 0)) < ALIKE);
}

function numbersOf(value: unknown): readonly number[] {
  if (value instanceof Float32Array || value instanceof Float64Array) return [...value];
  if (Array.isArray(value)) return value.filter((each): each is number => typeof each === 'number');
  return typeof value === 'object' && value !== null ? Object.values(value).filter((each): each is number => typeof each === 'number') : [];
}

function matrixOf(value: unknown): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(value);
  return [a, b, c, d, e, f];
}

/** The operators of a page, followed as a printer would follow them, with the glyphs that they draw. */
class Drawing {
  readonly glyphs: (PdfGlyph & { isHidden: boolean })[] = [];
  hasPictures = false;
  readonly #fills: Fill[] = [];
  readonly #stack: TextState[] = [];
  readonly #box: Box;
  readonly #fonts: PageOfLibrary['commonObjs'];
  #state: TextState;
  #matrix: Matrix = IDENTITY;
  #x = 0;
  #y = 0;
  #lineX = 0;
  #lineY = 0;
  /** The colour behind a text is not known over a picture or a pattern. */
  readonly #unknown: Box[] = [];

  constructor(base: Matrix, box: Box, fonts: PageOfLibrary['commonObjs']) {
    this.#state = { ...FIRST_STATE, ctm: base };
    this.#box = box;
    this.#fonts = fonts;
  }

  readonly follow = (name: string, args: readonly unknown[]): void => {
    const [one, two] = args;
    const number = typeof one === 'number' ? one : 0;
    switch (name) {
      case 'save':
        return void this.#stack.push(this.#state);
      case 'restore':
      case 'paintFormXObjectEnd':
        this.#state = this.#stack.pop() ?? this.#state;
        return;
      case 'paintFormXObjectBegin':
        this.#stack.push(this.#state);
        if (one !== null && one !== undefined) this.#set({ ctm: product(this.#state.ctm, matrixOf(one)) });
        return;
      case 'transform':
        return this.#set({ ctm: product(this.#state.ctm, matrixOf(args)) });
      case 'setGState':
        return this.#setGraphics(one);
      case 'setFillRGBColor':
        return this.#set({ fill: colourOf(args) });
      case 'setFillColorN':
        return this.#set({ fill: null });
      case 'constructPath':
        return this.#fill(number, two, args[2]);
      case 'beginText':
        return this.#place(IDENTITY);
      case 'setTextMatrix':
        return this.#place(matrixOf(one));
      case 'setFont':
        return this.#set({ font: typeof one === 'string' ? one : '', size: typeof two === 'number' ? two : 0 });
      case 'setCharSpacing':
        return this.#set({ charSpacing: number });
      case 'setWordSpacing':
        return this.#set({ wordSpacing: number });
      case 'setHScale':
        return this.#set({ scale: number / 100 });
      case 'setTextRise':
        return this.#set({ rise: number });
      case 'setLeading':
        return this.#set({ leading: -number });
      case 'setTextRenderingMode':
        return this.#set({ mode: number });
      case 'moveText':
        return this.#move(number, typeof two === 'number' ? two : 0);
      case 'setLeadingMoveText':
        this.#set({ leading: typeof two === 'number' ? two : 0 });
        return this.#move(number, typeof two === 'number' ? two : 0);
      case 'nextLine':
        return this.#move(0, this.#state.leading);
      case 'showText':
        return this.#show(Array.isArray(one) ? (one as readonly (GlyphOfLibrary | number | null)[]) : []);
      default:
        if (name.startsWith('paintImage') || name.startsWith('paintInlineImage') || name === 'shadingFill') this.#paintPicture();
    }
  };

  #set(change: Partial<TextState>): void {
    this.#state = { ...this.#state, ...change };
  }

  #place(matrix: Matrix): void {
    this.#matrix = matrix;
    this.#x = this.#lineX = 0;
    this.#y = this.#lineY = 0;
  }

  #move(x: number, y: number): void {
    this.#x = this.#lineX += x;
    this.#y = this.#lineY += y;
  }

  #setGraphics(states: unknown): void {
    if (!Array.isArray(states)) return;
    for (const state of states) {
      const [key, value] = Array.isArray(state) ? (state as unknown[]) : [];
      if (key === 'ca' && typeof value === 'number') this.#set({ opacity: value });
      if (key === 'Font' && Array.isArray(value)) this.#set({ font: String(value[0]), size: Number(value[1]) });
    }
  }

  #boxOf(points: readonly Point[]): Box {
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
  }

  #paintPicture(): void {
    this.hasPictures = true;
    const { ctm } = this.#state;
    const box = this.#boxOf([applied(ctm, 0, 0), applied(ctm, 1, 0), applied(ctm, 0, 1), applied(ctm, 1, 1)]);
    this.#unknown.push(box);
  }

  /** Remembers a filled rectangle, which hides what was drawn below it. */
  #fill(operator: number, data: unknown, extent: unknown): void {
    if (!FILLING.has(operator) || this.#state.opacity < 0.9) return;
    const [x0, y0, x1, y1] = numbersOf(extent);
    if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined || !isRectangle(data, [x0, y0, x1, y1])) return;
    const { ctm, fill } = this.#state;
    const box = this.#boxOf([applied(ctm, x0, y0), applied(ctm, x1, y0), applied(ctm, x0, y1), applied(ctm, x1, y1)]);
    // A rule is drawn as a thin rectangle as well.
    if (box.x1 - box.x0 < 4 || box.y1 - box.y0 < 4) return;
    for (const glyph of this.glyphs) if (isWithin(glyph.x + glyph.width / 2, glyph.y - glyph.size / 3, box)) glyph.isHidden = true;
    this.#fills.push({ ...box, colour: fill });
  }

  #show(glyphs: readonly (GlyphOfLibrary | number | null)[]): void {
    const { ctm, font, size, charSpacing, wordSpacing, scale, rise } = this.#state;
    const known = this.#fonts.has(font) ? this.#fonts.get(font) : null;
    const unit = known?.fontMatrix?.[0] ?? 0.001;
    const isVertical = known?.vertical === true;
    const whole = product(ctm, this.#matrix);
    const height = Math.hypot(whole[2], whole[3]) * Math.abs(size);
    const direction = Math.atan2(whole[1] * Math.sign(size || 1), whole[0] * Math.sign(size || 1));
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        this.#advance((isVertical ? glyph : -glyph) * (size / 1000), isVertical, scale);
        continue;
      }
      if (glyph === null) continue;
      const width = glyph.width * unit * size;
      const [x, y] = applied(whole, this.#x, this.#y + rise);
      if (!isVertical && glyph.unicode.trim() !== '' && this.glyphs.length < PDF_LIMITS.glyphsOfPage) {
        const length = Math.abs(width * scale) * Math.hypot(whole[0], whole[1]);
        this.glyphs.push({
          text: glyph.unicode,
          x,
          y,
          width: length,
          size: height,
          direction,
          isHidden: this.#isUnseen(x, y, length, height),
        });
      }
      this.#advance(width + charSpacing + (glyph.isSpace ? wordSpacing : 0), isVertical, scale);
    }
  }

  #advance(by: number, isVertical: boolean, scale: number): void {
    if (isVertical) this.#y -= by;
    else this.#x += by * scale;
  }

  /** Whether a reader of the page cannot see a glyph: it is not painted, lies outside, or has the colour of what is behind it. */
  #isUnseen(x: number, y: number, width: number, size: number): boolean {
    const { mode, fill, opacity } = this.#state;
    if (UNPAINTED.has(mode) || opacity < FAINTEST || size < 1) return true;
    const [middle, height] = [x + width / 2, y - size / 3];
    if (!isWithin(middle, height, this.#box)) return true;
    if (fill === null || mode === 1 || this.#unknown.some((box) => isWithin(middle, height, box))) return false;
    const behind = this.#fills.findLast((box) => isWithin(middle, height, box));
    const colour = behind === undefined ? PAPER : behind.colour;
    return colour !== null && areAlike(fill, colour);
  }
}

let FILLING: ReadonlySet<number> = new Set();

function isWithin(x: number, y: number, { x0, y0, x1, y1 }: Box): boolean {
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

/** Whether a path has corners only where its extent has them. */
function isRectangle(data: unknown, [x0, y0, x1, y1]: readonly [number, number, number, number]): boolean {
  const path: unknown = Array.isArray(data) ? data[0] : null;
  if (!(path instanceof Float32Array) || path.length > 20) return false;
  for (let at = 0; at < path.length;) {
    const step = path[at];
    if (step === 4) at += 1;
    else if (step === 0 || step === 1) {
      const [x = 0, y = 0] = [path[at + 1], path[at + 2]];
      const isCorner = (Math.abs(x - x0) < 0.01 || Math.abs(x - x1) < 0.01) && (Math.abs(y - y0) < 0.01 || Math.abs(y - y1) < 0.01);
      if (!isCorner) return false;
      at += 3;
    } else return false;
  }
  return true;
}

function pageOf(page: PageOfLibrary, operators: Awaited<ReturnType<PageOfLibrary['getOperatorList']>>, names: readonly string[]): PdfPage {
  const [x0, y0, x1, y1] = page.view;
  const isLying = page.rotate % 180 !== 0;
  const [width, height] = isLying ? [y1 - y0, x1 - x0] : [x1 - x0, y1 - y0];
  const drawing = new Drawing(matrixOfPage(page.view, page.rotate), { x0: 0, y0: 0, x1: width, y1: height }, page.commonObjs);
  for (const [index, operator] of operators.fnArray.entries()) drawing.follow(names[operator] ?? '', operators.argsArray[index] ?? []);
  const glyphs = drawing.glyphs.map(({ text, x, y, width: length, size, direction }): PdfGlyph => ({
    text,
    x,
    y,
    width: length,
    size,
    direction,
  }));
  const seen = glyphs.filter((_, index) => drawing.glyphs[index]?.isHidden === false);
  return {
    width,
    height,
    glyphs: seen,
    unseen: glyphs.filter((_, index) => drawing.glyphs[index]?.isHidden === true),
    hasPictures: drawing.hasPictures,
  };
}

/** The faults of pdfjs in our words. */
function faultOf(error: unknown, isPasswordGiven: boolean): PdfFault {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return { code: isPasswordGiven ? 'wrong_password' : 'needs_password' };
  return { code: 'damaged_pdf' };
}

/**
 * Returns the text of a PDF with places. Nothing in it is run: no script, no form, no link. The folder of pdfjs has the maps of character codes and
 * the widths of the standard fonts, so that nothing is fetched.
 */
async function readPackedPages(
  bytes: Uint8Array,
  password: string | null,
  onPage: (page: number, pages: number) => void,
): Promise<Result<PackedText, PdfFault>> {
  const { library, folder } = await loadLibrary();
  FILLING = new Set(
    ['fill', 'eoFill', 'fillStroke', 'eoFillStroke', 'closeFillStroke', 'closeEOFillStroke'].map((name) => library.OPS[name] ?? -1),
  );
  const names: string[] = [];
  for (const [name, code] of Object.entries(library.OPS)) names[code] = name;
  const loading = library.getDocument({
    data: new Uint8Array(bytes),
    ...(password !== null && { password }),
    cMapUrl: `${folder}${path.sep}cmaps${path.sep}`,
    cMapPacked: true,
    standardFontDataUrl: `${folder}${path.sep}standard_fonts${path.sep}`,
    isEvalSupported: false,
    useWasm: false,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    // Pictures are not decoded: they hold no text that could be read.
    maxImageSize: 1,
    stopAtErrors: false,
    verbosity: 0,
  });
  try {
    const document = await loading.promise;
    if (document.numPages > PDF_LIMITS.pages) return failed({ code: 'too_many_pages', pages: document.numPages });
    const pages: PackedPage[] = [];
    let glyphs = 0;
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const read = pageOf(page, await page.getOperatorList({ annotationMode: 0 }), names);
      page.cleanup();
      pages.push(packedPage(read));
      glyphs += read.glyphs.length;
      if (glyphs > PDF_LIMITS.glyphs) return failed({ code: 'too_many_pages', pages: document.numPages });
      onPage(number, document.numPages);
    }
    const { info } = await document.getMetadata();
    const year = Number(/^D:(\d{4})/.exec(String(info?.CreationDate ?? ''))?.[1] ?? 0);
    return success({ pages, hasAttachments: (await document.getAttachments()) !== null, madeInYear: year > 1970 ? year : null });
  } catch (error) {
    return failed(faultOf(error, password !== null));
  } finally {
    await loading.destroy();
  }
}

/** Returns the text of a PDF with places, on this thread. */
export async function readPdfPages(...asked: Parameters<typeof readPackedPages>): Promise<Result<PdfText, PdfFault>> {
  const read = await readPackedPages(...asked);
  return read.ok ? success(unpackedText(read.value)) : read;
}

/** Returns pdfjs and its folder: beside the window, where the build copies what is used of it, or the package when this runs from source. */
async function loadLibrary(): Promise<{ readonly library: PdfLibrary; readonly folder: string }> {
  const copied = path.join(import.meta.dirname, '..', '..', 'renderer', 'pdfjs');
  const folder = fs.existsSync(copied) ? copied : path.dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
  const library = (await import(pathToFileURL(path.join(folder, 'legacy', 'build', 'pdf.min.mjs')).href)) as PdfLibrary;
  return { library, folder };
}

/** Takes the text out of a PDF on a thread of its own, and posts it. */
export async function readPdfOnThread({ bytes, password }: PdfStart, port: MessagePort): Promise<void> {
  const read = await readPackedPages(bytes, password, (done, all) => {
    heartbeat.beat();
    port.postMessage({ done, all } satisfies PdfProgress);
  });
  port.postMessage({ read } satisfies PdfEnd);
}
