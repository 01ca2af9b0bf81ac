import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { match } from './matches.ts';

/** The number of ids listed for each side of a would-be match; `record_count` counts all. */
export const WOULD_BE_RECORDS = 100;
/** The number of would-be matches that a dry run keeps, the first in the order of its rules. */
export const WOULD_BE_MATCHES = 1_000;

const recordIds = z.array(common.id).meta({ description: `Ids, at most ${WOULD_BE_RECORDS}` });

/** A match that a run would make. It has no id. */
export const wouldBeMatch = match
  .pick({
    status: true,
    group_key: true,
    reconciliation_rule_id: true,
    record_count: true,
    difference: true,
    certainty: true,
    margin: true,
    explanation: true,
    likelihood: true,
    evidence: true,
  })
  .extend({ side_a_record_ids: recordIds, side_b_record_ids: recordIds })
  .meta({ id: 'WouldBeMatch' });
export type WouldBeMatch = z.output<typeof wouldBeMatch>;

export const wouldBeMatches = {
  'runs.would_be_matches': operation({
    id: 'runs.would_be_matches',
    method: 'GET',
    path: '/reconciliations/{id}/runs/{run_id}/would_be_matches',
    summary: `The first ${WOULD_BE_MATCHES} matches that a dry run would have made, in the order of its rules`,
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      run_id: common.idInput,
      limit: common.limit,
      offset: common.offset,
      cursor: common.cursor,
    }),
    output: common.pageOf(wouldBeMatch),
    errors: ['conflict'],
    example: { id: '1', run_id: '2' },
  }),
} as const;
