import { hash as hashOf } from 'node:crypto';
import type { SpillRoom } from '../../collections/spilled-counts.ts';
import { TextCounts } from '../../collections/text-counts.ts';
import type { StatementLine } from '../model/statement.ts';

/**
 * Keys for the duplicate check, one per line. `x:<external id>` where the line has one; else `f:<hash>:<n>`, n being the n-th line of
 * this very content in the file. So true twins stay, and a repeated or overlapping file adds only what is new.
 * The content is day, amount, direction, currency, description, metadata, and the value day where it is another day. Where the line stands and its
 * balance are not part of it.
 */
export function dedupeKeys(lines: readonly StatementLine[]): string[] {
  const keys = new DedupeKeys();
  return lines.map((line) => keys.next(line));
}

/** The same keys, one line after another in the order of the file. */
export class DedupeKeys {
  readonly #seen: TextCounts;

  /** `spill`: where hashes go that are too many for memory; such keys must be closed. Without it all hashes are held. */
  constructor(spill?: SpillRoom) {
    this.#seen = new TextCounts(spill);
  }

  next(line: StatementLine): string {
    if (line.externalId !== null) return `x:${line.externalId}`;
    const hash = contentHash(line);
    return `f:${hash}:${this.#seen.add(hash)}`;
  }

  /** There will be no further lines. */
  close(): void {
    this.#seen.close();
  }
}

/** What of a line its key says. */
type KeyedContent = Pick<StatementLine, 'day' | 'valueDay' | 'amountMinor' | 'direction' | 'currency' | 'description' | 'metadata'>;

/** The key of the same line with other money; null where the key is not that of the content, since it was edited. */
export function keyWithMoney(key: string, content: KeyedContent, money: Pick<KeyedContent, 'amountMinor' | 'currency'>): string | null {
  const own = `f:${contentHash(content)}:`;
  return key.startsWith(own) ? `f:${contentHash({ ...content, ...money })}:${key.slice(own.length)}` : null;
}

/** SHA-256 of the canonical content: a collision would lose a record, so the hash is wide. */
function contentHash({ day, valueDay, amountMinor, direction, currency, description, metadata }: KeyedContent): string {
  const sorted = Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content: unknown[] = [day, amountMinor, direction, currency, description ?? '', sorted];
  if (valueDay !== null && valueDay !== day) content.push(valueDay);
  return hashOf('sha256', JSON.stringify(content), 'base64url');
}
