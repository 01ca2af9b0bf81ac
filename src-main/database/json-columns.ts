import { z } from 'zod';
import {
  columnRole,
  importRecipe,
  RECIPE_SCHEMA,
  RECIPE_VERSION,
  SIGN_MODELS,
  tableByHand,
} from '../../src-shared/contract/imports/import-recipes.ts';
import { importAnswers, importOverrule, importPreview, importResult, problem } from '../../src-shared/contract/imports/imports.ts';
import { notationChoice, notationInUse } from '../../src-shared/contract/book/notation.ts';
import { type CoveredKind, periodFigures, statement } from '../../src-shared/contract/close/period-statement.ts';
import { keptChoices } from '../../src-shared/contract/databases/connections.ts';
import { evidenceItem } from '../../src-shared/contract/matches/matches.ts';
import { wouldBeMatch } from '../../src-shared/contract/matches/would-be-matches.ts';
import { bulkItemError } from '../../src-shared/contract/records/bulk-requests.ts';
import { cardinality, rollup, rollupInput, ruleGroup } from '../../src-shared/contract/rules/rule-language.ts';
import { certainty, maxDifference } from '../../src-shared/contract/rules/rules.ts';
import { ruleSummary } from '../../src-shared/contract/runs/runs.ts';
import { PROPERTY_TYPES } from '../../src-shared/contract/streams/property-definitions.ts';
import { syncVerified } from '../../src-shared/contract/sync/sync-history.ts';
import { notMoved, syncCounts, syncDeletions } from '../../src-shared/contract/sync/sync-words.ts';

type Members = Record<string, unknown>;
/** A shape that is proved without zod: its columns are read once a record, where zod takes as long as parsing (0.4 of 0.4 µs) and this takes nothing. */
type Check<T> = (value: unknown) => value is T;

const isObject: Check<Members> = (value): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList: Check<unknown[]> = (value) => Array.isArray(value);
const isNumbers: Check<number[]> = (value): value is number[] => Array.isArray(value) && value.every((each) => typeof each === 'number');

type Covered = [kind: CoveredKind, key: string, id: number | null, text: string];
const isCovered: Check<Covered> = (value): value is Covered =>
  Array.isArray(value) &&
  value.length === 4 &&
  typeof value[0] === 'string' &&
  typeof value[1] === 'string' &&
  (value[2] === null || typeof value[2] === 'number') &&
  typeof value[3] === 'string';

const whole = z.int();
const wholeOrNull = z.int().nullable();
const textOrNull = z.string().nullable();
const texts = z.array(z.string());
const side = z.enum(['a', 'b']);
const bySide = z.object({ a: z.number(), b: z.number() });
const members = z.custom<Members>(isObject);
/** Another service's conditions are kept as they came, also those that Tieout does not understand: such a rule is paused. */
const filters = z.custom<z.output<typeof ruleGroup>>(
  (value) => isObject(value) && (value['rules'] === undefined || isList(value['rules'])),
);

const period = z.object({
  account: textOrNull,
  firstDay: whole,
  lastDay: whole,
  openingMinor: wholeOrNull,
  closingMinor: wholeOrNull,
  dayEnds: z.array(z.object({ day: whole, minor: whole, breaksFrom: whole.exactOptional() })).exactOptional(),
});
const total = z.object({ currency: z.string(), decimal_places: whole, credits: whole, debits: whole });
/** The recipe of the contract without its limits, since a file's own layout is kept whatever it is. A recipe of an earlier Tieout lacks the members that have a default here. */
const recipe = z.object({
  schema: z.literal(RECIPE_SCHEMA),
  version: z.literal(RECIPE_VERSION),
  name: z.string(),
  encoding: textOrNull,
  delimiter: textOrNull,
  sheet: textOrNull.default(null),
  has_header: z.boolean(),
  columns: z.array(z.object({ header: z.string(), role: columnRole })),
  date_order: z.enum(['ymd', 'dmy', 'mdy']).nullable(),
  decimal_mark: z.enum(['.', ',']).nullable(),
  sign_model: z.enum(SIGN_MODELS).nullable(),
  direction_words: z.object({ in: texts, out: texts }).nullable().default(null),
  footer_rows: wholeOrNull,
  overlap: z.enum(['same', 'new']).nullable().default(null),
  currency: textOrNull,
  stream_key: textOrNull,
  bank_account: textOrNull,
});

const engineRule = z.object({
  id: whole,
  priority: whole,
  filters,
  outcome: z.enum(['match', 'propose']),
  commitCertainty: z.array(certainty),
  cardinality,
  groupBy: texts,
  rollup: rollupInput.nullable(),
  evidence: z.object({ budget: z.number(), maxDifference: maxDifference.nullable() }).exactOptional(),
  isDefault: z.boolean().exactOptional(),
});
const types = z.array(z.tuple([z.string(), z.enum(PROPERTY_TYPES)]));
const facts = z.object({
  rules: z.array(engineRule),
  signConvention: z.enum(['any', 'same', 'opposite']),
  types: z.object({ a: types, b: types }),
  references: z.array(z.tuple([whole, textOrNull])),
});

const ruleRow = z.object({
  id: whole,
  reconciliation_id: whole,
  priority: whole,
  filters: z.string(),
  description: textOrNull,
  source: z.string(),
  status: z.string(),
  outcome: z.string(),
  commit_certainty: z.string(),
  method: z.string(),
  budget: wholeOrNull,
  max_difference: textOrNull,
  paused: whole,
  paused_reason: textOrNull,
  cardinality: z.string(),
  group_by: z.string(),
  rollup: textOrNull,
  edited: whole,
  confidence: textOrNull,
  sample_match_rate: textOrNull,
  created_at: whole,
});
const matchRow = z.object({
  id: whole,
  reconciliation_id: whole,
  run_id: wholeOrNull,
  rule_id: wholeOrNull,
  status: z.enum(['matched', 'proposed']),
  origin: z.string(),
  certainty: textOrNull,
  difference: whole,
  group_key: textOrNull,
  explanation: z.string(),
  record_count: whole,
  confirmed_at: wholeOrNull,
  adjustment_id: wholeOrNull,
  created_at: whole,
  cohort: textOrNull,
  margin: textOrNull,
  difference_code: textOrNull,
  difference_note: textOrNull,
  confirmed_by: textOrNull,
  confirmed_in_bulk: whole,
  likelihood: z.number().nullable(),
  evidence: z.number().nullable(),
});
const adjustment = z.object({
  id: whole,
  environment_id: whole,
  stream_id: whole,
  day: whole,
  amount: whole,
  direction: whole,
  currency: z.string(),
  decimal_places: whole,
  description: textOrNull,
  metadata: z.string(),
  created_at: whole,
  side,
});

const levels = z.array(z.object({ name: z.string(), m: z.number(), u: z.number().nullable() }));
const words = z.array(z.object({ word: z.string(), count: z.number() }));
const evidenceParameters = z.object({
  // The formats before explain the matches of their runs.
  format: z.literal([5, 6, 7]),
  lines: bySide,
  partnered: bySide,
  prior: z.number(),
  amount: levels,
  text: levels,
  references: levels,
  lag: z.array(z.object({ fromDay: z.number(), toDay: z.number(), m: z.number(), u: z.number() })),
  siblings: z.object({ a: z.array(z.number()), b: z.array(z.number()) }),
  rareWords: words,
  commonWords: words,
  aliases: z.array(z.object({ a: z.string(), b: z.string(), pairs: z.array(z.tuple([z.number(), z.number()])), bits: z.number() })),
  calibration: z.array(z.array(z.number())),
  formulas: z.array(
    z.object({
      grossOn: side,
      rate: z.number(),
      fixed: z.number(),
      places: z.number(),
      exact: z.number(),
      of: z.number(),
      per: z.enum(['line', 'sum']).optional(),
    }),
  ),
  families: z.array(
    z.object({
      name: z.string(),
      seen: z.number(),
      hits: z.number(),
      expected: z.number(),
      below: z.number(),
      above: z.number(),
      near: z.number(),
      fees: z.array(z.number()),
    }),
  ),
});

const importPayload = z.object({
  path: z.string(),
  filename: z.string(),
  part: textOrNull.exactOptional(),
  packedIn: z.string().exactOptional(),
  streamKey: textOrNull,
  streamName: textOrNull,
  currency: textOrNull,
  account: textOrNull,
  bankAccountId: wholeOrNull.exactOptional(),
  bankAccountName: textOrNull.exactOptional(),
  linkByRecipe: z.boolean().exactOptional(),
  recipe: importRecipe.nullable().exactOptional(),
  keptRecipe: z.enum(['ask', 'use', 'guess']).exactOptional(),
  table: tableByHand.nullable().exactOptional(),
  answers: importAnswers.nullable().exactOptional(),
  rememberRecipe: textOrNull.exactOptional(),
  overrules: z.array(importOverrule).exactOptional(),
  acceptRejected: z.boolean(),
  acceptBroken: z.boolean(),
  acceptUnproved: z.boolean().exactOptional(),
  acceptCurrency: z.boolean().exactOptional(),
  acceptTarget: z.boolean().exactOptional(),
  dryRun: z.boolean(),
  actor: z.string(),
});
const runPayload = z.object({
  reconciliationId: whole,
  runId: whole,
  rules: z.array(engineRule).exactOptional(),
  proposes: z.literal(true).exactOptional(),
  actor: z.string(),
});

const conflictSide = z.object({
  gone: z.boolean(),
  fields: z.array(z.object({ name: z.string(), words: z.string() })),
  records: z.array(
    z.object({
      local_id: wholeOrNull,
      stream: z.string(),
      date: z.string(),
      description: textOrNull,
      external_id: textOrNull,
      amount: whole,
      currency: z.string(),
      decimal_places: whole,
    }),
  ),
  adjustment: textOrNull,
});
const conflictDetail = z.object({
  title: z.string(),
  words: z.string(),
  stream: textOrNull,
  reconciliation_id: wholeOrNull,
  account_id: wholeOrNull,
  balance: z.object({ date: z.string(), type: z.string() }).nullable(),
  here: conflictSide,
  there: conflictSide,
});
const syncResult = z.object({
  remote: z.object({ cannot_move: z.array(notMoved) }),
  sent: syncCounts,
  received: syncCounts,
  conflicts: z.array(z.unknown()),
  unsure: z.array(notMoved),
  refused: z.array(z.object({ resource: z.string(), name: z.string(), message: z.string() })),
  deletions: syncDeletions,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  duration_ms: z.number(),
});

const keptRow = z.object({
  row: whole,
  occurrence: whole,
  key: textOrNull,
  code: textOrNull,
  message: textOrNull,
  day: wholeOrNull,
  valueDay: wholeOrNull,
  amountMinor: wholeOrNull,
  direction: z.enum(['credit', 'debit']).nullable(),
  currency: z.string(),
  decimalPlaces: whole,
  description: textOrNull,
  externalId: textOrNull,
});
const searchNotes = z.object({
  rules: whole,
  nothing: textOrNull,
  steps: z
    .array(z.object({ step: z.enum(['resumed', 'reading', 'comparing', 'trying']), message: z.string(), atMs: z.number() }))
    .default([]),
  reasoning: textOrNull.default(null),
});
const undoStep = z.object({ operation: z.string(), input: members, left: members.nullish(), audited: whole.optional() });
const answer = z.union([
  z.looseObject({ ok: z.literal(true) }),
  z.looseObject({ ok: z.literal(false), error: z.looseObject({ code: z.string(), message: z.string() }) }),
]);

/** The columns of the book that hold JSON, and the shape of each. Behind a colon: the kind of row. */
export const JSON_COLUMNS = {
  'audit_log.detail': isObject,
  'bank_accounts.deleted_links': z.object({ streams: z.array(whole), to: wholeOrNull }),
  'bulk_items.body': isList,
  'bulk_results.error': bulkItemError,
  'column_packs.body': z.object({ currencies: texts, values: texts, hasOtherKeys: z.boolean(), isDeep: z.boolean() }),
  'coverings.body': isCovered,
  'dissolved_matches.body': z.object({
    // A book of before the reasons for differences has none of these members.
    match: matchRow.extend({ difference_code: textOrNull.default(null), difference_note: textOrNull.default(null) }),
    members: z.array(z.object({ recordId: whole, side })),
    adjustment: adjustment
      .extend({ metadata: z.string().default('{}') })
      .nullable()
      .exactOptional(),
  }),
  'evidence_parameters.body': evidenceParameters,
  'evidence_reviews.other_record_ids': isNumbers,
  'former_recipes.body': recipe,
  'idempotent_answers.answer': answer,
  'import_batches.periods': z.array(period),
  'import_batches.problems': z.array(problem),
  'import_batches.recipe': recipe,
  'import_batches.totals': z.array(total),
  'import_batches.whose': z.object({ accounts: texts, holders: texts }),
  'import_recipes.body': recipe,
  'import_rows.body': z.array(keptRow),
  'jobs.payload:import': importPayload,
  'jobs.payload:run': runPayload,
  'jobs.payload:stream_operation': z.object({ operationId: whole }),
  'jobs.result': z.object({
    import_result: importResult.exactOptional(),
    preview: importPreview.exactOptional(),
    open: z.object({ batchId: whole, streamId: whole, streamIsNew: z.boolean() }).exactOptional(),
  }),
  'matches.cohort': isNumbers,
  'matches.explanation': z.union([texts, z.array(evidenceItem)]),
  'matches.margin': isNumbers,
  'matches.members': isNumbers,
  'records.metadata': isObject,
  'removed_rules.body': ruleRow,
  'reversals.mark': z.object({ by: z.enum(['format', 'words']), reason: textOrNull, reference: textOrNull }),
  'rules.commit_certainty': z.array(certainty),
  'rules.filters': filters,
  'rules.group_by': texts,
  'rules.max_difference': maxDifference,
  'rules.rollup': rollup,
  'run_facts.body': facts,
  'runs.no_shared_currency': z.object({ side_a: texts, side_b: texts }),
  'runs.proposals': searchNotes,
  'runs.rule_summary': ruleSummary,
  'sign_offs.account_names': z.object({ bank: z.string(), books: z.string() }),
  // What was signed before steps were kept has none that was not done; before sources of balances were kept, it has none of those.
  'sign_offs.figures': z.array(
    periodFigures.extend({
      undone: periodFigures.shape.undone.default([]),
      balance_sources: statement.shape.balance_sources.optional(),
    }),
  ),
  'database_connections.last_choices': keptChoices,
  'database_connections.coming_home': texts,
  'saved_views.filter': z.record(z.string(), z.string()),
  'settings.value:notation': notationChoice,
  'sign_offs.notation': notationInUse,
  'sync_conflicts.choices': texts,
  'sync_conflicts.detail': conflictDetail,
  'sync_moves.lines': z.array(z.tuple([z.enum(['made', 'changed', 'removed']), z.string(), wholeOrNull, z.string()])),
  'sync_remotes.answer': z.record(z.string(), z.string()),
  'sync_remotes.question': z.object({ code: z.string(), message: z.string(), about: z.string(), choices: texts }),
  'sync_remotes.verified': syncVerified,
  'sync_runs.result': syncResult,
  'sync_runs.verified': z.object({ at: z.string(), equal: z.boolean(), different: whole }),
  'undo_entries.again': undoStep,
  'undo_entries.steps': z.array(undoStep),
  'undone_matches.members': isNumbers,
  'wordings.added': z.object({ metadata: members, valueDay: wholeOrNull }),
  'wordings.metadata': isObject,
  'would_be_matches.body': wouldBeMatch,
} as const satisfies Record<string, z.ZodType | Check<unknown>>;

export type JsonColumn = keyof typeof JSON_COLUMNS;
type Shape<Of> = Of extends z.ZodType ? z.output<Of> : Of extends Check<infer T> ? T : never;
/** The schema of each column that holds JSON. */
export type StoredJson<Column extends JsonColumn> = Shape<(typeof JSON_COLUMNS)[Column]>;

/** A value of the book that Tieout did not write so. */
export class DamagedValue extends Error {
  constructor(column: JsonColumn, id: number | string, wrong: string) {
    const [table = '', name = ''] = column.replace(/:.*/u, '').split('.');
    super(`${table} ${id}, column ${name}: ${wrong}`);
    this.name = 'DamagedValue';
  }
}

/** Returns the stored value with its members in their order, since it may be written back, and behind them the defaults of those that it lacks. */
function withDefaults(value: unknown, read: unknown): unknown {
  if (!isObject(value) || !isObject(read)) return value;
  const own = Object.entries(value).map(([name, member]) => [name, withDefaults(member, read[name])] as const);
  const lacked = Object.entries(read).filter(([name]) => !Object.hasOwn(value, name));
  return Object.fromEntries([...own, ...lacked]);
}

/**
 * Returns the value of a JSON column; null for a null.
 * Throws a `DamagedValue` where the text is no JSON or has another shape than Tieout writes.
 * @param id the row's, by which a person finds it
 */
export function storedJson<Column extends JsonColumn, Text extends string | null>(
  column: Column,
  text: Text,
  id: number | string,
): StoredJson<Column> | (Text & null) {
  if (text === null) return text as Text & null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DamagedValue(column, id, 'the text is no JSON');
  }
  const shape: z.ZodType | Check<unknown> = JSON_COLUMNS[column];
  if (typeof shape === 'function') {
    if (shape(value)) return value as StoredJson<Column>;
    throw new DamagedValue(column, id, 'the value has another shape than Tieout writes');
  }
  const read = shape.safeParse(value);
  if (read.success) return withDefaults(value, read.data) as StoredJson<Column>;
  const [issue] = read.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the value' : issue.path.join('.');
  throw new DamagedValue(column, id, `${place} has another shape than Tieout writes (${issue?.message ?? 'unknown'})`);
}
