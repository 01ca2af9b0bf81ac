import type { HomeRow } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { coverageOf, type DayRange } from '../../domain/statement/index.ts';
import { closeSides } from '../../jobs/close/close-source.ts';
import type { ReadHandle } from '../../store/database/database.ts';
import type { ReconciliationRow } from '../../store/database/rows.ts';
import type { CloseImport } from '../../store/periods/close-reads.ts';
import { enteredBalances } from '../../store/periods/period-balances.ts';
import type { PeriodRow } from '../../store/periods/periods.ts';
import type { StreamRow } from '../../store/streams/streams.ts';
import { statementsByAccount } from '../streams/coverage.ts';

type Balance = HomeRow['balance'];

const WITHOUT_BREAK = { from: null, to: null, data_stream_key: null } as const;

/** The first days on which the statements of a stream do not follow each other: days are missing, or an opening balance differs from the closing balance before it. */
function breakIn(read: ReadHandle, stream: StreamRow): DayRange | null {
  const found = [...statementsByAccount(read, stream).values()].flatMap((statements) => {
    const { gaps, breaks } = coverageOf(statements);
    return [
      ...gaps.filter(({ kind }) => kind === 'missing').map(({ firstDay, lastDay }) => ({ firstDay, lastDay })),
      ...breaks.map(({ day }) => ({ firstDay: day, lastDay: day })),
    ];
  });
  return found.toSorted((left, right) => left.firstDay - right.firstDay)[0] ?? null;
}

/** Whether a file of these streams has an opening and a closing balance that its lines lead from and to. */
function leadsToBalance(imports: readonly CloseImport[], ids: ReadonlySet<number>): boolean {
  return imports.some(
    ({ stream_id: id, opening_balance: opening, closing_balance: closing, proof }) =>
      ids.has(id) && closing !== null && (opening !== null || proof === 'proved'),
  );
}

function statesBalance(imports: readonly CloseImport[], streams: readonly StreamRow[]): boolean {
  const ids = new Set(streams.map(({ id }) => id));
  return imports.some(({ stream_id: id, closing_balance: closing }) => ids.has(id) && closing !== null);
}

/** Whether the balances of the bank hold, and whether those of the books are known. */
export function balanceOfHome(read: ReadHandle, reconciliation: ReconciliationRow, period: PeriodRow | undefined): Balance {
  const { bankSide, isNeutral, streams, imports } = closeSides(read, reconciliation);
  for (const stream of [...streams.bank, ...streams.books]) {
    const found = breakIn(read, stream);
    if (found === null) continue;
    return { state: 'breaks', from: isoFromDay(found.firstDay), to: isoFromDay(found.lastDay), data_stream_key: stream.key };
  }
  const ofBank = new Set(streams.bank.map(({ id }) => id));
  const broken = imports.find(({ stream_id: id, proof }) => ofBank.has(id) && proof === 'broken');
  if (broken !== undefined) {
    const iso = (day: number | null): string | null => (day === null ? null : isoFromDay(day));
    const stream = streams.bank.find(({ id }) => id === broken.stream_id);
    return { state: 'breaks', from: iso(broken.date_start), to: iso(broken.date_end), data_stream_key: stream?.key ?? null };
  }
  if (isNeutral || !leadsToBalance(imports, ofBank)) return { state: 'not_stated', ...WITHOUT_BREAK };
  const entered = period === undefined ? [] : enteredBalances(read, reconciliation.id, period.first_day);
  const isBooksKnown = statesBalance(imports, streams.books) || entered.some(({ side }) => side !== bankSide);
  if (period !== undefined && !isBooksKnown) return { state: 'books_not_stated', ...WITHOUT_BREAK };
  return { state: 'proved', ...WITHOUT_BREAK };
}
