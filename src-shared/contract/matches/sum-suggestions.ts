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

/**
 * `days` are those before and after the line in which open records are read, `candidates` the most of each side, the nearest first. Records with its
 * amount or one of its references are read beyond these days too: at most `far` of each kind.
 */
export const LINE_SUGGESTION_LIMITS = { suggestions: 5, days: 60, candidates: 2_000, far: 200 } as const;

const suggestionReason = z
  .object({
    kind: z.enum(['proposal', 'reference', 'party', 'amount', 'day', 'rivals']),
    strength: z
      .enum(['strong', 'fair', 'against'])
      .meta({ description: 'Whether it speaks for the suggestion, and how much, or against it' }),
    words: z.string(),
  })
  .meta({ id: 'SuggestionReason' });

const lineSuggestion = z
  .object({
    kind: z.enum(['proposal', 'group', 'line']).meta({ description: 'A match that is proposed already, several records, or one' }),
    strength: z.enum(['strong', 'fair', 'weak']),
    match_id: common.id.nullable().meta({ description: 'The proposed match of exactly these records, which can be confirmed' }),
    likelihood: z.number().min(0).max(1).nullable().meta({ description: 'Of a proposal of evidence' }),
    records: z.array(line).meta({ description: 'What the record would be matched with: side A first, by date' }),
    difference: z.int().meta({ description: 'Of the record with these: minor units, A minus B under the sign convention' }),
    reasons: z.array(suggestionReason).meta({ description: 'What speaks for it, and what against it' }),
  })
  .meta({ id: 'LineSuggestion' });
export type LineSuggestion = z.output<typeof lineSuggestion>;

export const sumSuggestions = {
  'matches.suggest': operation({
    id: 'matches.suggest',
    method: 'GET',
    path: '/reconciliations/{reconciliation_id}/suggestions',
    summary: 'What an open record may belong to, the best first; nothing is changed',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ reconciliation_id: common.idInput, record_id: common.idInput }),
    output: z.object({
      currency: z.string(),
      decimal_places: z.int().meta({ description: 'Of the differences' }),
      suggestions: z.array(lineSuggestion).meta({
        description: `Groups that share a document or a party before single records and chance sums, exact ones before near ones; at most ${LINE_SUGGESTION_LIMITS.suggestions}. Records that a person took apart and those of a closed period are left out`,
      }),
      searched: z.array(
        z.object({
          side,
          candidates: z.int().meta({ description: 'Open records of its currency that were looked at' }),
          is_cut: z.boolean().meta({
            description: `There are more within ${LINE_SUGGESTION_LIMITS.days} days; the nearest ${LINE_SUGGESTION_LIMITS.candidates} were looked at`,
          }),
        }),
      ),
    }),
    errors: ['records_not_matchable', 'validation_failed'],
    example: { reconciliation_id: '1', record_id: '1' },
  }),
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
      records: z.int().min(1).max(SUGGESTION_LIMITS.records).default(SUGGESTION_LIMITS.records).meta({
        description: 'The most records of a suggestion; 1 asks for the one line that would close the sum, which takes next to no time',
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
