import type { Client } from '../../src-shared/client/client.ts';
import type { ImportRow, Problem } from '../../src-shared/contract/index.ts';
import { LIMITS } from '../../src-shared/contract/common.ts';

const ROWS_AT_ONCE = LIMITS.pageSize;

/**
 * Puts what a file says now in the place of what the stream has under the same transaction id, line by line, where that is allowed: not of a line that is matched.
 * Answers what became of each as notes.
 */
export async function takeNew(client: Client, importId: number): Promise<Problem[]> {
  const notes: Problem[] = [];
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const rows = await client.get('imports.rows', { id: importId, outcome: 'skipped', limit: ROWS_AT_ONCE, offset });
    for (const row of rows.data) if (row.code === 'same_id_other_content') notes.push(await taken(client, row));
    if (!rows.has_more) return notes;
  }
}

async function taken(client: Client, row: ImportRow): Promise<Problem> {
  const { record_id: id, date, amount, direction, description } = row;
  const said = (code: string, message: string): Problem => ({ row: row.row, column: null, code, message, severity: 'note' });
  if (id === null || date === null || amount === null || direction === null)
    return said('not_taken', `Row ${row.row} has no line to replace.`);
  const changed = await client.call('records.update', { id, date, amount, direction, description });
  return changed.ok
    ? said('taken_new', `Row ${row.row} took the place of the line that had its id: ${row.external_id ?? ''}.`)
    : said('not_taken', `Row ${row.row} did not take the place of the line that has its id: ${changed.error.message}`);
}
