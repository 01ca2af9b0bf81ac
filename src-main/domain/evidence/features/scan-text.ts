import { textOfBytes } from '../../records/value-column.ts';

/** Kinds of pieces of a text. */
export const PIECE = { word: 0, code: 1 } as const;

/** Longer texts and pieces are cut, because what follows identifies nothing more. */
const MOST_CHARACTERS = 2_000;
const MOST_PIECE = 48;
/** Most digits of a number written without separators. */
const MOST_DIGITS = 512;

const NONE = 0;
const LETTER = 1;
const DIGIT = 2;
const JOINER = 3;

/** Kinds of the characters below 128. */
const KINDS = kinds();

/**
 * Splits a text into pieces: words of letters, and codes, which hold a digit or a joining sign (`INV-26121`, `DD-RENT`). Letters become upper-case
 * and lose their accents. One scanner reads many texts, one after another.
 */
export class TextScanner {
  readonly characters = new Uint16Array(MOST_CHARACTERS + 1);
  length = 0;
  /** The piece that `next` found, from `from` up to but excluding `to`. */
  from = 0;
  to = 0;
  kind: number = PIECE.word;
  digits = 0;
  letters = 0;
  joints = 0;

  /** Starts on a text given as bytes of a column. */
  begin(bytes: Uint8Array, start: number, end: number): void {
    const stop = Math.min(end, start + MOST_CHARACTERS);
    const { characters } = this;
    let at = start;
    for (; at < stop; at += 1) {
      const byte = bytes[at] as number;
      if (byte >= 0x80) break;
      characters[at - start] = byte >= 97 && byte <= 122 ? byte - 32 : byte;
    }
    this.length = at - start;
    this.from = 0;
    this.to = 0;
    if (at < stop) this.#beginFolded(textOfBytes(bytes, start, end));
  }

  /** Starts on a text given as a string. */
  beginText(text: string): void {
    this.from = 0;
    this.to = 0;
    this.#beginFolded(text);
  }

  #beginFolded(text: string): void {
    const folded = text.slice(0, MOST_CHARACTERS).normalize('NFKD').toUpperCase();
    let length = 0;
    for (let at = 0; at < folded.length && length < MOST_CHARACTERS; at += 1) {
      const unit = folded.charCodeAt(at);
      // Decomposition has separated accents from their letters.
      if (unit >= 0x300 && unit <= 0x36f) continue;
      this.characters[length] = unit;
      length += 1;
    }
    this.length = length;
  }

  /** Moves to the next piece; returns false at the end of the text. */
  next(): boolean {
    const { characters, length } = this;
    let at = this.to;
    while (at < length && kindOf(characters[at] as number) !== LETTER && kindOf(characters[at] as number) !== DIGIT) at += 1;
    if (at >= length) return false;
    this.from = at;
    [this.digits, this.letters, this.joints] = [0, 0, 0];
    for (; at < length; at += 1) {
      const kind = kindOf(characters[at] as number);
      if (kind === LETTER) this.letters += 1;
      else if (kind === DIGIT) this.digits += 1;
      else if (kind === JOINER && at + 1 < length && isInner(kindOf(characters[at + 1] as number))) this.joints += 1;
      else break;
    }
    this.to = at;
    this.kind = this.digits > 0 || this.joints > 0 ? PIECE.code : PIECE.word;
    const most = this.letters + this.joints === 0 ? MOST_DIGITS : MOST_PIECE;
    if (this.to - this.from > most) this.to = this.from + most;
    return true;
  }

  /** Returns the characters of a range. */
  text(from: number, to: number): string {
    let text = '';
    for (let at = from; at < to; at += 1) text += String.fromCharCode(this.characters[at] as number);
    return text;
  }
}

export function isLetter(unit: number): boolean {
  return kindOf(unit) === LETTER;
}

export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isInner(kind: number): boolean {
  return kind === LETTER || kind === DIGIT;
}

function kindOf(unit: number): number {
  return unit < 0x80 ? (KINDS[unit] as number) : isSpaceOrMark(unit) ? NONE : LETTER;
}

/** Returns whether a character beyond ASCII is a space or punctuation. */
function isSpaceOrMark(unit: number): boolean {
  return (
    (unit >= 0x80 && unit < 0xc0) ||
    unit === 0xd7 ||
    unit === 0xf7 ||
    (unit >= 0x2000 && unit < 0x2c00) ||
    (unit >= 0x3000 && unit < 0x3040) ||
    unit === 0xfeff
  );
}

function kinds(): Uint8Array {
  const found = new Uint8Array(128);
  for (let unit = 65; unit <= 90; unit += 1) found[unit] = LETTER;
  for (let unit = 97; unit <= 122; unit += 1) found[unit] = LETTER;
  for (let unit = 48; unit <= 57; unit += 1) found[unit] = DIGIT;
  for (const joiner of "-/_.#'") found[joiner.charCodeAt(0)] = JOINER;
  return found;
}
