import { hash as hashOf } from 'node:crypto';
import type { SpillRoom } from '../../collections/spilled-counts.ts';
import { TextCounts } from '../../collections/text-counts.ts';
import { PLACE_KEY, type StatementLine } from '../model/statement.ts';

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
    .filter(([key]) => key !== PLACE_KEY)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content: unknown[] = [day, amountMinor, direction, currency, description ?? '', sorted];
  if (valueDay !== null && valueDay !== day) content.push(valueDay);
  return hashOf('sha256', JSON.stringify(content), 'base64url');
}
