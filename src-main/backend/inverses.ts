import { type BalanceType, type Call, contract, type Input, type OperationId, type Output } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { givenOf } from '../close/operations/open-items.ts';
import { decimalText } from '../../src-shared/values/money.ts';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { currencyText, dateText } from '../../src-shared/values/notation.ts';
import { phrase } from '../../src-shared/words/say.ts';
import { newestAuditId } from '../book/store/audit.ts';
import { insertUndoEntry, type Step, type UndoableChange } from '../book/store/undo-entries.ts';
import type { ReadHandle } from '../database/database.ts';
import { memberIds } from '../matches/store/matches.ts';
import { recordsById } from '../records/store/records.ts';
import { inOneTransaction, type ServiceContext } from '../service/context.ts';
import type { Caller } from '../service/handler.ts';
import { validateInput } from '../transport/validation/validation.ts';
import {
  type Before,
  enteredOf,
  type Fields,
  FIELDS_NOW,
  fieldsText,
  formerBalances,
  formerPeriod,
  lineName,
  periodNow,
  withLeft,
  withoutSecret,
} from './undo-state.ts';
import { findBalance } from '../streams/store/bank-account-balances.ts';
import { findUnsure } from '../sync/store/remotes.ts';

/** The change that reverts a write, made from its answer; null if there is nothing to revert. */
type Change = UndoableChange;
type AfterAnswer<K extends OperationId> = (value: Output<K>) => Change | null;

export interface Inverse<K extends OperationId> {
  /** Reads the state before the write. Returns null if the write cannot be reverted. */
  readonly prepare: (before: Before<K>) => AfterAnswer<K> | null;
  /** Whether the same input redoes the write after it was reverted. */
  readonly canRedo: boolean;
  /** Whether the answer comes later, from another thread, so that nothing can be noted in the transaction of the write. */
  readonly isLater?: (before: Before<K>) => boolean;
}

type Inverses = { readonly [K in OperationId]?: Inverse<K> };

const step = <K extends OperationId>(operation: K, input: Call<K>): Step => ({ operation, input });

/** Returns an inverse that needs nothing of the state before the write. */
function after<K extends OperationId>(change: (value: Output<K>, input: Input<K>) => Change | null): Inverse<K> {
  return {
    canRedo: true,
    prepare:
      ({ input }) =>
      (value) =>
        change(value, input),
  };
}

/** Returns the current values of those given fields that the write changes; null for missing ones. */
function formerFields(now: Fields, given: Fields): Fields {
  const changed = Object.keys(given).filter((name) => JSON.stringify(now[name] ?? null) !== JSON.stringify(given[name]));
  return Object.fromEntries(changed.map((name) => [name, now[name] ?? null]));
}

const definedOf = (fields: object): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Returns the inverse of an operation that changes fields: the same operation with the former values. `now` reads them in the form of the input. */
function fieldsBack<K extends OperationId>(
  operation: K,
  key: 'id' | 'key' | null,
  now: (before: Before<K>) => Fields | undefined,
  what: (now: Fields) => string,
): Inverse<K> {
  return {
    canRedo: true,
    prepare(before) {
      const given = Object.fromEntries(
        Object.entries(before.input as Fields).filter(([name, value]) => name !== key && value !== undefined),
      );
      const fields = now(before);
      const former = fields === undefined ? {} : formerFields(fields, given);
      if (fields === undefined || Object.keys(former).length === 0) return null;
      const target = key === null ? {} : { [key]: (before.input as Fields)[key] };
      const steps = [{ operation, input: { ...target, ...former } }];
      // What the write gave again as it was stays out of it: another program may change that.
      const changed = Object.fromEntries(Object.keys(former).map((name) => [name, given[name]]));
      const again = { operation, input: { ...target, ...changed } };
      return () => ({ label: phrase('book.did.changed', { fields: fieldsText(Object.keys(former)), name: what(fields) }), steps, again });
    },
  };
}

/** Returns an amount with its currency: `£396.00`. */
function moneyText(
  minor: number,
  { currency, decimal_places: places }: { readonly currency: string; readonly decimal_places: number },
): string {
  return currencyText(decimalText(minor, places), currency);
}

/** Returns the label of a match that was made or confirmed, with what became of its difference. */
function matchLabel(read: ReadHandle, verb: 'matched' | 'confirmedMatch', match: Output<'matches.create'>, caller: Caller): string {
  const { id, difference, adjustment_record_id: adjustmentId, record_count: count } = match;
  const [adjustment] = adjustmentId === null ? [] : recordsById(read, caller.environmentId, [adjustmentId]);
  if (adjustment !== undefined) return phrase(LABELS[verb].adjusted, { count, amount: moneyText(adjustment.amount, adjustment) });
  const [member] = difference === 0 ? [] : memberIds(read, id);
  const [line] = member === undefined ? [] : recordsById(read, caller.environmentId, [member.record_id]);
  return line === undefined
    ? phrase(LABELS[verb].even, { count })
    : phrase(LABELS[verb].leftOpen, { count, amount: moneyText(Math.abs(difference), line) });
}

const LABELS = {
  matched: { even: 'book.did.matched', adjusted: 'book.did.matchedWithAdjustment', leftOpen: 'book.did.matchedWithDifference' },
  confirmedMatch: {
    even: 'book.did.confirmedMatch',
    adjusted: 'book.did.confirmedWithAdjustment',
    leftOpen: 'book.did.confirmedWithDifference',
  },
} as const;

/** Returns how a decision on several proposals is undone. Done again, it covers those that were decided, and none that a later run has found. */
function decidedTogether(
  words: 'book.did.confirmedProposals' | 'book.did.rejectedProposals',
  [operation, undo]: readonly [make: OperationId, undo: 'confirmations.undo' | 'rejections.undo'],
  { count, match_ids: ids }: Pick<Output<'confirmations.create'>, 'count' | 'match_ids'>,
  input: { readonly id: number },
): Change | null {
  if (count === 0) return null;
  return {
    label: phrase(words, { count }),
    steps: [step(undo, { id: input.id, match_ids: ids })],
    again: { operation, input: { ...input, match_ids: ids } },
  };
}

const matchInverses = {
  'matches.create': {
    canRedo: true,
    prepare:
      ({ read, caller }) =>
      (match) => ({
        label: matchLabel(read, 'matched', match, caller),
        steps: [step('matches.undo_create', { id: match.id })],
      }),
  },
  'matches.confirm': {
    canRedo: true,
    prepare:
      ({ read, caller }) =>
      (match) => ({
        label: matchLabel(read, 'confirmedMatch', match, caller),
        steps: [step('matches.undo_create', { id: match.id })],
      }),
  },
  'matches.remove': {
    canRedo: true,
    prepare({ input, ask }) {
      const match = ask('matches.get', { id: input.id });
      if (match === undefined) return null;
      const label = phrase(match.status === 'proposed' ? 'book.did.rejectedProposal' : 'book.did.unmatched', { count: match.record_count });
      return () => ({ label, steps: [step('matches.restore', { id: input.id })] });
    },
  },
  'confirmations.create': after((decided, input) =>
    decidedTogether('book.did.confirmedProposals', ['confirmations.create', 'confirmations.undo'], decided, input),
  ),
  'rejections.create': after((decided, input) =>
    decidedTogether('book.did.rejectedProposals', ['rejections.create', 'rejections.undo'], decided, input),
  ),
  'separations.clear': after(({ record_count: count }, { id }) => ({
    label: phrase('book.did.allowedAgain', { count }),
    steps: [step('separations.restore', { id })],
  })),
  'evidence.remove_alias': after(({ a, b }, { id }) => ({
    label: phrase('book.did.notTheSame', { a, b }),
    steps: [step('evidence.restore_alias', { id, a, b })],
  })),
} satisfies Inverses;

/** Returns the name of a rule by its place in its reconciliation: `rule 2`. */
function ruleName(ask: Before<'rules.update'>['ask'], rule: Output<'rules.get'>): string {
  const place = (ask('rules.list', { reconciliation_id: rule.reconciliation_id }) ?? []).findIndex(({ id }) => id === rule.id) + 1;
  return place === 0 ? phrase('book.did.ruleNamed', { name: rule.description ?? rule.id }) : phrase('book.did.ruleAt', { place });
}

function ruleGone<K extends 'rules.remove' | 'rules.dismiss'>(words: 'book.did.deletedRule' | 'book.did.dismissedRule'): Inverse<K> {
  return {
    canRedo: true,
    prepare({ input, ask }) {
      const rule = ask('rules.get', { id: input.id });
      if (rule === undefined) return null;
      const label = phrase(words, { name: ruleName(ask, rule) });
      return () => ({ label, steps: [step('rules.restore', { id: input.id })] });
    },
  };
}

const ruleInverses = {
  'rules.create': after((rule) => ({
    label: phrase('book.did.createdRule', { name: rule.description ?? rule.id }),
    steps: [step('rules.remove', { id: rule.id })],
  })),
  'rules.update': {
    canRedo: true,
    prepare(before) {
      const { input, ask } = before;
      const rule = ask('rules.get', { id: input.id });
      if (rule === undefined) return null;
      const name = ruleName(ask, rule);
      const change = fieldsBack(
        'rules.update',
        'id',
        () => rule,
        () => name,
      ).prepare(before);
      if (change === null || input.paused === undefined || Object.keys(input).length > 2) return change;
      return () => ({
        label: phrase(input.paused === true ? 'book.did.pausedRule' : 'book.did.resumedRule', { name }),
        steps: [step('rules.update', { id: input.id, paused: rule.paused })],
      });
    },
  },
  'rules.remove': ruleGone('book.did.deletedRule'),
  'rules.dismiss': ruleGone('book.did.dismissedRule'),
  'rules.reorder': {
    canRedo: true,
    prepare({ input, ask }) {
      const former = ask('rules.list', { reconciliation_id: input.id })?.map(({ id }) => id) ?? [];
      const steps = [step('rules.reorder', { id: input.id, rule_ids: former })];
      return () => (former.length === 0 ? null : { label: phrase('book.did.orderedRules'), steps });
    },
  },
  'rules.take_preset': after(({ added_rule_ids: added, removed_rule_ids: removed }) =>
    added.length + removed.length === 0
      ? null
      : {
          label: phrase('book.did.tookRules'),
          steps: [...added.map((id) => step('rules.remove', { id })), ...removed.map((id) => step('rules.restore', { id }))],
        },
  ),
} satisfies Inverses;

/** Returns that of an input which is something else in the period now. */
function changedOfPeriod(
  period: Output<'periods.update'>,
  given: Omit<Input<'periods.update'>, 'id'>,
): Omit<Input<'periods.update'>, 'id'> {
  const { balances, ...plain } = formerFields(formerPeriod(period, given), given) as { balances?: unknown };
  const kept = Object.fromEntries(Object.keys(plain).map((name) => [name, (given as Fields)[name]]));
  if (balances === undefined || given.balances === undefined) return kept;
  const former = formerBalances(period, given.balances);
  const changed = given.balances.flatMap(({ side, currency, ...amounts }, at) => {
    const names = Object.keys(formerFields({ ...former[at] }, definedOf(amounts)));
    const target = { side, ...(currency === undefined ? {} : { currency }) };
    return names.length === 0 ? [] : [{ ...target, ...Object.fromEntries(names.map((name) => [name, (amounts as Fields)[name]])) }];
  });
  return { ...kept, balances: changed };
}

function periodChangeLabel(name: string, input: Input<'periods.update'>): string {
  if (input.balances !== undefined) return phrase('book.did.enteredBalances', { name });
  return input.bank_side === undefined ? phrase('book.did.changedDays', { name }) : phrase('book.did.saidBankSide');
}

const closeInverses = {
  'periods.create': after((period) => ({
    label: phrase('book.did.createdPeriod', { name: period.name }),
    steps: [step('periods.remove', { id: period.id })],
    periodId: period.id,
    reconciliationId: period.reconciliation_id,
  })),
  'periods.update': {
    canRedo: true,
    // Another thread finds out whether a signed period is stale.
    isLater: (before) => (periodNow(before)?.state ?? 'open') !== 'open',
    prepare(before) {
      const period = periodNow(before);
      if (period === undefined) return null;
      const { id, ...given } = before.input;
      const changed = changedOfPeriod(period, given);
      if (Object.keys(changed).length === 0) return null;
      return () => ({
        label: periodChangeLabel(period.name, before.input),
        steps: [step('periods.update', { id, ...formerPeriod(period, changed) })],
        again: step('periods.update', { id, ...changed }),
        periodId: id,
        reconciliationId: period.reconciliation_id,
      });
    },
  },
  'periods.remove': {
    canRedo: true,
    prepare(before) {
      const period = periodNow(before);
      if (period === undefined) return null;
      const { reconciliation_id: reconciliationId, from, to, name } = period;
      const input = { reconciliation_id: reconciliationId, from, to, balances: enteredOf(period) };
      return () => ({
        label: phrase('book.did.deletedPeriod', { name }),
        steps: [step('periods.create', input)],
        periodId: before.input.id,
        reconciliationId,
      });
    },
  },
  'open_items.put_many': {
    canRedo: true,
    prepare({ input, ask }) {
      const former = new Map<number, Partial<Output<'open_items.get'>>>();
      for (const { record_ids: ids, ...change } of input.changes) {
        for (const recordId of ids) {
          const note = ask('open_items.get', { id: input.id, record_id: recordId });
          if (note === undefined) return null;
          former.set(recordId, { ...former.get(recordId), ...formerFields({ ...note }, givenOf(change)) });
        }
      }
      const changed = [...former].filter(([, members]) => Object.keys(members).length > 0);
      const groups = Map.groupBy(changed, ([, members]) => JSON.stringify(members));
      const changes = [...groups.values()].flatMap((group) =>
        group[0] === undefined ? [] : [{ record_ids: group.map(([recordId]) => recordId), ...group[0][1] }],
      );
      const fields = fieldsText([...new Set(changed.flatMap(([, members]) => Object.keys(members)))]);
      return ({ record_count: count }) =>
        count === 0
          ? null
          : {
              label: phrase('book.did.wroteOfItems', { fields, count }),
              steps: [step('open_items.put_many', { id: input.id, changes })],
              reconciliationId: input.id,
            };
    },
  },
  'open_items.put': {
    canRedo: true,
    prepare({ input, ask, read, caller }) {
      const note = ask('open_items.get', { id: input.id, record_id: input.record_id });
      if (note === undefined) return null;
      const { status, owner, comment, expected_on: expected } = note;
      const given: Fields = { status: input.status, owner: input.owner, comment: input.comment, expected_on: input.expected_on };
      const former = formerFields({ status, owner, comment, expected_on: expected }, given);
      const changed = Object.keys(former);
      const written = (members: Fields): Step => ({
        operation: 'open_items.put_many',
        input: { id: input.id, changes: [{ record_ids: [input.record_id], ...members }] },
      });
      const [record] = recordsById(read, caller.environmentId, [input.record_id]);
      const name = lineName(record ?? { id: input.record_id, description: null, external_id: null });
      return () =>
        changed.length === 0
          ? null
          : {
              label: phrase('book.did.wroteOfItem', { fields: fieldsText(changed), name }),
              steps: [written(former)],
              again: written(Object.fromEntries(changed.map((name) => [name, given[name]]))),
              reconciliationId: input.id,
            };
    },
  },
} satisfies Inverses;

/** Returns the quoted name of the changed object. */
const named = (now: Fields): string => `“${String(now['name'] ?? now['title'] ?? now['key'] ?? now['id'])}”`;

function choiceBack<K extends 'sync_conflicts.choose' | 'sync_unsure.settle'>(
  operation: K,
  now: (before: Before<K>) => { readonly choice: string | null; readonly name: string } | undefined,
): Inverse<K> {
  return {
    canRedo: true,
    prepare(before) {
      const former = now(before);
      if (former === undefined) return null;
      const { id, choice } = before.input;
      const label = phrase(choice === null ? 'book.did.tookDecisionBack' : 'book.did.decided', { name: former.name });
      return () => ({ label, steps: [{ operation, input: { id, choice: former.choice } }] });
    },
  };
}

const otherInverses = {
  'streams.update': fieldsBack('streams.update', 'key', FIELDS_NOW['streams.update'], named),
  'reconciliations.update': fieldsBack('reconciliations.update', 'id', FIELDS_NOW['reconciliations.update'], named),
  'records.update': {
    canRedo: true,
    prepare(before) {
      const { ask, input } = before;
      const record = ask('records.get', { id: input.id });
      if (record === undefined) return null;
      const { amount, direction = amount !== undefined && amount < 0 ? 'debit' : record.direction } = input;
      // A sign is a direction, which comes back beside the amount.
      const given = amount === undefined ? input : { ...input, amount: Math.abs(amount), direction };
      return fieldsBack(
        'records.update',
        'id',
        () => record,
        () => `“${lineName(record)}”`,
      ).prepare({ ...before, input: given });
    },
  },
  'records.split': {
    canRedo: true,
    prepare({ input, ask }) {
      const record = ask('records.get', { id: input.id });
      if (record === undefined) return null;
      const { amount, direction } = record;
      return ({ part }) => ({
        label: phrase('book.did.split', { amount: moneyText(part.amount, part), name: lineName(record) }),
        steps: [step('records.remove', { id: part.id }), step('records.update', { id: input.id, amount, direction })],
      });
    },
  },
  'records.mark_overdue': {
    canRedo: true,
    prepare({ input, ask }) {
      const record = ask('records.get', { id: input.id });
      if (record === undefined) return null;
      const mark = record.overdue.find((each) => each.reconciliation_id === input.reconciliation_id);
      const named = { id: input.id, reconciliation_id: input.reconciliation_id };
      const back =
        mark === undefined ? step('records.clear_overdue', named) : step('records.mark_overdue', { ...named, overdue_at: mark.overdue_at });
      return () => ({ label: phrase('book.did.markedOverdue', { name: lineName(record) }), steps: [back] });
    },
  },
  'records.clear_overdue': {
    canRedo: true,
    prepare({ input, ask }) {
      const record = ask('records.get', { id: input.id });
      const mark = record?.overdue.find((each) => each.reconciliation_id === input.reconciliation_id);
      if (record === undefined || mark === undefined) return null;
      const steps = [
        step('records.mark_overdue', { id: input.id, reconciliation_id: input.reconciliation_id, overdue_at: mark.overdue_at }),
      ];
      return () => ({ label: phrase('book.did.markedNotOverdue', { name: lineName(record) }), steps });
    },
  },
  'exceptions.update': fieldsBack('exceptions.update', 'id', FIELDS_NOW['exceptions.update'], named),
  'exceptions.update_many': {
    canRedo: true,
    prepare({ input: { ids, ...given }, ask }) {
      const former = [...new Set(ids)].flatMap((id) => {
        const found = FIELDS_NOW['exceptions.update']({ ask, input: { id } });
        return found === undefined ? [] : [found];
      });
      return ({ updated }) => {
        const steps = former
          .filter(({ id }) => updated.includes(id))
          .flatMap((each) => {
            const back = formerFields(each, given);
            return Object.keys(back).length === 0 ? [] : [{ operation: 'exceptions.update' as const, input: { id: each.id, ...back } }];
          });
        return steps.length === 0 ? null : { label: phrase('book.did.changedExceptions', { count: steps.length }), steps };
      };
    },
  },
  'book.update': fieldsBack('book.update', null, FIELDS_NOW['book.update'], () => phrase('book.did.theBook')),
  'notation.update': fieldsBack('notation.update', null, FIELDS_NOW['notation.update'], () => phrase('book.did.theBook')),
  'views.create': after(({ id, name }) => ({ label: phrase('book.did.keptView', { name }), steps: [step('views.remove', { id })] })),
  'views.update': fieldsBack('views.update', 'id', FIELDS_NOW['views.update'], named),
  'views.remove': {
    canRedo: true,
    prepare({ input, ask }) {
      const view = ask('views.list', {})?.find(({ id }) => id === input.id);
      if (view === undefined) return null;
      return () => ({ label: phrase('book.did.deletedView', { name: view.name }), steps: [step('views.restore', { id: input.id })] });
    },
  },
  'connections.create': {
    ...after<'connections.create'>(({ id, name, engine, address }) => ({
      label: phrase('book.did.addedDatabase', { name }),
      steps: [step('connections.remove', { id })],
      again: { operation: 'connections.create', input: { name, engine, address } },
    })),
    isLater: () => true,
  },
  'connections.update': {
    canRedo: true,
    isLater: () => true,
    prepare: (before) =>
      fieldsBack('connections.update', 'id', FIELDS_NOW['connections.update'], named).prepare({
        ...before,
        input: withoutSecret(before.input),
      }),
  },
  'connections.remove': {
    canRedo: true,
    isLater: () => true,
    prepare(before) {
      const { input } = before;
      const found = FIELDS_NOW['connections.update'](before);
      if (found === undefined) return null;
      return () => ({
        label: phrase('book.did.removedDatabase', { name: found.name }),
        steps: [step('connections.restore', { id: input.id })],
      });
    },
  },
  'import_recipes.update': fieldsBack('import_recipes.update', 'id', FIELDS_NOW['import_recipes.update'], named),
  'import_batches.correct_currency': after(({ from, to, preview }, { id }) =>
    preview
      ? null
      : {
          label: phrase('book.did.changedCurrency', { from, to }),
          steps: [step('import_batches.correct_currency', { id, currency: from })],
        },
  ),
  'bank_accounts.create': after(({ id, name }) => ({
    label: phrase('book.did.createdBankAccount', { name }),
    steps: [step('bank_accounts.remove', { id })],
  })),
  'bank_accounts.update': fieldsBack('bank_accounts.update', 'id', FIELDS_NOW['bank_accounts.update'], named),
  'bank_accounts.remove': {
    canRedo: true,
    prepare({ input, ask }) {
      const name = ask('bank_accounts.get', { id: input.id })?.name;
      if (name === undefined) return null;
      return () => ({ label: phrase('book.did.deletedBankAccount', { name }), steps: [step('bank_accounts.restore', { id: input.id })] });
    },
  },
  'bank_account_balances.put': {
    canRedo: true,
    prepare({ input, ask }) {
      const { bank_account_id: account, date, balance_type: type } = input;
      const former = ask('bank_account_balances.list', { bank_account_id: account })?.find(
        (each) => each.date === date && each.balance_type === type && each.import_batch_id === null,
      );
      const label = phrase('book.did.enteredBalance', { day: dateText(date) });
      if (former === undefined) return ({ id }) => ({ label, steps: [step('bank_account_balances.remove', { id })] });
      if (former.amount_cents === input.amount_cents) return null;
      return () => ({ label, steps: [step('bank_account_balances.put', { ...input, amount_cents: former.amount_cents })] });
    },
  },
  'bank_account_balances.remove': {
    canRedo: true,
    prepare({ input, read }) {
      const found = findBalance(read, input.id);
      if (found === undefined || found.account === null) return null;
      const date = isoFromDay(found.day);
      const former = { bank_account_id: found.account, date, balance_type: found.balance_type as BalanceType, amount_cents: found.amount };
      return () => ({
        label: phrase('book.did.deletedBalance', { day: dateText(date) }),
        steps: [step('bank_account_balances.put', former)],
      });
    },
  },
  'sync_conflicts.choose': choiceBack('sync_conflicts.choose', ({ ask, input }) => {
    const conflict = ask('sync_conflicts.get', { id: input.id })?.conflict;
    return conflict === undefined ? undefined : { choice: conflict.choice, name: conflict.title };
  }),
  'sync_unsure.settle': choiceBack('sync_unsure.settle', ({ read, caller, input }) => {
    const unsure = findUnsure(read, caller.environmentId, input.id);
    return unsure === undefined ? undefined : { choice: unsure.choice, name: unsure.name };
  }),
} satisfies Inverses;

/** The inverse of each write of the window and of the command line. `test/service/undo/every-undo.test.ts` lists the writes without an inverse, and why. */
export const INVERSES: Inverses = { ...matchInverses, ...ruleInverses, ...closeInverses, ...otherInverses };

export type AnyOutcome = Outcome<unknown>;
export type AnyHandler = (caller: Caller, input: unknown) => AnyOutcome | Promise<AnyOutcome>;

/** Continues with an answer, now or once it arrives. A wrapped handler that answers at once still does so. */
function whenAnswered<T>(outcome: AnyOutcome | Promise<AnyOutcome>, next: (given: AnyOutcome) => T): T | Promise<T> {
  return outcome instanceof Promise ? afterwards(outcome, next) : next(outcome);
}

async function afterwards<T>(outcome: Promise<AnyOutcome>, next: (given: AnyOutcome) => T): Promise<T> {
  return next(await outcome);
}

/** Calls a handler that answers at once; undefined if it refuses or answers later. */
export function askNow(plain: Readonly<Record<string, AnyHandler>>, caller: Caller, operation: string, input: unknown): unknown {
  const valid = validateInput(contract[operation as OperationId], input);
  if (!valid.ok) return undefined;
  const outcome = plain[operation]?.(caller, valid.value);
  return outcome === undefined || outcome instanceof Promise || !outcome.ok ? undefined : outcome.value;
}

/** Returns what reads the state that an operation with this valid input is about. */
function beforeOf(
  { database }: Pick<ServiceContext, 'database'>,
  plain: Readonly<Record<string, AnyHandler>>,
  { caller, input }: { readonly caller: Caller; readonly input: unknown },
): Before<OperationId> {
  const ask: Before<OperationId>['ask'] = (asked, given) => askNow(plain, caller, asked, given) as never;
  return { caller, input: input as never, read: database, ask };
}

/** Returns what reads the state that a step is about; null where its input is not valid any more. */
export function beforeStep(
  context: Pick<ServiceContext, 'database'>,
  plain: Readonly<Record<string, AnyHandler>>,
  { caller, step }: { readonly caller: Caller; readonly step: Step },
): Before<OperationId> | null {
  const valid = validateInput(contract[step.operation as OperationId], step.input);
  return valid.ok ? beforeOf(context, plain, { caller, input: valid.value }) : null;
}

/** Returns the change that reverts a write, from the current state and the write's answer; null if there is none. */
export function changeOf(
  context: ServiceContext,
  plain: Readonly<Record<string, AnyHandler>>,
  { operation, inverse, caller, input }: { operation: OperationId; inverse: Inverse<OperationId>; caller: Caller; input: unknown },
): { readonly isLater: boolean; readonly after: (value: unknown) => UndoableChange | null } | null {
  const before = beforeOf(context, plain, { caller, input });
  const changed = inverse.prepare(before);
  if (changed === null) return null;
  const after = (value: unknown): UndoableChange | null => {
    const change = changed(value as never);
    if (change === null) return null;
    return inverse.canRedo ? { ...change, again: change.again ?? { operation, input: input as Step['input'] } } : change;
  };
  return { isLater: inverse.isLater?.(before) ?? false, after };
}

export function notingUndo(
  context: ServiceContext,
  plain: Readonly<Record<string, AnyHandler>>,
  operation: OperationId,
  inverse: Inverse<OperationId>,
): AnyHandler {
  const handler = plain[operation] as AnyHandler;
  return (caller, input) => {
    if (caller.surface !== 'app') return handler(caller, input);
    const change = changeOf(context, plain, { operation, inverse, caller, input });
    if (change === null) return handler(caller, input);
    const noteOf = (outcome: AnyOutcome): UndoableChange | null => {
      const made = outcome.ok ? change.after(outcome.value) : null;
      // The entry of the write itself comes at the end of its transaction.
      const audited = newestAuditId(context.database) + (change.isLater ? 0 : 1);
      return made === null ? null : { ...made, steps: stepsLeft(context, plain, { caller, steps: made.steps, audited }) };
    };
    const note = (outcome: AnyOutcome): AnyOutcome => noted(context, caller, outcome, noteOf(outcome));
    if (change.isLater) return whenAnswered(handler(caller, input), (outcome) => notedLater(context, outcome, note));
    return inOneTransaction(context, () => whenAnswered(handler(caller, input), note));
  };
}

/** Returns steps with what each would write over as it is now, which a later undo compares. */
export function stepsLeft(
  context: Pick<ServiceContext, 'database'>,
  plain: Readonly<Record<string, AnyHandler>>,
  { caller, steps, audited }: { readonly caller: Caller; readonly steps: readonly Step[]; readonly audited: number },
): Step[] {
  return steps.map((step) => {
    const before = beforeStep(context, plain, { caller, step });
    return before === null ? step : withLeft(step, before, audited);
  });
}

/** Notes how a write is undone, and says so in its answer. */
function noted(context: ServiceContext, { environmentId, actor }: Caller, outcome: AnyOutcome, change: UndoableChange | null): AnyOutcome {
  if (!outcome.ok || change === null) return outcome;
  const id = context.database.write((write) => insertUndoEntry(write, { environmentId, actor, atMs: context.clock.nowMs() }, change));
  return { ...outcome, meta: { ...outcome.meta, undo: { id, label: change.label } } };
}

/** Notes a write that was committed before. A failure now only makes it impossible to undo. */
function notedLater({ log, changed }: ServiceContext, outcome: AnyOutcome, note: (outcome: AnyOutcome) => AnyOutcome): AnyOutcome {
  try {
    const answered = note(outcome);
    // The event of the change came before there was anything to undo.
    changed(['undo']);
    return answered;
  } catch (error) {
    log.error('a change could not be noted for undo', { error: String(error) });
    return outcome;
  }
}
