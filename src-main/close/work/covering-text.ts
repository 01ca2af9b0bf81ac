import { storedJson } from '../../database/json-columns.ts';
import type { CoveredRow } from '../../domain/ledger/index.ts';

/** What a sign-off covers, as it is kept: a line of JSON for each row. */
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
