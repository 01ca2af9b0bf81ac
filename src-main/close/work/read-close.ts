import { STATEMENT_ITEMS } from '../../../src-shared/contract/close/period-statement.ts';
import type { PeriodFigures, PeriodStatement, StatementDocument, UndoneStep } from '../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import {
  ageBuckets,
  type AgeBucket,
  ageOf,
  type Cause,
  causesOf,
  causesOfAmount,
  type ChainBreak,
  clearingTimes,
  type CoveredRow,
  coveringHash,
  coveringOf,
  coveringOfAll,
  explanationsOf,
  type ItemAge,
  type LedgerImport,
  type LedgerInput,
  type LedgerSide,
  monthOf,
  type OpenItem,
  type Statement,
  statementOf,
  type TotalOutOfRange,
  undoneSteps,
  undoneWork,
} from '../../domain/ledger/index.ts';
import { setting } from '../../book/store/settings.ts';
import { storedJson } from '../../database/json-columns.ts';
import { type DifferingMatch, differingMatches, statementDocument } from '../../domain/report/index.ts';
import type { ReadHandle } from '../../database/database.ts';
import { openWorkOn, statedBalances } from '../store/close-reads.ts';
import { enteredBalances } from '../store/period-balances.ts';
import { periodsOf, unkeptPeriod } from '../store/periods.ts';
import { madeMatches } from '../store/report-reads.ts';
import { lastSignOff, packedCovering, signOffsOf } from '../store/sign-offs.ts';
import {
  type AccountBalance,
  accountBalancesOf,
  asSigned,
  balancesOf,
  type FoundBalances,
  ledgerBalances,
  type SignedBalances,
} from './balances.ts';
import { type Changes, changesSince } from './changes.ts';
import { type CloseSource, closeSource, closeSourceOf, type CurrencyLines } from './close-source.ts';
import { bookWarnings, type CloseWarning, filesOfPeriod } from './close-warnings.ts';
import { coveringText } from './covering-text.ts';
import { reportSides } from './report-sides.ts';

/** The computed close of a period in one currency. */
export interface CurrencyClose {
  readonly lines: CurrencyLines;
  readonly balances: FoundBalances;
  readonly input: LedgerInput;
  readonly statement: Statement;
}

/** The close of a period in all currencies, from the present state of the book. */
export interface Close {
  readonly source: CloseSource;
  readonly currencies: readonly CurrencyClose[];
  /** Returns the rows that a sign-off would cover. */
  readonly covering: () => readonly CoveredRow[];
}

const OUT_OF_RANGE: TotalOutOfRange = {
  code: 'total_out_of_range',
  message: phrase('close.readClose.anAmountOfThisPeriod'),
};

/** Returns by import where its lines, or those of two files in a row, do not lead from balance to balance. */
function breaksOf(
  { imports, streams }: CloseSource,
  { currency, records }: CurrencyLines,
  { sides }: FoundBalances,
): Map<number, ChainBreak[]> {
  const moved = new Map<number, number>();
  for (const { importId, amount } of records) if (importId !== null) moved.set(importId, (moved.get(importId) ?? 0) + amount);
  return new Map(
    imports.flatMap(({ id, stream_id: streamId, proof, currency: own, ...said }) => {
      const { opening_balance: opening, closing_balance: closing, skipped, date_start: first, date_end: day } = said;
      // Skipped lines belong to an earlier import, so the sum of this one proves nothing.
      if ((own ?? currency) !== currency || proof !== 'broken' || opening === null || closing === null || day === null || skipped > 0)
        return [];
      const side = streams.bank.some((stream) => stream.id === streamId) ? 'bank' : 'books';
      const within = sides[side].breaks.filter(({ from, to }) => to >= (first ?? day) && from <= day);
      if (within.length > 0) return [[id, within.map(({ to, amount }) => ({ day: to, amount }))]];
      const amount = closing - opening - (moved.get(id) ?? 0);
      return amount === 0 ? [] : [[id, [{ day, amount }]]];
    }),
  );
}

function importsOf(source: CloseSource, lines: CurrencyLines, found: FoundBalances): LedgerImport[] {
  const breaks = breaksOf(source, lines, found);
  const sideOf = new Map((['bank', 'books'] as const).flatMap((side) => source.streams[side].map(({ id }) => [id, side] as const)));
  return source.imports.map(({ id, stream_id: streamId, filename, source: cause, sha256 }) => ({
    id,
    side: present(sideOf.get(streamId), 'side of a stream'),
    name: filename ?? `import ${id}`,
    // A bulk request has no file, and its content grows while it is processed.
    contentHash: cause === 'bulk_api' ? null : sha256,
    breaks: breaks.get(id) ?? [],
  }));
}

type SignedCurrency = Readonly<Record<LedgerSide, SignedBalances>>;

const dayOf = (iso: string): number => present(dayFromIso(iso), 'date');

/** Returns the signed balances of a closed period by currency; empty for any other period. */
function signedBalances(read: ReadHandle, { id, state }: CloseSource['period']): ReadonlyMap<string, SignedCurrency> {
  const last = state === 'closed' ? lastSignOff(read, id) : undefined;
  const figures = last === undefined ? [] : storedJson('sign_offs.figures', last.figures, last.id);
  const asDays = (side: PeriodFigures[LedgerSide], sources: SignedBalances['sources']): SignedBalances => ({
    ...side,
    sources,
    breaks: side.breaks.map(({ from, to, amount }) => ({ from: dayOf(from), to: dayOf(to), amount })),
  });
  return new Map(
    figures.map(({ currency, bank, books, balance_sources: from }) => [
      currency,
      { bank: asDays(bank, from?.bank), books: asDays(books, from?.books) },
    ]),
  );
}

/** Computes a close. The caller must provide one snapshot. */
export function closeOf(read: ReadHandle, periodId: number): Result<Close, TotalOutOfRange> {
  return closeOfSource(read, closeSource(read, periodId));
}

/** Computes a close from data that was read for it. */
export function closeOfSource(read: ReadHandle, source: CloseSource): Result<Close, TotalOutOfRange> {
  const { period, reconciliation, streams, isNeutral, bankSide, matches, notes } = source;
  const ids = [...streams.bank, ...streams.books].map(({ id }) => id);
  const said = statedBalances(read, ids);
  const entered = enteredBalances(read, reconciliation.id, period.first_day);
  const signed = signedBalances(read, period);
  const currencies: CurrencyClose[] = [];
  for (const lines of source.currencies) {
    if (lines.hasOverflow) return failed(OUT_OF_RANGE);
    const { currency, decimalPlaces, records } = lines;
    const found = balancesOf(source, lines, said, entered);
    const asClosed = signed.get(currency);
    const balances = asClosed === undefined ? found : asSigned(found, asClosed, { from: period.first_day, to: period.last_day });
    const input: LedgerInput = {
      period: { from: period.first_day, to: period.last_day },
      currency,
      decimalPlaces,
      isNeutral,
      bankSide,
      balances: ledgerBalances(balances),
      records,
      matches,
      notes,
      imports: importsOf(source, lines, balances),
    };
    const statement = statementOf(input);
    if (!statement.ok) return statement;
    currencies.push({ lines, balances, input, statement: statement.value });
  }
  let rows: CoveredRow[] | null = null;
  const covering = (): CoveredRow[] =>
    (rows ??= coveringOfAll(currencies.map(({ input, statement }) => ({ currency: input.currency, rows: coveringOf(input, statement) }))));
  return success({ source, currencies, covering });
}

/** Returns by currency the steps that are not done. People's work on a closed period is that of its signature. */
export function undoneByCurrency(read: ReadHandle, { source, currencies }: Close): ReadonlyMap<string, readonly UndoneStep[]> {
  const { period, streams, reconciliation } = source;
  const last = period.state === 'closed' ? lastSignOff(read, period.id) : undefined;
  const signed = last === undefined ? null : storedJson('sign_offs.figures', last.figures, last.id);
  const ids = [...streams.bank, ...streams.books].map(({ id }) => id);
  const files = signed === null ? filesOfPeriod(source, openWorkOn(read, reconciliation.id, ids)) : null;
  const workOn = (statement: Statement): readonly UndoneStep[] =>
    files === null
      ? (signed?.find(({ currency }) => currency === statement.currency)?.undone ?? [])
      : undoneWork(source, statement, files, doesStatusExplain(read));
  return new Map(currencies.map(({ statement }) => [statement.currency, undoneSteps(statement, workOn(statement))]));
}

/** Returns whether the book says that a status explains an open item. */
const doesStatusExplain = (read: ReadHandle): boolean => setting(read, 'status_explains') === 'yes';

/** The parts of a close that a sign-off stores, as plain data. */
export interface Signable {
  /** One statement per currency, without items and matches. */
  readonly figures: readonly (Statement & {
    readonly undone: readonly UndoneStep[];
    readonly sources: PeriodStatement['balance_sources'];
  })[];
  readonly hash: string;
  readonly covering: Uint8Array;
}

/** Returns what a sign-off would store of a period now. */
export function readSignable(read: ReadHandle, periodId: number): Result<Signable, TotalOutOfRange> {
  const close = closeOf(read, periodId);
  if (!close.ok) return close;
  const rows = close.value.covering();
  const undone = undoneByCurrency(read, close.value);
  const figures = close.value.currencies.map((one) => ({
    ...one.statement,
    openItems: [],
    clearedMatches: [],
    undone: undone.get(one.statement.currency) ?? [],
    sources: balanceSourcesOf(one),
  }));
  return success({ figures, hash: coveringHash(rows), covering: packedCovering(coveringText(rows)) });
}

export interface OpenItemReading extends OpenItem {
  readonly causes: readonly Cause[];
  readonly age: ItemAge;
  /** The day on which a person expects the item to clear; null if none was given. */
  readonly expectedOn: number | null;
}

/** The close of one currency as plain data. */
export interface CloseReading {
  readonly bankSide: 'a' | 'b';
  readonly isNeutral: boolean;
  readonly statement: Omit<Statement, 'openItems' | 'clearedMatches'>;
  readonly document: StatementDocument;
  readonly sources: PeriodStatement['balance_sources'];
  /** The day at whose end the stated closing balance of each side held; null if none is stated. */
  readonly asOf: Readonly<Record<LedgerSide, number | null>>;
  readonly differingMatches: readonly (DifferingMatch & { readonly note: string | null })[];
  readonly openItems: readonly OpenItemReading[];
  readonly ageing: readonly AgeBucket[];
  readonly unexplainedCauses: readonly Cause[];
  /** A sentence about which part was searched for causes; null if everything was. */
  readonly lookedAt: string | null;
  readonly warnings: readonly CloseWarning[];
  /** Number of open items that want an explanation, and of those that have none. */
  readonly explanations: ReturnType<typeof explanationsOf>;
  /** All currencies of the period. Amounts are minor units; null if a balance is unknown. */
  readonly currencies: readonly (Pick<Statement, 'currency' | 'decimalPlaces' | 'unexplained' | 'doubts'> & {
    readonly undone: readonly UndoneStep[];
  })[];
  /** Null if there is no sign-off, nothing changed since, or the covered rows are not stored. */
  readonly changes: Changes | null;
  readonly isStale: boolean;
}

/** Returns the requested currency, else the one with the most lines. Null if the period has nothing in the requested one. */
export function chosen({ currencies }: Close, currency: string | null): CurrencyClose | null {
  if (currency !== null) return currencies.find(({ lines }) => lines.currency === currency) ?? null;
  return currencies.reduce((most, other) => (other.lines.records.length > most.lines.records.length ? other : most));
}

/** Returns whether the rows that the last sign-off covers have changed, and how. */
export function staleness(read: ReadHandle, { source, covering }: Close): Pick<CloseReading, 'changes' | 'isStale'> {
  const { id, state } = source.period;
  const last = state === 'open' ? undefined : lastSignOff(read, id);
  if (last === undefined) return { changes: null, isStale: false };
  const rows = covering();
  if (coveringHash(rows) === last.covering_hash) return { changes: null, isStale: false };
  return { changes: changesSince(read, source, last, rows), isStale: true };
}

/** Returns whether the rows that the last sign-off of a period covers have changed. */
export function isPeriodStale(read: ReadHandle, periodId: number): boolean {
  const close = closeOf(read, periodId);
  if (!close.ok) return false;
  const { state, id } = close.value.source.period;
  const last = state === 'open' ? undefined : lastSignOff(read, id);
  return last !== undefined && coveringHash(close.value.covering()) !== last.covering_hash;
}

export function openItemsOf({ input, statement }: CurrencyClose, { noteRows, period }: CloseSource) {
  const causes = causesOf(input, statement);
  const times = clearingTimes(input, statement);
  const expected = new Map(noteRows.map(({ record_id: id, expected_on: day }) => [id, day]));
  const items = statement.openItems.map((item): OpenItemReading => ({
    ...item,
    causes: causes.of(item),
    age: ageOf(item, period.last_day, times),
    expectedOn: expected.get(item.record.id) ?? null,
  }));
  return { items, lookedAt: causes.lookedAt };
}

/** Returns the warnings from the book about a close in one currency. */
export function bookWarningsOf(read: ReadHandle, source: CloseSource, { lines, balances }: CurrencyClose): CloseWarning[] {
  const ids = [...source.streams.bank, ...source.streams.books].map(({ id }) => id);
  return bookWarnings(source, lines, balances, openWorkOn(read, source.reconciliation.id, ids));
}

/** Returns the sources of the balances. */
export function balanceSourcesOf({ balances: { sides } }: CurrencyClose): PeriodStatement['balance_sources'] {
  const of = (side: LedgerSide) => ({
    opening: sides[side].opening?.source ?? null,
    stated_closing: sides[side].stated?.source ?? null,
  });
  return { bank: of('bank'), books: of('books') };
}

/** Returns the statement document, and the matches with a difference together with the notes of people. */
function documentOf(
  read: ReadHandle,
  {
    source,
    one,
    items,
    undone,
  }: Pick<Close, 'source'> & {
    readonly one: CurrencyClose;
    readonly items: readonly OpenItemReading[];
    readonly undone: readonly UndoneStep[];
  },
) {
  const { statement, lines } = one;
  const { period, isNeutral, bankSide } = source;
  const differing = differingMatches({ statement, records: lines.records }, false).slice(0, STATEMENT_ITEMS);
  const made = madeMatches(
    read,
    differing.map(({ cleared }) => cleared.id),
  );
  const notes = new Map(made.map(({ id, difference_note: note }) => [id, note]));
  return {
    document: statementDocument({
      isNeutral,
      bankSide,
      sides: reportSides(read, source, lines),
      statement,
      records: lines.records,
      openItems: items.map(({ age, ...item }) => ({ item, age })),
      balanceSources: balanceSourcesOf(one),
      state: period.state,
      undone,
      signOffs: signOffsOf(read, period.id).map(({ kind, signed_by: by, reason }) => ({ kind, by, reason })),
    }),
    differingMatches: differing.map((match) => ({ ...match, note: notes.get(match.cleared.id) ?? null })),
  };
}

/** Returns the close of a period in a currency; null if it has nothing in that currency. */
export function readClose(read: ReadHandle, periodId: number, currency: string | null): Result<CloseReading | null, TotalOutOfRange> {
  const close = closeOf(read, periodId);
  if (!close.ok) return close;
  const one = chosen(close.value, currency);
  return success(one === null ? null : readingOf(read, close.value, one));
}

/** The figures of one currency as of a day. */
export interface CurrencyAt extends CloseReading {
  readonly accounts: readonly AccountBalance[];
  /** The number of lines up to the day. */
  readonly lineCounts: Readonly<Record<LedgerSide, number>>;
}

/** The figures of a reconciliation as of a day, in all its currencies. */
export interface CloseAt {
  readonly day: number;
  /** The period that ends on the day, or has it within it; null where there is none. */
  readonly periodId: number | null;
  /** Whether the day is the last one of a closed period. */
  readonly isPinned: boolean;
  readonly currencies: readonly CurrencyAt[];
  /** The names of the accounts of both sides, by the ids of their streams. */
  readonly names: ReadonlyMap<number, string>;
}

/** Returns the close of a reconciliation as of any day: that of the period that ends on it, else one of the days since the period before. */
export function readCloseAt(read: ReadHandle, reconciliationId: number, day: number): Result<CloseAt, TotalOutOfRange> {
  const periods = periodsOf(read, reconciliationId);
  const ending = periods.find(({ last_day: last }) => last === day);
  const within = ending ?? periods.find(({ first_day: first, last_day: last }) => first <= day && day <= last);
  const before = periods.find(({ last_day: last }) => last < day);
  const firstDay = within?.first_day ?? (before === undefined ? monthOf(day).from : before.last_day + 1);
  const source = closeSourceOf(read, ending ?? unkeptPeriod(reconciliationId, firstDay, day));
  const close = closeOfSource(read, source);
  if (!close.ok) return close;
  const said = statedBalances(
    read,
    [...source.streams.bank, ...source.streams.books].map(({ id }) => id),
  );
  const currencies = close.value.currencies.map((one): CurrencyAt => {
    const count = (side: LedgerSide): number =>
      one.lines.records.filter((record) => record.side === side && !record.isAdjustment && record.day <= day).length;
    const held = (side: LedgerSide) => ({ stated: one.balances.sides[side].stated, balance: one.statement[side].balance });
    return {
      ...readingOf(read, close.value, one),
      accounts: accountBalancesOf(source, one.lines, said, { bank: held('bank'), books: held('books') }),
      lineCounts: { bank: count('bank'), books: count('books') },
    };
  });
  const names = new Map([...source.streams.bank, ...source.streams.books].map(({ id, name }) => [id, name]));
  return success({ day, periodId: within?.id ?? null, isPinned: ending?.state === 'closed', currencies, names });
}

function readingOf(read: ReadHandle, close: Close, one: CurrencyClose): CloseReading {
  const { source, currencies } = close;
  const { openItems, clearedMatches, ...statement } = one.statement;
  const { items, lookedAt } = openItemsOf(one, source);
  const undone = undoneByCurrency(read, close);
  const asOf = (side: LedgerSide): number | null => {
    const { stated } = one.balances.sides[side];
    return stated === null ? null : stated.at - 1;
  };
  return {
    bankSide: source.bankSide,
    isNeutral: source.isNeutral,
    statement,
    ...documentOf(read, { source, one, items, undone: undone.get(statement.currency) ?? [] }),
    sources: balanceSourcesOf(one),
    asOf: { bank: asOf('bank'), books: asOf('books') },
    openItems: items,
    ageing: ageBuckets(openItems, source.period.last_day),
    unexplainedCauses: causesOfAmount(one.input, { openItems, clearedMatches }, statement.unexplained ?? 0),
    lookedAt: lookedAt.isAll ? null : lookedAt.sentence,
    warnings: [...bookWarningsOf(read, source, one), ...statement.warnings],
    explanations: explanationsOf(one.statement, doesStatusExplain(read)),
    currencies: currencies.map(({ statement: { currency: code, decimalPlaces, unexplained, doubts } }) => ({
      currency: code,
      decimalPlaces,
      unexplained,
      doubts,
      undone: undone.get(code) ?? [],
    })),
    ...staleness(read, close),
  };
}
