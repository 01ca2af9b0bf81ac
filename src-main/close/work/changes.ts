import { type CoverChange, type CoveredRow, changesBetween } from '../../domain/ledger/index.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle } from '../../database/database.ts';
import { auditEntriesAfter, coveringText, type SignOffRow } from '../store/sign-offs.ts';
import { madeMatches } from '../store/report-reads.ts';
import type { CloseSource } from './close-source.ts';
import { coveredRows } from './covering-text.ts';

/** At most this many changes are listed; all are counted. */
const MOST_CHANGES = 1_000;

/** A change since a sign-off. `at` is milliseconds UTC. `at` and `by` are null if the audit log does not name what changed. */
export interface CloseChange extends CoverChange {
  readonly at: number | null;
  readonly by: string | null;
}

export interface Changes {
  readonly count: number;
  readonly listed: readonly CloseChange[];
}

interface Mention {
  readonly at: number;
  readonly by: string;
}

/** The members of audit details that hold ids, by kind of change. */
const NAMES = {
  record: ['record_id', 'record_ids'],
  match: ['match_id', 'match_ids'],
  import: ['import_batch_id', 'batch_id'],
  run: ['run_id'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
const KINDS = Object.entries(NAMES);

/** Yields the ids in the detail of an entry at any depth, such as `record 5`. */
function* namedIn(detail: unknown): Generator<string> {
  if (typeof detail !== 'object' || detail === null) return;
  for (const [name, value] of Object.entries(detail)) {
    for (const [kind, members] of KINDS) {
      if (!members.some((member) => member === name)) continue;
      for (const id of Array.isArray(value) ? value : [value]) if (typeof id === 'number') yield `${kind} ${id}`;
    }
    yield* namedIn(value);
  }
}

/** Returns who last changed each thing since an audit entry, and who last changed a balance. */
function mentionsSince(read: ReadHandle, environmentId: number, entry: number): ReadonlyMap<string, Mention> {
  const mentions = new Map<string, Mention>();
  for (const { id, at, actor: by, action, detail: text } of auditEntriesAfter(read, environmentId, entry)) {
    const detail = storedJson('audit_log.detail', text, id);
    for (const name of namedIn(detail)) mentions.set(name, { at, by });
    if (action.startsWith('bank_account_balance') || action === 'period.updated') mentions.set('balance', { at, by });
    if (action === 'import_batch.undone') mentions.set(`undone ${String(detail['stream'])}`, { at, by });
    if (action === 'open_item.noted' || action === 'open_items.noted')
      for (const name of namedIn(detail)) mentions.set(name.replace('record', 'note'), { at, by });
  }
  return mentions;
}

/** Returns the import or run that brought or removed something which no audit entry names itself, as a key of `mentionsSince`; null if there is none. */
type OriginOfChange = (change: CoverChange) => string | null;

function originOf(read: ReadHandle, { currencies, streams }: CloseSource, changes: readonly CoverChange[]): OriginOfChange {
  const idsOf = (kind: CoverChange['kind']): Set<number> =>
    new Set(changes.flatMap((change) => (change.kind === kind && change.after !== null && change.id !== null ? [change.id] : [])));
  const wanted = idsOf('record');
  const imports = new Map(
    currencies.flatMap(({ records }) =>
      records.flatMap(({ id, importId }) => (wanted.has(id) && importId !== null ? [[id, importId]] : [])),
    ),
  );
  const runs = new Map(madeMatches(read, [...idsOf('match')]).map(({ id, run_id: run }) => [id, run]));
  const keys = new Map([...streams.bank, ...streams.books].map(({ id, key }) => [id, key]));
  return ({ kind, id, before, after }) => {
    if (kind === 'match') return `run ${runs.get(id ?? 0) ?? ''}`;
    if (kind !== 'record') return null;
    return after === null ? `undone ${keys.get(Number(before?.['stream_id'])) ?? ''}` : `import ${imports.get(id ?? 0) ?? ''}`;
  };
}

/** Returns the audit entry that names the changed thing, else that of the import or run which brought or removed it. */
function mentionOf(change: CoverChange, mentions: ReadonlyMap<string, Mention>, origin: OriginOfChange): Mention | undefined {
  const { kind, id } = change;
  const own = mentions.get(kind === 'balance' ? 'balance' : `${kind} ${id}`);
  if (own !== undefined) return own;
  const brought = origin(change);
  return brought === null ? undefined : mentions.get(brought);
}

/** Returns the changes since a sign-off; null if the rows that it covered are not stored. */
export function changesSince(read: ReadHandle, source: CloseSource, signOff: SignOffRow, now: readonly CoveredRow[]): Changes | null {
  const text = coveringText(read, signOff.period_id, signOff.covering_hash);
  if (text === null) return null;
  const changes = changesBetween(coveredRows(text, signOff.period_id), now);
  const mentions = mentionsSince(read, source.reconciliation.environment_id, signOff.audit_entries);
  const first = changes.slice(0, MOST_CHANGES);
  const origin = originOf(read, source, first);
  const listed = first.map((change): CloseChange => {
    const mention = mentionOf(change, mentions, origin);
    return { ...change, at: mention?.at ?? null, by: mention?.by ?? null };
  });
  return { count: changes.length, listed };
}
