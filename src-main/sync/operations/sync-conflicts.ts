import type {
  Output,
  ReconciliationSummary,
  SyncConflict,
  SyncConflictLine,
  SyncConflictSide,
  SyncUnsure,
} from '../../../src-shared/contract/index.ts';
import { whenRead } from '../../close/work/figures.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, refuse, refuseField, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { summaryOf } from '../../service/views.ts';
import {
  chooseInConflict,
  conflictAbout,
  type ConflictDetail,
  type ConflictRecord,
  type ConflictSide,
  conflictsOf,
  findConflict,
  type SyncConflictRow,
} from '../store/conflicts.ts';
import { accountName, balanceMoney, matchMade, matchStatus, reconciliationOfStream, streamKeysOf } from '../store/reads.ts';
import {
  chooseOfUnsure,
  findUnsure,
  ownersOf,
  remoteById,
  remotesOf,
  type SyncRemoteRow,
  unsureOf,
  type UnsureRow,
} from '../store/remotes.ts';
import { ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams/streams.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle } from '../../database/database.ts';
import { lastNotMoved } from '../store/lines.ts';
import { findIntent, findLink, placesOfRecords } from '../store/links.ts';

type ConflictSidesMoney = SyncConflictLine['money'];

/** The side of the reconciliation that each stream is on, by stream key; empty if there is no reconciliation. */
type SidesByStream = ReadonlyMap<string, 'a' | 'b'>;

function moneyOf({ amount, currency, decimal_places }: Pick<ConflictRecord, 'amount' | 'currency' | 'decimal_places'>): ConflictSidesMoney {
  return { amount, currency, decimal_places };
}

const isSame = (one: ConflictRecord, other: ConflictRecord): boolean =>
  one.local_id !== null &&
  one.local_id === other.local_id &&
  one.amount === other.amount &&
  one.date === other.date &&
  one.description === other.description;

function lineOf(record: ConflictRecord, others: readonly ConflictRecord[], sides: SidesByStream): SyncConflictLine {
  return {
    side: sides.get(record.stream) ?? null,
    record_id: record.local_id,
    date: record.date,
    description: record.description,
    reference: record.external_id,
    money: moneyOf(record),
    differs: !others.some((other) => isSame(record, other)),
  };
}

/** Returns the sum of one side's lines, or null if they have several currencies or scales. */
function sumOf(records: readonly ConflictRecord[]): ConflictSidesMoney | null {
  const [first] = records;
  if (first === undefined) return null;
  const isAlike = records.every((each) => each.currency === first.currency && each.decimal_places === first.decimal_places);
  return isAlike ? { ...moneyOf(first), amount: records.reduce((sum, { amount }) => sum + amount, 0) } : null;
}

/** Returns the rows that show how the lines of a match add up. `sign` is -1 if both sides have the same sign. */
function sumsOf(side: ConflictSide, sides: SidesByStream, sign: 1 | -1): SyncConflictSide['sums'] {
  const of = (name: 'a' | 'b') => side.records.filter(({ stream }) => sides.get(stream) === name);
  const [a, b] = [sumOf(of('a')), sumOf(of('b'))];
  if (a === null || b === null || a.currency !== b.currency || a.decimal_places !== b.decimal_places) return [];
  const rest = a.amount + sign * b.amount;
  const booked = side.adjustment === null ? [] : [{ label: bookedWords(side.adjustment), money: { ...a, amount: -rest } }];
  return [
    { label: phrase('sync.syncConflicts.sideA', { lines: of('a').length }), money: a },
    ...booked,
    {
      label: phrase('sync.syncConflicts.sideB', { isLess: sign === -1 ? 'yes' : 'no', lines: of('b').length }),
      money: { ...b, amount: sign * b.amount },
    },
    { label: phrase('sync.syncConflicts.leftOver'), money: { ...a, amount: side.adjustment === null ? rest : 0 } },
  ];
}

const bookedWords = (words: string): string =>
  words === '' ? phrase('sync.syncConflicts.bookedAsADifference') : phrase('sync.syncConflicts.bookedAs', { words });

function countWords(count: number): string {
  return `${count} ${count === 1 ? 'line' : 'lines'}`;
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  amount_cents: 'amount',
  external_id: 'reference',
  decimal_places: 'decimals',
  side_a: 'side A',
  side_b: 'side B',
};

function fieldsOf(side: ConflictSide, other: ConflictSide): SyncConflictSide['fields'] {
  const words = new Map(other.fields.map((field) => [field.name, field.words]));
  return side.fields
    .filter((field) => field.words !== 'null' || (words.get(field.name) ?? 'null') !== 'null')
    .map((field) => ({
      name: FIELD_NAMES[field.name] ?? field.name.replaceAll('_', ' '),
      words: field.words === 'null' ? phrase('sync.runningSync.none') : field.words,
      differs: !other.gone && words.get(field.name) !== field.words,
    }));
}

interface Shown {
  readonly sides: SidesByStream;
  readonly sign: 1 | -1;
  /** The origin and time of the match in the book. */
  readonly by: { readonly words: string; readonly at: string } | null;
}

/** Returns both sides; each marks where it differs from the other. */
function sidesOf({ here, there }: ConflictDetail, { sides, sign, by }: Shown): { here: SyncConflictSide; there: SyncConflictSide } {
  const view = (own: ConflictSide, other: ConflictSide): SyncConflictSide => ({
    by: null,
    at: null,
    is_gone: own.gone,
    // The fields of a record already show what its line would.
    lines: own.fields.length > 0 ? [] : own.records.map((record) => lineOf(record, other.records, sides)),
    fields: fieldsOf(own, other),
    sums: own.fields.length > 0 ? [] : sumsOf(own, sides, sign),
  });
  return { here: { ...view(here, there), by: by?.words ?? null, at: by?.at ?? null }, there: view(there, here) };
}

interface ChoiceWords {
  readonly label: string;
  readonly verb: string;
}

const BOTH: Readonly<Record<string, ChoiceWords>> = {
  keep_local: { label: phrase('sync.syncConflicts.asItIsHere'), verb: phrase('sync.syncConflicts.keepThis') },
  take_remote: { label: phrase('sync.syncConflicts.asItIsThere'), verb: phrase('sync.syncConflicts.takeTheirs') },
};
const MATCH: Readonly<Record<string, ChoiceWords>> = {
  keep_local: { label: phrase('sync.syncConflicts.theMatchHere'), verb: phrase('sync.syncConflicts.keepThis') },
  take_remote: { label: phrase('sync.syncConflicts.theMatchThere'), verb: phrase('sync.syncConflicts.takeTheirs') },
  neither: { label: phrase('sync.syncConflicts.neither'), verb: phrase('sync.syncConflicts.undoBoth') },
};
const GONE_THERE: Readonly<Record<string, ChoiceWords>> = {
  keep_local: { label: phrase('sync.syncConflicts.itStays'), verb: phrase('sync.syncConflicts.sendItAgain') },
  take_remote: { label: phrase('sync.syncConflicts.itGoes'), verb: phrase('sync.syncConflicts.deleteHereToo') },
};
const GONE_HERE: Readonly<Record<string, ChoiceWords>> = {
  keep_local: { label: phrase('sync.syncConflicts.itGoes'), verb: phrase('sync.syncConflicts.deleteThereToo') },
  take_remote: { label: phrase('sync.syncConflicts.itComesBack'), verb: phrase('sync.syncConflicts.bringItBack') },
};
const CLOSED: Readonly<Record<string, ChoiceWords>> = {
  keep_local: { label: phrase('sync.syncConflicts.asItIsHere'), verb: phrase('sync.syncConflicts.keepThisSide') },
  take_remote: { label: phrase('sync.syncConflicts.asItIsThereOnce'), verb: phrase('sync.syncConflicts.takeTheirs') },
};

const OVERLAP: Readonly<Record<string, ChoiceWords>> = {
  same: { label: phrase('sync.syncConflicts.oneLineEachSideKeeps'), verb: phrase('sync.syncConflicts.theSameLine') },
  both: { label: phrase('sync.syncConflicts.twoLinesOnBothSides'), verb: phrase('sync.syncConflicts.keepBoth') },
};

const OF_KIND: Readonly<Record<string, Readonly<Record<string, ChoiceWords>>>> = { closed_period: CLOSED, match: MATCH, overlap: OVERLAP };

function choiceWords(kind: string, { here, there }: ConflictDetail, choice: string): ChoiceWords {
  const words = OF_KIND[kind] ?? (there.gone ? GONE_THERE : here.gone ? GONE_HERE : BOTH);
  return words[choice] ?? { label: choice, verb: choice };
}

type Effect = Output<'sync_conflicts.get'>['outcomes'][number]['effects'][number];
type Money = SyncConflictLine['money'];

/** The figures of the reconciliation that a choice can change. */
interface Figures {
  readonly summary: ReconciliationSummary;
  readonly sides: SidesByStream;
  /** -1 if both sides have the same sign, so that the difference is A minus B. */
  readonly sign: 1 | -1;
}

/** The lines that a choice opens and those that it settles. */
interface Change {
  readonly opened: readonly ConflictRecord[];
  readonly settled: readonly ConflictRecord[];
}

const without = (records: readonly ConflictRecord[], others: readonly ConflictRecord[]): ConflictRecord[] =>
  records.filter(({ local_id: id }) => id === null || !others.some((other) => other.local_id === id));

/** Returns what a choice opens and settles in the book if nothing else changes. */
function changeOf(kind: string, { here, there }: ConflictDetail, choice: string): Change {
  const none: Change = { opened: [], settled: [] };
  if (kind === 'match') {
    if (choice === 'neither') return { opened: here.records, settled: [] };
    if (choice === 'keep_local') return none;
    return { opened: without(here.records, there.records), settled: without(there.records, here.records) };
  }
  if (kind === 'overlap') return choice === 'both' ? { opened: there.records, settled: [] } : none;
  if (choice !== 'take_remote') return none;
  if (kind === 'closed_period' && here.records.length + there.records.length > 1) {
    return here.gone ? { opened: [], settled: there.records } : { opened: here.records, settled: [] };
  }
  // A single record: the remote version replaces the local one.
  return { opened: there.records, settled: here.records };
}

interface Open {
  readonly count: number;
  readonly net: number;
}

function openNow(summary: ReconciliationSummary, side: 'a' | 'b', currency: string): Open {
  const total = summary[side === 'a' ? 'side_a' : 'side_b'].totals.find((each) => each.currency === currency);
  return { count: total?.unmatched ?? 0, net: total?.unmatched_net ?? 0 };
}

function movedBy(records: readonly ConflictRecord[], side: 'a' | 'b', sides: SidesByStream): Open {
  const own = records.filter(({ stream }) => sides.get(stream) === side);
  return { count: own.length, net: own.reduce((sum, { amount }) => sum + amount, 0) };
}

function names(records: readonly ConflictRecord[]): string {
  const shown = records.slice(0, 2).map(({ description, external_id: id }) => description ?? id ?? phrase('sync.syncConflicts.aLine'));
  return records.length > 2 ? `${shown.join(', ')} and ${records.length - 2} more` : shown.join(', ');
}

/** Returns the effects of a choice on open lines and difference, in the currency of the lines. */
function effectsOf(kind: string, detail: ConflictDetail, choice: string, { summary, sides, sign }: Figures): Effect[] {
  const [any] = [...detail.here.records, ...detail.there.records];
  if (any === undefined) return [];
  const change = changeOf(kind, detail, choice);
  const money = (amount: number): Money => ({ ...moneyOf(any), amount });
  const after = (side: 'a' | 'b'): Open => {
    const now = openNow(summary, side, any.currency);
    const [opened, settled] = [movedBy(change.opened, side, sides), movedBy(change.settled, side, sides)];
    return { count: now.count + opened.count - settled.count, net: now.net + opened.net - settled.net };
  };
  const now = { a: openNow(summary, 'a', any.currency), b: openNow(summary, 'b', any.currency) };
  const then = { a: after('a'), b: after('b') };
  const openRow = (side: 'a' | 'b'): Effect => ({
    label: phrase('sync.syncConflicts.openSide', { side: side.toUpperCase() }),
    words: countWords(then[side].count),
    money: money(then[side].net),
    moves: then[side].count !== now[side].count || then[side].net !== now[side].net,
  });
  const difference = then.a.net + sign * then.b.net;
  const moves = difference !== now.a.net + sign * now.b.net;
  // Lines of a match open or are settled; a single line appears or disappears.
  const isSet = kind === 'match' || (kind !== 'overlap' && (detail.here.records.length > 1 || detail.there.records.length > 1));
  const isMoved = kind === 'match' || kind === 'overlap' || detail.here.gone || detail.there.gone;
  const rows = [
    openRow('a'),
    openRow('b'),
    {
      label: sign === -1 ? phrase('sync.syncConflicts.differenceLess') : phrase('sync.syncConflicts.differenceWith'),
      words: moves ? phrase('sync.syncConflicts.moves') : phrase('sync.syncConflicts.asNow'),
      money: money(difference),
      moves,
    },
  ];
  // If both sides keep the same line, nothing opens and nothing is settled.
  if (!isMoved) return rows;
  return [
    ...rows,
    {
      label: isSet ? phrase('sync.syncConflicts.opensAgain') : phrase('sync.syncConflicts.comes'),
      words: change.opened.length === 0 ? phrase('sync.syncConflicts.nothing') : names(change.opened),
      money: null,
      moves: change.opened.length > 0,
    },
    {
      label: isSet ? phrase('sync.syncConflicts.isSettled') : phrase('sync.syncConflicts.goes'),
      words: change.settled.length === 0 ? phrase('sync.syncConflicts.nothing') : names(change.settled),
      money: null,
      moves: change.settled.length > 0,
    },
  ];
}

const deletedOnBothSides = (choice: string): Effect => ({
  label: phrase('sync.syncConflicts.onBothSides'),
  words: phrase('sync.syncConflicts.deleted'),
  money: null,
  moves: choice === 'take_remote',
});

/** Returns the effects of a choice on an object that has fields: their values on both sides afterwards. */
function fieldEffects(detail: ConflictDetail, choice: string): Effect[] {
  const { here, there } = detail;
  const [own, other] = choice === 'take_remote' ? [there, here] : [here, there];
  if (own.gone) return [deletedOnBothSides(choice)];
  const others = new Map(other.fields.map(({ name, words }) => [name, words]));
  const differing = own.fields.filter(({ name, words }) => others.get(name) !== words);
  return differing.map(({ name, words }) => ({
    label: name.replaceAll('_', ' '),
    words: words === 'null' ? phrase('sync.runningSync.none') : words,
    money: null,
    moves: choice === 'take_remote',
  }));
}

/** Returns the effects of a choice on a balance, in the currency of its account. */
function balanceEffects(detail: ConflictDetail, choice: string, moneyOfCents: (cents: number) => Money | null): Effect[] {
  const cents = ({ fields }: ConflictDetail['here']): number => Number(fields.find(({ name }) => name === 'amount_cents')?.words ?? 0);
  const [own, now] = [choice === 'take_remote' ? detail.there : detail.here, detail.here];
  if (own.gone) return [deletedOnBothSides(choice)];
  const moves = now.gone || cents(own) !== cents(now);
  return [
    {
      label: phrase('sync.syncConflicts.balance'),
      words: moves ? phrase('sync.syncConflicts.moves') : phrase('sync.syncConflicts.asNow'),
      money: moneyOfCents(cents(own)),
      moves,
    },
    ...(now.gone ? [] : [{ label: phrase('sync.syncConflicts.movesBy'), words: '', money: moneyOfCents(cents(own) - cents(now)), moves }]),
  ];
}

type Detailed = Output<'sync_conflicts.get'>;

const detailOf = ({ id, detail }: SyncConflictRow): ConflictDetail => storedJson('sync_conflicts.detail', detail, id);

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

/** Returns the name of a balance's account, which is the title of a balance conflict. */
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
    choices: storedJson('sync_conflicts.choices', row.choices, row.id),
    choice: row.choice,
    decided_at: timestampOrNull(row.decided_at),
    seen_at: timestampOf(row.seen_at),
    local_id: row.local_id,
    reconciliation_id: detail.reconciliation_id,
    data_stream_key: detail.stream,
  };
}

/** Returns the reconciliation whose figures a choice changes. */
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

/** Returns facts that the two sides do not show themselves. */
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
        words: isNil
          ? phrase('sync.syncConflicts.theMatchBalances', { where })
          : phrase('sync.syncConflicts.theMatchDoesNotBalance', { where }),
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
    made === null
      ? null
      : {
          words: made.origin === 'manual' ? phrase('sync.syncConflicts.matchedByHand') : phrase('sync.syncConflicts.matchedByARule'),
          at: timestampOf(made.created_at),
        };
  const sums = (side: ConflictDetail['here']) => {
    const cents = Number(side.fields.find(({ name }) => name === 'amount_cents')?.words);
    const money = side.gone ? null : balanceMoneyOf(context, detail, cents);
    return money === null ? [] : [{ label: phrase('sync.syncConflicts.balance'), money }];
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

/** Orders undecided conflicts first, and among them those that change figures. */
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
      const choices = storedJson('sync_conflicts.choices', row.choices, row.id);
      if (choice !== null && !choices.includes(choice)) {
        return refuse('conflict', phrase('sync.syncConflicts.conflictHasTheChoicesNot', { id, choices: choices.join(', '), choice }));
      }
      const decidedAtMs = choice === null ? null : clock.nowMs();
      database.write((write) => chooseInConflict(write, id, choice, decidedAtMs));
      context.changed(['sync']);
      return answer(conflictView(context, { ...row, choice, decided_at: decidedAtMs }));
    },
  };
}

function unsureView(row: UnsureRow): SyncUnsure {
  const { id, remote_id, local_id, name, sent_as, sent_at: sentAt, choice, decided_at: decidedAt } = row;
  return {
    id,
    remote_id,
    resource: 'accounts',
    local_id,
    name,
    sent_as,
    sent_at: timestampOf(sentAt),
    choice,
    decided_at: timestampOrNull(decidedAt),
  };
}

/** Returns the account that already has the chosen remote id, or null if it is free. */
function ownerOf(read: ReadHandle, row: UnsureRow, choice: string): string | null {
  const other = ownersOf(read, row, choice).find((id) => id !== row.local_id);
  return other === undefined ? null : (accountName(read, other) ?? `account ${other}`);
}

export function syncUnsureHandlers(context: ServiceContext): Pick<Handlers, 'sync_unsure.list' | 'sync_unsure.settle'> {
  const { database, clock } = context;
  return {
    'sync_unsure.list': (caller, { id }) => {
      if (remoteById(database, caller.environmentId, id) === undefined) return missing('remote', id);
      return answer(unsureOf(database, id).map(unsureView));
    },
    'sync_unsure.settle': (caller, { id, choice }) => {
      const row = findUnsure(database, caller.environmentId, id);
      if (row === undefined) return missing(phrase('sync.syncConflicts.unsureAccount'), id);
      const owner = choice === null ? null : ownerOf(database, row, choice);
      if (owner !== null) {
        return refuseField(
          'conflict',
          'choice',
          phrase('sync.syncConflicts.idThereIsThatOfAlready', { choice: choice ?? '', owner, name: row.name }),
        );
      }
      const decidedAtMs = choice === null ? null : clock.nowMs();
      database.write((write) => chooseOfUnsure(write, id, choice, decidedAtMs));
      context.changed(['sync']);
      return answer(unsureView({ ...row, choice, decided_at: decidedAtMs }));
    },
  };
}

type Why = Output<'syncs.why'>[number];
type Asked = { readonly resource: string; readonly id: number };

type Said = Pick<Why, 'state' | 'words' | 'conflict_id'>;

async function stateOf({ database, sync }: ServiceContext, caller: Caller, remote: SyncRemoteRow, { resource, id }: Asked): Promise<Said> {
  const said = (state: Why['state'], words: string, conflictId: number | null = null) => ({ state, words, conflict_id: conflictId });
  const conflict = conflictAbout(database, remote.id, resource, id);
  if (conflict !== undefined) {
    return conflict.choice === null
      ? said('to_decide', phrase('sync.syncConflicts.bothSidesDisagree', { what: conflict.what }), conflict.id)
      : said('changed', phrase('sync.syncConflicts.decidedTheNextSyncCarries'), conflict.id);
  }
  const unsure = findIntent(database, remote.id, resource, id);
  if (unsure?.is_unsure === 1) {
    return unsure.choice === null
      ? said('unsure', phrase('sync.syncConflicts.sentAndTheAnswerWasLost', { sent_at: timestampOf(unsure.sent_at) }))
      : said('changed', phrase('sync.syncConflicts.youSaidWhetherIt'));
  }
  if (resource === 'matches' && matchStatus(database, id) === 'proposed')
    return said('stays', phrase('sync.syncConflicts.itIsProposedItGoes'));
  if (resource === 'records' && placesOfRecords(database, [id]).get(id) === ADJUSTMENTS_KEY)
    return said('stays', phrase('sync.syncConflicts.itMakesAMatchBalance'));
  const link = findLink(database, remote.id, resource, id);
  const left = lastNotMoved(database, remote.id, resource, id);
  if (link !== undefined) {
    if (left?.act === 'refused') return said('refused', phrase('sync.syncConflicts.aChangeWasRefused', { reason: left.reason }));
    if (await sync.hasChanged({ environment: caller.environment, remoteId: remote.id, resource, id }))
      return said('changed', phrase('sync.syncConflicts.changedHereSinceTheLast'));
    return said(
      'synced',
      remote.last_synced_at === null
        ? phrase('sync.syncConflicts.changedOnBothSides')
        : phrase('sync.syncConflicts.onBothSidesLastCompared', { last_synced_at: timestampOf(remote.last_synced_at) }),
    );
  }
  if (left !== undefined) {
    const state = left.act === 'unsure' ? 'unsure' : left.act === 'refused' ? 'refused' : 'stays';
    return said(state, left.reason);
  }
  return said(
    'not_sent',
    remote.last_synced_at === null
      ? phrase('sync.syncConflicts.nothingHasBeenSyncedYet')
      : phrase('sync.syncConflicts.newSinceTheLastSync'),
  );
}

export function syncWhyHandlers(context: ServiceContext): Pick<Handlers, 'syncs.why'> {
  return {
    'syncs.why': async (caller, asked) => {
      const all: Why[] = [];
      for (const remote of remotesOf(context.database, caller.environmentId)) {
        all.push({ remote_id: remote.id, remote_name: remote.name, ...(await stateOf(context, caller, remote, asked)) });
      }
      return answer(all);
    },
  };
}
