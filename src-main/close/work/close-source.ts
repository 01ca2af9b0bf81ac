import { present } from '../../../src-shared/values/assert.ts';
import { decimalPlacesOf, DEFAULT_CURRENCY } from '../../../src-shared/values/money.ts';
import type { ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import type { LedgerMatch, LedgerRecord, LedgerSide, OpenItemNote } from '../../domain/ledger/index.ts';
import { recordIdsOf } from '../../matches/store/match-members.ts';
import { reconciliationById, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { referenceText } from '../../records/work/engine-input.ts';
import { textMember } from '../../records/work/row-columns.ts';
import { type StreamRow, streamsById } from '../../streams/store/streams.ts';
import {
  type CloseImport,
  type CloseLine,
  type CloseMatch,
  importsOfStreams,
  linesById,
  linesUpTo,
  matchesToClose,
} from '../store/close-reads.ts';
import { notesOf, type OpenItemNoteRow } from '../store/open-item-notes.ts';
import { periodById, type PeriodRow } from '../store/periods.ts';

/** Metadata keys under which files state the kind of a line. */
const KINDS = ['type', 'transaction_type', 'kind', 'transaction_code', 'code', 'category'] as const;
const FINDERS = KINDS.map((key) => ({ key, quoted: `"${key}":`, find: textMember(key) }));
const METADATA = 'metadata.';

type Texts = Pick<LedgerRecord, 'reference' | 'description' | 'kindText'>;
type Metadata = Readonly<Record<string, unknown>>;

/** Returns the first kind that the metadata state. Only unusual metadata have to be parsed. */
function kindOf(text: string, parsed: () => Metadata): string | null {
  for (const { key, quoted, find } of FINDERS) {
    if (!text.includes(quoted)) continue;
    const found = find(text);
    const value = found === undefined ? parsed()[key] : found;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

/** Returns a function for the texts of a line. The reference comes from the field that its stream names. */
function lineTexts(streams: readonly StreamRow[]): (line: CloseLine) => Texts {
  const fields = new Map(
    streams.map(({ id, reference_field: field }) => {
      const find = field?.startsWith(METADATA) === true ? textMember(field.slice(METADATA.length)) : null;
      return [id, { field, find }] as const;
    }),
  );
  return ([id, streamId, , , , , , description, externalId, text]) => {
    let metadata: Metadata | null = null;
    const parsed = (): Metadata => (metadata ??= text === '{}' ? {} : storedJson('records.metadata', text, id));
    const { field, find } = fields.get(streamId) ?? { field: null, find: null };
    const found = find?.(text);
    const reference =
      typeof found === 'string'
        ? found.trim() || null
        : referenceText(field, { description, external_id: externalId }, find === null ? {} : parsed());
    return { reference, description, kindText: text === '{}' ? null : kindOf(text, parsed) };
  };
}

/** Formats of bank statements. */
const BANK_FORMATS: ReadonlySet<string> = new Set(['ofx', 'qfx', 'qif', 'camt', 'mt940', 'mt942', 'bai2', 'nacha']);

type Sides = Readonly<Record<'a' | 'b', readonly StreamRow[]>>;

/** Returns the only side with a stream that satisfies `holds`; null if neither or both have one. */
function onlyOne(sides: Sides, holds: (stream: StreamRow) => boolean): 'a' | 'b' | null {
  const [a, b] = [sides.a.some(holds), sides.b.some(holds)];
  return a === b ? null : a ? 'a' : 'b';
}

/**
 * Returns the bank side: the one that a person named or a close has fixed, else the only one with a bank account, else the only one with files in
 * bank formats, else the only one whose files state balances. If none of these decides, the reconciliation is neutral and side A comes first.
 */
function bankSideOf(
  { bank_side: named }: Pick<ReconciliationRow, 'bank_side'>,
  sides: Sides,
  imports: readonly CloseImport[],
): { readonly bankSide: 'a' | 'b'; readonly isNeutral: boolean } {
  if (named === 'none') return { bankSide: 'a', isNeutral: true };
  const byStream = Map.groupBy(imports, (brought) => brought.stream_id);
  const brought = (stream: StreamRow, isSuch: (of: CloseImport) => boolean): boolean => (byStream.get(stream.id) ?? []).some(isSuch);
  const side =
    named ??
    onlyOne(sides, (stream) => stream.bank_account_id !== null) ??
    onlyOne(sides, (stream) => brought(stream, ({ format }) => BANK_FORMATS.has(format))) ??
    onlyOne(sides, (stream) => brought(stream, (of) => of.opening_balance !== null || of.closing_balance !== null));
  return { bankSide: side ?? 'a', isNeutral: side === null };
}

/** Lines up to this many days after the period are read, since they may be counterparts of lines near its end. */
const DAYS_BEHIND = 10;

/** The lines of one currency. Amounts are minor units of `decimalPlaces`; money in is positive. */
export interface CurrencyLines {
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly records: readonly LedgerRecord[];
  /** Whether an amount is no safe integer at the finest scale of its currency. */
  readonly hasOverflow: boolean;
}

/** All data of the book that the close of a period needs, for all currencies. */
export interface CloseSource {
  readonly period: PeriodRow;
  readonly reconciliation: ReconciliationRow;
  readonly bankSide: 'a' | 'b';
  readonly isNeutral: boolean;
  readonly streams: Readonly<Record<LedgerSide, readonly StreamRow[]>>;
  /** -1 if the amounts of the books have the opposite sign. */
  readonly signOf: Readonly<Record<LedgerSide, 1 | -1>>;
  readonly imports: readonly CloseImport[];
  /** One or more currencies, sorted by code. */
  readonly currencies: readonly CurrencyLines[];
  readonly matches: readonly LedgerMatch[];
  readonly notes: readonly OpenItemNote[];
  readonly noteRows: readonly OpenItemNoteRow[];
}

/** Returns the bank side, and the streams and imports of both sides. */
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

/** Reads the data for the close of a period. The caller must provide one snapshot. */
export function closeSource(read: ReadHandle, periodId: number): CloseSource {
  return closeSourceOf(read, present(periodById(read, periodId), 'period'));
}

/** Reads the data for a close of any days. */
export function closeSourceOf(read: ReadHandle, period: PeriodRow): CloseSource {
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
  // Lines after the last day are not part of the statement, so their currencies and scales do not count.
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
      // An adjustment counts on neither side, so its side here has no effect.
      const side = isAdjustment ? 'books' : present(sideOf.get(streamId), 'side of a stream');
      const scaled = places === decimalPlaces ? magnitude : Math.round(magnitude * 10 ** (decimalPlaces - places));
      if (!Number.isSafeInteger(scaled)) hasOverflow = true;
      // Adding 0 avoids -0.
      const amount = (direction === 1 ? scaled : 0 - scaled) * signOf[side] + 0;
      const { reference, description, kindText } = textsOf(line);
      return { id, side, day, amount, reference, description, kindText, streamId, importId, isAdjustment };
    });
    return { currency, decimalPlaces, records, hasOverflow };
  });
}
