import type { HomeImport, HomeRow, Output } from '../../../src-shared/contract/index.ts';
import { HOME_AGES, HOME_MONTHS } from '../../../src-shared/contract/book/home.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import { lastFinishedRun, openRun } from '../../runs/store/runs.ts';
import { countMatchesOf } from '../../matches/store/matches.ts';
import { type PeriodRow, periodsOf } from '../../close/store/periods.ts';
import type { AgedLines } from '../../records/store/line-totals.ts';
import { namedSideStreams } from '../../streams/store/stories.ts';
import { whenRead } from '../../close/work/figures.ts';
import { answer, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { nameOf } from '../../close/operations/period-views.ts';
import { countReconciliationsNamed, latestPeriods, type RecentBatch, recentBatches, reconciliationsNamed } from '../store/home-reads.ts';
import { balanceOfHome } from './home-balance.ts';
import { agedFigures } from './home-figures.ts';

/** Imports that the first screen lists. */
const IMPORTS = 8;

type Home = Output<'book.home'>;
type MonthRow = HomeRow['months'][number];

const monthOfDay = (day: number): string => isoFromDay(day).slice(0, 7);

/** So many months up to one, the oldest first. */
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

/** A row without its figures. This part takes equally long for any number of lines. */
function rowWithoutFigures(context: ServiceContext, reconciliation: ReconciliationRow, month: string) {
  const { database } = context;
  const { id } = reconciliation;
  const periods = periodsOf(database, id);
  const sides = namedSideStreams(database, [id]);
  const side = (name: 'a' | 'b'): string[] => sides.filter((stream) => stream.side === name).map((stream) => stream.name);
  const today = context.clock.today();
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
    asOfDay: Math.min(today, periods[0]?.last_day ?? today),
    proposed_matches: countMatchesOf(database, id, ['proposed']),
    last_run_at: timestampOrNull(lastFinishedRun(database, id)?.completed_at ?? null),
    is_running: openRun(database, id) !== undefined,
  };
}

function rowOf(
  { asOfDay, ...row }: ReturnType<typeof rowWithoutFigures>,
  reconciliation: ReconciliationRow,
  lines: readonly AgedLines[],
  balance: HomeRow['balance'],
): HomeRow {
  return { ...row, balance, as_of: isoFromDay(asOfDay), ...agedFigures(lines, asOfDay, reconciliation.sign_convention === 'opposite') };
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

/** At once where nothing is to be waited for. */
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
      const read = drafts.map(({ row }) => figures.of('openByAge', row.reconciliation_id, row.asOfDay, HOME_AGES));
      const agreements = drafts.map(({ row: { period } }) => (period === null ? null : figures.of('agreement', period.id)));
      return whenRead(allRead(read), (found) =>
        whenRead(allRead(agreements), (agreed) =>
          answer({
            month,
            total: countReconciliationsNamed(database, asked),
            states: statesOf(latest),
            rows: drafts.map(({ reconciliation, row }, place) =>
              rowOf(row, reconciliation, found[place] ?? [], balanceOfHome(database, reconciliation, agreed[place] ?? null)),
            ),
            imports: recentBatches(database, caller.environmentId, IMPORTS).map(importView),
          }),
        ),
      );
    },
  };
}
