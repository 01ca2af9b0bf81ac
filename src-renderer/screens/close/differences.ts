import { useEffect, useState } from 'react';
import type { MatchGroup, PeriodStatement, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import type { Connection } from '../../api/connection.ts';
import type { MatchDifference } from './close-context.ts';
import { recordTexts } from '../../format/close-words.ts';
import { signedOf } from '../../format/money.ts';

const PAGE = 200;
/** Pages that are looked through at most. */
const MOST_PAGES = 15;

/** Bank less books of a match, with money in positive on both sides. */
export function differenceOf(
  { match, records }: MatchGroup,
  { bank_side: bankSide, period, currency }: Pick<PeriodStatement, 'bank_side' | 'period' | 'currency'>,
  reconciliation: Reconciliation,
): MatchDifference | null {
  const bank = bankSide ?? 'a';
  const lines = records.filter((record) => record.id !== match.adjustment_record_id);
  const [first] = lines;
  if (first === undefined || first.currency !== currency || lines.some(({ date }) => date > period.to)) return null;
  const turned = reconciliation.sign_convention === 'opposite' ? -1 : 1;
  const amount = lines.reduce((sum, line) => sum + (line.side === bank ? signedOf(line) : -turned * signedOf(line)), 0);
  if (amount === 0 || match.difference_reason?.code === 'bank_error') return null;
  const shown = lines.find(({ side }) => side !== bank) ?? first;
  const { id: recordId, date } = shown;
  const { difference_reason: reason, adjustment_record_id: adjustmentId } = match;
  const adjustment = records.find(({ id }) => id === adjustmentId)?.description ?? null;
  return { matchId: match.id, recordId, date, ...recordTexts(shown, reconciliation), amount, reason, adjustment };
}

async function read(client: Connection['client'], reconciliation: Reconciliation, statement: PeriodStatement) {
  const found: MatchDifference[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const asked = { reconciliation_id: reconciliation.id, status: 'matched', offset: page * PAGE, limit: PAGE } as const;
    // Each page is asked for only where those before it had not all.
    // oxlint-disable-next-line no-await-in-loop -- one page after another
    const answer = await client.call('matches.window', asked);
    if (!answer.ok) break;
    found.push(...answer.value.data.flatMap((group) => differenceOf(group, statement, reconciliation) ?? []));
    if (found.length >= statement.match_differences.count || (page + 1) * PAGE >= answer.value.total_count) break;
  }
  return found.toSorted((left, right) => (left.date < right.date ? -1 : left.date > right.date ? 1 : left.matchId - right.matchId));
}

/** Matches whose sides differ, by date; read again whenever the statement is. */
export function useDifferences(reconciliation: Reconciliation, statement: PeriodStatement): readonly MatchDifference[] {
  const { client } = useConnection();
  const [found, setFound] = useState<readonly MatchDifference[]>([]);
  useEffect(() => {
    let isShown = true;
    const asked = statement.match_differences.count === 0 ? Promise.resolve([]) : read(client, reconciliation, statement);
    void asked.then((list) => {
      if (isShown) setFound(list);
      return list;
    });
    return () => {
      isShown = false;
    };
  }, [client, reconciliation, statement]);
  return found;
}
