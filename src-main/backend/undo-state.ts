import { type Call, contract, type Input, type OperationId, type Output } from '../../src-shared/contract/index.ts';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { withoutPassword } from '../../src-shared/values/database-address.ts';
import { decimalPlacesOf, decimalText } from '../../src-shared/values/money.ts';
import { currencyText, dateText } from '../../src-shared/values/notation.ts';
import type { WordKey } from '../../src-shared/words/catalogue.ts';
import { phrase } from '../../src-shared/words/say.ts';
import { listApiKeys } from '../book/store/api-keys.ts';
import { newestAbout } from '../book/store/history-reads.ts';
import type { Step, UndoEntryRow } from '../book/store/undo-entries.ts';
import { periodView } from '../close/operations/period-views.ts';
import { findPeriod } from '../close/store/periods.ts';
import { actorText } from '../close/work/words.ts';
import type { ReadHandle } from '../database/database.ts';
import type { Caller } from '../service/handler.ts';
import { findConnection } from '../databases/store/connections.ts';
import { findBatch } from '../imports/store/import-batches.ts';
import { findDissolved } from '../matches/store/dissolved-matches.ts';
import { matchesById, memberIds } from '../matches/store/matches.ts';
import { recordsById } from '../records/store/records.ts';
import { findBalance } from '../streams/store/bank-account-balances.ts';
import { findUnsure } from '../sync/store/remotes.ts';

/** The state before a write: its input, the book, and the answers of reading operations. */
export interface Before<K extends OperationId> {
  readonly caller: Caller;
  readonly input: Input<K>;
  readonly read: ReadHandle;
  /** Returns the answer of a reading operation; undefined if it is refused. */
  readonly ask: <R extends OperationId>(operation: R, input: Call<R>) => Output<R> | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Names of fields as people know them. */
const FIELD_WORDS: Readonly<Record<string, Extract<WordKey, `changes.field.${string}`>>> = {
  amount_cents: 'changes.field.amountCents',
  bank_account_id: 'changes.field.bankAccountId',
  assignee: 'changes.field.assignee',
  batch_lines: 'changes.field.batchLines',
  budget: 'changes.field.budget',
  commit_certainty: 'changes.field.commitCertainty',
  days: 'changes.field.days',
  decimal: 'changes.field.decimal',
  expected_on: 'changes.field.expectedOn',
  from: 'changes.field.from',
  to: 'changes.field.to',
  is_sample: 'changes.field.isSample',
  max_difference: 'changes.field.maxDifference',
  opening: 'changes.field.opening',
  overdue_at: 'changes.field.overdueAt',
  read_by: 'changes.field.readBy',
  reference_field: 'changes.field.referenceField',
  rule_ids: 'changes.field.ruleIds',
  run_type: 'changes.field.runType',
  side_a_stream_ids: 'changes.field.sideAStreamIds',
  side_b_stream_ids: 'changes.field.sideBStreamIds',
  sign_convention: 'changes.field.signConvention',
  stated_closing: 'changes.field.statedClosing',
  status_explains: 'changes.field.statusExplains',
  week: 'changes.field.week',
};

function fieldText(name: string): string {
  const key = FIELD_WORDS[name];
  return key === undefined ? name.replaceAll('_', ' ') : phrase(key);
}

const LONGEST_NAME = 40;

/** Returns what a person calls a line, shortened. */
export function lineName({
  id,
  description,
  external_id: externalId,
}: Pick<Output<'records.get'>, 'id' | 'description' | 'external_id'>): string {
  const name = description ?? externalId ?? `line ${id}`;
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

export function fieldsText(names: readonly string[]): string {
  return names.map(fieldText).join(', ');
}

/** Returns those of the values whose names an input has, null for missing ones. */
function ofInput(input: object, now: Fields | undefined): Fields | undefined {
  if (now === undefined) return undefined;
  const names = Object.entries(input).filter(([name, value]) => name !== 'id' && name !== 'key' && value !== undefined);
  return Object.fromEntries(names.map(([name]) => [name, now[name] ?? null]));
}

const only = (now: Fields | undefined, names: readonly string[]): Fields | undefined =>
  now === undefined ? undefined : Object.fromEntries(names.map((name) => [name, now[name] ?? null]));

/** What an operation writes over: the values that another program may have written since. */
interface Overwritten<K extends OperationId> {
  /** Reads the values now, in the form in which they are compared; undefined where the thing is gone. */
  readonly now: (before: Before<K>) => Fields | undefined;
  /** The members of the audit log that name the thing, and its id or key. */
  readonly about: (before: Before<K>) => readonly [members: readonly string[], id: number | string];
  /** Whether it deletes the thing. What somebody else has changed since is not deleted by an undo, even on request. */
  readonly deletes?: true;
  /** Whether it makes a match of lines, whose amounts are the values by the ids of the lines. A match whose sums are other ones is not made, even on request. */
  readonly matches?: true;
  /** Returns the name of a value that is an amount in words; null for the others. */
  readonly amountName?: (name: string) => string | null;
  /** The currency of amounts among the values. */
  readonly currency?: (before: Before<K>, name: string) => { readonly currency: string; readonly decimal_places: number } | null;
}

/** Returns the amounts of a balance of a period, each by a name such as `stated_closing books GBP`. */
function amountsOfBalance({ side, currency = '', opening, stated_closing }: GivenBalances[number]): (readonly [string, number | null])[] {
  return Object.entries({ opening, stated_closing }).flatMap(([field, amount]) =>
    amount === undefined ? [] : [[`${field} ${side} ${currency}`, amount] as const],
  );
}

function nameOfBalance(name: string): string | null {
  const [field = '', side, currency = ''] = name.split(' ');
  if (side === undefined) return null;
  const which = { isBank: side === 'bank' ? 'yes' : 'no', hasCurrency: currency === '' ? 'no' : 'yes', currency };
  return phrase('book.undo.balanceOf', { balance: fieldText(field), ...which });
}

function moneyOfBalance(before: Before<'periods.update'>, name: string) {
  const [, side, currency = ''] = name.split(' ');
  if (currency !== '') return { currency, decimal_places: decimalPlacesOf(currency) };
  return periodNow(before)?.balances.find((each) => each.side === side) ?? null;
}

type Rows = { readonly [K in OperationId]?: Overwritten<K> };

const byId =
  (...members: readonly string[]) =>
  ({ input }: { readonly input: { readonly id: number } }): readonly [readonly string[], number] => [members, input.id];

/** Reads the fields that an operation changes, by operation. Undo compares them, and an inverse writes them back. */
export const FIELDS_NOW = {
  'streams.update': ({ ask, input }: Before<'streams.update'>) => ask('streams.get', { key: input.key }),
  'reconciliations.update': ({ ask, input }: Before<'reconciliations.update'>) => {
    const found = ask('reconciliations.get', { id: input.id });
    if (found === undefined) return undefined;
    const ids = (streams: readonly { readonly id: number }[]): number[] => streams.map(({ id }) => id);
    return { ...found, side_a_stream_ids: ids(found.side_a_streams), side_b_stream_ids: ids(found.side_b_streams) };
  },
  'exceptions.update': ({ ask, input }: Pick<Before<'exceptions.update'>, 'ask' | 'input'>) => {
    const found = ask('exceptions.get', { id: input.id });
    return found && { ...found, assignee: found.assignees[0] ?? null, comment: found.comments[0] ?? null };
  },
  'book.update': ({ ask }: Before<'book.update'>) => ask('book.overview', {}),
  'notation.update': ({ ask }: Before<'notation.update'>) => ask('notation.get', {}),
  'views.update': ({ ask, input }: Pick<Before<'views.update'>, 'ask' | 'input'>) =>
    ask('views.list', {})?.find(({ id }) => id === input.id),
  'connections.update': ({ read, caller, input }: Pick<Before<'connections.update'>, 'read' | 'caller' | 'input'>) =>
    findConnection(read, caller.environmentId, input.id),
  'import_recipes.update': ({ ask, input }: Before<'import_recipes.update'>) =>
    ask('import_recipes.list', {})?.find(({ id }) => id === input.id)?.recipe,
  'bank_accounts.update': ({ ask, input }: Pick<Before<'bank_accounts.update'>, 'ask' | 'input'>) =>
    ask('bank_accounts.get', { id: input.id }),
} as const;

export function periodNow({ read, caller, input }: Pick<Before<'periods.update'>, 'read' | 'caller' | 'input'>) {
  const row = findPeriod(read, caller.environmentId, input.id);
  return row === undefined ? undefined : periodView(read, row, false);
}

/** Returns the balances that people entered in a period, in the form of the input. */
export function enteredOf({ balances }: Pick<Output<'periods.create'>, 'balances'>) {
  return balances.map(({ side, currency, opening, stated_closing: closing }) => ({ side, currency, opening, stated_closing: closing }));
}

/** Returns what an undo may keep of a change of a connection: a password is in the secret store alone. */
export function withoutSecret({ id, name, address }: Input<'connections.update'>): Input<'connections.update'> {
  return { id, name, address: address === undefined ? undefined : withoutPassword(address).address };
}

type GivenBalances = NonNullable<Input<'periods.update'>['balances']>;

/** Returns the former values of the balances that a change names; null where nothing was entered. */
export function formerBalances(period: Output<'periods.update'>, given: GivenBalances): GivenBalances {
  return given.map(({ side, currency, opening, stated_closing: closing }) => {
    const entered = period.balances.find((balance) => balance.side === side && (currency === undefined || balance.currency === currency));
    return {
      side,
      ...(currency === undefined ? {} : { currency }),
      ...(opening === undefined ? {} : { opening: entered?.opening ?? null }),
      ...(closing === undefined ? {} : { stated_closing: entered?.stated_closing ?? null }),
    };
  });
}

/** Returns what a period holds of that which an input names. */
export function formerPeriod(
  period: Output<'periods.update'>,
  { from, to, bank_side: side, balances }: Omit<Input<'periods.update'>, 'id'>,
) {
  return {
    ...(from === undefined ? {} : { from: period.from }),
    ...(to === undefined ? {} : { to: period.to }),
    ...(side === undefined ? {} : { bank_side: period.bank_side_given ? period.bank_side : null }),
    ...(balances === undefined ? {} : { balances: formerBalances(period, balances) }),
  };
}

/** The fields that a person or a program writes. */
const writtenFields = (operation: 'rules.update' | 'records.update'): readonly string[] =>
  Object.keys(contract[operation].input.shape).filter((name) => name !== 'id');
// The place of a rule is written with that of the other rules.
const RULE_FIELDS = writtenFields('rules.update').filter((name) => name !== 'priority');
const RECORD_FIELDS = writtenFields('records.update');

function recordNow({ ask, input }: Pick<Before<'records.get'>, 'ask' | 'input'>): Fields | undefined {
  return ask('records.get', { id: input.id });
}

function moneyOfRecord({ ask, input }: Pick<Before<'records.get'>, 'ask' | 'input'>) {
  return ask('records.get', { id: input.id }) ?? null;
}

/** Returns a match with the line that makes it balance, as far as a person or a program writes them. */
function matchNow({ ask, input }: Pick<Before<'matches.get'>, 'ask' | 'input'>): Fields | undefined {
  const match = ask('matches.get', { id: input.id });
  if (match === undefined) return undefined;
  const { status, record_count, difference, difference_reason, adjustment_record_id: id } = match;
  const adjustment = id === null ? undefined : ask('records.get', { id });
  return { status, record_count, difference, difference_reason, adjustment: only(adjustment, RECORD_FIELDS) ?? null };
}

/** Returns the amounts of lines by their ids, with the sign of a payment. */
function amountsNow(read: ReadHandle, { environmentId }: Caller, ids: readonly number[]): Fields {
  const lines = recordsById(read, environmentId, ids);
  return Object.fromEntries(lines.map(({ id, amount, direction }) => [String(id), direction === 0 ? -amount : amount]));
}

/** Returns what an operation that makes a match of lines depends on. */
function ofMatch<K extends OperationId>(
  idsOf: (before: Before<K>) => readonly number[] | undefined,
): Pick<Overwritten<K>, 'now' | 'about' | 'matches' | 'currency'> {
  return {
    now: (before) => {
      const ids = idsOf(before);
      return ids === undefined ? undefined : amountsNow(before.read, before.caller, ids);
    },
    about: (before) => [['record_id', 'record_ids'], idsOf(before)?.[0] ?? 0],
    matches: true,
    currency: (before) => recordsById(before.read, before.caller.environmentId, idsOf(before)?.slice(0, 1) ?? [])[0] ?? null,
  };
}

interface OnProposals {
  readonly read: ReadHandle;
  readonly input: { readonly id: number; readonly match_ids?: readonly number[] | undefined };
}

/** What a decision on proposals that is made again depends on: one of them is still there. Each run finds its own anew. */
const OF_PROPOSALS = {
  now: ({ read, input: { match_ids: ids } }: OnProposals): Fields | undefined =>
    ids === undefined || matchesById(read, ids).some(({ status }) => status === 'proposed') ? {} : undefined,
  about: ({ input }: OnProposals): readonly [readonly string[], number] => [['reconciliation_id'], input.id],
};

function moneyOfMatch({ ask, read, input }: Pick<Before<'matches.get'>, 'ask' | 'read' | 'input'>) {
  const [member] = memberIds(read, input.id);
  return member === undefined ? null : (ask('records.get', { id: member.record_id }) ?? null);
}

function overdueNow({ ask, input }: Pick<Before<'records.clear_overdue'>, 'ask' | 'input'>): Fields | undefined {
  const record = ask('records.get', { id: input.id });
  const mark = record?.overdue.find((each) => each.reconciliation_id === input.reconciliation_id);
  return record === undefined ? undefined : { overdue_at: mark?.overdue_at ?? null };
}

function openItemsNow({ ask, input }: Before<'open_items.put_many'>): Fields | undefined {
  const found = input.changes.flatMap(({ record_ids: ids, ...change }) =>
    ids.map((id) => [String(id), ofInput(change, ask('open_items.get', { id: input.id, record_id: id })) ?? null] as const),
  );
  const [one] = found;
  // The values of a single item are named as they are; of several, each item is one value.
  return found.length === 1 && one !== undefined ? (one[1] ?? undefined) : Object.fromEntries(found);
}

/** Returns a bank account with what hangs on it, all of which goes with it. */
function bankAccountNow({ ask, input }: Pick<Before<'bank_accounts.get'>, 'ask' | 'input'>): Fields | undefined {
  const account = ask('bank_accounts.get', { id: input.id });
  const balances = ask('bank_account_balances.list', { bank_account_id: input.id }) ?? [];
  const entered = balances.map(({ date, balance_type: type, amount_cents: amount }) => [date, type, amount]);
  return account === undefined ? undefined : { ...only(account, ['name', 'currency']), balances: entered };
}

function centsOf({ ask }: Pick<Before<'bank_accounts.get'>, 'ask'>, accountId: number | null) {
  const currency = accountId === null ? null : ask('bank_accounts.get', { id: accountId })?.currency;
  return typeof currency === 'string' ? { currency, decimal_places: decimalPlacesOf(currency) } : null;
}

const rulesNow = ({ ask, input }: Before<'rules.reorder' | 'rules.take_preset'>): Output<'rules.list'> | undefined =>
  ask('rules.list', { reconciliation_id: input.id });

/**
 * What each operation writes over that undo or redo calls, or depends on. An operation that is not here makes something, brings something back that is
 * gone, or keeps by itself what was changed since; `test/service/undo/every-undo.test.ts` lists them.
 */
const OVERWRITTEN = {
  'streams.update': {
    now: (before) => ofInput(before.input, FIELDS_NOW['streams.update'](before)),
    about: ({ input }) => [['key', 'stream'], input.key],
  },
  'reconciliations.update': {
    now: (before) => ofInput(before.input, FIELDS_NOW['reconciliations.update'](before)),
    about: byId('reconciliation_id'),
  },
  'records.update': {
    now: (before) => ofInput(before.input, recordNow(before)),
    about: byId('record_id', 'record_ids'),
    currency: moneyOfRecord,
  },
  'records.remove': {
    now: (before) => only(recordNow(before), RECORD_FIELDS),
    about: byId('record_id', 'record_ids'),
    deletes: true,
    currency: moneyOfRecord,
  },
  'records.split': {
    now: (before) => only(recordNow(before), ['amount', 'direction']),
    about: byId('record_id', 'record_ids'),
    currency: moneyOfRecord,
  },
  'records.mark_overdue': { now: overdueNow, about: byId('record_id', 'record_ids') },
  'records.clear_overdue': { now: overdueNow, about: byId('record_id', 'record_ids') },
  'exceptions.update': {
    now: (before) => ofInput(before.input, FIELDS_NOW['exceptions.update'](before)),
    about: byId('exception_id'),
  },
  'exceptions.update_many': {
    now: ({ ask, input: { ids, ...given } }) =>
      Object.fromEntries(
        [...new Set(ids)].map((id) => [String(id), ofInput(given, FIELDS_NOW['exceptions.update']({ ask, input: { id } })) ?? null]),
      ),
    about: ({ input }) => [['exception_id'], input.ids[0] ?? 0],
  },
  'book.update': { now: (before) => ofInput(before.input, FIELDS_NOW['book.update'](before)), about: () => [[], ''] },
  'notation.update': { now: (before) => ofInput(before.input, FIELDS_NOW['notation.update'](before)), about: () => [[], ''] },
  'views.update': {
    now: (before) => ofInput(before.input, FIELDS_NOW['views.update'](before)),
    about: byId('view_id'),
  },
  'views.remove': {
    now: (before) => only(FIELDS_NOW['views.update'](before), ['name', 'filter']),
    about: byId('view_id'),
    deletes: true,
  },
  'connections.update': {
    now: (before) => ofInput(withoutSecret(before.input), FIELDS_NOW['connections.update'](before)),
    about: byId('connection_id'),
  },
  'connections.remove': {
    now: (before) => only(FIELDS_NOW['connections.update'](before), ['name', 'address']),
    about: byId('connection_id'),
    deletes: true,
  },
  'import_recipes.update': {
    now: (before) => ofInput(before.input, FIELDS_NOW['import_recipes.update'](before)),
    about: byId('import_recipe_id'),
  },
  'import_batches.correct_currency': {
    now: ({ read, caller, input }) => only(findBatch(read, caller.environmentId, input.id), ['currency']),
    about: byId('import_batch_id', 'batch_id'),
  },
  'bank_accounts.update': {
    now: (before) => ofInput(before.input, FIELDS_NOW['bank_accounts.update'](before)),
    about: byId('bank_account_id'),
  },
  'bank_accounts.remove': { now: bankAccountNow, about: byId('bank_account_id'), deletes: true },
  'bank_account_balances.put': {
    now: ({ ask, input: { bank_account_id: account, date, balance_type: type } }) => {
      const listed = ask('bank_account_balances.list', { bank_account_id: account });
      const found = listed?.find((each) => each.date === date && each.balance_type === type && each.import_batch_id === null);
      return listed === undefined ? undefined : { amount_cents: found?.amount_cents ?? null };
    },
    about: ({ input }) => [['bank_account_id'], input.bank_account_id],
    currency: (before) => centsOf(before, before.input.bank_account_id),
  },
  'bank_account_balances.remove': {
    now: ({ ask, read, input }) => {
      const found = findBalance(read, input.id);
      // The balances of an account that was deleted go with it.
      const account = found === undefined || found.account === null ? undefined : ask('bank_accounts.get', { id: found.account });
      return found === undefined || account === undefined
        ? undefined
        : { amount_cents: found.amount, day: isoFromDay(found.day), type: found.balance_type };
    },
    about: ({ read, input }) => [['bank_account_id'], findBalance(read, input.id)?.account ?? 0],
    deletes: true,
    currency: (before) => centsOf(before, findBalance(before.read, before.input.id)?.account ?? null),
  },
  'rules.update': {
    now: ({ ask, input }) => ofInput(input, ask('rules.get', { id: input.id })),
    about: byId('rule_id'),
  },
  'rules.remove': { now: ({ ask, input }) => only(ask('rules.get', { id: input.id }), RULE_FIELDS), about: byId('rule_id'), deletes: true },
  'rules.dismiss': {
    now: ({ ask, input }) => only(ask('rules.get', { id: input.id }), RULE_FIELDS),
    about: byId('rule_id'),
    deletes: true,
  },
  'rules.reorder': {
    now: (before) => ({ rule_ids: rulesNow(before)?.map(({ id }) => id) ?? null }),
    about: byId('reconciliation_id'),
  },
  'rules.take_preset': {
    now: (before) => ({ rules: rulesNow(before)?.map((rule) => only(rule, RULE_FIELDS)) ?? null }),
    about: byId('reconciliation_id'),
    deletes: true,
  },
  'periods.update': {
    now: (before) => {
      const period = periodNow(before);
      if (period === undefined) return undefined;
      const { balances = [], ...plain } = formerPeriod(period, before.input);
      return { ...plain, ...Object.fromEntries(balances.flatMap(amountsOfBalance)) };
    },
    about: byId('period_id'),
    amountName: nameOfBalance,
    currency: moneyOfBalance,
  },
  'periods.remove': {
    now: (before) => {
      const period = periodNow(before);
      return period === undefined ? undefined : { from: period.from, to: period.to, balances: enteredOf(period) };
    },
    about: byId('period_id'),
    deletes: true,
  },
  'open_items.put_many': {
    now: openItemsNow,
    about: ({ input }) => [['record_id', 'record_ids'], input.changes[0]?.record_ids[0] ?? 0],
  },
  'matches.create': ofMatch(({ input }) => input.record_ids),
  'matches.confirm': ofMatch(({ read, input }) => {
    const ids = memberIds(read, input.id).map((member) => member.record_id);
    return ids.length === 0 ? undefined : ids;
  }),
  'matches.restore': ofMatch(({ read, caller, input }) =>
    findDissolved(read, caller.environmentId, input.id)?.members.map((member) => member.recordId),
  ),
  'confirmations.create': OF_PROPOSALS,
  'rejections.create': OF_PROPOSALS,
  'matches.undo_create': { now: matchNow, about: byId('match_id', 'match_ids'), deletes: true, currency: moneyOfMatch },
  'matches.remove': { now: matchNow, about: byId('match_id', 'match_ids'), deletes: true, currency: moneyOfMatch },
  'sync_conflicts.choose': {
    now: ({ ask, input }) => only(ask('sync_conflicts.get', { id: input.id })?.conflict, ['choice']),
    about: byId('conflict_id', 'sync_conflict_id'),
  },
  'sync_unsure.settle': {
    now: ({ read, caller, input }) => only(findUnsure(read, caller.environmentId, input.id), ['choice']),
    about: byId('unsure_id', 'sync_unsure_id'),
  },
} satisfies Rows;

type AnyBefore = Before<OperationId>;
type AnyRow = Overwritten<OperationId>;

const rowOf = (operation: string): AnyRow | undefined => (OVERWRITTEN as unknown as Readonly<Record<string, AnyRow>>)[operation];

/** Returns a step with the values that it would write over as they are now; as it is, if it writes over nothing. */
export function withLeft(step: Step, before: AnyBefore, audited: number): Step {
  const row = rowOf(step.operation);
  return row === undefined ? step : { ...step, left: row.now(before) ?? null, audited };
}

/** What can be done about a change since, in words. */
const CHOICES = {
  overwriteOrSkip: 'book.undo.overwriteOrSkip',
  skipOnly: 'book.undo.skipOnly',
  goneOnly: 'book.undo.goneOnly',
  matchOnly: 'book.undo.matchOnly',
} as const;

/** What was changed since a step was noted. */
export interface ChangedSince {
  readonly words: string;
  /** What can be done about it. */
  readonly choice: keyof typeof CHOICES;
  /** What is there now, as text that differs wherever that does. */
  readonly now: string;
}

/** Returns what was changed since a step was noted, in words; null if all is as it was left. */
export function changedSince(step: Step, before: AnyBefore): ChangedSince | null {
  const row = rowOf(step.operation);
  if (row === undefined || step.left === undefined) return null;
  const now = row.now(before) ?? null;
  if (JSON.stringify(now) === JSON.stringify(step.left)) return null;
  return {
    now: JSON.stringify(now),
    words: [...changesInWords(row, before, step.left, now), ...whoAndWhen(row, before, step, now)].join(' '),
    choice: now === null ? 'goneOnly' : row.matches === true ? 'matchOnly' : row.deletes === true ? 'skipOnly' : 'overwriteOrSkip',
  };
}

/** How many fields a sentence names. */
const NAMED_FIELDS = 3;

function changesInWords(row: AnyRow, before: AnyBefore, left: Fields | null, now: Fields | null): string[] {
  if (now === null) return [phrase('book.undo.isGone')];
  const lines = row.matches === true ? Object.keys(left ?? {}).filter((id) => !(id in now)) : [];
  if (lines.length > 0) return [phrase('book.undo.linesGone', { count: lines.length })];
  const names = Object.keys(now).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(left?.[name] ?? null));
  const sentences = names.slice(0, NAMED_FIELDS).map((name) => {
    const amountName = row.amountName?.(name) ?? null;
    const isAmount = row.matches === true || amountName !== null || MONEY_FIELDS.has(name);
    const money = isAmount ? (row.currency?.(before, name) ?? null) : null;
    const [is, was] = [valueText(now[name], money), valueText(left?.[name], money)];
    if (row.matches === true && is !== null && was !== null) {
      const line = lineName(
        recordsById(before.read, before.caller.environmentId, [Number(name)])[0] ?? {
          id: Number(name),
          description: null,
          external_id: null,
        },
      );
      return phrase('book.undo.amountOf', { line, is, was });
    }
    return is === null || was === null
      ? phrase('book.undo.another', { field: /^\d+$/u.test(name) ? phrase('book.undo.item', { id: Number(name) }) : fieldText(name) })
      : phrase('book.undo.became', { field: amountName ?? fieldText(name), is, was });
  });
  return names.length > NAMED_FIELDS ? [...sentences, phrase('book.undo.more', { count: names.length - NAMED_FIELDS })] : sentences;
}

const MONEY_FIELDS: ReadonlySet<string> = new Set(['amount', 'amount_cents', 'difference']);

/** Returns a value in words; null for one that takes more than a few. */
function valueText(value: unknown, money: { readonly currency: string; readonly decimal_places: number } | null): string | null {
  if (value === null || value === undefined) return phrase('book.history.nothing');
  if (typeof value === 'number' && money !== null) return currencyText(decimalText(value, money.decimal_places), money.currency);
  if (typeof value === 'boolean') return phrase(value ? 'book.history.yes' : 'book.history.no');
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  return /^\d{4}-\d{2}-\d{2}$/u.test(value) ? dateText(value) : `“${value}”`;
}

/** Says who wrote last about the thing, or about a line whose amount is another one, and when. */
function whoAndWhen(row: AnyRow, before: AnyBefore, { left, audited: after = 0 }: Step, now: Fields | null): string[] {
  const { read, caller } = before;
  const [members, thing] = row.about(before);
  const line = row.matches === true && now !== null ? Object.keys(now).find((id) => now[id] !== left?.[id]) : undefined;
  const entry = newestAbout(read, { environmentId: caller.environmentId, after, members, id: line === undefined ? thing : Number(line) });
  if (entry === undefined) return [];
  const key = listApiKeys(read, caller.environmentId).find((each) => `key:${each.id}` === entry.actor);
  const by = key === undefined ? actorText(entry.actor) : `“${key.name}”`;
  const at = new Date(entry.at).toISOString();
  return [phrase('book.undo.lastBy', { by, day: dateText(at.slice(0, 10)), time: at.slice(11, 16) })];
}

/** Returns the sentence of a refused undo, with what can be done instead. */
export function refusedWords(
  row: Pick<UndoEntryRow, 'label'>,
  { words, choice }: Pick<ChangedSince, 'words' | 'choice'>,
  isRedo: boolean,
): string {
  const head = phrase(isRedo ? 'book.undo.notDoneAgain' : 'book.undo.notUndone', { label: row.label });
  return `${head} ${words} ${phrase(CHOICES[choice])}`;
}
