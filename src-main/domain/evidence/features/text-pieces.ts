import type { EngineRecord } from '../../records/record.ts';
import { Origins } from './origins.ts';
import { ReferenceReader } from './references.ts';
import { PIECE, TextScanner } from './scan-text.ts';

/** Words and references of some records, read as the comparison reads them. */
export interface TextPieces {
  readonly words: readonly string[];
  /** By key: the reference as it is written. */
  readonly references: ReadonlyMap<string, string>;
}

export function piecesOf(records: readonly EngineRecord[], textsOf: (record: EngineRecord) => readonly string[]): TextPieces {
  const words: string[] = [];
  const references = new Map<string, string>();
  const scanner = new TextScanner();
  const reader = new ReferenceReader(scanner, new Origins(), (high, low) => {
    const key = `${high},${low}`;
    if (!references.has(key)) references.set(key, scanner.text(scanner.from, scanner.to));
  });
  for (const record of records) {
    const own = { day: record.day, amountMinor: record.amountMinor, decimalPlaces: record.decimalPlaces };
    for (const text of textsOf(record)) {
      scanner.beginText(text);
      while (scanner.next()) {
        const piece = scanner.text(scanner.from, scanner.to);
        if (scanner.kind === PIECE.word) add(words, piece);
        else {
          reader.read(0, scanner.from === 0 && scanner.to === scanner.length, own);
          if (scanner.digits === 0) for (const word of piece.split(/[^\p{L}]+/u)) add(words, word);
        }
      }
    }
  }
  return { words, references };
}

function add(words: string[], word: string): void {
  if (word !== '' && !words.includes(word)) words.push(word);
}
