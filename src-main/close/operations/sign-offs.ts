import { reasonsAgainst } from '../../../src-shared/contract/close/period-statement.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { bookNotation } from '../../book/store/notation.ts';
import { keyNameOf } from '../../book/store/api-keys.ts';
import type { WriteHandle } from '../../database/database.ts';
import { type Refusal, signed, type SignOff } from '../../domain/ledger/index.ts';
import { stateOfBook } from '../../reconciliations/store/figures.ts';
import { reconciliationById, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, refuse } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { openWorkOn } from '../store/close-reads.ts';
import { findPeriod, type PeriodRow, periodsOf, setBankSide, updatePeriod } from '../store/periods.ts';
import { accountNames } from '../work/report-sides.ts';
import { headOfAuditLog, insertSignOff, lastSignOff } from '../store/sign-offs.ts';
import { closeSides } from '../work/close-source.ts';
import { unfinishedText } from '../work/close-warnings.ts';
import { whenRead } from '../work/figures.ts';
import { readSignable, type Signable } from '../work/read-close.ts';
import { nameOf, periodView, spanOf } from './period-views.ts';
import { figuresView } from './statement-view.ts';

type Handled = 'periods.prepare' | 'periods.review' | 'periods.close' | 'periods.reopen';

const CODES = {
  period_closed: 'period_closed',
  period_stale: 'period_stale',
  same_person: 'reviewer_is_preparer',
  unexplained_difference: 'unexplained_difference',
} as const;

function refusalOf({ code, message }: Refusal) {
  return refuse(Object.hasOwn(CODES, code) ? CODES[code as keyof typeof CODES] : 'conflict', message);
}

const DONE = { prepare: 'prepared', review: 'reviewed', close: 'closed', reopen: 'reopened' } as const;

/** Returns the last closed period after this one. Its opening balance continues from this period, so this one may not change. */
export function laterClosed(write: WriteHandle, period: Pick<PeriodRow, 'reconciliation_id' | 'last_day'>): PeriodRow | undefined {
  return periodsOf(write, period.reconciliation_id).findLast(({ state, last_day: to }) => state === 'closed' && to > period.last_day);
}

/** Returns the columns of the period that a sign-off changes. */
function rowChange({ kind, by }: SignOff, atMs: number): Partial<PeriodRow> {
  switch (kind) {
    case 'prepare':
      return { state: 'prepared', prepared_by: by, prepared_at: atMs, reviewed_by: null, reviewed_at: null };
    case 'review':
      return { state: 'reviewed', reviewed_by: by, reviewed_at: atMs };
    case 'close':
      return { state: 'closed', closed_by: by, closed_at: atMs };
    case 'reopen':
      return {
        state: 'open',
        prepared_by: null,
        prepared_at: null,
        reviewed_by: null,
        reviewed_at: null,
        closed_by: null,
        closed_at: null,
      };
  }
}

/** Returns what a close must give a reason for, in all currencies. */
function doubtsOf({ figures }: Signable): string[] {
  const undone = figures.flatMap((each) => each.undone);
  return reasonsAgainst(undone, { isOneCurrency: figures.length === 1 });
}

interface Signing {
  readonly context: ServiceContext;
  readonly caller: Caller;
  readonly id: number;
  readonly signOff: SignOff;
  /** Read from the current state of the book. */
  readonly signable: ReturnType<typeof readSignable>;
}

/**
 * Returns why a period cannot be closed yet; null if it can. Work in progress has read the book before the close and would still write to it
 * afterwards.
 */
function whyUnfinished(write: WriteHandle, period: PeriodRow): string | null {
  const { a, b } = streamIdsBySide(write, period.reconciliation_id);
  const [first] = openWorkOn(write, period.reconciliation_id, [...a, ...b]);
  return first === undefined ? null : phrase('close.signOffs.goesOn', { work: unfinishedText(first), period: nameOf(period) });
}

/**
 * Stores the bank side with the first close. The book derives it from files and accounts, which may change, and a closed period must stay as it was
 * signed.
 */
function keepBankSide(write: WriteHandle, reconciliationId: number): void {
  const reconciliation = present(reconciliationById(write, reconciliationId), 'reconciliation');
  if (reconciliation.bank_side !== null) return;
  const { bankSide, isNeutral } = closeSides(write, reconciliation);
  setBankSide(write, reconciliationId, isNeutral ? 'none' : bankSide);
}

function sign(write: WriteHandle, { context, caller, id, signOff, signable }: Signing) {
  const period = findPeriod(write, caller.environmentId, id);
  if (period === undefined) return missing('period', id);
  if (!signable.ok) return refuse(signable.error.code, signable.error.message);
  const { hash, covering } = signable.value;
  const last = period.state === 'open' ? undefined : lastSignOff(write, id);
  const isStale = last !== undefined && last.covering_hash !== hash;
  const as = { ...spanOf(period), state: period.state, preparedBy: period.prepared_by, reviewedBy: period.reviewed_by, isStale };
  // Who prepares again what nobody has changed since has signed it already.
  const isSaidTwice = signOff.kind === 'prepare' && period.state === 'prepared' && !isStale && last?.signed_by === signOff.by;
  if (isSaidTwice) return answer(periodView(write, period, false));
  const after = signed(as, signOff, { doubts: doubtsOf(signable.value) });
  if (!after.ok) return refusalOf(after.error);
  const closed = signOff.kind === 'reopen' ? laterClosed(write, period) : undefined;
  if (closed !== undefined) {
    return refuse('period_closed', phrase('close.refusals.isClosedAndGoes', { closed: nameOf(closed), period: nameOf(period) }));
  }
  if (signOff.kind === 'close') {
    const unfinished = whyUnfinished(write, period);
    if (unfinished !== null) return refuse('conflict', unfinished);
    keepBankSide(write, period.reconciliation_id);
  }
  const atMs = context.clock.nowMs();
  const figures = signable.value.figures.map((each) => ({ ...figuresView(each, each.undone), balance_sources: each.sources }));
  const { entries, head } = headOfAuditLog(write);
  const reconciliation = present(reconciliationById(write, period.reconciliation_id), 'reconciliation');
  updatePeriod(write, id, rowChange(signOff, atMs));
  const signOffId = insertSignOff(
    write,
    {
      period_id: id,
      kind: signOff.kind,
      signed_by: signOff.by,
      signed_at: atMs,
      reason: signOff.reason,
      figures: JSON.stringify(figures),
      covering_hash: hash,
      audit_entries: entries,
      audit_head: head,
      notation: JSON.stringify(bookNotation(write)),
      account_names: JSON.stringify(accountNames(write, closeSides(write, reconciliation).streams)),
    },
    covering,
  );
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs,
    actor: caller.actor,
    action: `period.${DONE[signOff.kind]}`,
    detail: {
      period_id: id,
      reconciliation_id: period.reconciliation_id,
      sign_off_id: signOffId,
      signed_by: signOff.by,
      reason: signOff.reason,
      covering_hash: hash,
      unexplained: figures.map(({ currency, unexplained }) => ({ currency, unexplained })),
    },
  });
  return answer(periodView(write, present(findPeriod(write, caller.environmentId, id), 'period'), false));
}

/**
 * Handles prepare, review, close and reopen. Of a large book the figures to be signed are read on another thread; the transaction that stores them
 * reads them again if the book has changed since. A request with an Idempotency-Key runs in one transaction with its stored answer, so everything is
 * read there.
 */
export function signOffHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const handled = (caller: Caller, id: number, { by, ...signature }: SignOff) => {
    const { database, figures } = context;
    // An API key signs under its own name whatever name it sends, because no other person is known to act through it.
    const signOff: SignOff = { ...signature, by: keyNameOf(database, caller.actor) ?? by };
    if (findPeriod(database, caller.environmentId, id) === undefined) return missing('period', id);
    const state = stateOfBook(database);
    const read = caller.idempotencyKey === undefined ? figures.of('signable', id) : figures.now('signable', id);
    return whenRead(read, (early) => {
      const outcome = database.write((write) => {
        if (findPeriod(write, caller.environmentId, id) === undefined) return missing('period', id);
        const signable = stateOfBook(write) === state ? early : readSignable(write, id);
        return sign(write, { context, caller, id, signOff, signable });
      });
      if (outcome.ok) context.changed(['reconciliations'], outcome.value.reconciliation_id);
      return outcome;
    });
  };
  return {
    'periods.prepare': (caller, { id, by }) => handled(caller, id, { kind: 'prepare', by, reason: null }),
    'periods.review': (caller, { id, by }) => handled(caller, id, { kind: 'review', by, reason: null }),
    'periods.close': (caller, { id, by, unexplained_reason: reason }) => handled(caller, id, { kind: 'close', by, reason: reason ?? null }),
    'periods.reopen': (caller, { id, by, reason }) => handled(caller, id, { kind: 'reopen', by: by ?? caller.actor, reason }),
  };
}
