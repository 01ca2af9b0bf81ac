import iconv from 'iconv-lite';
import { codePageOf } from '../vocabulary/code-pages.ts';

const LINE_END = 10;
/** Of so many lines of a legacy code page one may happen to be UTF-8; where there are more, the file was put together from both. */
const LEGACY_LINES_PER_CHANCE = 5;

/** A text of which some lines are UTF-8 and others are not. */
export interface MixedLines {
  readonly text: string;
  /** The code page of the lines that are not UTF-8. */
  readonly codePage: string;
  /** The first of these, from 1. */
  readonly firstLine: number;
  readonly lines: number;
}

/** Reads each line as what it is, where a file that is not UTF-8 has lines with letters that are; else null. */
export function mixedLines(bytes: Uint8Array): MixedLines | null {
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
    // Not UTF-8: the thrown error says no more than that.
    return null;
  }
}
