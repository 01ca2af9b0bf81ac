import iconv from 'iconv-lite';
import { unifyLineEnds } from './grid.ts';

/** A file that is read from its beginning as often as needed; memory holds one stretch of it at a time. */
export interface FileSource {
  readonly byteLength: number;
  /** The first bytes, by which it is told what the file is. */
  readonly head: Uint8Array;
  /** All bytes in order. A stretch is only good until the next one. */
  readonly stretches: () => Iterable<Uint8Array>;
}

/** Carriage returns in front of a line feed that are one line end with it across stretches. */
const MOST_RETURNS = 16;

/** How bytes become text and text becomes cells. */
export interface TextForm {
  readonly encoding: string;
  /** UTF-8 that was only guessed: bytes that are not throw. */
  readonly isGuess: boolean;
  readonly delimiter: string;
}

interface TextStretch {
  readonly text: string;
  readonly isLast: boolean;
  /** Bytes of the file so far. */
  readonly bytes: number;
}

/** Text of a file in order, with `\n` line ends. */
export function* textsOf(source: FileSource, form: TextForm): Generator<TextStretch> {
  const decoder = decoderOf(form);
  let bytes = 0;
  let held = '';
  for (const stretch of source.stretches()) {
    bytes += stretch.length;
    const text = held + decoder.write(stretch);
    // A line end may go on in the next stretch.
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
