import { decimalPlacesOf, DEFAULT_CURRENCY } from '../../../src-shared/values/money.ts';
import type { LedgerSide } from '../../domain/ledger/index.ts';
import type { StatementPeriod } from '../../domain/statement/index.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { CloseImport, SaidBalance } from '../store/close-reads.ts';
import type { CloseSource, CurrencyLines } from './close-source.ts';
import { distinct } from './words.ts';

/** A balance that somebody states. */
export interface Anchor {
  /** It holds at the beginning of this day: a closing balance stands at the day behind its own. */
  readonly at: number;
  /** Signed minor units, money in positive. */
  readonly amount: number;
  /** The import that says it; null where a person or a client gave it. */
  readonly importId: number | null;
}

/** What a running balance that breaks says of the end of a day near the break. It is no balance of that day: the missing line may be of the same day. */
export interface RunningEnd {
  readonly at: number;
  readonly amount: number;
  /** Where it does not follow from the one before it in the file: the first day on which a line may be missing. */
  readonly breaksFrom: number | null;
}

function runningEnds(brought: CloseImport): RunningEnd[] {
  return periodsIn(brought).flatMap(({ dayEnds = [] }) =>
    dayEnds.map(({ day, minor, breaksFrom }) => ({ at: day + 1, amount: minor, breaksFrom: breaksFrom ?? null })),
  );
}

/** Whose balances these are: an account with all streams of a side that are linked to it, or a stream that is linked to none. */
export interface Holder {
  /** Of its streams, as people know them. */
  readonly name: string;
  readonly streamIds: ReadonlySet<number>;
  /** Of one day, the balance that counts comes first: one that was given before one that a file states, and the first import before later ones. */
  readonly anchors: readonly Anchor[];
  readonly running: readonly RunningEnd[];
}

/** Where a stated balance holds: at the beginning of its day, or of the day behind it; what is not booked does not count. */
const PLACE: Readonly<Record<string, 'begin' | 'end'>> = {
  opening_ledger: 'begin',
  previously_closed_book: 'begin',
  closing_ledger: 'end',
};

const periodsIn = ({ periods }: CloseImport): readonly StatementPeriod[] => periods ?? [];

/** A file of several accounts has no balance of its own. */
function hasSeveralAccounts(brought: CloseImport): boolean {
  return new Set(periodsIn(brought).map(({ account }) => account)).size > 1;
}

/**
 * Returns the place of a stated balance. The period of a file decides where it has one: some formats date an opening balance one day early, and a closing one on the
 * day behind. A period that ends later says nothing of its closing balance, unless there are lines on its last day: it may be what was asked for.
 */
function anchorOf({ day, type, amount, batchId }: SaidBalance, brought: CloseImport | undefined): Anchor | null {
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

/** Opening and closing balances of a file of which the book keeps no dated balance, such as one whose lines do not lead from balance to balance. */
function unkept(brought: CloseImport): Anchor[] {
  return periodsIn(brought).flatMap(({ firstDay, lastDay, openingMinor, closingMinor }) => [
    ...(openingMinor === null ? [] : [{ at: firstDay, amount: openingMinor, importId: brought.id }]),
    ...(closingMinor === null ? [] : [{ at: lastDay + 1, amount: closingMinor, importId: brought.id }]),
  ]);
}

/** The streams of a side, those of one account together. */
function holdersOf(streams: readonly StreamRow[]): StreamRow[][] {
  return [
    ...Map.groupBy(streams, ({ id, bank_account_id: account }) => (account === null ? `stream ${id}` : `account ${account}`)).values(),
  ];
}

/** Every holder of a side in one currency with what is stated of it. */
export function statedAnchors(
  source: Pick<CloseSource, 'streams' | 'signOf' | 'imports'>,
  side: LedgerSide,
  { currency, decimalPlaces }: Pick<CurrencyLines, 'currency' | 'decimalPlaces'>,
  said: readonly SaidBalance[],
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
    const stated = [...anchors, ...ofOne.flatMap(unkept)].map(scaled);
    return {
      name: distinct(streams.map(({ name }) => name)).join(', '),
      streamIds,
      anchors: stated.toSorted((left, right) => (left.importId ?? 0) - (right.importId ?? 0)),
      running: ofOne.flatMap(runningEnds).map(scaled),
    };
  });
}
