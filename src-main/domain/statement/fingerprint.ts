import { createHash } from 'node:crypto';
import type { StatementLine } from './types.ts';

/**
 * Keys for the duplicate check, one per line. `x:<external id>` where the line has one; else `f:<hash>:<n>`, n being the n-th line of
 * this very content in the file. So true twins stay, and a repeated or overlapping file adds only what is new.
 * The content is day, amount, direction, currency, description and metadata; where the line stands and its balance are not part of it.
 */
export function dedupeKeys(lines: readonly StatementLine[]): string[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    if (line.externalId !== null) return `x:${line.externalId}`;
    const hash = contentHash(line);
    const occurrence = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, occurrence);
    return `f:${hash}:${occurrence}`;
  });
}

/** SHA-256 of the canonical content: a collision would lose a record, so the hash is wide. */
function contentHash(line: StatementLine): string {
  const metadata = Object.entries(line.metadata).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content = JSON.stringify([line.day, line.amountMinor, line.direction, line.currency, line.description ?? '', metadata]);
  return createHash('sha256').update(content).digest('base64url');
}
