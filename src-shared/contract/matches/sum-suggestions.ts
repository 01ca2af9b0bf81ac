import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { line } from './matches.ts';

/** `days` are those on either side of the picked lines. */
export const SUGGESTION_LIMITS = { suggestions: 5, records: 12, days: 366, defaultDays: 30, candidates: 2_000, picked: 1_000 } as const;

const side = z.enum(['a', 'b']);

const sumSuggestion = z
  .object({
    side: side.meta({ description: 'The side that all its records are on' }),
    records: z.array(line).meta({ description: 'By date' }),
    total: z.int().meta({ description: 'Credits minus debits of the records, minor units' }),
    difference: z.int().meta({ description: 'Of the lines picked with these records: minor units, A minus B under the sign convention' }),
    day_span: z.int().meta({ description: 'Days from the first of the records to the last; 0 for one day' }),
    is_only: z.boolean().meta({ description: 'No other records looked at make up the sum, but for exchanging such as look alike' }),
  })
  .meta({ id: 'SumSuggestion' });
export type SumSuggestion = z.output<typeof sumSuggestion>;

const searchedSide = z.object({
  side,
  candidates: z.int().meta({ description: 'Open records that were looked at' }),
  is_cut: z.boolean().meta({ description: `There are more within these days; the nearest ${SUGGESTION_LIMITS.candidates} were looked at` }),
  gave_up: z.boolean().meta({ description: 'The bound of work was hit: larger combinations than `known_up_to` records may be missing' }),
  known_up_to: z.int().meta({ description: 'All combinations of at most so many records were looked for' }),
});

export const sumSuggestions = {
  'matches.suggest_sums': operation({
    id: 'matches.suggest_sums',
    method: 'POST',
    path: '/reconciliations/{reconciliation_id}/sums',
    summary: 'Open records of one side that, with the lines picked, make the difference 0; nothing is changed',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      reconciliation_id: common.idInput,
      record_ids: z.array(common.idInput).min(1).max(SUGGESTION_LIMITS.picked),
      tolerance: z
        .int()
        .min(0)
        .max(1_000_000_000)
        .default(0)
        .meta({ description: 'By how much the sides may differ still, in minor units of the lines picked' }),
      days: z.int().min(0).max(SUGGESTION_LIMITS.days).default(SUGGESTION_LIMITS.defaultDays).meta({
        description: 'Records are looked at from so many days before the first of the lines picked to so many after the last',
      }),
    }),
    output: z.object({
      difference: z.int().meta({ description: 'Of the lines picked: minor units, A minus B under the sign convention' }),
      currency: z.string(),
      decimal_places: z.int().meta({ description: 'Of all amounts of this answer but those of records' }),
      suggestions: z
        .array(sumSuggestion)
        .meta({ description: `Fewest records first, then nearest dates; at most ${SUGGESTION_LIMITS.suggestions}` }),
      searched: z
        .array(searchedSide)
        .meta({ description: 'In the order in which they were searched; the second one only where the first has nothing' }),
    }),
    errors: ['records_not_matchable', 'mixed_currencies', 'validation_failed'],
    example: { reconciliation_id: '1', record_ids: ['1'] },
  }),
} as const;
