import type { ReconciliationRow } from '../../database/rows.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { CloseImport } from '../store/close-reads.ts';

/** Formats in which banks give statements. */
const BANK_FORMATS: ReadonlySet<string> = new Set(['ofx', 'qfx', 'qif', 'camt', 'mt940', 'mt942', 'bai2', 'nacha']);

type Sides = Readonly<Record<'a' | 'b', readonly StreamRow[]>>;

/** The side that alone is what `holds` asks for; null where none or both are. */
function onlyOne(sides: Sides, holds: (stream: StreamRow) => boolean): 'a' | 'b' | null {
  const [a, b] = [sides.a.some(holds), sides.b.some(holds)];
  return a === b ? null : a ? 'a' : 'b';
}

/**
 * Which side stands where the bank does: the one that a person named or that stood there when a period was closed, else the one that is linked to a bank account, else the one whose files are bank formats,
 * else the one whose files state balances. Where none of these tells them apart there is no bank, and side A stands first.
 */
export function bankSideOf(
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
