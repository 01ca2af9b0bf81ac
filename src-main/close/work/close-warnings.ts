import { capitalized } from '../../../src-shared/values/english.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { FilesOfPeriod, LedgerSide, LedgerWarning } from '../../domain/ledger/index.ts';
import { amountText, sideName } from '../../domain/ledger/index.ts';
import { coverageOf, statedAccounts } from '../../domain/statement/index.ts';
import type { CloseImport, OpenWork } from '../store/close-reads.ts';
import type { Anchor } from './anchors.ts';
import type { ContradictedBalance, Disagreement, FoundBalances, RestatedBalance } from './balances.ts';
import type { CloseSource, CurrencyLines } from './close-source.ts';
import { dayText } from '../../../src-shared/values/notation.ts';

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
  /** How far the balances before and after differ; null if unknown. */
  readonly moved: string | null;
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
              days:
                firstDay === lastDay ? dayText(firstDay) : phrase('close.warnings.days', { from: dayText(firstDay), to: dayText(lastDay) }),
              moved: differenceMinor === null ? null : amountText(differenceMinor, places),
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
    message: moved === null ? phrase('close.warnings.gap', { key, days }) : phrase('close.warnings.gapWithMovement', { key, days, moved }),
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
    gaps: gapsOf(source).map(({ side, days }) => phrase('close.warnings.gapOfSide', { side: sideName(source, side), days })),
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
    const values = { side: sideName(source, side), amount, day: dayText(earlierDay), last: dayText(last) };
    const message = phrase('close.warnings.earlier', values);
    return [{ code: 'balance_of_earlier_day', side, message }];
  });
}

function sourceOfAnchor({ importId }: Anchor, imports: readonly CloseImport[]): string {
  const name = imports.find(({ id }) => id === importId)?.filename ?? null;
  if (importId === null) return phrase('close.warnings.entered');
  return name === null ? phrase('close.warnings.fromImport', { id: String(importId) }) : phrase('close.warnings.fromFile', { name });
}

function disagreementWarning(
  source: CloseSource,
  { decimalPlaces }: CurrencyLines,
  { side, at, counted, other, entered }: Disagreement,
): CloseWarning {
  const [first, second] = [counted, other].map(
    (said) => `${amountText(said.amount, decimalPlaces)} (${sourceOfAnchor(said, source.imports)})`,
  );
  const message = phrase('close.warnings.disagree', {
    side: sideName(source, side),
    day: dayText(at),
    first: String(first),
    second: String(second),
    isEntered: entered === null ? 'no' : 'yes',
    entered: entered === null ? '' : amountText(entered, decimalPlaces),
  });
  return { code: 'balances_disagree', side, message };
}

function contradictionWarning(
  source: CloseSource,
  { decimalPlaces }: CurrencyLines,
  { side, at, entered, computed }: ContradictedBalance,
): CloseWarning {
  const message = phrase('close.warnings.contradicted', {
    side: sideName(source, side),
    day: dayText(at - 1),
    entered: amountText(entered, decimalPlaces),
    computed: amountText(computed, decimalPlaces),
  });
  return { code: 'balances_disagree', side, message };
}

function sinceWarning(source: CloseSource, { decimalPlaces }: CurrencyLines, { side, which, signed, now }: RestatedBalance): CloseWarning {
  const text = (amount: number): string => amountText(amount, decimalPlaces);
  const values = { side: sideName(source, side), since: text(now), signed: text(signed) };
  const message = capitalized(
    which === 'opening' ? phrase('close.warnings.openingSince', values) : phrase('close.warnings.closingSince', values),
  );
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
      const message = phrase('close.warnings.otherCurrency', { lines: count, side: sideName(source, side), currency });
      return [{ code: 'other_currency', side, message }];
    });
  });
}

const WORK: Readonly<Record<OpenWork['kind'], (work: OpenWork) => string>> = {
  import: ({ name }) => (name === null ? phrase('close.warnings.importGoesOn') : phrase('close.warnings.importOfGoesOn', { name })),
  run: ({ id }) => phrase('close.warnings.runGoesOn', { id: String(id) }),
  bulk: ({ id }) => phrase('close.warnings.bulkGoesOn', { id: String(id) }),
  stream_operation: () => phrase('close.warnings.accountGoesOn'),
};

const uncapitalized = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Returns a sentence such as `Run 5 is not finished`. */
export const unfinishedText = (work: OpenWork): string => WORK[work.kind](work);

function workWarnings(work: readonly OpenWork[]): CloseWarning[] {
  return work.map((one) => ({
    code: 'work_in_progress',
    side: null,
    message: phrase('close.warnings.canChange', { work: unfinishedText(one) }),
  }));
}

/** Returns the warnings from the book about a period in one currency. */
export function bookWarnings(source: CloseSource, lines: CurrencyLines, found: FoundBalances, work: readonly OpenWork[]): CloseWarning[] {
  return [
    ...workWarnings(work),
    ...earlyWarnings(source, lines, found),
    ...found.disagreements.map((disagreement) => disagreementWarning(source, lines, disagreement)),
    ...found.contradicted.map((balance) => contradictionWarning(source, lines, balance)),
    ...found.restatedSince.map((said) => sinceWarning(source, lines, said)),
    ...gapWarnings(source),
    ...currencyWarnings(source, lines),
  ];
}
