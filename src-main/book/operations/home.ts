import { HOME_AGES, HOME_MONTHS } from '../../../src-shared/contract/book/home.ts';
import type { HomeImport, HomeRow, Output } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { nameOf } from '../../close/operations/period-views.ts';
import type { CloseImport } from '../../close/store/close-reads.ts';
import { type PeriodRow, periodsOf } from '../../close/store/periods.ts';
import type { CurrencyAgreement } from '../../close/work/agreement.ts';
import { closeSides } from '../../close/work/close-source.ts';
import { whenRead } from '../../close/work/figures.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import { coverageOf, type DayRange } from '../../domain/statement/index.ts';
import { countMatchesOf } from '../../matches/store/matches.ts';
import { type AgedLines, isOpen } from '../../records/store/line-totals.ts';
import { wholeSum } from '../../records/store/records.ts';
import { lastFinishedRun, openRun } from '../../runs/store/runs.ts';
import { answer, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { accountsOfStream } from '../../streams/operations/coverage.ts';
import { namedSideStreams } from '../../streams/store/stories.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import { countReconciliationsNamed, latestPeriods, type RecentBatch, recentBatches, reconciliationsNamed } from '../store/home-reads.ts';

type Figures = Pick<
  HomeRow,
  | 'records'
  | 'matched'
  | 'open'
  | 'proposed'
  | 'currency'
  | 'decimal_places'
  | 'currency_count'
  | 'open_by_age'
  | 'open_net'
  | 'uncommented'
>;

function countOf(lines: readonly AgedLines[]): number {
  return lines.reduce((count, { records }) => count + records, 0);
}

/** Returns side A minus side B in the finest scale, or their sum if the sides have opposite signs; null if it is not a safe integer. */
function netOf(lines: readonly AgedLines[], scale: number, isOpposite: boolean): number | null {
  const net = lines.reduce((sum, { side, decimal_places: places, ...parts }) => {
    const own = wholeSum(parts) * 10n ** BigInt(scale - places);
    return side === 'a' || isOpposite ? sum + own : sum - own;
  }, 0n);
  return Number.isSafeInteger(Number(net)) ? Number(net) : null;
}

function labelOf({ external_id: reference, description, record_id: id }: AgedLines): string {
  return reference ?? description ?? `line ${id}`;
}

function uncommentedOf(open: readonly AgedLines[], asOf: number): HomeRow['uncommented'] {
  const lines = open.filter(({ bare, state }) => bare === 1 && state === 'free').toSorted((left, right) => left.day - right.day);
  const [oldest] = lines;
  if (oldest === undefined) return null;
  const { record_id, day } = oldest;
  return { count: countOf(lines), oldest: { record_id, label: labelOf(oldest), age_days: Math.max(0, asOf - day) } };
}

/** Returns the figures of a row, with ages as of a day. */
function agedFigures(lines: readonly AgedLines[], asOf: number, isOpposite: boolean): Figures {
  const open = lines.filter(isOpen);
  const currencies = [...Map.groupBy(lines, ({ currency }) => currency)].toSorted(([, left], [, right]) => countOf(right) - countOf(left));
  const [currency = null, own = []] = currencies[0] ?? [];
  const scale = own.reduce((most, { decimal_places: places }) => Math.max(most, places), 0);
  return {
    records: countOf(lines),
    matched: countOf(lines.filter((line) => !isOpen(line))),
    open: countOf(open),
    proposed: countOf(open.filter((line) => line.state === 'proposed')),
    currency,
    decimal_places: currency === null ? 2 : scale,
    currency_count: currencies.length,
    open_by_age: [...HOME_AGES, null].map((_, place) => countOf(open.filter(({ age }) => age === place))),
    open_net: netOf(own.filter(isOpen), scale, isOpposite),
    uncommented: uncommentedOf(open, asOf),
  };
}

type Balance = HomeRow['balance'];

const WITHOUT_DOUBT = {
  doubts: [],
  amount: null,
  currency: null,
  decimal_places: 2,
  computed: false,
  earlier: false,
} satisfies Partial<Balance>;
const WITHOUT_BREAK = { from: null, to: null, data_stream_key: null } as const;

/**
 * Returns the first days on which the statements of a stream are not consecutive: days are missing, or an opening balance differs from the previous
 * closing balance.
 */
function breakIn(read: ReadHandle, stream: StreamRow): DayRange | null {
  const found = accountsOfStream(read, stream).flatMap(({ statements }) => {
    const { gaps, breaks } = coverageOf(statements);
    return [
      ...gaps.filter(({ kind }) => kind === 'missing').map(({ firstDay, lastDay }) => ({ firstDay, lastDay })),
      ...breaks.map(({ day }) => ({ firstDay: day, lastDay: day })),
    ];
  });
  return found.toSorted((left, right) => left.firstDay - right.firstDay)[0] ?? null;
}

/** Returns the days between which the running balance of a file first breaks, or all of its days if unknown. */
function placeOfBreak({ periods, date_start: from, date_end: to }: CloseImport): {
  readonly from: number | null;
  readonly to: number | null;
} {
  const first = (periods ?? []).flatMap(({ dayEnds = [] }) => dayEnds).find(({ breaksFrom }) => breaksFrom !== undefined);
  return first === undefined ? { from, to } : { from: first.breaksFrom ?? first.day, to: first.day };
}

/** Whether a file of these streams, in the stream's currency, has lines that are proved to lead to its closing balance. */
function leadsToBalance(imports: readonly CloseImport[], streams: readonly StreamRow[]): boolean {
  const currencyOf = new Map(streams.map(({ id, currency }) => [id, currency]));
  return imports.some(
    ({ stream_id: id, currency, closing_balance: closing, proof }) =>
      currencyOf.has(id) && (currency ?? currencyOf.get(id)) === currencyOf.get(id) && closing !== null && proof === 'proved',
  );
}

/** Returns what is missing of the files of the latest period. */
function missingFiles(agreement: readonly CurrencyAgreement[]): string[] {
  return agreement.flatMap(({ currency, filesMissing }) =>
    filesMissing.map((text) => (agreement.length === 1 ? text : `${text} (${currency})`)),
  );
}

/** Returns the result of the latest period's statement. */
function ofPeriod(agreement: readonly CurrencyAgreement[]): Pick<Balance, 'state' | keyof typeof WITHOUT_DOUBT> {
  const isOne = agreement.length === 1;
  const found = agreement.flatMap(({ currency, decimalPlaces, doubts }) => doubts.map((doubt) => ({ ...doubt, currency, decimalPlaces })));
  const doubts = found.map(({ text, currency }) => (isOne ? text : `${text} (${currency})`));
  if (found.length === 0) return { state: 'proved', ...WITHOUT_DOUBT };
  const differing = found.find(({ amount }) => amount !== null);
  if (differing !== undefined) {
    const { amount, currency, decimalPlaces: decimal_places } = differing;
    return { state: 'differs', doubts, amount, currency, decimal_places, computed: false, earlier: false };
  }
  const state = found.some(({ side }) => side === 'bank') ? 'not_stated' : 'books_not_stated';
  const areAll = (wanted: CurrencyAgreement['doubts'][number]['code']): boolean => found.every(({ code }) => code === wanted);
  return { state, ...WITHOUT_DOUBT, doubts, computed: areAll('not_stated'), earlier: areAll('balance_of_earlier_day') };
}

/**
 * Returns whether the balances hold: those of the latest period's statement, or, without a period, only those of the bank's files. A break between
 * files takes precedence, because it shows where to look.
 */
function balanceOfHome(read: ReadHandle, reconciliation: ReconciliationRow, agreement: readonly CurrencyAgreement[] | null): Balance {
  const { isNeutral, streams, imports } = closeSides(read, reconciliation);
  const period = agreement === null ? null : ofPeriod(agreement);
  const breaks = { ...(period ?? WITHOUT_DOUBT), state: 'breaks' } as const;
  for (const stream of [...streams.bank, ...streams.books]) {
    const found = breakIn(read, stream);
    if (found === null) continue;
    return { ...breaks, from: isoFromDay(found.firstDay), to: isoFromDay(found.lastDay), data_stream_key: stream.key };
  }
  const ofBank = new Set(streams.bank.map(({ id }) => id));
  const broken = imports.find(({ stream_id: id, proof }) => ofBank.has(id) && proof === 'broken');
  if (broken !== undefined) {
    const iso = (day: number | null): string | null => (day === null ? null : isoFromDay(day));
    const stream = streams.bank.find(({ id }) => id === broken.stream_id);
    const place = placeOfBreak(broken);
    return { ...breaks, from: iso(place.from), to: iso(place.to), data_stream_key: stream?.key ?? null };
  }
  if (period !== null) return { ...period, ...WITHOUT_BREAK };
  const isProved = !isNeutral && leadsToBalance(imports, streams.bank);
  return { state: isProved ? 'bank_proved' : 'not_stated', ...WITHOUT_DOUBT, ...WITHOUT_BREAK };
}

/** The number of imports on the first screen. */
const IMPORTS = 8;

type Home = Output<'book.home'>;
type MonthRow = HomeRow['months'][number];

const monthOfDay = (day: number): string => isoFromDay(day).slice(0, 7);

/** Returns `HOME_MONTHS` months up to one, oldest first. */
function monthsUpTo(month: string): string[] {
  const last = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
  return Array.from({ length: HOME_MONTHS }, (_, place) => {
    const at = last - HOME_MONTHS + 1 + place;
    return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`;
  });
}

function periodView(row: PeriodRow | undefined): MonthRow['period'] {
  if (row === undefined) return null;
  return { id: row.id, name: nameOf(row), from: isoFromDay(row.first_day), to: isoFromDay(row.last_day), state: row.state };
}

/** Returns a row without its figures, in a time that does not depend on the number of lines. */
function rowWithoutFigures(context: ServiceContext, reconciliation: ReconciliationRow, month: string) {
  const { database } = context;
  const { id } = reconciliation;
  const periods = periodsOf(database, id);
  const sides = namedSideStreams(database, [id]);
  const side = (name: 'a' | 'b'): string[] => sides.filter((stream) => stream.side === name).map((stream) => stream.name);
  const today = context.clock.today();
  const lastDay = periods[0]?.last_day ?? today;
  return {
    reconciliation_id: id,
    name: reconciliation.name,
    side_a: side('a'),
    side_b: side('b'),
    months: monthsUpTo(month).map((each) => ({
      month: each,
      period: periodView(periods.find((period) => monthOfDay(period.last_day) === each)),
    })),
    period: periodView(periods[0]),
    days: { asOf: Math.min(today, lastDay), until: lastDay },
    proposed_matches: countMatchesOf(database, id, ['proposed']),
    last_run_at: timestampOrNull(lastFinishedRun(database, id)?.completed_at ?? null),
    is_running: openRun(database, id) !== undefined,
  };
}

function rowOf(
  { days, ...row }: ReturnType<typeof rowWithoutFigures>,
  reconciliation: ReconciliationRow,
  lines: readonly AgedLines[],
  { balance, files_missing }: Pick<HomeRow, 'balance' | 'files_missing'>,
): HomeRow {
  return {
    ...row,
    balance,
    files_missing,
    as_of: isoFromDay(days.asOf),
    ...agedFigures(lines, days.asOf, reconciliation.sign_convention === 'opposite'),
  };
}

function importView(batch: RecentBatch): HomeImport {
  return {
    id: batch.id,
    filename: batch.filename,
    data_stream_key: batch.stream_key,
    stream_name: batch.stream_name,
    is_bank: batch.bank_account_id !== null,
    lines: batch.kept,
    created_at: timestampOf(batch.created_at),
    proof: batch.proof as HomeImport['proof'],
  };
}

function statesOf(latest: ReturnType<typeof latestPeriods>): Home['states'] {
  const states = { open: 0, prepared: 0, reviewed: 0, closed: 0 };
  for (const { state } of latest) states[state ?? 'open'] += 1;
  return states;
}

/** Returns all values at once if none has to be awaited. */
function allRead<T>(read: readonly (T | Promise<T>)[]): T[] | Promise<T[]> {
  return read.some((each) => each instanceof Promise) ? Promise.all(read) : (read as T[]);
}

export function homeHandlers(context: ServiceContext): Pick<Handlers, 'book.home'> {
  const { database, figures, clock } = context;
  return {
    'book.home': (caller, { limit, offset, q }) => {
      const asked = { environmentId: caller.environmentId, q: q === undefined || q === '' ? null : q };
      const latest = latestPeriods(database, caller.environmentId);
      const lastDay = latest.reduce<number | null>((day, { last_day: own }) => (own === null ? day : Math.max(day ?? own, own)), null);
      const month = monthOfDay(lastDay ?? clock.today());
      const reconciliations = reconciliationsNamed(database, { ...asked, limit, offset });
      const drafts = reconciliations.map((reconciliation) => ({
        reconciliation,
        row: rowWithoutFigures(context, reconciliation, month),
      }));
      const read = drafts.map(({ row }) => figures.of('openByAge', row.reconciliation_id, row.days, HOME_AGES));
      const agreements = drafts.map(({ row: { period } }) => (period === null ? null : figures.of('agreement', period.id)));
      return whenRead(allRead(read), (found) =>
        whenRead(allRead(agreements), (agreed) =>
          answer({
            month,
            total: countReconciliationsNamed(database, asked),
            states: statesOf(latest),
            rows: drafts.map(({ reconciliation, row }, place) =>
              rowOf(row, reconciliation, found[place] ?? [], {
                balance: balanceOfHome(database, reconciliation, agreed[place] ?? null),
                files_missing: missingFiles(agreed[place] ?? []),
              }),
            ),
            imports: recentBatches(database, caller.environmentId, IMPORTS).map(importView),
          }),
        ),
      );
    },
  };
}
