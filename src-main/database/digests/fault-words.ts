import { type Difference, differences } from './chunk-digest.ts';
import { type Chunk, firstIdOf } from './chunks.ts';
import type { CoveredTable } from './covered.ts';

/** Returns in words which rows and fields of a chunk differ from what Tieout wrote. */
export function wordsOfChunk(table: CoveredTable, chunk: Chunk, was: Buffer | null, rows: Buffer | null): string[] {
  const found = differences(table, firstIdOf(chunk), was, rows);
  if (found.length > 0) return found.map((difference) => wordsOf(table.name, difference));
  const where = typeof chunk === 'number' ? `ids from ${firstIdOf(chunk)} on` : `key ${chunk}`;
  return [`Rows of ${table.name} (${where}) are not what Tieout wrote`];
}

function wordsOf(table: string, difference: Difference): string {
  switch (difference.kind) {
    case 'added':
      return `Row ${difference.key} of ${table} was not written by Tieout`;
    case 'gone':
      return difference.key === null
        ? `A row of ${table} is gone, which Tieout did not delete`
        : `Row ${difference.key} of ${table} is gone, and Tieout did not delete it`;
    case 'changed': {
      const fields = difference.fields.map(({ name, now }) => `${name} is now ${now}`).join(', ');
      return `Row ${difference.key} of ${table} was changed, and not by Tieout${fields === '' ? '' : `: ${fields}`}`;
    }
  }
}
