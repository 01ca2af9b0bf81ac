import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { record } from '../records/records.ts';

/** The number of records listed for each separation; `record_count` counts all. */
export const SEPARATED_RECORDS = 100;

const separatedRecord = record
  .omit({ matched_records: true, matched_records_total: true })
  .extend({ side: z.enum(['a', 'b']).nullable().meta({ description: 'null when its stream has left the reconciliation' }) })
  .meta({ id: 'SeparatedRecord' });
export type SeparatedRecord = z.output<typeof separatedRecord>;

/** Records that a person took apart, or whose proposed match was rejected: no run matches exactly these again. */
const separation = z
  .object({
    id: common.id,
    reconciliation_id: common.id,
    separated_at: common.timestamp,
    record_count: z.int(),
    gone_count: z.int().meta({ description: 'How many of its records are deleted; with any, no match can be of exactly these records' }),
    match_id: common.id.nullable().meta({ description: 'The match that ties exactly these records all the same, as one made by hand may' }),
    records: z
      .array(separatedRecord)
      .meta({ description: `What is there of its records, at most ${SEPARATED_RECORDS}, side A first, then by date` }),
  })
  .meta({ id: 'Separation' });
export type Separation = z.output<typeof separation>;

export const separations = {
  'separations.list': operation({
    id: 'separations.list',
    method: 'GET',
    path: '/reconciliations/{reconciliation_id}/separations',
    summary: 'Groups of records that a person took apart or rejected, newest first; a run does not tie the same records again',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      reconciliation_id: common.idInput,
      limit: common.limit,
      offset: common.offset,
      cursor: common.cursor,
    }),
    output: common.pageOf(separation).extend({ total_count: z.int() }),
    example: { reconciliation_id: '1' },
  }),
  'separations.clear': operation({
    id: 'separations.clear',
    method: 'POST',
    path: '/separations/{id}/clear',
    summary: 'Let runs tie these records again; a continuous reconciliation runs soon',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'separations.restore',
    input: z.strictObject({ id: common.idInput }),
    output: separation,
    errors: ['conflict'],
    example: { id: '1' },
  }),
  'separations.restore': operation({
    id: 'separations.restore',
    method: 'POST',
    path: '/separations/{id}/restore',
    summary: 'Undo of a clear: keep these records apart again',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: separation,
    errors: ['conflict'],
    example: { id: '1' },
  }),
} as const;
