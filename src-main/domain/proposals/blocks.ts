import { totalOf } from '../matching/index.ts';
import type { EngineRecord } from '../records/record.ts';
import type { Pair } from './amount-evidence.ts';
import type { Block } from './links.ts';

interface Records {
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
}

/** Most rows of a block that are compared one by one. A larger block does not show which records belong together. */
const MAX_BLOCK_ROWS = 200;

/** Returns each group as a pair: the net of its many records, and the single record with the same value. */
export function pseudoPairs(blocks: readonly Block[], records: Records, manySide: 'a' | 'b'): Pair[] {
  return blocks.flatMap((block) => {
    const rowsOf = (side: 'a' | 'b'): EngineRecord[] => block[side].flatMap((row) => records[side][row] ?? []);
    const [many, [single]] = manySide === 'a' ? [rowsOf('a'), rowsOf('b')] : [rowsOf('b'), rowsOf('a')];
    if (many.length === 0 || single === undefined) return [];
    const net = totalOf(many);
    if (net === null) return [];
    return [manySide === 'a' ? { a: net, b: single } : { a: single, b: net }];
  });
}

const amountKey = ({ amountMinor, decimalPlaces, currency }: EngineRecord): string => `${amountMinor} ${decimalPlaces} ${currency}`;

/** Returns the records whose amount occurs only once. */
function onlyOnes(records: readonly EngineRecord[]): Map<string, EngineRecord> {
  const seen = new Set<string>();
  const only = new Map<string, EngineRecord>();
  for (const record of records) {
    const key = amountKey(record);
    if (seen.has(key)) only.delete(key);
    else only.set(key, record);
    seen.add(key);
  }
  return only;
}

/** Returns pairs of records whose amount occurs once on each side. */
export function pairsByAmount(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): Pair[] {
  const onlyB = onlyOnes(sideB);
  return [...onlyOnes(sideA)].flatMap(([key, a]) => {
    const b = onlyB.get(key);
    return b === undefined ? [] : [{ a, b }];
  });
}

/** Returns, within values that recur on both sides, the pairs whose amount occurs once on each side. */
export function pairsInBlocks(blocks: readonly Block[], records: Records): Pair[] {
  return blocks.flatMap(({ a, b }) => {
    if (a.length > MAX_BLOCK_ROWS || b.length > MAX_BLOCK_ROWS) return [];
    return pairsByAmount(
      a.flatMap((row) => records.a[row] ?? []),
      b.flatMap((row) => records.b[row] ?? []),
    );
  });
}
