import { decimalPlacesOf, DEFAULT_CURRENCY } from '../../../src-shared/values/money.ts';
import type { LedgerSide } from '../../domain/ledger/index.ts';
import type { StatementPeriod } from '../../domain/statement/index.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { CloseImport, StatedBalance } from '../store/close-reads.ts';
import type { CloseSource, CurrencyLines } from './close-source.ts';
import { distinct } from './words.ts';

/** A stated balance at a point in time. */
export interface Anchor {
  /** The balance holds at the beginning of this day. A closing balance therefore has the day after its own. */
  readonly at: number;
  /** Signed minor units; money in is positive. */
  readonly amount: number;
  /** The import that states it; null if a person or a client gave it. */
  readonly importId: number | null;
}

/**
 * The running balance of a broken chain at the end of a day near a break. It is not a stated balance of that day, because the missing line may be of
 * the same day.
 */
interface RunningEnd {
  readonly at: number;
  readonly amount: number;
  /** If it does not follow from the one before it in the file: the first day on which a line may be missing. Else null. */
  readonly breaksFrom: number | null;
}

function runningEnds(brought: CloseImport): RunningEnd[] {
  return periodsIn(brought).flatMap(({ dayEnds = [] }) =>
    dayEnds.map(({ day, minor, breaksFrom }) => ({ at: day + 1, amount: minor, breaksFrom: breaksFrom ?? null })),
  );
}

/** The owner of stated balances: a bank account with its streams on a side, or a stream without an account. */
export interface Holder {
  /** The names of its streams. */
  readonly name: string;
  readonly streamIds: ReadonlySet<number>;
  /**
   * Sorted so that the balance that counts for a day comes first: balances from people come before those from files, and earlier imports before later
   * ones.
   */
  readonly anchors: readonly Anchor[];
  readonly running: readonly RunningEnd[];
}

/**
 * Types of ledger balances, and whether each holds at the beginning or at the end of its day. Other types, such as available balances, are not used.
 */
const PLACE: Readonly<Record<string, 'begin' | 'end'>> = {
  opening_ledger: 'begin',
  previously_closed_book: 'begin',
  closing_ledger: 'end',
};

const periodsIn = ({ periods }: CloseImport): readonly StatementPeriod[] => periods ?? [];

/** Returns whether a file has several accounts. Such a file has no balance of its own. */
function hasSeveralAccounts(brought: CloseImport): boolean {
  return new Set(periodsIn(brought).map(({ account }) => account)).size > 1;
}

/**
 * Returns the point in time of a stated balance; null if its type is not used. The period of the file decides if it has this balance, because some
 * formats date an opening balance one day early, and a closing one on the day after. A later end of the period counts only if there are lines on that
 * last day; otherwise the end may just be the day that was asked for.
 */
function anchorOf({ day, type, amount, batchId }: StatedBalance, brought: CloseImport | undefined): Anchor | null {
  const place = PLACE[type];
  if (place === undefined) return null;
  const periods = brought === undefined ? [] : periodsIn(brought);
  if (place === 'begin') {
    const near = periods.find(({ openingMinor, firstDay }) => openingMinor === amount && Math.abs(firstDay - day) <= 1);
    return { at: near?.firstDay ?? day, amount, importId: batchId };
  }
  const near = periods.find(
    ({ closingMinor, lastDay }) =>
      closingMinor === amount && (lastDay === day - 1 || (lastDay === day + 1 && (brought?.date_end ?? day) >= lastDay)),
  );
  return { at: (near?.lastDay ?? day) + 1, amount, importId: batchId };
}

/**
 * Returns the opening and closing balances of a file whose dated balances are not stored, such as one whose lines do not lead from balance to
 * balance.
 */
function undatedAnchors(brought: CloseImport): Anchor[] {
  return periodsIn(brought).flatMap(({ firstDay, lastDay, openingMinor, closingMinor }) => [
    ...(openingMinor === null ? [] : [{ at: firstDay, amount: openingMinor, importId: brought.id }]),
    ...(closingMinor === null ? [] : [{ at: lastDay + 1, amount: closingMinor, importId: brought.id }]),
  ]);
}

/** Groups the streams of a side by account; a stream without an account is a group of its own. */
function holdersOf(streams: readonly StreamRow[]): StreamRow[][] {
  return [
    ...Map.groupBy(streams, ({ id, bank_account_id: account }) => (account === null ? `stream ${id}` : `account ${account}`)).values(),
  ];
}

/** Returns the owners of balances of a side in one currency, each with what is stated. */
export function statedAnchors(
  source: Pick<CloseSource, 'streams' | 'signOf' | 'imports'>,
  side: LedgerSide,
  { currency, decimalPlaces }: Pick<CurrencyLines, 'currency' | 'decimalPlaces'>,
  said: readonly StatedBalance[],
): Holder[] {
  const scale = 10 ** (decimalPlaces - decimalPlacesOf(currency)) * source.signOf[side];
  const importById = new Map(source.imports.map((brought) => [brought.id, brought]));
  return holdersOf(source.streams[side]).map((streams) => {
    const streamIds = new Set(streams.map(({ id }) => id));
    const own = streams.find((stream) => stream.currency !== null)?.currency ?? DEFAULT_CURRENCY;
    const all = said.filter((balance) => streamIds.has(balance.streamId));
    const keeping = new Set(all.map(({ batchId }) => batchId));
    const ofHolder = all.filter((balance) => (balance.currency ?? own) === currency);
    const anchors = ofHolder.flatMap((balance) => {
      const brought = balance.batchId === null ? undefined : importById.get(balance.batchId);
      return brought !== undefined && hasSeveralAccounts(brought) ? [] : (anchorOf(balance, brought) ?? []);
    });
    const others = source.imports.filter(
      (brought) => streamIds.has(brought.stream_id) && !keeping.has(brought.id) && (brought.currency ?? own) === currency,
    );
    const ofOne = others.filter((brought) => !hasSeveralAccounts(brought));
    const scaled = <T extends { readonly amount: number }>(each: T): T => ({ ...each, amount: each.amount * scale + 0 });
    const stated = [...anchors, ...ofOne.flatMap(undatedAnchors)].map(scaled);
    return {
      name: distinct(streams.map(({ name }) => name)).join(', '),
      streamIds,
      anchors: stated.toSorted((left, right) => (left.importId ?? 0) - (right.importId ?? 0)),
      running: ofOne.flatMap(runningEnds).map(scaled),
    };
  });
}
