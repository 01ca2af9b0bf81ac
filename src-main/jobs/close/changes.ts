import { type CoverChange, type CoveredRow, changesBetween } from '../../domain/ledger/index.ts';
import type { ReadHandle } from '../../store/database/database.ts';
import { auditEntriesAfter, coveringText, type SignOffRow } from '../../store/periods/sign-offs.ts';
import { coveredRows } from './covering-text.ts';

/** Changes that are listed; all of them are counted. */
const MOST_CHANGES = 1_000;

/** A change beneath a sign-off. `at`: milliseconds UTC; null, as `by` is, where the audit log does not name the thing. */
interface CloseChange extends CoverChange {
  readonly at: number | null;
  readonly by: string | null;
}

export interface Changes {
  readonly count: number;
  readonly listed: readonly CloseChange[];
}

interface Told {
  readonly at: number;
  readonly by: string;
}

/** Members of audit entries that name things, by the kind of the change. */
const NAMES: Readonly<Record<'record' | 'match' | 'import', readonly string[]>> = {
  record: ['record_id', 'record_ids'],
  match: ['match_id', 'match_ids'],
  import: ['import_batch_id', 'batch_id'],
};

/** The ids that an entry names, at whatever depth: `record 5`. */
function* namedIn(detail: unknown): Generator<string> {
  if (typeof detail !== 'object' || detail === null) return;
  for (const [name, value] of Object.entries(detail)) {
    for (const kind of ['record', 'match', 'import'] as const) {
      if (!NAMES[kind].includes(name)) continue;
      for (const id of Array.isArray(value) ? value : [value]) if (typeof id === 'number') yield `${kind} ${id}`;
    }
    yield* namedIn(value);
  }
}

/** Who changed what last since an entry, and who put a balance. */
function toldSince(read: ReadHandle, environmentId: number, entry: number): ReadonlyMap<string, Told> {
  const told = new Map<string, Told>();
  for (const { at, actor: by, action, detail } of auditEntriesAfter(read, environmentId, entry)) {
    for (const name of namedIn(JSON.parse(detail))) told.set(name, { at, by });
    if (action.startsWith('bank_account_balance') || action === 'period.updated') told.set('balance', { at, by });
    if (action === 'open_item.noted') for (const name of namedIn(JSON.parse(detail))) told.set(name.replace('record', 'note'), { at, by });
  }
  return told;
}

/** Who brought it: a record that came or went with an import is told of by that. */
function tellerOf({ kind, id }: CoverChange, told: ReadonlyMap<string, Told>): Told | undefined {
  return told.get(kind === 'balance' ? 'balance' : `${kind} ${id}`);
}

/** What is different since a sign-off; null where what it covered was not kept. */
export function changesSince(read: ReadHandle, environmentId: number, signOff: SignOffRow, now: readonly CoveredRow[]): Changes | null {
  const text = coveringText(read, signOff.period_id, signOff.covering_hash);
  if (text === null) return null;
  const changes = changesBetween(coveredRows(text), now);
  const told = toldSince(read, environmentId, signOff.audit_entries);
  const listed = changes.slice(0, MOST_CHANGES).map((change): CloseChange => {
    const teller = tellerOf(change, told);
    return { ...change, at: teller?.at ?? null, by: teller?.by ?? null };
  });
  return { count: changes.length, listed };
}
