import type { Input } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { faultOfPeriod, monthOf, nextPeriod, type PeriodSpan, periodText } from '../../domain/ledger/index.ts';
import { findReconciliation, reconciliationById } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { balancesOfPeriod, putPeriodBalance } from '../store/period-balances.ts';
import {
  deletePeriod,
  findPeriod,
  insertPeriod,
  type PeriodRow,
  periodsOf,
  periodsOfEnvironment,
  setBankSide,
  updatePeriod,
} from '../store/periods.ts';
import { lastSignOff, signOffsOf } from '../store/sign-offs.ts';
import { closeSource } from '../work/close-source.ts';
import { whenRead } from '../work/figures.ts';
import { nameOf, periodView, periodViews, spanOf } from './period-views.ts';
import { laterClosed } from './sign-offs.ts';
import { statementView } from './statement-view.ts';

type Handled = 'periods.list' | 'periods.locks' | 'periods.create' | 'periods.get' | 'periods.update' | 'periods.remove';

const LIST = 'periods -from';

/** An open period cannot be stale, because it has no signature. */
const canBeStale = ({ state }: PeriodRow): boolean => state !== 'open';

/** Returns for each period whether it is stale. A large book is read on another thread. */
function staleOf({ figures }: ServiceContext, rows: readonly PeriodRow[]): boolean[] | Promise<boolean[]> {
  const asked: (boolean | Promise<boolean>)[] = rows.map((row) => (canBeStale(row) ? figures.of('isPeriodStale', row.id) : false));
  return asked.some((each) => each instanceof Promise) ? Promise.all(asked.map(async (each) => each)) : (asked as boolean[]);
}

function unknownReconciliation(id: number) {
  return refuseField('unknown_reference', 'reconciliation_id', phrase('close.refusals.thereIsNoReconciliationInThisEnvironment', { id }));
}

function listPeriods(context: ServiceContext): Handlers['periods.list'] {
  const { database } = context;
  return (caller, input) => {
    const { reconciliation_id: id } = input;
    if (id !== undefined && findReconciliation(database, caller.environmentId, id) === undefined) return unknownReconciliation(id);
    const start = pageStart(input, LIST);
    if (!start.ok) return start;
    const { after, offset, limit } = start.value;
    const all = id === undefined ? periodsOfEnvironment(database, caller.environmentId) : periodsOf(database, id);
    const isBehind = (row: PeriodRow): boolean =>
      after === undefined || row.first_day < after.value || (row.first_day === after.value && row.id < after.id);
    const rows = all.filter(isBehind).slice(offset, offset + limit + 1);
    return whenRead(staleOf(context, rows.slice(0, limit)), (stale) =>
      answer(
        pageAnswer(
          rows,
          start.value,
          LIST,
          (row) => ({ value: row.first_day, id: row.id }),
          (shown) => periodViews(database, shown, stale),
        ),
      ),
    );
  };
}

const daysOf = (text: string): number => present(dayFromIso(text), 'date');

/** Returns the days of a request. A day that is not given stays as in `before`. */
function spanAsked(input: { readonly from?: string | undefined; readonly to?: string | undefined }, before: PeriodSpan): PeriodSpan {
  const from = input.from === undefined ? before.from : daysOf(input.from);
  return { from, to: input.to === undefined ? before.to : daysOf(input.to) };
}

/** Returns a refusal if a period with these days would overlap others or leave a gap; else null. */
function refusedSpan(span: PeriodSpan, others: readonly PeriodRow[]) {
  const fault = faultOfPeriod(span, others.map(spanOf));
  if (fault === null) return null;
  if (fault.code === 'period_reversed') return refuseField('validation_failed', 'to', fault.message);
  return refuse(fault.code === 'period_overlaps' ? 'period_overlaps' : 'period_gap', fault.message);
}

/** Returns a refusal if a closed period covers the days to be changed; else null. `what` completes the sentence. */
function refusedByClosed(closed: PeriodRow | undefined, what: string) {
  if (closed === undefined) return null;
  return refuse('period_closed', phrase('close.refusals.isClosedAndCoversEverythingBefore', { closed: nameOf(closed), what }));
}

function audited(write: WriteHandle, context: ServiceContext, caller: Caller, action: string, detail: Record<string, unknown>): void {
  appendAudit(write, { environmentId: caller.environmentId, atMs: context.clock.nowMs(), actor: caller.actor, action, detail });
}

/** Sets the bank side. Returns a refusal if a period is closed, else null. */
function nameBankSide(write: WriteHandle, reconciliationId: number, side: 'a' | 'b' | null | undefined) {
  if (side === undefined || reconciliationById(write, reconciliationId)?.bank_side === side) return null;
  const closed = periodsOf(write, reconciliationId).find(({ state }) => state === 'closed');
  if (closed !== undefined) {
    return refuse('period_closed', phrase('close.refusals.isClosedReopenItToSayTheBank', { closed: nameOf(closed) }));
  }
  setBankSide(write, reconciliationId, side);
  return null;
}

/** Carries a refusal out of a transaction, which is rolled back by it. */
class Refused extends Error {
  readonly refusal: unknown;

  constructor(refusal: unknown) {
    super('refused');
    this.refusal = refusal;
  }
}

function createPeriod(context: ServiceContext): Handlers['periods.create'] {
  return (caller, input) => {
    const { reconciliation_id: id } = input;
    const create = (write: WriteHandle) => {
      if (findReconciliation(write, caller.environmentId, id) === undefined) return unknownReconciliation(id);
      const others = periodsOf(write, id);
      const next = nextPeriod(others.map(spanOf), context.clock.today());
      const usual = input.from === undefined ? next : monthOf(daysOf(input.from));
      if (usual === null) {
        return refuseField('validation_failed', 'from', phrase('close.refusals.noDayFollowsTheLastPeriod'));
      }
      const span = spanAsked(input, usual);
      const fault = refusedSpan(span, others);
      if (fault !== null) return fault;
      const closed = others.findLast(({ state, last_day: to }) => state === 'closed' && to > span.to);
      const refusal = refusedByClosed(closed, phrase('close.periods.putAPeriodBeforeIt')) ?? nameBankSide(write, id, input.bank_side);
      if (refusal !== null) return refusal;
      const periodId = insertPeriod(write, {
        reconciliation_id: id,
        first_day: span.from,
        last_day: span.to,
        created_at: context.clock.nowMs(),
      });
      const balances = input.balances ?? [];
      const wrong = enterBalances(write, periodId, balances);
      if (wrong !== null) throw new Refused(wrong);
      const said = { period_id: periodId, reconciliation_id: id, period: periodText(span), first_day: span.from, last_day: span.to };
      audited(write, context, caller, 'period.created', { ...said, bank_side: input.bank_side, balances });
      return answer(periodView(write, present(findPeriod(write, caller.environmentId, periodId), 'period'), false));
    };
    const outcome = takingBack<WrongBalance, ReturnType<typeof create>>(context, create);
    if (outcome.ok) context.changed(['reconciliations'], id);
    return outcome;
  };
}

type RefusalOf<F extends (...given: never[]) => unknown> = NonNullable<ReturnType<F>>;
type WrongBalance = RefusalOf<typeof enterBalances>;
type WrongChange = WrongBalance | RefusalOf<typeof moveDays> | RefusalOf<typeof nameBankSide> | RefusalOf<typeof refusedByClosed>;

/** Runs `work` in one transaction, and returns the refusal if it throws one, in which case the transaction is rolled back. */
function takingBack<R, T extends object>(context: ServiceContext, work: (write: WriteHandle) => T): T | R {
  try {
    return context.database.write((write) => ({ outcome: work(write) })).outcome;
  } catch (error) {
    if (error instanceof Refused) return error.refusal as R;
    throw error;
  }
}

/** Changes the days of an open period. Returns a refusal, or null if that is possible. */
function moveDays(write: WriteHandle, period: PeriodRow, input: Input<'periods.update'>) {
  const span = spanAsked(input, spanOf(period));
  if (span.from === period.first_day && span.to === period.last_day) return null;
  if (period.state !== 'open') {
    return refuse('conflict', phrase('close.refusals.isItsDaysCanBeChanged', { period: nameOf(period), state: period.state }));
  }
  const others = periodsOf(write, period.reconciliation_id).filter(({ id }) => id !== period.id);
  const fault = refusedSpan(span, others);
  if (fault !== null) return fault;
  updatePeriod(write, period.id, { first_day: span.from, last_day: span.to });
  return null;
}

function updateHandler(context: ServiceContext): Handlers['periods.update'] {
  return (caller, input) => {
    const { id, ...change } = input;
    const update = (write: WriteHandle) => {
      const period = findPeriod(write, caller.environmentId, id);
      if (period === undefined) return missing('period', id);
      if (period.state === 'closed')
        return refuse('period_closed', phrase('close.refusals.isClosedReopenItFirst', { period: nameOf(period) }));
      const later = refusedByClosed(laterClosed(write, period), `change ${nameOf(period)}`);
      const refusal = later ?? nameBankSide(write, period.reconciliation_id, input.bank_side) ?? moveDays(write, period, input);
      if (refusal !== null) throw new Refused(refusal);
      const wrong = enterBalances(write, id, input.balances ?? []);
      if (wrong !== null) throw new Refused(wrong);
      audited(write, context, caller, 'period.updated', { period_id: id, reconciliation_id: period.reconciliation_id, change });
      return answer(present(findPeriod(write, caller.environmentId, id), 'period'));
    };
    const outcome = takingBack<WrongChange, ReturnType<typeof update>>(context, update);
    if (!outcome.ok) return outcome;
    const row = outcome.value;
    context.changed(['reconciliations'], row.reconciliation_id);
    return whenRead(staleOf(context, [row]), (stale) => answer(present(periodViews(context.database, [row], stale)[0], 'period')));
  };
}

function removeHandler(context: ServiceContext): Handlers['periods.remove'] {
  return (caller, { id }) => {
    const outcome = context.database.write((write) => {
      const period = findPeriod(write, caller.environmentId, id);
      if (period === undefined) return missing('period', id);
      const name = nameOf(period);
      if (period.state === 'closed') return refuse('period_closed', phrase('close.refusals.isClosedSoIt', { name }));
      if (lastSignOff(write, id) !== undefined) return refuse('conflict', phrase('close.refusals.hasBeenSignedSoItStays', { name }));
      const others = periodsOf(write, period.reconciliation_id).filter((other) => other.id !== id);
      const isBetween =
        others.some(({ last_day: to }) => to < period.first_day) && others.some(({ first_day: from }) => from > period.last_day);
      if (isBetween) return refuse('period_gap', phrase('close.refusals.liesBetweenOtherPeriodsSoIt', { name }));
      const closed = refusedByClosed(laterClosed(write, period), `delete ${name}`);
      if (closed !== null) return closed;
      deletePeriod(write, id);
      audited(write, context, caller, 'period.deleted', { period_id: id, reconciliation_id: period.reconciliation_id, period: name });
      return answer(null);
    });
    if (outcome.ok) context.changed(['reconciliations']);
    return outcome;
  };
}

/** Returns the refusal for a currency that no line of the period has. */
export function noSuchCurrency(currency: string | undefined, name: string) {
  return refuseField(
    'unknown_reference',
    'currency',
    phrase('close.periods.nothingOfIsIn', { name, currency: currency ?? phrase('close.periods.thisCurrency') }),
  );
}

function getPeriod(context: ServiceContext): Handlers['periods.get'] {
  const { database, figures } = context;
  return (caller, { id, currency }) => {
    if (findPeriod(database, caller.environmentId, id) === undefined) return missing('period', id);
    return whenRead(figures.of('close', id, currency ?? null), (read) => {
      // The figures were read on another thread, and the period may have been deleted since.
      const row = findPeriod(database, caller.environmentId, id);
      if (row === undefined) return missing('period', id);
      if (!read.ok) return refuse('total_out_of_range', read.error.message);
      const reading = read.value;
      if (reading === null) return noSuchCurrency(currency, nameOf(row));
      const reconciliation = present(reconciliationById(database, row.reconciliation_id), 'reconciliation');
      const statement = statementView(reading, { period: row, reconciliation, signOffs: signOffsOf(database, id) });
      return answer({ ...periodView(database, row, reading.isStale), statement });
    });
  };
}

export function periodHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  return {
    'periods.list': listPeriods(context),
    'periods.locks': (caller) => {
      const closed = periodsOfEnvironment(context.database, caller.environmentId).filter(({ state }) => state === 'closed');
      const last = new Map(closed.toSorted((left, right) => left.last_day - right.last_day).map((row) => [row.reconciliation_id, row]));
      return answer(
        [...last.values()].map((row) => ({
          reconciliation_id: row.reconciliation_id,
          period_id: row.id,
          name: nameOf(row),
          to: isoFromDay(row.last_day),
        })),
      );
    },
    'periods.create': createPeriod(context),
    'periods.get': getPeriod(context),
    'periods.update': updateHandler(context),
    'periods.remove': removeHandler(context),
  };
}

type Given = NonNullable<Input<'periods.update'>['balances']>;

/**
 * Stores the balances that a person enters for a period. A value of null deletes the entered one; a value that is not given stays. Returns a refusal,
 * or null.
 */
function enterBalances(write: WriteHandle, periodId: number, given: Given) {
  if (given.length === 0) return null;
  const { bankSide, currencies } = closeSource(write, periodId);
  const [only] = currencies;
  for (const [place, { side: slot, currency: named, opening, stated_closing: closing }] of given.entries()) {
    const currency = named ?? (currencies.length === 1 ? only?.currency : undefined);
    if (currency === undefined) {
      const all = currencies.map((lines) => lines.currency).join(', ');
      return refuseField('validation_failed', `balances.${place}.currency`, phrase('close.refusals.thePeriodHasLinesInSay', { all }));
    }
    const side = (slot === 'bank') === (bankSide === 'a') ? 'a' : 'b';
    const before = balancesOfPeriod(write, periodId).find((row) => row.currency === currency && row.side === side);
    putPeriodBalance(write, {
      period_id: periodId,
      currency,
      side,
      decimal_places: currencies.find((lines) => lines.currency === currency)?.decimalPlaces ?? decimalPlacesOf(currency),
      opening: opening === undefined ? (before?.opening ?? null) : opening,
      stated_closing: closing === undefined ? (before?.stated_closing ?? null) : closing,
    });
  }
  return null;
}
