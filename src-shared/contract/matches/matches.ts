import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { record } from '../records/records.ts';
import { certainty } from '../rules/rules.ts';
import { differenceCode, differenceInput, differenceReason } from './difference-reasons.ts';

const margin = z
  .object({
    pairs: z.int().meta({ description: 'Matches fewer' }),
    days: z.int().meta({ description: 'Days further apart, over all pairs together' }),
    minor_units: z.int().meta({ description: 'Amounts further apart, over all pairs together, in minor units as `difference`' }),
    edits: z.int().meta({ description: 'Texts further apart, over all pairs together' }),
  })
  .meta({
    id: 'Margin',
    description:
      'What the best pairing without this match costs more. The first figure that is not 0 decides, those behind it may be negative',
  });

/** Bits from which a reason is fair, and from which it is strong: true pairs look like that 4 and 32 times as often as strangers. */
export const EVIDENCE_BITS = { fair: 2, strong: 5 } as const;

export const evidenceItem = z
  .object({
    field: z.enum(['amount', 'date', 'text', 'reference', 'rivals']),
    level: z.string().meta({ description: 'What the comparison came to, as `equal` or `none_shared`' }),
    words: z.string(),
    bits: z.number().meta({ description: 'What it adds: log2 of how much more often true pairs look like that than strangers' }),
  })
  .meta({ id: 'EvidenceItem' });
export type EvidenceItem = z.output<typeof evidenceItem>;

export const match = z
  .object({
    id: common.id,
    status: z.enum(['matched', 'proposed']),
    group_key: z.string().nullable(),
    reconciliation_id: common.id,
    reconciliation_rule_id: common.id.nullable(),
    created_at: common.timestamp,
    record_count: z.int(),
    origin: z.enum(['manual', 'rule', 'sync']),
    difference: z.int(),
    certainty: certainty.nullable(),
    margin: margin.nullable().meta({
      description: 'Of a pair whose certainty is `best`, as the run found it; null for any other match, and where it was not worked out',
    }),
    explanation: z.array(z.string()),
    likelihood: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'The chance that a match of evidence is right, worked out from this book; else null' }),
    evidence: z.array(evidenceItem).meta({ description: 'What speaks for a match of evidence, and what against it; empty for any other' }),
    confirmed_by: z.string().nullable().meta({ description: 'Who confirmed it, of a match that was a proposal' }),
    confirmed_in_bulk: z.boolean().meta({ description: 'Confirmed together with others, by its likelihood' }),
    adjustment_record_id: common.id.nullable().meta({ description: 'The record that makes the match balance, if one was created' }),
    difference_reason: differenceReason.nullable().meta({
      description: 'Why the lines of the two sides differ, as it was said; null where they do not, and where nobody said it',
    }),
  })
  .meta({ id: 'Match' });
export type Match = z.output<typeof match>;

export const sidedRecord = record.extend({ side: z.enum(['a', 'b']) }).meta({ id: 'SidedRecord' });
export type SidedRecord = z.output<typeof sidedRecord>;
/** A match with its records, side A first, at most 100. */
const matchGroup = z.object({ match, records: z.array(sidedRecord) }).meta({ id: 'MatchGroup' });
export type MatchGroup = z.output<typeof matchGroup>;

/** A line of one side with the match that holds it in this reconciliation, if any. */
export const line = sidedRecord
  .extend({ match_id: common.id.nullable(), match_status: z.enum(['matched', 'proposed']).nullable() })
  .meta({ id: 'Line' });
export type Line = z.output<typeof line>;

const matchSearch = z.string().max(common.LIMITS.searchLength).optional().meta({
  description:
    'As the search of lines, of which one line of the match must meet all terms, and terms as `likely:>=99` in percent, `likely:unknown`, `difference:<=0.50`, `rule:3`, `by:hand`, `sure:contested`; all must apply',
});

/** Sums by currency of what a search finds. */
const foundSum = z.object({
  currency: z.string(),
  decimal_places: z.int(),
  records: z.int(),
  net: z.int().nullable().meta({ description: 'Credits minus debits, minor units; null beyond 2^53-1' }),
});

const matchStatus = z.enum(['matched', 'proposed']);

/** A line of a match as a table shows it. The fields of the match are repeated on each of its lines. */
const matchedLine = z
  .object({
    match_id: common.id,
    status: matchStatus,
    side: z.enum(['a', 'b']),
    record_id: common.id,
    data_stream_key: z.string(),
    date: common.date,
    amount: common.amount,
    direction: common.direction,
    currency: z.string(),
    decimal_places: z.int(),
    description: z.string().nullable(),
    external_id: z.string().nullable(),
    rule_id: common.id.nullable().meta({ description: 'Null for a match by hand' }),
    likelihood: z.number().min(0).max(1).nullable(),
    difference_code: differenceCode.nullable(),
    difference_note: z.string().nullable(),
  })
  .meta({ id: 'MatchedLine' });
const lineSort = z
  .enum(['date', '-date', 'value_date', '-value_date', 'amount', '-amount', 'description', '-description', 'external_id', '-external_id'])
  .default('date');

export const matches = {
  'matches.create': operation({
    id: 'matches.create',
    method: 'POST',
    path: '/reconciliation_matches',
    summary: 'Match records by hand',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    inverse: 'matches.undo_create',
    input: z.strictObject({
      reconciliation_id: common.idInput,
      record_ids: z.array(common.idInput).min(2).max(common.LIMITS.matchRecords),
      ...differenceInput,
    }),
    output: match,
    errors: ['unknown_reference', 'records_not_matchable', 'mixed_currencies', 'total_out_of_range', 'period_closed'],
    example: {
      reconciliation_id: '1',
      record_ids: ['1', '8'],
      create_adjustment: true,
      difference_reason: { code: 'bank_charge', note: 'Fee of the transfer' },
    },
  }),
  'matches.list': operation({
    id: 'matches.list',
    method: 'GET',
    path: '/reconciliation_matches',
    summary: 'Matches, newest first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      reconciliation_id: common.idInput.optional(),
      status: matchStatus.optional(),
      limit: common.limit,
      offset: common.offset,
      cursor: common.cursor,
    }),
    output: common.pageOf(match).extend({ total_count: z.int() }),
    errors: ['unknown_reference'],
    example: { reconciliation_id: '1' },
  }),
  'matches.get': operation({
    id: 'matches.get',
    method: 'GET',
    path: '/reconciliation_matches/{id}',
    summary: 'One match',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: match,
    example: { id: '1' },
  }),
  'matches.confirm': operation({
    id: 'matches.confirm',
    method: 'POST',
    path: '/reconciliation_matches/{id}/confirm',
    summary: 'Turn a proposed match into a matched one',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'matches.undo_create',
    input: z.strictObject({ id: common.idInput, ...differenceInput }),
    output: match,
    errors: ['conflict', 'records_not_matchable', 'period_closed'],
    example: { id: '1' },
  }),
  'matches.remove': operation({
    id: 'matches.remove',
    method: 'DELETE',
    path: '/reconciliation_matches/{id}',
    summary: 'Take a match apart, or reject a proposed one; the engine will not tie the same records again',
    surface: 'public',
    permission: 'read_write',
    status: 204,
    inverse: 'matches.restore',
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['period_closed'],
    example: { id: '1' },
  }),
  'matches.restore': operation({
    id: 'matches.restore',
    method: 'POST',
    path: '/reconciliation_matches/{id}/restore',
    summary: 'Undo: bring back a match that was taken apart, as it was, under its own id',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: match,
    errors: ['conflict', 'records_not_matchable', 'period_closed'],
    example: { id: '1' },
  }),
  'matches.undo_create': operation({
    id: 'matches.undo_create',
    method: 'POST',
    path: '/reconciliation_matches/{id}/undo',
    summary: 'Undo a manual match or a confirmation just made, leaving no memory of a separation',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: z.object({ match_id: common.id, restored_match_ids: z.array(common.id) }),
    errors: ['conflict', 'period_closed'],
    example: { id: '1' },
  }),
  'matches.window': operation({
    id: 'matches.window',
    method: 'GET',
    path: '/reconciliations/{reconciliation_id}/groups',
    summary: 'A window of match groups for the grid',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      reconciliation_id: common.idInput,
      status: matchStatus.default('matched'),
      sort: z
        .enum(['newest', 'likelihood'])
        .default('newest')
        .meta({ description: '`likelihood`: the likeliest first, those without one behind them' }),
      search: matchSearch,
      offset: common.offset,
      limit: common.windowLimit,
    }),
    output: z.object({
      data: z.array(matchGroup),
      total_count: z.int(),
      totals: z
        .array(foundSum.extend({ side: z.enum(['a', 'b']) }))
        .meta({ description: 'Of a search: the lines of all matches found, by side and currency; without one empty' }),
      offset: z.int(),
      not_searched: common.notSearched,
    }),
    example: { reconciliation_id: '1' },
  }),
  'matches.members': operation({
    id: 'matches.members',
    method: 'GET',
    path: '/reconciliations/{reconciliation_id}/match_members',
    summary: 'Every record in a match of a reconciliation, match by match, oldest first; continue after the last match seen',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      reconciliation_id: common.idInput,
      after_match_id: z.int().min(0).default(0),
      matches: z.int().min(1).max(2_000).default(1_000).meta({ description: 'Matches to answer at most' }),
      explained: z.boolean().default(false).meta({ description: 'Say why as well' }),
    }),
    output: z.object({
      data: z.array(
        z.object({
          match_id: common.id,
          side: z.enum(['a', 'b']),
          external_id: z.string().nullable(),
          record_id: common.id,
          rule_id: common.id.nullable(),
          status: matchStatus,
          difference_code: differenceCode.nullable(),
          difference_note: z.string().nullable(),
          likelihood: z.number().min(0).max(1).nullable(),
          explanation: z.array(z.string()).optional().meta({ description: 'With `explained`: on the first record of a match' }),
        }),
      ),
      last_match_id: common.id.nullable(),
    }),
    example: { reconciliation_id: '1' },
  }),
  'matches.lines': operation({
    id: 'matches.lines',
    method: 'GET',
    path: '/reconciliations/{reconciliation_id}/matched_lines',
    summary: 'The matches of a reconciliation as a table: one line of a match a row, the oldest match first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      reconciliation_id: common.idInput,
      status: matchStatus.optional(),
      limit: z.int().min(1).max(common.LIMITS.windowSize).default(common.LIMITS.pageSize),
      offset: common.offset,
      cursor: common.cursor,
    }),
    output: common.pageOf(matchedLine),
    example: { reconciliation_id: '1' },
  }),
  'lines.window': operation({
    id: 'lines.window',
    method: 'GET',
    path: '/reconciliations/{reconciliation_id}/lines',
    summary: 'A window of the lines of one side for the grid',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      reconciliation_id: common.idInput,
      side: z.enum(['a', 'b']),
      status: z.enum(['matched', 'proposed', 'unmatched', 'open', 'all']).default('open'),
      search: z.string().max(common.LIMITS.searchLength).optional().meta({
        description:
          'Words, and terms as `350.00`, `>1000`, `-25..-10`, `2026-06-30`, `30/06`, `age:>30`, `account:bank`, `party:"Name"` and `is:overdue`; all must apply. Text in quotes is words',
      }),
      sort: lineSort,
      offset: common.offset,
      limit: common.windowLimit,
    }),
    output: z.object({
      data: z.array(line),
      total_count: z.int(),
      totals: z.array(foundSum).meta({ description: 'Of a search: all lines found, by currency; without one empty' }),
      offset: z.int(),
      not_searched: common.notSearched,
    }),
    example: { reconciliation_id: '1', side: 'a' },
  }),
} as const;

/** The most proposals that one call decides about. */
export const MOST_DECIDED = 5_000;

const matchIds = z.array(common.idInput).min(1).max(MOST_DECIDED);

const chosen = {
  id: common.idInput,
  search: matchSearch,
  least_likelihood: z
    .number()
    .min(0.5)
    .max(1)
    .optional()
    .meta({ description: 'Proposals that are less likely, or whose likelihood is not known, stay proposals' }),
  rule_id: common.idInput.optional().meta({ description: 'Only the proposals of this rule' }),
  most_difference: z
    .int()
    .min(0)
    .default(0)
    .meta({ description: 'Proposals whose sides differ by more, in minor units as `difference` and whatever its sign, stay proposals' }),
};
const figures = z.object({
  count: z.int(),
  differing: z.int().meta({ description: 'The number of them that leave a difference' }),
  rated: z.int().meta({ description: 'The number of them that have a likelihood' }),
  expected_wrong: z.number().meta({ description: 'The number of those with a likelihood that are wrong if the likelihoods are true' }),
});

/** Confirms proposals together: by their likelihood, their rule and their difference, or those that are selected. */
export const confirmations = {
  'confirmations.expect': operation({
    id: 'confirmations.expect',
    method: 'GET',
    path: '/reconciliations/{id}/confirmations',
    summary: 'How many proposals would be confirmed together, and how many of them are wrong by expectation',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject(chosen),
    output: figures,
    example: { id: '1', least_likelihood: 0.99 },
  }),
  'confirmations.create': operation({
    id: 'confirmations.create',
    method: 'POST',
    path: '/reconciliations/{id}/confirmations',
    summary:
      'Confirm proposals together, the likeliest first, up to 5,000 a call; what is said about a difference holds for those that have one',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'confirmations.undo',
    input: z.strictObject({
      ...chosen,
      ...differenceInput,
      match_ids: matchIds
        .optional()
        .meta({ description: 'Only these, of which those that do not fit the rest of the choice stay proposals' }),
    }),
    output: figures.extend({ match_ids: z.array(common.id), is_more: z.boolean() }),
    example: { id: '1', least_likelihood: 0.99 },
  }),
  'confirmations.undo': operation({
    id: 'confirmations.undo',
    method: 'POST',
    path: '/reconciliations/{id}/confirmations/undo',
    summary: 'Undo: matches that were confirmed together are proposals again',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, match_ids: matchIds }),
    output: z.object({ count: z.int() }),
    errors: ['period_closed'],
    example: { id: '1', match_ids: ['1'] },
  }),
  'rejections.create': operation({
    id: 'rejections.create',
    method: 'POST',
    path: '/reconciliations/{id}/rejections',
    summary: 'Reject proposals together, up to 5,000 a call; the engine will not tie the same records again',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'rejections.undo',
    input: z.strictObject({
      id: common.idInput,
      search: matchSearch,
      match_ids: matchIds.optional().meta({ description: 'Only these, of which those that the search does not find stay proposals' }),
    }),
    output: z.object({ count: z.int(), match_ids: z.array(common.id), is_more: z.boolean() }),
    example: { id: '1', match_ids: ['1'] },
  }),
  'rejections.undo': operation({
    id: 'rejections.undo',
    method: 'POST',
    path: '/reconciliations/{id}/rejections/undo',
    summary: 'Undo: bring back proposals that were rejected together',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, match_ids: matchIds }),
    output: z.object({ count: z.int() }),
    errors: ['conflict', 'records_not_matchable', 'period_closed'],
    example: { id: '1', match_ids: ['1'] },
  }),
} as const;
