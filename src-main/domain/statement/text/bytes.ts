import iconv from 'iconv-lite';
import { unifyLineEnds } from './grid.ts';

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
