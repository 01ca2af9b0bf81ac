import { present } from '../../../src-shared/values/assert.ts';
import { decimalPlacesOf, DEFAULT_CURRENCY } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { Doubt, LedgerRecord, LedgerSide } from '../../domain/ledger/index.ts';
import { reconciliationById } from '../../reconciliations/store/reconciliations.ts';
import { wholeSum } from '../../records/store/records.ts';
import { type DayTotal, dayTotalsUpTo } from '../store/close-reads.ts';
import { periodById } from '../store/periods.ts';
import { type CloseSource, closeSides, type CurrencyLines } from './close-source.ts';
import { closeOfSource, undoneByCurrency } from './read-close.ts';

/** The doubts about the figures of a period in one currency. */
export interface CurrencyAgreement {
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly doubts: readonly Doubt[];
  /** The gap in the files, as a clause that follows `while`. */
  readonly filesMissing: readonly string[];
}

const BEYOND: Doubt = { code: 'balance_unknown', side: null, amount: null, text: phrase('close.agreement.totalIsBeyondWhatANumber') };

type Sides = Pick<CloseSource, 'streams' | 'signOf'>;

/** Makes one record of the lines of each day. Balances come out the same. */
function linesOf(totals: readonly DayTotal[], { streams, signOf }: Sides, currency: string): CurrencyLines {
  const sideOf = new Map<number, LedgerSide>();
  for (const side of ['bank', 'books'] as const) for (const { id } of streams[side]) sideOf.set(id, side);
  const decimalPlaces = totals.reduce((finest, total) => Math.max(finest, total.decimalPlaces), decimalPlacesOf(currency));
  let hasOverflow = false;
  const records = totals.map(({ streamId, day, decimalPlaces: places, ...parts }, place): LedgerRecord => {
    const side = present(sideOf.get(streamId), 'side of a stream');
    const sum = Number(wholeSum(parts) * 10n ** BigInt(decimalPlaces - places));
    if (!Number.isSafeInteger(sum)) hasOverflow = true;
    const amount = sum * signOf[side] + 0;
    const unsaid = { reference: null, description: null, kindText: null, importId: null };
    return { id: place + 1, side, day, amount, streamId, isAdjustment: false, ...unsaid };
  });
  return { currency, decimalPlaces, records, hasOverflow };
}

/**
 * Returns the doubts about the figures of a period and what is missing of its files, by currency. It reads only balances and sums of lines, since no match changes the unexplained
 * difference. So the first page, which shows many periods, agrees with their statements without computing them.
 */
export function readAgreement(read: ReadHandle, periodId: number): readonly CurrencyAgreement[] {
  const period = present(periodById(read, periodId), 'period');
  const reconciliation = present(reconciliationById(read, period.reconciliation_id), 'reconciliation');
  const sides = closeSides(read, reconciliation);
  const streams = [...sides.streams.bank, ...sides.streams.books];
  const signOf = { bank: 1, books: reconciliation.sign_convention === 'opposite' ? -1 : 1 } as const;
  const totals = dayTotalsUpTo(
    read,
    streams.map(({ id }) => id),
    period.last_day,
  );
  const byCurrency = Map.groupBy(totals, ({ currency }) => currency);
  const named =
    byCurrency.size > 0
      ? [...byCurrency.keys()].toSorted()
      : [streams.find(({ currency }) => currency !== null)?.currency ?? DEFAULT_CURRENCY];
  const currencies = named.map((currency) => linesOf(byCurrency.get(currency) ?? [], { streams: sides.streams, signOf }, currency));
  const source = { ...sides, period, reconciliation, signOf, currencies, matches: [], notes: [], noteRows: [] };
  const close = closeOfSource(read, source);
  if (!close.ok) return currencies.map(({ currency, decimalPlaces }) => ({ currency, decimalPlaces, doubts: [BEYOND], filesMissing: [] }));
  const undone = undoneByCurrency(read, close.value);
  return close.value.currencies.map(({ statement: { currency, decimalPlaces, doubts } }) => ({
    currency,
    decimalPlaces,
    doubts,
    filesMissing: undone.get(currency)?.find(({ step }) => step === 'files')?.texts ?? [],
  }));
}
