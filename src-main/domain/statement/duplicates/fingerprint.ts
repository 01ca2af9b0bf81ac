import { hash as hashOf } from 'node:crypto';
import type { SpillRoom } from '../../collections/spilled-counts.ts';
import { TextCounts } from '../../collections/text-counts.ts';
import { PDF_PLACE_KEY } from '../../../../src-shared/values/pdf-place.ts';
import type { StatementLine } from '../model/statement.ts';

/**
 * Returns keys for the duplicate check, one per line: `x:<external id>` where the line has one, else `f:<hash>:<n>`, n being the n-th line of this
 * very content in the file. So identical lines of one file are all kept, and a repeated or overlapping file adds only what is new. The content is
 * day, amount, direction, currency, description, metadata, and the value day where it differs. The row and the balance are not part of it.
 */
export function dedupeKeys(lines: readonly StatementLine[]): string[] {
  const keys = new DedupeKeys();
  return lines.map((line) => keys.next(line));
}

/** Returns the key of a line with an external id, from whichever source it comes. */
export function keyOfExternalId(externalId: string): string {
  return `x:${externalId}`;
}

/** Builds the same keys line by line, in the order of the file. */
export class DedupeKeys {
  readonly #seen: TextCounts;

  /** `spill`: where hashes go that do not fit into memory; the owner must then call `close`. Without it all hashes are held in memory. */
  constructor(spill?: SpillRoom) {
    this.#seen = new TextCounts(spill);
  }

  next(line: StatementLine): string {
    if (line.externalId !== null) return keyOfExternalId(line.externalId);
    const hash = contentHash(line);
    return `f:${hash}:${this.#seen.add(hash)}`;
  }

  /** Ends the list: no further line follows. */
  close(): void {
    this.#seen.close();
  }
}

/** The content of a line that its key covers. */
type KeyedContent = Pick<StatementLine, 'day' | 'valueDay' | 'amountMinor' | 'direction' | 'currency' | 'description' | 'metadata'>;

/** Returns the key of the same line with other money; null where the key does not match the content, since it was edited. */
export function keyWithMoney(key: string, content: KeyedContent, money: Pick<KeyedContent, 'amountMinor' | 'currency'>): string | null {
  const own = `f:${contentHash(content)}:`;
  return key.startsWith(own) ? `f:${contentHash({ ...content, ...money })}:${key.slice(own.length)}` : null;
}

/** Returns the SHA-256 of the canonical content: a collision would lose a record, so the hash is wide. */
function contentHash({ day, valueDay, amountMinor, direction, currency, description, metadata }: KeyedContent): string {
  // The place on a page is no content: another file may have the same line elsewhere.
  const sorted = Object.entries(metadata)
    .filter(([key]) => key !== PDF_PLACE_KEY)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content: unknown[] = [day, amountMinor, direction, currency, description ?? '', sorted];
  if (valueDay !== null && valueDay !== day) content.push(valueDay);
  return hashOf('sha256', JSON.stringify(content), 'base64url');
}

/** The content of a line beside its money. */
export interface LineContent {
  readonly description: string | null;
  readonly externalId: string | null;
  /** Days since 1970-01-01. */
  readonly valueDay: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The values that a line took over from another file's description of the same payment. */
export interface AddedContent {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Null where the line has a value day itself, or the other file has none. */
  readonly valueDay: number | null;
}

interface JoinedContent {
  readonly content: LineContent;
  /** One for each of the descriptions, in their order. */
  readonly added: readonly AddedContent[];
}

/** Metadata fields for content whose own field of the line is taken. */
const OTHER_DESCRIPTION = 'other_description';
const OTHER_ID = 'other_transaction_id';

/**
 * Returns a line with what other files add to it: fields it lacks, a value date where it has none, and the other description and transaction id as
 * fields of their own. The line's own content stays as it is.
 */
export function joined(own: LineContent, descriptions: readonly LineContent[]): JoinedContent {
  const metadata: Record<string, unknown> = { ...own.metadata };
  let { valueDay } = own;
  const added = descriptions.map((other): AddedContent => {
    const more: Record<string, unknown> = {};
    const add = (name: string, value: unknown): void => {
      const key = freeName(name, value, metadata);
      if (key === null) return;
      metadata[key] = value;
      more[key] = value;
    };
    for (const [key, value] of Object.entries(other.metadata)) if (!Object.hasOwn(metadata, key)) add(key, value);
    const { description, externalId } = other;
    if (description !== null && !sameText(description, own.description)) add(OTHER_DESCRIPTION, description);
    if (externalId !== null && externalId !== own.externalId) add(OTHER_ID, externalId);
    const takesDay = valueDay === null && other.valueDay !== null;
    if (takesDay) ({ valueDay } = other);
    return { metadata: more, valueDay: takesDay ? other.valueDay : null };
  });
  return { content: { ...own, metadata, valueDay }, added };
}

/** Returns a free field name, with a number behind it where it is taken; null where that field has the same value. */
function freeName(name: string, value: unknown, taken: Readonly<Record<string, unknown>>): string | null {
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? name : `${name}_${number}`;
    if (!Object.hasOwn(taken, key)) return key;
    if (sameText(String(taken[key]), String(value))) return null;
  }
}

function sameText(one: string | null, other: string | null): boolean {
  const plain = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim().toLocaleLowerCase('en');
  return plain(one) === plain(other);
}

/** Returns the line without what it took over. Changes that people made since then stay. */
export function apart(content: LineContent, added: readonly AddedContent[]): LineContent {
  const metadata: Record<string, unknown> = { ...content.metadata };
  let { valueDay } = content;
  for (const { metadata: more, valueDay: day } of added) {
    for (const [key, value] of Object.entries(more)) if (metadata[key] === value) delete metadata[key];
    if (day !== null && day === valueDay) valueDay = null;
  }
  return { ...content, metadata, valueDay };
}
