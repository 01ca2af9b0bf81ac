import { LIMITS } from '../../../../../src-shared/contract/common.ts';
import { decimalPlacesOf, decimalText, signedMinor } from '../../../../../src-shared/values/money.ts';
import type { Problem } from '../../../../../src-shared/contract/index.ts';
import { note } from '../../model/problems.ts';
import type { StatedAmount, StatedEntry, StatedPart } from './stated-file.ts';

/** What the line of an entry keeps of its parts. */
interface KeptParts {
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Parts that are not all named on the line, since a record can hold no more. */
  readonly areShortened: boolean;
}

/** Bytes of a record's further fields that the list of parts may take, and each other field that its parts fill. */
const LIST_BYTES = 6_000;
const FIELD_BYTES = 1_400;
const MOST_FIELDS = 6;
const DESCRIPTION_CHARACTERS = LIMITS.descriptionLength / 2;

/** What parts say, one after another, as far as a line can hold it. */
class BoundedList {
  readonly #bytes: number;
  readonly #said = new Set<string>();
  #used = 0;
  #more = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  add(text: string): void {
    if (this.#said.has(text)) return;
    const bytes = Buffer.byteLength(JSON.stringify(text)) + 2;
    if (this.#more > 0 || this.#used + bytes > this.#bytes) this.#more += 1;
    else this.#said.add(text);
    if (this.#more === 0) this.#used += bytes;
  }

  get isShortened(): boolean {
    return this.#more > 0;
  }

  get text(): string {
    return [...this.#said, ...(this.#more > 0 ? [`and ${this.#more} more`] : [])].join('; ');
  }
}

/** A part in one line: its amount, its text and who it is from or to, and its references. */
function wordsOf({ amount, currency, description, metadata }: StatedPart): string {
  const places = amount?.decimalPlaces ?? decimalPlacesOf(currency);
  const money = amount === null ? null : `${decimalText(signedMinor(amount.minor, amount.direction), places)} ${currency}`;
  const named = [money, metadata['counterparty'], description, metadata['end_to_end_id'], metadata['creditor_reference']];
  return [...new Set(named.filter((each) => each !== null && each !== undefined))].join(' ');
}

/** Names, references, texts and amounts of the parts of an entry, for its one line: so they are found and compared there. */
export function keptParts(parts: readonly StatedPart[]): KeptParts {
  const list = new BoundedList(LIST_BYTES);
  const texts = new BoundedList(DESCRIPTION_CHARACTERS);
  const fields = new Map<string, BoundedList>();
  for (const part of parts) {
    list.add(wordsOf(part));
    const text = part.description ?? part.metadata['counterparty'];
    if (text !== undefined) texts.add(text);
    for (const [key, value] of Object.entries(part.metadata)) {
      const field = fields.get(key) ?? (fields.size < MOST_FIELDS ? new BoundedList(FIELD_BYTES) : null);
      field?.add(value);
      if (field !== null) fields.set(key, field);
    }
  }
  const metadata = Object.fromEntries([...fields, ['parts', list] as const].map(([key, { text }]) => [key, text]));
  const areShortened = [list, ...fields.values()].some(({ isShortened }) => isShortened);
  return { description: texts.text === '' ? null : texts.text, metadata, areShortened };
}

/** A note that the line of an entry names its first parts alone. */
export function shortenedNote(row: number, parts: number): Problem {
  const message = `The entry in row ${row} holds ${parts} transactions, and its line names the first of them alone. Take them as lines of their own to keep all.`;
  return note('parts_shortened', message, row);
}

/** Whether each part states an amount in the currency of its entry, and together they are the entry. */
export function doPartsAddUp(parts: readonly StatedPart[], amount: StatedAmount | null, currency: string): boolean {
  if (amount === null || parts.length < 2) return false;
  let sum = 0n;
  for (const part of parts) {
    if (part.amount === null || part.currency !== currency) return false;
    sum += BigInt(signedMinor(part.amount.minor, part.amount.direction));
  }
  return sum === BigInt(signedMinor(amount.minor, amount.direction));
}

/** Transactions of an entry as entries of their own: each with its own names, references, text and amount, and what the bank says of all of them. */
export function partsOfEntry(entry: StatedEntry): readonly StatedEntry[] {
  const parts = entry.parts ?? [];
  const ofParts = new Set(['parts', 'transactions', ...parts.flatMap(({ metadata }) => Object.keys(metadata))]);
  const ofAll = Object.fromEntries(Object.entries(entry.metadata).filter(([key]) => !ofParts.has(key)));
  return parts.map(({ row, amount, description, metadata }, index) => {
    const { parts: _, ...rest } = entry;
    return {
      ...rest,
      row,
      amount,
      description: description ?? metadata['counterparty'] ?? null,
      id: entry.id === null ? null : `${entry.id} ${index + 1}`,
      metadata: { ...ofAll, ...metadata, batch: `${index + 1} of ${parts.length}` },
      problems: [],
    };
  });
}
