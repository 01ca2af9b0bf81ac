import type { Client } from '../../../src-shared/client/client.ts';
import type { Match, SidedRecord } from '../../../src-shared/contract/index.ts';
import type { Database } from '../../../src-main/database/database.ts';
import { VISIBLE_MATCH } from '../../../src-main/matches/store/matches.ts';
import { type LineInput, type Pair, setUpPair } from './lines.ts';

interface Adjusted extends Pair {
  readonly match: Match;
  readonly adjustment: SidedRecord | null;
}

/** Makes lines on both sides, all in one match with `create_adjustment`. */
export async function adjusted(
  client: Client,
  sides: { readonly a: readonly LineInput[]; readonly b: readonly LineInput[]; readonly convention: 'any' | 'same' | 'opposite' },
): Promise<Adjusted> {
  const pair = await setUpPair(client, sides, [], sides.convention);
  const match = await client.get('matches.create', {
    reconciliation_id: pair.reconciliation.id,
    record_ids: [...pair.aIds, ...pair.bIds],
    create_adjustment: true,
    adjustment_reason: 'Bank charge',
  });
  const groups = await client.get('matches.window', { reconciliation_id: pair.reconciliation.id });
  const adjustment = groups.data[0]?.records.find((record) => record.id === match.adjustment_record_id) ?? null;
  return { ...pair, match, adjustment };
}

/** Returns the number of adjustments, and of visible ones that are in no visible match. */
export function countAdjustments(database: Database): { readonly all: number; readonly loose: number } {
  const count = (condition: string) =>
    database
      .prepare<[], { n: number }>(
        `SELECT count(*) AS n FROM records r JOIN streams s ON s.id = r.stream_id WHERE s.key = 'adjustments' AND ${condition}`,
      )
      .get()?.n ?? 0;
  const isHeld = `EXISTS (SELECT 1 FROM matches m JOIN match_records mr ON mr.match_id = m.id
    WHERE mr.record_id = r.id AND m.adjustment_id = r.id AND ${VISIBLE_MATCH})`;
  const isSeen = '(r.batch_id IS NULL OR r.batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1))';
  return { all: count('1'), loose: count(`${isSeen} AND NOT ${isHeld}`) };
}

/** Counts loose adjustments after each transaction of a connection. Returns the list of counts, which should be zeros. */
export function looseAfterEachWrite(database: Database): number[] {
  const found: number[] = [];
  const write = database.write.bind(database);
  database.write = (work) => {
    const value = write(work);
    found.push(countAdjustments(database).loose);
    return value;
  };
  return found;
}
