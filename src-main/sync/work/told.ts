import { type SyncContext } from './context.ts';
import type { Met } from './conflict-book.ts';
import type { Refusal } from './answers.ts';
import type { LowVolume, Resource } from './resources.ts';
import { type Counted, staysKey } from './sync-result.ts';

export const COUNTED_AS: Readonly<Record<LowVolume | 'records' | 'matches' | 'overdue', Counted>> = {
  accounts: 'accounts',
  streams: 'streams',
  properties: 'streams',
  reconciliations: 'reconciliations',
  rules: 'rules',
  stories: 'stories',
  balances: 'balances',
  imports: 'imports',
  records: 'records',
  matches: 'matches',
  overdue: 'overdue',
};

/** An object that moved. */
export interface Moved {
  readonly resource: Resource;
  readonly act: 'made' | 'changed' | 'removed';
  readonly name: string;
  /** Null if the book does not have it, or no longer. */
  readonly localId: number | null;
  readonly stream?: string;
}

function countedOf({ resource, act }: Moved): Counted {
  if (act === 'made') return COUNTED_AS[resource];
  return act === 'removed' && resource === 'matches' ? 'unmatched' : 'changes';
}

/** Counts and logs an object that moved. */
export function moved({ result, log, tally, progress }: SyncContext, way: 'sent' | 'received', what: Moved): void {
  const { resource, act, name, localId, stream = null } = what;
  const counted = countedOf(what);
  result[way][counted] += 1;
  log.add({ way, counted, act, resource, localId, name, reason: null });
  if (act === 'made' && resource !== 'records' && resource !== 'matches') tally.isNew(counted, way === 'sent' ? 'there' : 'here', name);
  progress.moved(way, counted, stream, 1);
}

/** Notes an object that one side cannot take or give; repeated notes count once. */
export function cannotMove(
  { result, log }: SyncContext,
  resource: Resource | 'periods',
  name: string,
  reason: string,
  localId: number | null = null,
): void {
  const all = result.remote.cannot_move;
  if (all.some((one) => one.resource === resource && one.name === name && one.reason === reason)) return;
  all.push({ resource, name, reason });
  const counted = resource === 'periods' ? 'changes' : COUNTED_AS[resource];
  log.add({ way: 'not_moved', counted, act: 'stays', resource, localId, name, reason });
}

/** Notes an object of the remote that the book cannot take. */
export function staysThere(context: SyncContext, resource: Resource, name: string, reason: string): void {
  context.tally.staysThere.add(staysKey({ resource, reason }));
  cannotMove(context, resource, name, reason);
}

/** Notes an object of which it is unknown whether it is at the remote. */
export function tellUnsure({ result, log, unsure }: SyncContext, resource: Resource, name: string, reason: string, localId: number): void {
  unsure.add(`${resource} ${localId}`);
  result.unsure.push({ resource, name, reason });
  log.add({ way: 'not_moved', counted: COUNTED_AS[resource], act: 'unsure', resource, localId, name, reason });
}

/** Notes a refusal. A refusal because of a closed period becomes a conflict, which a person can settle. */
export function tellRefusal(
  context: SyncContext,
  { status, code, message }: Refusal,
  about: { readonly resource: Resource; readonly name: string; readonly here: boolean; readonly conflict: Met },
): void {
  const { resource, name, conflict } = about;
  if (code === 'period_closed') {
    context.conflicts.show({ ...conflict, kind: 'closed_period', what: `${conflict.what}: ${message}` });
    return;
  }
  const words = about.here ? `Here: ${message}` : message;
  context.result.refused.push({ resource, name, status, message: words });
  context.log.add({
    way: 'not_moved',
    counted: COUNTED_AS[resource],
    act: 'refused',
    resource,
    localId: conflict.localId,
    name,
    reason: words,
  });
}

/** Saves the links and lines of a chunk of records in one transaction; two would wait for the disk twice. */
export function saveRecords({ database, preview, links, log }: SyncContext): void {
  if (preview) return;
  database.write((write) => {
    links('records').saveIn(write);
    log.saveIn(write);
  });
}
