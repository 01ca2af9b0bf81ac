/** Limits of reading a PDF. */
export const PDF_LIMITS = {
  /** Pages of one file; a year of a busy account has some hundreds. */
  pages: 2_000,
  glyphsOfPage: 60_000,
  glyphs: 3_000_000,
  /** Time and memory of the thread that takes the text out of a file. */
  milliseconds: 180_000,
  megabytes: 1_024,
} as const;

/** A sign of a text, where it is on its page: points from the top left corner; `y` is the line on which the letters stand. */
export interface PdfGlyph {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Height of the type. */
  readonly size: number;
  /** The angle in which its text runs, in radians; 0 from left to right. */
  readonly direction: number;
}

/** A page as a person sees it. */
export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly glyphs: readonly PdfGlyph[];
  /** Signs that are in the file and that nobody sees on the page: not painted, covered, in the colour of the paper, or beyond its edge. */
  readonly unseen: readonly PdfGlyph[];
  readonly hasPictures: boolean;
}

/** The numbers of a sign: x, y, width, size and direction. */
const NUMBERS = 5;

/** The signs of a page in a tenth of the memory of objects, which can be sent to another thread. */
interface PackedGlyphs {
  readonly text: string;
  /** How many code units of `text` each sign has. */
  readonly lengths: Uint8Array;
  readonly numbers: Float64Array;
}

/** A page whose signs are packed. */
export interface PackedPage extends Omit<PdfPage, 'glyphs' | 'unseen'> {
  readonly glyphs: PackedGlyphs;
  readonly unseen: PackedGlyphs;
}

const LONGEST_SIGN = 255;

function pack(glyphs: readonly PdfGlyph[]): PackedGlyphs {
  const numbers = new Float64Array(glyphs.length * NUMBERS);
  for (const [index, { x, y, width, size, direction }] of glyphs.entries()) numbers.set([x, y, width, size, direction], index * NUMBERS);
  const texts = glyphs.map(({ text }) => text.slice(0, LONGEST_SIGN));
  return { text: texts.join(''), lengths: Uint8Array.from(texts, ({ length }) => length), numbers };
}

function unpack({ text, lengths, numbers }: PackedGlyphs): PdfGlyph[] {
  let from = 0;
  return Array.from(lengths, (length, index): PdfGlyph => {
    const [x = 0, y = 0, width = 0, size = 0, direction = 0] = numbers.subarray(index * NUMBERS, (index + 1) * NUMBERS);
    from += length;
    return { text: text.slice(from - length, from), x, y, width, size, direction };
  });
}

export function packedPage({ glyphs, unseen, ...rest }: PdfPage): PackedPage {
  return { ...rest, glyphs: pack(glyphs), unseen: pack(unseen) };
}

/** Returns a page whose signs are unpacked each time that they are asked for, so that those of one page are in memory at once. */
function unpackedPage({ glyphs, unseen, ...rest }: PackedPage): PdfPage {
  return {
    ...rest,
    get glyphs() {
      return unpack(glyphs);
    },
    get unseen() {
      return unpack(unseen);
    },
  };
}

/** The text of a PDF with its places. */
export interface PdfText {
  readonly pages: readonly PdfPage[];
  /** Whether other files are attached to it. They are not read. */
  readonly hasAttachments: boolean;
  /** The year in which the file says that it was made; null for none. It is offered where the dates have no year, and never taken. */
  readonly madeInYear: number | null;
}

/** The text of a PDF as one thread sends it to another. */
export interface PackedText extends Omit<PdfText, 'pages'> {
  readonly pages: readonly PackedPage[];
}

export function unpackedText({ pages, ...rest }: PackedText): PdfText {
  return { ...rest, pages: pages.map(unpackedPage) };
}

/** Bytes at the beginning of a file within which a PDF names itself. */
const HEAD_BYTES = 1_024;

/** Whether a file is a PDF, whatever its name is. */
export function beginsAsPdf(head: Uint8Array): boolean {
  const bytes = head.subarray(0, HEAD_BYTES);
  const at = bytes.findIndex((byte, index) => byte === 0x25 && MAGIC.every((each, offset) => bytes[index + offset] === each));
  return at === 0 || (at > 0 && bytes.subarray(0, at).every((byte) => byte <= 0x20 || byte >= 0x7f));
}

const MAGIC: readonly number[] = [...'%PDF-'].map((letter) => letter.charCodeAt(0));

/** The reason why the text of a PDF cannot be taken out of it. */
export type PdfFault =
  | { readonly code: 'needs_password' | 'wrong_password' | 'damaged_pdf' | 'took_too_long' }
  | { readonly code: 'too_many_pages'; readonly pages: number };
