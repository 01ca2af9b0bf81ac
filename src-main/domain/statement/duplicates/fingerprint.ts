import { hash as hashOf } from 'node:crypto';
import type { Aside } from '../../collections/spilled-counts.ts';
import { TextCounts } from '../../collections/text-counts.ts';
import type { StatementLine } from '../model/statement.ts';

/**
 * Keys for the duplicate check, one per line. `x:<external id>` where the line has one; else `f:<hash>:<n>`, n being the n-th line of
 * this very content in the file. So true twins stay, and a repeated or overlapping file adds only what is new.
 * The content is day, amount, direction, currency, description and metadata; where the line stands and its balance are not part of it. The dates
 * count as they were read before value days had a field of their own (`formerDates`): so a file that was imported then adds nothing now, and twins
 * that differ in their value day alone stay two.
 */
export function dedupeKeys(lines: readonly StatementLine[]): string[] {
  const keys = new DedupeKeys();
  return lines.map((line) => keys.next(line));
}

/** The same keys, one line after another in the order of the file. */
export class DedupeKeys {
  readonly #seen: TextCounts;

  /** `aside`: where what was seen goes when it is too much for memory; without it all of it is held. To be closed, then. */
  constructor(aside?: Aside) {
    this.#seen = new TextCounts(aside);
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
export type KeyedContent = Pick<
  StatementLine,
  'day' | 'amountMinor' | 'direction' | 'currency' | 'description' | 'metadata' | 'formerDates'
>;

/** The key of the same line with other money; null where the key is not that of the content, since it was edited or is known by its former fields. */
export function keyWithMoney(key: string, content: KeyedContent, money: Pick<KeyedContent, 'amountMinor' | 'currency'>): string | null {
  const own = `f:${contentHash(content)}:`;
  return key.startsWith(own) ? `f:${contentHash({ ...content, ...money })}:${key.slice(own.length)}` : null;
}

/** SHA-256 of the canonical content: a collision would lose a record, so the hash is wide. */
function contentHash(line: KeyedContent & Pick<StatementLine, 'formerKeys'>): string {
  const { formerKeys, formerDates } = line;
  const entries = Object.entries(line.metadata);
  const own = formerKeys === undefined ? entries : entries.map(([key, value]) => [formerKeys.get(key) ?? key, value] as const);
  const known = formerDates === undefined ? own : [...own, ...Object.entries(formerDates.metadata)];
  const metadata = known.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content = JSON.stringify([
    formerDates?.day ?? line.day,
    line.amountMinor,
    line.direction,
    line.currency,
    line.description ?? '',
    metadata,
  ]);
  return hashOf('sha256', content, 'base64url');
}
