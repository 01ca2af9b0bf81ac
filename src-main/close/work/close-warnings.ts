import { capitalized } from '../../../src-shared/values/english.ts';
import type { FilesOfPeriod, LedgerSide, LedgerWarning } from '../../domain/ledger/index.ts';
import { amountText, dayText, sideName } from '../../domain/ledger/index.ts';
import { coverageOf, statedAccounts } from '../../domain/statement/index.ts';
import type { CloseImport, OpenWork } from '../store/close-reads.ts';
import type { Anchor } from './anchors.ts';
import type { Disagreement, FoundBalances, RestatedBalance } from './balances.ts';
import type { CloseSource, CurrencyLines } from './close-source.ts';

/** Warnings that come from the book and not from the arithmetic. */
type BookWarningCode = 'balance_of_earlier_day' | 'coverage_gap' | 'balances_disagree' | 'other_currency' | 'work_in_progress';

export interface CloseWarning {
  readonly code: BookWarningCode | LedgerWarning['code'];
  readonly side: LedgerSide | null;
  readonly message: string;
}

/** Days between two files of a stream within the period that no file covers. */
interface Gap {
  readonly side: LedgerSide;
  readonly key: string;
  readonly days: string;
  /** How far the balances before and after differ; empty if unknown. */
  readonly moved: string;
}

const filesOf = (imports: readonly CloseImport[], id: number): CloseImport[] =>
  imports.filter(({ stream_id: streamId, source }) => streamId === id && source !== 'bulk_api');

/** Returns the gaps within the period in which lines may be missing. */
function gapsOf(source: CloseSource): Gap[] {
  const { first_day: from, last_day: to } = source.period;
  return (['bank', 'books'] as const).flatMap((side) =>
    source.streams[side].flatMap(({ id, key, currency }) =>
      statedAccounts(filesOf(source.imports, id), currency).flatMap(({ statements, currency: stated }) =>
        coverageOf(statements)
          .gaps.filter(({ firstDay, lastDay, kind }) => firstDay <= to && lastDay >= from && (kind === 'missing' || kind === 'unknown'))
          .map(({ firstDay, lastDay, differenceMinor }): Gap => {
            const places = source.currencies.find((lines) => lines.currency === stated)?.decimalPlaces ?? 2;
            return {
              side,
              key,
              days: firstDay === lastDay ? dayText(firstDay) : `${dayText(firstDay)} to ${dayText(lastDay)}`,
              moved: differenceMinor === null ? '' : ` The balances before and after differ by ${amountText(differenceMinor, places)}.`,
            };
          }),
      ),
    ),
  );
}

function gapWarnings(source: CloseSource): CloseWarning[] {
  return gapsOf(source).map(({ side, key, days, moved }) => ({
    code: 'coverage_gap',
    side,
    message: `No file of the stream ${key} covers ${days}.${moved}`,
  }));
}

/** Returns the first and the last day within the period that the files of a side speak about; null if they speak about none. */
function coverageWithin({ period, streams, imports }: CloseSource, side: LedgerSide): FilesOfPeriod['coverage'][LedgerSide] {
  const days = streams[side]
    .flatMap(({ id, currency }) => statedAccounts(filesOf(imports, id), currency))
    .flatMap(({ statements }) => statements)
    .filter(({ firstDay, lastDay }) => firstDay <= period.last_day && lastDay >= period.first_day);
  if (days.length === 0) return null;
  return { from: Math.min(...days.map(({ firstDay }) => firstDay)), to: Math.max(...days.map(({ lastDay }) => lastDay)) };
}

/** Returns what the book says about the files of a period. */
export function filesOfPeriod(source: CloseSource, work: readonly OpenWork[]): FilesOfPeriod {
  return {
    coverage: { bank: coverageWithin(source, 'bank'), books: coverageWithin(source, 'books') },
    gaps: gapsOf(source).map(({ side, days }) => `no file of ${sideName(source, side)} covers ${days}`),
    work: work.map((one) => uncapitalized(unfinishedText(one))),
  };
}

/** Returns warnings about closing balances of an earlier day than the last one. Lines of the days between may be missing. */
function earlyWarnings(source: CloseSource, { decimalPlaces }: CurrencyLines, { sides }: FoundBalances): CloseWarning[] {
  const { last_day: last } = source.period;
  return (['bank', 'books'] as const).flatMap((side): CloseWarning[] => {
    const { stated, earlierDay } = sides[side];
    if (stated === null || earlierDay === null) return [];
    const amount = amountText(stated.amount, decimalPlaces);
    const message = `The closing balance of ${sideName(source, side)}, ${amount}, is stated for ${dayText(earlierDay)}, and nothing says that it still held on ${dayText(last)}: lines of the days between may be missing. Enter the balance of ${dayText(last)}, or import the file that goes on.`;
    return [{ code: 'balance_of_earlier_day', side, message }];
  });
}

function sourceOfAnchor({ importId }: Anchor, imports: readonly CloseImport[]): string {
  const name = imports.find(({ id }) => id === importId)?.filename ?? null;
  return importId === null ? 'entered at the bank account' : name === null ? `import ${importId}` : `file ${name}`;
}

function disagreementWarning(
  source: CloseSource,
  { decimalPlaces }: CurrencyLines,
  { side, at, counted, other }: Disagreement,
): CloseWarning {
  const [first, second] = [counted, other].map(
    (said) => `${amountText(said.amount, decimalPlaces)} (${sourceOfAnchor(said, source.imports)})`,
  );
  const message = `Two balances of ${sideName(source, side)} are stated for the beginning of ${dayText(at)}: ${first} and ${second}. The first one counts.`;
  return { code: 'balances_disagree', side, message };
}

function sinceWarning(source: CloseSource, { decimalPlaces }: CurrencyLines, { side, which, signed, now }: RestatedBalance): CloseWarning {
  const [then, since] = [signed, now].map((amount) => amountText(amount, decimalPlaces));
  const message = `${capitalized(sideName(source, side))} by now: ${which} balance ${since}. The period was closed with ${then}.`;
  return { code: 'balances_disagree', side, message };
}

/** Returns warnings about lines of the period that belong to the statement of another currency. */
function currencyWarnings({ period, currencies, ...source }: CloseSource, lines: CurrencyLines): CloseWarning[] {
  return currencies.flatMap(({ currency, records }) => {
    if (currency === lines.currency) return [];
    const inPeriod = records.filter(({ day, isAdjustment }) => !isAdjustment && day >= period.first_day && day <= period.last_day);
    return (['bank', 'books'] as const).flatMap((side): CloseWarning[] => {
      const count = inPeriod.filter((record) => record.side === side).length;
      if (count === 0) return [];
      const lead = count === 1 ? 'One line' : `${count} lines`;
      const rest = count === 1 ? `is in ${currency}: it stands` : `are in ${currency}: they stand`;
      const message = `${lead} of ${sideName(source, side)} in this period ${rest} on a statement of that currency.`;
      return [{ code: 'other_currency', side, message }];
    });
  });
}

const WORK: Readonly<Record<OpenWork['kind'], (work: OpenWork) => string>> = {
  import: ({ name }) => `An import${name === null ? '' : ` of ${name}`} is not finished`,
  run: ({ id }) => `Run ${id} is not finished`,
  bulk: ({ id }) => `Bulk request ${id} is not finished`,
  stream_operation: () => 'The clearing of a stream is not finished',
};

const uncapitalized = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Returns a sentence such as `Run 5 is not finished`. */
export const unfinishedText = (work: OpenWork): string => WORK[work.kind](work);

function workWarnings(work: readonly OpenWork[]): CloseWarning[] {
  return work.map((one) => ({
    code: 'work_in_progress',
    side: null,
    message: `${unfinishedText(one)}: the figures can still change.`,
  }));
}

/** Returns the warnings from the book about a period in one currency. */
export function bookWarnings(source: CloseSource, lines: CurrencyLines, found: FoundBalances, work: readonly OpenWork[]): CloseWarning[] {
  return [
    ...workWarnings(work),
    ...earlyWarnings(source, lines, found),
    ...found.disagreements.map((disagreement) => disagreementWarning(source, lines, disagreement)),
    ...found.restatedSince.map((said) => sinceWarning(source, lines, said)),
    ...gapWarnings(source),
    ...currencyWarnings(source, lines),
  ];
}
