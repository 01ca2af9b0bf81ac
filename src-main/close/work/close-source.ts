import { present } from '../../../src-shared/values/assert.ts';
import { decimalPlacesOf, DEFAULT_CURRENCY } from '../../../src-shared/values/money.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import type { LedgerMatch, LedgerRecord, LedgerSide, OpenItemNote } from '../../domain/ledger/index.ts';
import { recordIdsOf } from '../../matches/store/match-members.ts';
import { reconciliationById, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { type StreamRow, streamsById } from '../../streams/store/streams.ts';
import { type CloseImport, type CloseMatch, importsOfStreams, linesById, linesUpTo, matchesToClose } from '../store/close-reads.ts';
import { notesOf, type OpenItemNoteRow } from '../store/open-item-notes.ts';
import { type PeriodRow, periodById } from '../store/periods.ts';
import { bankSideOf } from './bank-side.ts';
import { lineTexts } from './line-texts.ts';

/** How far behind the last day lines are read: their counterparts near the cut-off. */
const DAYS_BEHIND = 10;

/** The lines of one currency. Amounts are minor units of `decimalPlaces`, money in positive. */
export interface CurrencyLines {
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly records: readonly LedgerRecord[];
  /** One of them is no safe integer at the finest scale of its currency. */
  readonly hasOverflow: boolean;
}

/** What a close of a period reads of the book, all currencies together. */
export interface CloseSource {
  readonly period: PeriodRow;
  readonly reconciliation: ReconciliationRow;
  readonly bankSide: 'a' | 'b';
  readonly isNeutral: boolean;
  readonly streams: Readonly<Record<LedgerSide, readonly StreamRow[]>>;
  /** -1 where the amounts of the books stand with the opposite sign. */
  readonly signOf: Readonly<Record<LedgerSide, 1 | -1>>;
  readonly imports: readonly CloseImport[];
  /** By currency, in the order of their codes; at least one. */
  readonly currencies: readonly CurrencyLines[];
  readonly matches: readonly LedgerMatch[];
  readonly notes: readonly OpenItemNote[];
  readonly noteRows: readonly OpenItemNoteRow[];
}

/** Which side is the bank, and what streams and imports both have. */
export function closeSides(
  read: ReadHandle,
  reconciliation: ReconciliationRow,
): Pick<CloseSource, 'bankSide' | 'isNeutral' | 'streams' | 'imports'> {
  const ids = streamIdsBySide(read, reconciliation.id);
  const sides = { a: streamsById(read, reconciliation.environment_id, ids.a), b: streamsById(read, reconciliation.environment_id, ids.b) };
  const imports = importsOfStreams(read, [...ids.a, ...ids.b]);
  const { bankSide, isNeutral } = bankSideOf(reconciliation, sides, imports);
  return { bankSide, isNeutral, streams: { bank: sides[bankSide], books: sides[bankSide === 'a' ? 'b' : 'a'] }, imports };
}

/** Reads what a close of a period needs; the caller gives one snapshot. */
export function closeSource(read: ReadHandle, periodId: number): CloseSource {
  const period = present(periodById(read, periodId), 'period');
  const reconciliation = present(reconciliationById(read, period.reconciliation_id), 'reconciliation');
  const { bankSide, isNeutral, streams, imports } = closeSides(read, reconciliation);
  const signOf = { bank: 1, books: reconciliation.sign_convention === 'opposite' ? -1 : 1 } as const;
  const rows = matchesToClose(read, reconciliation.id);
  const noteRows = notesOf(read, reconciliation.id);
  return {
    period,
    reconciliation,
    bankSide,
    isNeutral,
    streams,
    signOf,
    imports,
    currencies: currenciesOf(read, { streams, signOf, period, rows }),
    matches: rows.map(matchOf),
    notes: noteRows.map(({ record_id: recordId, status, owner, comment }) => ({ recordId, status, owner, comment })),
    noteRows,
  };
}

function matchOf(row: CloseMatch): LedgerMatch {
  return {
    id: row.id,
    recordIds: recordIdsOf(row),
    status: row.status === 'matched' ? 'confirmed' : 'proposed',
    reason: row.difference_code as LedgerMatch['reason'],
  };
}

interface LinesWanted extends Pick<CloseSource, 'streams' | 'signOf' | 'period'> {
  readonly rows: readonly CloseMatch[];
}

function currenciesOf(read: ReadHandle, { streams, signOf, period, rows }: LinesWanted): CurrencyLines[] {
  const all = [...streams.bank, ...streams.books];
  const sideOf = new Map<number, LedgerSide>();
  for (const side of ['bank', 'books'] as const) for (const { id } of streams[side]) sideOf.set(id, side);
  const lines = linesUpTo(
    read,
    all.map(({ id }) => id),
    period.last_day + DAYS_BEHIND,
  );
  const adjustments = rows.map((row) => row.adjustment_id).filter((id) => id !== null);
  const adjusting = new Set(adjustments);
  const byCurrency = Map.groupBy([...lines, ...linesById(read, adjustments)], (line) => line[6]);
  const textsOf = lineTexts(all);
  // Only lines up to the last day belong to the statement, so only their currencies and scales count.
  const ofStatement = Map.groupBy(
    lines.filter((line) => line[2] <= period.last_day),
    (line) => line[6],
  );
  const named =
    ofStatement.size > 0
      ? [...ofStatement.keys()].toSorted()
      : [all.find(({ currency }) => currency !== null)?.currency ?? DEFAULT_CURRENCY];
  return named.map((currency) => {
    const found = byCurrency.get(currency) ?? [];
    const decimalPlaces = (ofStatement.get(currency) ?? []).reduce((finest, line) => Math.max(finest, line[5]), decimalPlacesOf(currency));
    let hasOverflow = false;
    const records = found.map((line): LedgerRecord => {
      const [id, streamId, day, magnitude, direction, places, , , , , importId] = line;
      const isAdjustment = adjusting.has(id);
      // An adjustment counts on neither side, so it does not matter on which it stands here.
      const side = isAdjustment ? 'books' : present(sideOf.get(streamId), 'side of a stream');
      const scaled = places === decimalPlaces ? magnitude : Math.round(magnitude * 10 ** (decimalPlaces - places));
      if (!Number.isSafeInteger(scaled)) hasOverflow = true;
      // Avoids -0.
      const amount = (direction === 1 ? scaled : 0 - scaled) * signOf[side] + 0;
      const { reference, description, kindText } = textsOf(line);
      return { id, side, day, amount, reference, description, kindText, streamId, importId, isAdjustment };
    });
    return { currency, decimalPlaces, records, hasOverflow };
  });
}
