import { STATEMENT_ITEMS } from '../../../src-shared/contract/close/period-statement.ts';
import type {
  PeriodFigures,
  PeriodMatchDifference,
  PeriodOpenItem,
  PeriodSignOff,
  PeriodStatement,
  UndoneStep,
} from '../../../src-shared/contract/index.ts';
import { reasonText } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import { type Cause, periodText, type SideFigures, type Statement } from '../../domain/ledger/index.ts';
import { causeTitle, verdictOf, verdictText } from '../../domain/report/index.ts';
import { timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { PeriodRow } from '../store/periods.ts';
import type { SignOffRow } from '../store/sign-offs.ts';
import type { CloseReading, OpenItemReading } from '../work/read-close.ts';

function sideView(side: SideFigures): PeriodFigures['bank'] {
  return {
    opening: side.opening,
    receipts: side.receipts,
    payments: side.payments,
    receipt_count: side.receiptCount,
    payment_count: side.paymentCount,
    closing: side.closing,
    stated_closing: side.statedClosing,
    balance: side.balance,
    lines_missing: side.linesMissing,
    lines_missing_by_account: side.offByAccount.map(({ name, amount }) => ({ name, amount })),
    breaks: side.breaks.map(({ from, to, amount }) => ({ from: isoFromDay(from), to: isoFromDay(to), amount })),
    holds: side.holds,
  };
}

/** Returns the figures of one currency in the form of the contract. */
export function figuresView(statement: Omit<Statement, 'openItems' | 'clearedMatches'>, undone: readonly UndoneStep[]): PeriodFigures {
  return {
    currency: statement.currency,
    decimal_places: statement.decimalPlaces,
    bank: sideView(statement.bank),
    books: sideView(statement.books),
    deposits_in_transit: statement.depositsInTransit,
    outstanding_payments: statement.outstandingPayments,
    unbooked_receipts: statement.unbookedReceipts,
    unbooked_payments: statement.unbookedPayments,
    match_differences: statement.matchDifferences,
    bank_errors: statement.bankErrors,
    book_errors: statement.bookErrors,
    adjusted_bank: statement.adjustedBank,
    adjusted_books: statement.adjustedBooks,
    unexplained: statement.unexplained,
    agrees: statement.doubts.length === 0,
    undone: [...undone],
    raw_difference: statement.rawDifference,
    opening_difference: statement.openingDifference,
  };
}

type Neutral = Pick<CloseReading, 'isNeutral'>;

function causeViews(causes: readonly Cause[], neutral: Neutral): PeriodOpenItem['causes'] {
  return causes.map(({ kind, amount, recordIds, sentence }) => ({
    kind,
    title: causeTitle(neutral, kind),
    amount,
    record_ids: [...recordIds],
    sentence,
  }));
}

const dateOrNull = (day: number | null): string | null => (day === null ? null : isoFromDay(day));

export function openItemView({ record, ...item }: OpenItemReading, firstDay: number, neutral: Neutral): PeriodOpenItem {
  const { note } = item;
  return {
    record_id: record.id,
    side: record.side,
    date: isoFromDay(record.day),
    amount: record.amount,
    reference: record.reference,
    description: record.description,
    data_stream_id: record.streamId,
    group: item.group,
    reason: item.reason,
    match_id: item.matchId,
    carried_forward: record.day < firstDay,
    age_days: item.age.days,
    expected_on: dateOrNull(item.expectedOn ?? item.age.expected),
    late: item.age.isLate,
    note:
      note === null ? null : { status: note.status, owner: note.owner, comment: note.comment, expected_on: dateOrNull(item.expectedOn) },
    causes: causeViews(item.causes, neutral),
  };
}

/** Returns the number of open items that are in proposals. */
export function proposedOf(items: readonly Pick<OpenItemReading, 'reason'>[]): number {
  return items.filter(({ reason }) => reason === 'proposed').length;
}

function signOffView(row: SignOffRow): PeriodSignOff {
  return {
    id: row.id,
    kind: row.kind,
    by: row.signed_by,
    at: timestampOf(row.signed_at),
    reason: row.reason,
    figures: storedJson('sign_offs.figures', row.figures, row.id).map((signed) => {
      const { balance_sources: _, ...figures } = signed;
      return figures;
    }),
    covering_hash: row.covering_hash,
    audit_entries: row.audit_entries,
    audit_head: row.audit_head,
  };
}

function closingView(
  { stated_closing: stated, closing: computed }: PeriodFigures['bank'],
  { sources, asOf }: CloseReading,
  side: 'bank' | 'books',
): PeriodStatement['bank']['closing_balance'] {
  return { stated, computed, source: sources[side].stated_closing, as_of: dateOrNull(asOf[side]) };
}

function differenceView({ cleared, day, named, note }: CloseReading['differingMatches'][number]): PeriodMatchDifference {
  return {
    match_id: cleared.id,
    record_id: named.id,
    date: isoFromDay(day),
    reference: named.reference,
    description: named.description,
    amount: cleared.difference,
    why: cleared.reason === null ? (note ?? phrase('close.refusals.noReasonGiven')) : reasonText({ code: cleared.reason, note }),
  };
}

interface Named {
  readonly period: PeriodRow;
  readonly reconciliation: Pick<ReconciliationRow, 'id' | 'name'>;
  readonly signOffs: readonly SignOffRow[];
}

/** Returns the open items of one age in the form of the contract. */
export function ageBucketView({
  from,
  to,
  count,
  receipts,
  payments,
  net,
}: CloseReading['ageing'][number]): PeriodStatement['ageing'][number] {
  return { from_days: from, to_days: to, count, receipts, payments, net };
}

export function statementView(reading: CloseReading, { period, reconciliation, signOffs }: Named): PeriodStatement {
  const { openItems, changes, sources } = reading;
  const undone = reading.currencies.flatMap((each) => each.undone);
  const figures = figuresView(reading.statement, undone);
  return {
    reconciliation: { id: reconciliation.id, name: reconciliation.name },
    period: {
      id: period.id,
      from: isoFromDay(period.first_day),
      to: isoFromDay(period.last_day),
      name: periodText({ from: period.first_day, to: period.last_day }),
    },
    state: period.state,
    stale: reading.isStale,
    bank_side: reading.isNeutral ? null : reading.bankSide,
    document: reading.document,
    ...figures,
    agrees: reading.currencies.every(({ doubts }) => doubts.length === 0),
    bank: { ...figures.bank, closing_balance: closingView(figures.bank, reading, 'bank') },
    books: { ...figures.books, closing_balance: closingView(figures.books, reading, 'books') },
    doubts: reading.currencies.flatMap(({ currency, doubts }) =>
      doubts.map(({ code, side, amount, text }) => ({ code, side, amount, currency, text })),
    ),
    balance_sources: sources,
    open_items: openItems.slice(0, STATEMENT_ITEMS).map((item) => openItemView(item, period.first_day, reading)),
    open_item_count: openItems.length,
    proposed_item_count: proposedOf(openItems),
    proposal_count: reading.statement.proposals,
    explained_item_count: reading.explanations.wanted - reading.explanations.missing,
    unexplained_item_count: reading.explanations.missing,
    differing_matches: reading.differingMatches.map(differenceView),
    ageing: reading.ageing.map(ageBucketView),
    unexplained_causes: causeViews(reading.unexplainedCauses, reading),
    looked_at: reading.lookedAt,
    warnings: reading.warnings.map(({ code, side, message }) => ({ code, side, message })),
    currencies: reading.currencies.map(({ currency, decimalPlaces, unexplained, doubts }) => ({
      currency,
      decimal_places: decimalPlaces,
      unexplained,
      agrees: doubts.length === 0,
      verdict: verdictText(verdictOf({ doubts, unexplained })),
    })),
    changes: (changes?.listed ?? []).map(({ kind, id, at, by, before, after }) => ({
      kind,
      id,
      at: timestampOrNull(at),
      by,
      before,
      after,
    })),
    change_count: changes?.count ?? 0,
    sign_offs: signOffs.map(signOffView),
  };
}
