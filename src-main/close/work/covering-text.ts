import { storedJson } from '../../database/json-columns.ts';
import type { CoveredRow } from '../../domain/ledger/index.ts';

/** Returns the rows that a sign-off covers as text, one line of JSON per row. */
export function coveringText(rows: readonly CoveredRow[]): string {
  return rows.map(({ kind, key, id, text }) => JSON.stringify([kind, key, id, text])).join('\n');
}

export function coveredRows(text: string, periodId: number): CoveredRow[] {
  if (text === '') return [];
  return text.split('\n').map((line) => {
    const [kind, key, id, row] = storedJson('coverings.body', line, periodId);
    return { kind, key, id, text: row };
  });
}
