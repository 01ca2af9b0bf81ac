import { z } from 'zod';
import * as common from '../common.ts';

/** The two slots of a close. Without a bank they are the two sides, and `bank` is side A. */
export const slot = z.enum(['bank', 'books']);

const CAUSE_KINDS = [
  'reference_differs',
  'amount_differs',
  'transposed_digits',
  'sign_reversed',
  'duplicate',
  'adds_up',
  'near_cut_off',
  'bank_charge',
  'interest',
  'deposit_in_transit',
  'outstanding_payment',
  'long_outstanding',
  'unbooked',
  'broken_import',
] as const;

const DOUBTS = ['balance_unknown', 'unexplained', 'lines_missing', 'opening_unknown', 'not_stated', 'balance_of_earlier_day'] as const;

const OPEN_ITEM_STATUSES = ['open', 'in_transit', 'outstanding', 'to_be_booked', 'bank_error', 'book_error', 'timing', 'disputed'] as const;

/** The statuses in words, for the window and the report. */
export const STATUS_WORDS: Readonly<Record<(typeof OPEN_ITEM_STATUSES)[number], string>> = {
  open: 'Open',
  in_transit: 'In transit',
  outstanding: 'Outstanding',
  to_be_booked: 'To be booked',
  bank_error: 'Bank error',
  book_error: 'Book error',
  timing: 'Timing',
  disputed: 'Disputed',
};

/** Returns whether a note explains its open item: by a comment, or by a status where the book says so. */
export function isExplained(
  note: { readonly comment: string | null; readonly status: (typeof OPEN_ITEM_STATUSES)[number] } | null,
  statusExplains: boolean,
): boolean {
  return (note?.comment ?? '').trim() !== '' || (statusExplains && note !== null && note.status !== 'open');
}

/** The steps of a close before its signatures, in their order. */
const STEPS = ['files', 'balances', 'proposals', 'explained', 'agree'] as const;

/** The kinds of object that a sign-off covers. */
const COVERED_KINDS = ['record', 'match', 'balance', 'import', 'note'] as const;
export type CoveredKind = (typeof COVERED_KINDS)[number];

/** The groups of open items, in the order of the report. */
export const OPEN_GROUPS = [
  'deposits_in_transit',
  'outstanding_payments',
  'unbooked_receipts',
  'unbooked_payments',
  'bank_errors',
  'book_errors',
] as const;

const known = z.int().nullable();

/** Figures in minor units; payments are negative. Null where a balance is unknown. */
const sideFigures = z.object({
  opening: known,
  receipts: z.int(),
  payments: z.int(),
  receipt_count: z.int(),
  payment_count: z.int(),
  closing: known.meta({ description: 'Computed: opening + receipts + payments' }),
  stated_closing: known,
  balance: known.meta({ description: 'What the statement starts from: stated_closing, else closing, which is computed and not stated' }),
  lines_missing: known.meta({
    description: 'stated_closing - closing: lines missing from this side, or too many; null where one is not known',
  }),
  lines_missing_by_account: z.array(z.object({ name: z.string(), amount: z.int() })).meta({
    description: 'Where the side has several accounts, those whose own balances do not hold; their amounts may cancel each other',
  }),
  breaks: z
    .array(z.object({ from: common.date, to: common.date, amount: z.int() }))
    .meta({ description: 'Days between which stated balances do not follow from each other, where balances within the period are known' }),
  holds: z.boolean().nullable().meta({ description: 'closing = stated_closing; null where one of them is not known' }),
});

const group = z.object({ count: z.int(), total: z.int().meta({ description: 'Minor units, with the sign with which it enters the sum' }) });

const undoneStep = z
  .object({
    step: z.enum(STEPS),
    currency: z.string(),
    texts: z.array(z.string()).meta({ description: 'What is missing, each worded to follow `while`: `18 proposals are not decided`' }),
  })
  .meta({ id: 'UndoneStep' });
export type UndoneStep = z.output<typeof undoneStep>;

/**
 * Returns what a person has to give a reason for to close, each worded to follow `while`: the doubts about the figures, then what else is not done.
 * The doubts are the texts of the step `agree`; those of the step `balances` are among them.
 */
export function reasonsAgainst(undone: readonly UndoneStep[], { isOneCurrency }: { readonly isOneCurrency: boolean }): string[] {
  const of = (...steps: readonly UndoneStep['step'][]): string[] =>
    undone
      .filter(({ step }) => steps.includes(step))
      .flatMap(({ texts, currency }) => texts.map((text) => (isOneCurrency ? text : `${text} (${currency})`)));
  return [...of('agree'), ...of('files', 'proposals', 'explained')];
}

/** The figures of a statement in one currency. */
const figures = {
  currency: z.string(),
  decimal_places: z.int(),
  bank: sideFigures,
  books: sideFigures,
  deposits_in_transit: group,
  outstanding_payments: group,
  unbooked_receipts: group,
  unbooked_payments: group,
  match_differences: group.meta({ description: 'Of cleared matches whose sides differ: bank less books' }),
  bank_errors: group,
  book_errors: group,
  adjusted_bank: known,
  adjusted_books: known,
  unexplained: known.meta({ description: 'adjusted_bank - adjusted_books' }),
  agrees: z
    .boolean()
    .meta({ description: 'Nothing is unexplained, no line is missing, and both closing balances are stated for the last day' }),
  undone: z.array(undoneStep).meta({
    description: 'The steps of the close that are not done; to close in spite of them wants a reason. Of a closed period, as it was closed',
  }),
  raw_difference: known.meta({ description: 'Balance of the bank less that of the books, before adjustment' }),
  opening_difference: known.meta({ description: 'By how much the opening balances differ beyond the lines dated before the first day' }),
};
export const periodFigures = z.object(figures).meta({ id: 'PeriodFigures' });
export type PeriodFigures = z.output<typeof periodFigures>;

const signOff = z
  .object({
    id: common.id,
    kind: z.enum(['prepare', 'review', 'close', 'reopen']),
    by: z.string(),
    at: common.timestamp,
    reason: z.string().nullable(),
    figures: z.array(periodFigures).meta({ description: 'What stood in the statement of each currency when it was signed' }),
    covering_hash: z.string().meta({ description: 'SHA-256 over the lines, matches, marks, balances and imports that it covers' }),
    audit_entries: z.int().meta({ description: 'How long the audit log was just before' }),
    audit_head: z.string().meta({ description: 'The hash of its last entry then' }),
  })
  .meta({ id: 'PeriodSignOff' });
export type PeriodSignOff = z.output<typeof signOff>;

const cause = z
  .object({
    kind: z.enum(CAUSE_KINDS),
    title: z.string().meta({ description: 'The kind in words' }),
    amount: z.int(),
    record_ids: z.array(common.id),
    sentence: z.string(),
  })
  .meta({ id: 'OpenItemCause' });

export const note = {
  status: z.enum(OPEN_ITEM_STATUSES),
  owner: z.string().nullable(),
  comment: z.string().nullable(),
  expected_on: common.date.nullable(),
};

export const openItem = z
  .object({
    record_id: common.id,
    side: slot,
    date: common.date,
    amount: z.int().meta({ description: 'Minor units; money in is positive on both sides' }),
    reference: z.string().nullable(),
    description: z.string().nullable(),
    data_stream_id: common.id,
    group: z.enum(OPEN_GROUPS),
    reason: z.enum(['unmatched', 'proposed', 'reaches_past']),
    match_id: common.id.nullable().meta({ description: 'The proposal, or the match with a line dated after the last day' }),
    carried_forward: z.boolean().meta({ description: 'Dated before the first day' }),
    age_days: z.int(),
    expected_on: common.date.nullable().meta({ description: 'As a person said, else when half of the like items had cleared' }),
    late: z.boolean().meta({ description: 'Older than 95 of 100 like items were when they cleared' }),
    note: z.object(note).nullable(),
    causes: z.array(cause).meta({ description: 'The likeliest first' }),
  })
  .meta({ id: 'PeriodOpenItem' });
export type PeriodOpenItem = z.output<typeof openItem>;

/** The number of open items in the statement itself; all are counted, and `/open_items` lists them by page. */
export const STATEMENT_ITEMS = 1_000;

const change = z
  .object({
    kind: z.enum(COVERED_KINDS),
    id: common.id.nullable().meta({ description: 'Of the record, match or import; null for a balance' }),
    at: common.timestamp.nullable().meta({ description: 'As the audit log tells it; null where it does not name the thing' }),
    by: z.string().nullable(),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'PeriodChange' });

const source = z.enum(['entered', 'stated', 'carried_forward']).nullable();

/** A figure of the statement with its words. */
const documentRow = z
  .object({
    name: z.string().nullable().meta({ description: 'By which other rows add it' }),
    label: z.string(),
    note: z.string().nullable().meta({ description: 'Such as `17 lines`, or `computed, not stated`' }),
    amount: known,
    unknown: z.string().meta({ description: 'What is written in place of an amount that is null' }),
    adds: z.array(z.string()).nullable().meta({ description: 'Names of the rows whose amounts it adds; `-name` is taken away' }),
  })
  .meta({ id: 'StatementRow' });
export type StatementRow = z.output<typeof documentRow>;

/** A line of a group; more than eight are added up in one. */
const documentLine = z
  .object({
    date: common.date.nullable().meta({ description: 'Null where it counts for several lines' }),
    label: z.string(),
    note: z.string().nullable(),
    amount: z.int(),
    record_id: common.id.nullable(),
    match_id: common.id.nullable().meta({ description: 'Of a match whose sides differ' }),
  })
  .meta({ id: 'StatementLine' });
export type StatementLine = z.output<typeof documentLine>;

const documentGroup = documentRow
  .extend({
    name: z.enum([...OPEN_GROUPS, 'match_differences']),
    amount: z.int(),
    title: z.string().meta({ description: 'Without `Add` or `Less`' }),
    section: z.string().meta({ description: 'Where the report lists it' }),
    count: z.int(),
    lines: z.array(documentLine),
  })
  .meta({ id: 'StatementGroup' });
export type StatementGroup = z.output<typeof documentGroup>;

const documentSide = z
  .object({
    side: slot,
    title: z.string(),
    name: z.string().meta({ description: 'Within a sentence, such as `the bank`' }),
    account: z.string(),
    movement: z.array(documentRow).meta({ description: 'From the opening balance to the stated closing balance' }),
    balance: documentRow,
    groups: z.array(documentGroup),
    adjusted: documentRow,
  })
  .meta({ id: 'StatementSide' });
export type StatementSide = z.output<typeof documentSide>;

/** The reconciliation statement as it is drawn in the window, by the command line and in each format of the report. */
const statementDocument = z
  .object({
    title: z.string(),
    subtitle: z.string(),
    currency: z.string(),
    decimal_places: z.int(),
    sides: z.tuple([documentSide, documentSide]).meta({ description: 'The bank, or side A, first' }),
    unexplained: documentRow,
    outcome: z.enum(['agree', 'differ', 'not_proved', 'unknown']),
    verdict: z.string().meta({ description: 'A sentence: whether the figures agree' }),
    why: z.string().nullable().meta({ description: 'A sentence: why they do not; null where they agree' }),
    undone: z.string().nullable().meta({ description: 'A sentence: the steps of the close that are not done; null where all are' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'A sentence: why the period was closed although they do not, or a step was not done' }),
  })
  .meta({ id: 'StatementDocument' });
export type StatementDocument = z.output<typeof statementDocument>;

const matchDifference = z
  .object({
    match_id: common.id,
    record_id: common.id.meta({ description: 'The first line of the books, else the first line' }),
    date: common.date,
    reference: z.string().nullable(),
    description: z.string().nullable(),
    amount: z.int().meta({ description: 'Bank less books, minor units' }),
    why: z.string(),
  })
  .meta({ id: 'PeriodMatchDifference' });
export type PeriodMatchDifference = z.output<typeof matchDifference>;

/** A side of the statement, with the source of its closing balance. */
const statementSide = sideFigures.extend({
  closing_balance: z.object({
    stated: known,
    computed: known,
    source: source.meta({ description: 'Who states it; null where nobody does' }),
    as_of: common.date.nullable().meta({
      description:
        'The day for which it was stated; no line lies between that day and the last one. An earlier day is a doubt where a working day lies between and no later balance says that nothing moved',
    }),
  }),
});

export const statement = z
  .object({
    reconciliation: z.object({ id: common.id, name: z.string() }),
    period: z.object({ id: common.id, from: common.date, to: common.date, name: z.string() }),
    state: z.enum(['open', 'prepared', 'reviewed', 'closed']),
    stale: z.boolean().meta({ description: 'Something beneath the last sign-off changed' }),
    bank_side: z
      .enum(['a', 'b'])
      .nullable()
      .meta({ description: 'Null where no side is a bank: `bank` is side A then, and `books` side B' }),
    document: statementDocument,
    ...figures,
    bank: statementSide,
    books: statementSide,
    doubts: z
      .array(z.object({ code: z.enum(DOUBTS), side: slot.nullable(), amount: known, currency: z.string(), text: z.string() }))
      .meta({ description: 'Why the figures do not agree, of all currencies; to close in spite of them wants a reason' }),
    balance_sources: z.object({
      bank: z.object({ opening: source, stated_closing: source }),
      books: z.object({ opening: source, stated_closing: source }),
    }),
    open_items: z.array(openItem).meta({ description: `The first ${STATEMENT_ITEMS}, by date` }),
    open_item_count: z.int(),
    proposed_item_count: z.int().meta({ description: 'Of them, those in proposals that nobody has decided' }),
    proposal_count: z.int().meta({ description: 'Proposals that nobody has decided, with a line up to the last day' }),
    explained_item_count: z.int().meta({ description: 'Of the open items without a match or a proposal, those with an explanation' }),
    unexplained_item_count: z.int().meta({ description: 'Of the open items without a match or a proposal, those without one' }),
    differing_matches: z
      .array(matchDifference)
      .meta({ description: `Those of \`match_differences\`, the first ${STATEMENT_ITEMS}, by date` }),
    ageing: z.array(
      z.object({ from_days: z.int(), to_days: z.int().nullable(), count: z.int(), receipts: known, payments: known, net: known }),
    ),
    unexplained_causes: z.array(cause),
    looked_at: z.string().nullable().meta({ description: 'What was compared for the causes, where that was not everything' }),
    warnings: z.array(z.object({ code: z.string(), side: slot.nullable(), message: z.string() })),
    currencies: z
      .array(z.object({ currency: z.string(), decimal_places: z.int(), unexplained: known, agrees: z.boolean(), verdict: z.string() }))
      .meta({ description: 'All currencies of the period; each has a statement of its own, and they are never added up' }),
    changes: z.array(change).meta({ description: 'What is different since the last sign-off, the first 1,000' }),
    change_count: z.int(),
    sign_offs: z.array(signOff),
  })
  .meta({ id: 'PeriodStatement' });
export type PeriodStatement = z.output<typeof statement>;
