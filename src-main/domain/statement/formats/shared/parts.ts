import { LIMITS } from '../../../../../src-shared/contract/common.ts';
import { decimalPlacesOf, decimalText, signedMinor } from '../../../../../src-shared/values/money.ts';
import type { Problem } from '../../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../../src-shared/words/say.ts';
import { note } from '../../model/problems.ts';
import type { StatedAmount, StatedEntry, StatedPart } from './stated-file.ts';

/** The content of an entry's parts that its one line keeps. */
interface KeptParts {
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** True where not all parts fit on the line, since a record can hold no more. */
  readonly areShortened: boolean;
}

/** Most bytes of a record's metadata for the list of parts, and for each other field of the parts. */
const LIST_BYTES = 6_000;
const FIELD_BYTES = 1_400;
const MOST_FIELDS = 6;
const DESCRIPTION_CHARACTERS = LIMITS.descriptionLength / 2;

/** Texts of parts, one after another, up to a number of bytes. */
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

/** Returns a part in one line: its amount, counterparty, text and references. */
function wordsOf({ amount, currency, description, metadata }: StatedPart): string {
  const places = amount?.decimalPlaces ?? decimalPlacesOf(currency);
  const money = amount === null ? null : `${decimalText(signedMinor(amount.minor, amount.direction), places)} ${currency}`;
  const named = [money, metadata['counterparty'], description, metadata['end_to_end_id'], metadata['creditor_reference']];
  return [...new Set(named.filter((each) => each !== null && each !== undefined))].join(' ');
}

/** Returns names, references, texts and amounts of an entry's parts for its one line, so that searches and comparisons find them there. */
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

/** Returns a note that the line of an entry names only its first parts. */
export function shortenedNote(row: number, parts: number): Problem {
  const message = phrase('statement.parts.theEntryInRowHolds', { row, parts });
  return note('parts_shortened', message, row);
}

/** Whether each part states an amount in the currency of its entry, and their sum is the entry's amount. */
export function doPartsAddUp(parts: readonly StatedPart[], amount: StatedAmount | null, currency: string): boolean {
  if (amount === null || parts.length < 2) return false;
  let sum = 0n;
  for (const part of parts) {
    if (part.amount === null || part.currency !== currency) return false;
    sum += BigInt(signedMinor(part.amount.minor, part.amount.direction));
  }
  return sum === BigInt(signedMinor(amount.minor, amount.direction));
}

/**
 * Returns the transactions of an entry as entries of their own: each with its own names, references, text and amount, and with the fields that the
 * bank states for all of them.
 */
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
