import type { Output, SyncConflict } from '../../../src-shared/contract/index.ts';
import { whenRead } from '../../close/work/figures.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, refuse, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { summaryOf } from '../../service/summary-view.ts';
import type { ConflictDetail } from '../store/conflict-detail.ts';
import { chooseInConflict, conflictsOf, findConflict, type SyncConflictRow } from '../store/conflicts.ts';
import { accountName, balanceMoney, matchMade, reconciliationOfStream, streamKeysOf } from '../store/reads.ts';
import { remoteById } from '../store/remotes.ts';
import { balanceEffects, effectsOf, fieldEffects } from './conflict-outcomes.ts';
import { moneyOf, sidesOf, type SidesByStream, sumOf } from './conflict-sides.ts';
import { choiceWords } from './outcome-words.ts';

type Detailed = Output<'sync_conflicts.get'>;

const detailOf = ({ detail }: SyncConflictRow): ConflictDetail => JSON.parse(detail) as ConflictDetail;

function balanceMoneyOf({ database }: ServiceContext, { account_id: id }: ConflictDetail, cents: number) {
  return id === null ? null : balanceMoney(database, id, cents);
}

function conflictMoney(context: ServiceContext, row: SyncConflictRow, detail: ConflictDetail): SyncConflict['money'] {
  if (row.kind === 'balance' && detail.account_id !== null && detail.balance !== null) {
    const amount = Number((detail.here.gone ? detail.there : detail.here).fields.find(({ name }) => name === 'amount_cents')?.words);
    return Number.isSafeInteger(amount) ? balanceMoneyOf(context, detail, amount) : null;
  }
  const [here, there] = [detail.here.records, detail.there.records];
  const shared = here.find(({ local_id: id }) => id !== null && there.some((other) => other.local_id === id));
  const one = shared ?? here[0] ?? there[0];
  if (one === undefined) return null;
  return row.kind === 'match' ? moneyOf(one) : (sumOf(here.length > 0 ? here.slice(0, 1) : there.slice(0, 1)) ?? moneyOf(one));
}

/** A balance is known by its account. */
function accountOf({ database }: ServiceContext, { balance, account_id: id }: ConflictDetail): string | null {
  return balance === null || id === null ? null : accountName(database, id);
}

function conflictView(context: ServiceContext, row: SyncConflictRow): SyncConflict {
  const detail = detailOf(row);
  const [record] = [...detail.here.records, ...detail.there.records];
  return {
    id: row.id,
    remote_id: row.remote_id,
    kind: row.kind,
    resource: row.resource,
    title: accountOf(context, detail) ?? detail.title,
    words: detail.words,
    what: row.what,
    date: detail.balance?.date ?? record?.date ?? null,
    money: conflictMoney(context, row, detail),
    changes_figures: row.kind !== 'rule' && row.kind !== 'name',
    choices: JSON.parse(row.choices) as string[],
    choice: row.choice,
    decided_at: timestampOrNull(row.decided_at),
    seen_at: timestampOf(row.seen_at),
    local_id: row.local_id,
    reconciliation_id: detail.reconciliation_id,
    data_stream_key: detail.stream,
  };
}

/** The reconciliation whose figures a choice moves. */
function reconciliationOf({ database }: ServiceContext, caller: Caller, detail: ConflictDetail): ReconciliationRow | undefined {
  const id =
    detail.reconciliation_id ?? (detail.stream === null ? null : reconciliationOfStream(database, caller.environmentId, detail.stream));
  return id === null ? undefined : findReconciliation(database, caller.environmentId, id);
}

function sidesByStream({ database }: ServiceContext, reconciliation: ReconciliationRow | undefined): SidesByStream {
  if (reconciliation === undefined) return new Map();
  const { a, b } = streamIdsBySide(database, reconciliation.id);
  const keys = streamKeysOf(database, [...a, ...b]);
  const entries = [...a.map((id) => [id, 'a'] as const), ...b.map((id) => [id, 'b'] as const)];
  return new Map(entries.map(([id, side]) => [keys.get(id) ?? '', side]));
}

/** Facts that the two sides do not show by themselves. */
function notesOf(row: SyncConflictRow, { here, there }: Pick<Detailed, 'here' | 'there'>): Detailed['notes'] {
  const notes: { mark: 'fact' | 'warning'; words: string }[] = [];
  if (row.kind === 'closed_period') notes.push({ mark: 'warning', words: row.what });
  if (row.kind === 'match') {
    for (const [where, side] of [
      ['here', here],
      ['there', there],
    ] as const) {
      const left = side.sums.find(({ label }) => label === 'Left over');
      if (left === undefined) continue;
      const isNil = left.money.amount === 0;
      notes.push({
        mark: isNil ? 'fact' : 'warning',
        words: isNil ? `The match ${where} balances.` : `The match ${where} does not balance.`,
      });
    }
  }
  return notes;
}

function detailed(context: ServiceContext, caller: Caller, row: SyncConflictRow) {
  const detail = detailOf(row);
  const reconciliation = reconciliationOf(context, caller, detail);
  const sides = sidesByStream(context, reconciliation);
  const sign = reconciliation?.sign_convention === 'opposite' ? 1 : -1;
  const made = row.kind === 'match' && row.local_id !== null ? matchMade(context.database, row.local_id) : null;
  const by =
    made === null ? null : { words: made.origin === 'manual' ? 'Matched by hand' : 'Matched by a rule', at: timestampOf(made.created_at) };
  const sums = (side: ConflictDetail['here']) => {
    const cents = Number(side.fields.find(({ name }) => name === 'amount_cents')?.words);
    const money = side.gone ? null : balanceMoneyOf(context, detail, cents);
    return money === null ? [] : [{ label: 'Balance', money }];
  };
  const both = sidesOf(detail, { sides, sign, by });
  const shown =
    detail.balance === null
      ? both
      : { here: { ...both.here, fields: [], sums: sums(detail.here) }, there: { ...both.there, fields: [], sums: sums(detail.there) } };
  const conflict = conflictView(context, row);
  const effects = (summary: ReturnType<typeof summaryOf>, choice: string) => {
    if (detail.balance !== null) return balanceEffects(detail, choice, (cents) => balanceMoneyOf(context, detail, cents));
    const hasLines = detail.here.records.length + detail.there.records.length > 0;
    return summary !== null && hasLines ? effectsOf(row.kind, detail, choice, { summary, sides, sign }) : fieldEffects(detail, choice);
  };
  const withEffects = (summary: ReturnType<typeof summaryOf>): Detailed => ({
    conflict,
    ...shown,
    outcomes: conflict.choices.map((choice) => ({
      choice,
      ...choiceWords(row.kind, detail, choice),
      effects: effects(summary, choice),
    })),
    outcome_of: reconciliation?.name ?? accountOf(context, detail),
    notes: notesOf(row, shown),
  });
  if (reconciliation === undefined) return answer(withEffects(null));
  return whenRead(context.figures.of('reconciliationTotals', reconciliation.id), (totals) =>
    answer(withEffects(summaryOf(reconciliation.id, totals))),
  );
}

type ConflictOperation = 'sync_conflicts.list' | 'sync_conflicts.get' | 'sync_conflicts.choose';

/** Those first that nobody decided, and of these those that change figures. */
function order(one: SyncConflict, other: SyncConflict): number {
  const rank = ({ choice, changes_figures: isMoving }: SyncConflict): number => (choice !== null ? 2 : isMoving ? 0 : 1);
  return rank(one) - rank(other) || one.id - other.id;
}

export function syncConflictHandlers(context: ServiceContext): Pick<Handlers, ConflictOperation> {
  const { database, clock } = context;
  return {
    'sync_conflicts.list': (caller, { id, limit, offset }) => {
      if (remoteById(database, caller.environmentId, id) === undefined) return missing('remote', id);
      const all = conflictsOf(database, id)
        .map((row) => conflictView(context, row))
        .toSorted(order);
      const undecided = all.filter(({ choice }) => choice === null).length;
      return answer({ total: all.length, undecided, data: all.slice(offset, offset + limit) });
    },
    'sync_conflicts.get': (caller, { id }) => {
      const row = findConflict(database, caller.environmentId, id);
      return row === undefined ? missing('conflict', id) : detailed(context, caller, row);
    },
    'sync_conflicts.choose': (caller, { id, choice }) => {
      const row = findConflict(database, caller.environmentId, id);
      if (row === undefined) return missing('conflict', id);
      const choices = JSON.parse(row.choices) as string[];
      if (choice !== null && !choices.includes(choice)) {
        return refuse('conflict', `Conflict ${id} has the choices ${choices.join(', ')}, not ${choice}.`);
      }
      const decidedAtMs = choice === null ? null : clock.nowMs();
      database.write((write) => chooseInConflict(write, id, choice, decidedAtMs));
      context.changed(['sync']);
      return answer(conflictView(context, { ...row, choice, decided_at: decidedAtMs }));
    },
  };
}
