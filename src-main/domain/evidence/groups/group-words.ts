import { decimalText, signedMinor } from '../../../../src-shared/values/money.ts';
import { grouped } from '../../../../src-shared/values/notation.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import type { EngineRecord } from '../../records/record.ts';
import { Origins, ReferenceReader } from '../features/references.ts';
import { PIECE, TextScanner } from '../features/scan-text.ts';

/** Description of one kind of evidence: a level and a sentence. */
export interface Said {
  readonly level: string;
  readonly words: string;
}

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];
/** Most references in a sentence; the rest is given as a number. */
const MOST_NAMED = 6;

/** Returns a sentence such as `Three lines add up to 1250.00 exactly`, for the lines of one side against the single line of the other. */
export function sumWords(several: readonly EngineRecord[], one: readonly EngineRecord[]): Said {
  const places = Math.max(...[...several, ...one].map(({ decimalPlaces }) => decimalPlaces));
  const [sum, wanted] = [several, one].map((records) => Math.abs(sumOf(records, places))) as [number, number];
  const lines = linesWords(several, places);
  if (sum === wanted) return { level: 'equal', words: phrase('rules.groupWords.exactly', { lines }) };
  const difference = grouped(decimalText(Math.abs(sum - wanted), places));
  return {
    level: sum < wanted ? 'short' : 'beyond',
    words: phrase('rules.groupWords.lessOrMore', {
      lines,
      difference,
      isLess: sum < wanted ? 'yes' : 'no',
      wanted: grouped(decimalText(wanted, places)),
    }),
  };
}

/** Returns words such as `Three lines add up to 1250.00`. */
export function linesWords(several: readonly EngineRecord[], places: number): string {
  return phrase('rules.groupWords.linesAddUpTo', {
    numbers: NUMBERS[several.length] ?? several.length,
    decimal: grouped(decimalText(Math.abs(sumOf(several, places)), places)),
  });
}

/** Returns credits minus debits, in units of `places` decimal places. */
export function sumOf(records: readonly EngineRecord[], places: number): number {
  let sum = 0;
  for (const { amountMinor, decimalPlaces, direction } of records) {
    sum += signedMinor(amountMinor, direction) * 10 ** (places - decimalPlaces);
  }
  return sum;
}

/** Returns a sentence such as `One line names INV-101, INV-104 and INV-107`, or null if fewer than two references are shared. */
export function namedWords(several: TextPieces, one: TextPieces): Said | null {
  const shared = [...one.references].filter(([key]) => several.references.has(key)).map(([, text]) => text);
  const names = [...new Set(shared)];
  if (names.length < 2) return null;
  return { level: 'listed', words: phrase('rules.groupWords.oneLineNames', { names: listed(names) }) };
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, names.length > MOST_NAMED ? MOST_NAMED - 1 : MOST_NAMED);
  const rest = names.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

/** Returns the sentences for a line and one whose text says that it reverses it. */
export function returnedWords(lines: readonly EngineRecord[]): string[] {
  const { amount, lag } = reversalWords(lines);
  return [phrase('rules.groupWords.aLineAndItsReturn'), amount.words, lag.words];
}

/** Returns the sentences about amount and days of a line and its reversal. */
export function reversalWords(lines: readonly EngineRecord[]): { readonly amount: Said; readonly lag: Said } {
  const days = lines.map(({ day }) => day);
  const apart = Math.max(...days) - Math.min(...days);
  const first = lines[0];
  const amount = first === undefined ? '' : grouped(decimalText(first.amountMinor, first.decimalPlaces));
  const when = apart === 0 ? phrase('rules.groupWords.onTheSameDay') : `${apart} ${apart === 1 ? 'day' : 'days'} later`;
  return {
    amount: { level: 'opposite', words: phrase('rules.groupWords.bothWaysOnOneSide', { amount }) },
    lag: { level: String(apart), words: phrase('rules.groupWords.returned', { when }) },
  };
}

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
