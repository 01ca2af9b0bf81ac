import iconv from 'iconv-lite';
import type { Problem } from '../../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { note, unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';
import { meaningsOf } from '../vocabulary/header-words.ts';
import { unifyLineEnds } from './grid.ts';

const LINE_END = 10;
/** A file with more than one valid UTF-8 line for this many legacy lines was put together from both. Fewer may be valid by chance. */
const LEGACY_LINES_PER_CHANCE = 5;

/** A text with some lines in UTF-8 and others in a legacy code page. */
interface MixedLines {
  readonly text: string;
  /** The code page of the lines that are not UTF-8. */
  readonly codePage: string;
  /** The first line that is not UTF-8, from 1. */
  readonly firstLine: number;
  readonly lines: number;
}

/** Returns the text with each line read in its own encoding, where some lines are UTF-8 with non-ASCII letters and others are not; else null. */
function mixedLines(bytes: Uint8Array): MixedLines | null {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parts: (string | Uint8Array)[] = [];
  const legacy: Uint8Array[] = [];
  let firstLine = 0;
  let unicode = 0;
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(LINE_END, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end + 1);
    const text = decoded(decoder, line);
    if (text === null) legacy.push(line);
    else if (text.length < line.length) unicode += 1;
    parts.push(text ?? line);
    if (text === null && firstLine === 0) firstLine = parts.length;
    from += line.length;
  }
  if (unicode === 0 || unicode * LEGACY_LINES_PER_CHANCE < legacy.length) return null;
  const codePage = codePageOf(Buffer.concat(legacy));
  const text = parts.map((part) => (typeof part === 'string' ? part : iconv.decode(Buffer.from(part), codePage))).join('');
  return { text: text.replace(/^\uFEFF/, ''), codePage, firstLine, lines: legacy.length };
}

function decoded(decoder: TextDecoder, line: Uint8Array): string | null {
  try {
    return decoder.decode(line);
  } catch {
    // The bytes are not UTF-8; the error says no more than that.
    return null;
  }
}

export interface Decoded {
  readonly text: string;
  /** `utf-8`, `utf-16le`, `windows-1252` ... */
  readonly encoding: string;
  readonly problems: readonly Problem[];
}

const SAMPLE_BYTES = 64 * 1024;

/**
 * Decodes a file. UTF-16 is recognised by its byte order mark or its zero bytes, UTF-8 by its form; anything else is read in the legacy code page
 * that fits its words best.
 */
export function decodeText(bytes: Uint8Array): Result<Decoded, Unreadable> {
  if (bytes.length === 0) return failed(unreadable('empty_file', phrase('statement.decode.theFileIsEmpty0')));
  if (bytes.length > STATEMENT_LIMITS.fileBytes) {
    const megabytes = Math.round(STATEMENT_LIMITS.fileBytes / 1024 / 1024);
    return failed(unreadable('too_large', phrase('statement.decode.theFileIsLargerThan', { megabytes })));
  }
  const foreign = foreignByBytes(bytes);
  if (foreign !== null) return failed(foreign);
  const wide = wideEncoding(bytes);
  const decoded = wide === null ? narrow(bytes) : { text: iconv.decode(asBuffer(bytes), wide), encoding: wide, problems: [] };
  if (decoded.text.trim() === '') return failed(unreadable('empty_file', phrase('statement.decode.theFileHoldsNothingBut')));
  if (looksBinary(decoded.text)) {
    return failed(unreadable('binary_file', phrase('statement.decode.theFileHoldsBinaryData')));
  }
  return success(decoded);
}

/** Decodes bytes in the encoding that a recipe names; returns null where there is no such encoding. */
export function decodeAs(bytes: Uint8Array, encoding: string): string | null {
  return iconv.encodingExists(encoding) ? iconv.decode(asBuffer(bytes), encoding) : null;
}

/** Returns which UTF-16 the bytes are, by the byte order mark or by the zero bytes of digits, delimiters and line ends; null for anything else. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  let even = 0;
  let odd = 0;
  for (let index = 0; index < length; index += 1) {
    if (bytes[index] !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  if (length < 8) return null;
  if (odd > length * 0.1 && even * 10 < odd) return 'utf-16le';
  return even > length * 0.1 && odd * 10 < even ? 'utf-16be' : null;
}

function narrow(bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8', problems: [] };
  } catch {
    // The bytes are not UTF-8; the error says no more than that.
  }
  const mixed = mixedLines(bytes);
  return mixed === null ? asLegacy(bytes) : asMixed(mixed);
}

function asMixed({ text, codePage, firstLine, lines }: MixedLines): Decoded {
  const others = lines === 1 ? `line ${firstLine} is` : phrase('statement.decode.areNotTheFirstOf', { lines, firstLine });
  const message = phrase('statement.decode.someLinesOfTheFile', { others, codePage });
  return { text, encoding: 'utf-8', problems: [note('encoding_mixed', message)] };
}

/** Decodes bytes that are not UTF-8 in the code page that fits the words at their beginning best. */
export function asLegacy(bytes: Uint8Array): Decoded {
  const body = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  const encoding = codePageOf(body);
  const message = phrase('statement.decode.theFileIsNotValid', { encoding });
  return { text: iconv.decode(asBuffer(body), encoding), encoding, problems: [note('encoding_assumed', message)] };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether a text has too many control characters other than line ends and tabs. A few stray ones are allowed. */
function looksBinary(text: string): boolean {
  const sample = text.slice(0, SAMPLE_BYTES);
  let controls = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const code = sample.charCodeAt(index);
    if (code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12 && code !== 26) controls += 1;
  }
  return controls > Math.max(2, sample.length * 0.005);
}

const MAGIC: readonly (readonly [readonly number[], Unreadable['code'], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'unsupported_format', phrase('statement.decode.aZipArchiveUnpackIt')],
  [[0x50, 0x4b, 0x05, 0x06], 'unsupported_format', phrase('statement.decode.anEmptyZipArchiveChoose')],
  [[0x25, 0x50, 0x44, 0x46], 'unsupported_format', phrase('statement.decode.aPdfDocumentDownloadThe')],
  [[0x1f, 0x8b], 'unsupported_format', phrase('statement.decode.aGzipArchiveUnpackIt')],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 'unsupported_format', phrase('statement.decode.anSqliteDatabaseExportIts')],
  [[0x89, 0x50, 0x4e, 0x47], 'binary_file', phrase('statement.decode.aPngPictureChooseA')],
  [[0xff, 0xd8, 0xff], 'binary_file', phrase('statement.decode.aJpegPictureChooseA')],
  [[0x47, 0x49, 0x46, 0x38], 'binary_file', phrase('statement.decode.aGifPictureChooseA')],
];

const TEXTS: readonly (readonly [RegExp, Unreadable['code'], string])[] = [
  [/^\s*(?:<!doctype html|<html|<head|<body)/i, 'not_csv', phrase('statement.decode.aWebPageHtmlThe')],
  [/^\s*<\?xml/i, 'not_csv', phrase('statement.decode.anXmlDocumentThatIs')],
  [/^\{\\rtf/, 'not_csv', phrase('statement.decode.anRtfDocumentSaveThe')],
  [/^\s*\{\s*(?:"|\})/, 'not_csv', phrase('statement.decode.aJsonDocumentSaveThe')],
  [/^\s*\[\s*(?:\{\s*"|\])/, 'not_csv', phrase('statement.decode.aJsonDocumentSaveThe')],
];

/** Returns why a file is no statement, by its first bytes; null where they show no other kind of file. */
function foreignByBytes(bytes: Uint8Array): Unreadable | null {
  const found = MAGIC.find(([magic]) => magic.every((byte, index) => bytes[index] === byte));
  return found === undefined ? null : unreadable(found[1], phrase('statement.decode.thisIsNoStatementThat', { found: found[2] }));
}

/** Returns why a text is no statement, by its beginning; null where that shows no other kind of file. */
export function foreignByText(text: string): Unreadable | null {
  const head = text.slice(0, 8_192);
  const found = TEXTS.find(([pattern]) => pattern.test(head));
  return found === undefined ? null : unreadable(found[1], phrase('statement.decode.thisIsNoStatementThat', { found: found[2] }));
}

const SCORED_BYTES = 64 * 1024;
/** In order of preference: an earlier one wins unless a later one scores higher. */
const CODE_PAGES = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'euc-jp',
  'windows-1254',
  'windows-1253',
  'windows-1255',
  'windows-1257',
  'windows-1256',
  'windows-874',
  'cp850',
  'cp852',
  'cp866',
  'koi8-r',
  'macintosh',
] as const;

/** Returns the code page that fits best: header words are known under it, and words consist of letters rather than signs. */
function codePageOf(bytes: Uint8Array): string {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SCORED_BYTES));
  const scores = CODE_PAGES.map((encoding) => ({ encoding, score: plausibility(iconv.decode(sample, encoding)) }));
  return scores.reduce((top, one) => (one.score > top.score ? one : top)).encoding;
}

function plausibility(text: string): number {
  const cells = new Set(text.slice(0, 8_192).split(/[\t\n\r,;|"]+/));
  let score = 0;
  for (const cell of cells) {
    const foreign = cell.match(/[^\0-\u007f]/g);
    if (foreign?.every((letter) => /[\p{L}\p{Sc}]/u.test(letter)) === true && meaningsOf(cell).length > 0) score += 20;
  }
  score -= text.match(/\p{L}[¹²³¿¡¢£¥¦§¨©ª«¬®¯°±´¶·¸º»¼½¾×÷]\p{L}/gu)?.length ?? 0;
  // Two scripts in one word, or a capital inside a lower-case word, show a wrong code page.
  score -= text.match(/[a-z][\u0400-\u04ff]|[\u0400-\u04ff][a-z]/gi)?.length ?? 0;
  score -= text.match(/\p{Ll}[À-ÖØ-ÞĀ-ž]{0}\p{Lu}(?=[^\0-\u007f])/gu)?.length ?? 0;
  score -= text.match(/\ufffd|[\u0080-\u009f]/g)?.length ?? 0;
  score += text.match(/[\u0430-\u044f]{4,}/g)?.length ?? 0;
  return score;
}

/** A file that can be read from its beginning any number of times. Memory holds one stretch of it at a time. */
export interface FileSource {
  readonly byteLength: number;
  /** The first bytes; they show the kind of the file. */
  readonly head: Uint8Array;
  /** Returns all bytes in order. A stretch is valid only until the next one is read. */
  readonly stretches: () => Iterable<Uint8Array>;
}

/** Most carriage returns before a line feed that still form one line end with it across two stretches. */
const MOST_RETURNS = 16;

/** The encoding and delimiter by which bytes become cells. */
export interface TextForm {
  readonly encoding: string;
  /** Whether the encoding was only guessed. Then bytes that are not UTF-8 throw. */
  readonly isGuess: boolean;
  readonly delimiter: string;
}

interface TextStretch {
  readonly text: string;
  readonly isLast: boolean;
  /** Bytes of the file so far. */
  readonly bytes: number;
}

/**
 * Yields the text of a file in order, with `
 * ` line ends.
 */
export function* textsOf(source: FileSource, form: TextForm): Generator<TextStretch> {
  const decoder = decoderOf(form);
  let bytes = 0;
  let held = '';
  for (const stretch of source.stretches()) {
    bytes += stretch.length;
    const text = held + decoder.write(stretch);
    // A line end may continue in the next stretch.
    let end = text.length;
    while (text.length - end < MOST_RETURNS && text[end - 1] === '\r') end -= 1;
    held = text.slice(end);
    yield { text: unifyLineEnds(text.slice(0, end)), isLast: false, bytes };
  }
  yield { text: unifyLineEnds(held + decoder.end()), isLast: true, bytes };
}

interface Decoder {
  readonly write: (bytes: Uint8Array) => string;
  readonly end: () => string;
}

function decoderOf({ encoding, isGuess }: TextForm): Decoder {
  if (isGuess && encoding === 'utf-8') {
    const decoder = new TextDecoder(encoding, { fatal: true });
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  }
  const decoder = iconv.getDecoder(encoding);
  return {
    write: (bytes) => decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    end: () => decoder.end() ?? '',
  };
}
