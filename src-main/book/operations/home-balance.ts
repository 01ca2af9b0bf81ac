import type { HomeRow } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import type { CloseImport } from '../../close/store/close-reads.ts';
import type { CurrencyAgreement } from '../../close/work/agreement.ts';
import { closeSides } from '../../close/work/close-source.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import { coverageOf, type DayRange, type StatementPeriod } from '../../domain/statement/index.ts';
import { accountsOfStream } from '../../streams/operations/coverage.ts';
import type { StreamRow } from '../../streams/store/streams.ts';

type Balance = HomeRow['balance'];

const WITHOUT_DOUBT = { doubts: [], amount: null, currency: null, decimal_places: 2, computed: false } satisfies Partial<Balance>;
const WITHOUT_BREAK = { from: null, to: null, data_stream_key: null } as const;

/** The first days on which the statements of a stream do not follow each other: days are missing, or an opening balance differs from the closing balance before it. */
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

/** The days between which the running balance of a file breaks first; all of its days where it does not say. */
function placeOfBreak({ periods, date_start: from, date_end: to }: CloseImport): {
  readonly from: number | null;
  readonly to: number | null;
} {
  const stated = periods === null ? [] : (JSON.parse(periods) as StatementPeriod[]);
  const first = stated.flatMap(({ dayEnds = [] }) => dayEnds).find(({ breaksFrom }) => breaksFrom !== undefined);
  return first === undefined ? { from, to } : { from: first.breaksFrom ?? first.day, to: first.day };
}

/** Whether the lines of a file of these streams, in the currency of the stream, are proved to lead to its closing balance. */
function leadsToBalance(imports: readonly CloseImport[], streams: readonly StreamRow[]): boolean {
  const currencyOf = new Map(streams.map(({ id, currency }) => [id, currency]));
  return imports.some(
    ({ stream_id: id, currency, closing_balance: closing, proof }) =>
      currencyOf.has(id) && (currency ?? currencyOf.get(id)) === currencyOf.get(id) && closing !== null && proof === 'proved',
  );
}

/** What the statement of the latest period says. */
function ofPeriod(agreement: readonly CurrencyAgreement[]): Pick<Balance, 'state' | keyof typeof WITHOUT_DOUBT> {
  const isOne = agreement.length === 1;
  const found = agreement.flatMap(({ currency, decimalPlaces, doubts }) => doubts.map((doubt) => ({ ...doubt, currency, decimalPlaces })));
  const doubts = found.map(({ text, currency }) => (isOne ? text : `${text} (${currency})`));
  if (found.length === 0) return { state: 'proved', ...WITHOUT_DOUBT };
  const differing = found.find(({ amount }) => amount !== null);
  if (differing !== undefined) {
    const { amount, currency, decimalPlaces: decimal_places } = differing;
    return { state: 'differs', doubts, amount, currency, decimal_places, computed: false };
  }
  const state = found.some(({ side }) => side === 'bank') ? 'not_stated' : 'books_not_stated';
  return { state, ...WITHOUT_DOUBT, doubts, computed: found.every(({ code }) => code === 'not_stated') };
}

/**
 * Whether the balances hold: those of the latest period as its statement has them; without a period no figure is proved, and only the files of the bank are judged. A break between files comes
 * before all else, since it says where to look.
 */
export function balanceOfHome(
  read: ReadHandle,
  reconciliation: ReconciliationRow,
  agreement: readonly CurrencyAgreement[] | null,
): Balance {
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
