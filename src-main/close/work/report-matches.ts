import type { ReadHandle } from '../../database/database.ts';
import type { LedgerRecord, Statement } from '../../domain/ledger/index.ts';
import type { MatchOrigin, ReportCertainty, ReportMatch } from '../../domain/report/index.ts';
import { type MadeMatch, madeMatches, makersOfMatches, ruleDescriptions, type Teller } from '../store/report-reads.ts';
import type { CloseSource } from './close-source.ts';
import { actorText, momentOf } from './words.ts';

/** A longer description is what stands before its first colon. */
const LONGEST_NAME = 60;

/** What a rule is called: what it says of itself, else its number; null for one that is gone. */
function ruleName(id: number, descriptions: ReadonlyMap<number, string | null>): string | null {
  const said = descriptions.get(id);
  if (said === undefined) return null;
  const words = (said ?? '').trim();
  if (words === '') return `Rule ${id}`;
  const [head = ''] = words.split(':');
  return words.length > LONGEST_NAME && head !== '' ? head : words;
}

function originOf({ origin, confirmed_at: confirmedAt }: MadeMatch): MatchOrigin {
  if (origin === 'manual') return 'manual';
  return confirmedAt === null ? 'rule' : 'confirmed';
}

/** Who decided it, and when: who made it by hand, else who confirmed it. */
function decidedBy(made: MadeMatch, maker: Teller | undefined): Pick<ReportMatch, 'by' | 'at'> {
  if (made.origin === 'manual') {
    return { by: maker === undefined ? null : actorText(maker.actor), at: momentOf(maker?.at ?? made.created_at) };
  }
  const { confirmed_by: by, confirmed_at: at } = made;
  return { by: by === null ? null : actorText(by), at: at === null ? null : momentOf(at) };
}

/** The cleared matches that have a record in the period or a difference. */
function listedIds({ clearedMatches, period }: Statement, records: readonly LedgerRecord[]): number[] {
  const inPeriod = new Set<number>();
  for (const { id, day, isAdjustment } of records) if (!isAdjustment && day >= period.from && day <= period.to) inPeriod.add(id);
  return clearedMatches
    .filter(({ difference, recordIds }) => difference !== 0 || recordIds.some((id) => inPeriod.has(id)))
    .map(({ id }) => id);
}

/** How the matches of a statement came to be. */
export function reportMatches(
  read: ReadHandle,
  { reconciliation }: CloseSource,
  statement: Statement,
  records: readonly LedgerRecord[],
): ReportMatch[] {
  const descriptions = ruleDescriptions(read, reconciliation.id);
  const found = madeMatches(read, listedIds(statement, records));
  const isAnyByHand = found.some(({ origin }) => origin === 'manual');
  const makers = isAnyByHand ? makersOfMatches(read, reconciliation.environment_id) : new Map<number, Teller>();
  return found.map((made) => ({
    id: made.id,
    origin: originOf(made),
    rule: made.rule_id === null ? null : ruleName(made.rule_id, descriptions),
    certainty: made.certainty as ReportCertainty | null,
    isConfirmedInBulk: made.confirmed_in_bulk === 1,
    ...decidedBy(made, makers.get(made.id)),
    note: made.difference_note,
  }));
}
