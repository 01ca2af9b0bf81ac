import type { Database } from '../store/database/database.ts';
import type { Clock } from '../platform/ports.ts';
import type { ConflictBook, Met } from './conflicts/conflict-book.ts';
import { Links } from './identity/links.ts';
import type { Refusal } from './model/answers.ts';
import type { Few, Fields, Resource } from './model/resources.ts';
import type { Counted, SyncResult } from './model/result.ts';
import type { Remote } from './remote/remote.ts';
import type { Side } from './sides/side.ts';

/** Keeps a rule of a remote that cannot be used here: as it came, paused with the reason. `id` is that of the rule here, if there is one. */
export type KeepRule = (rule: { readonly id: number | null; readonly fields: Fields; readonly reason: string }) => number;

/** What one sync works with. */
export interface SyncContext {
  readonly database: Database;
  readonly environmentId: number;
  readonly remoteId: number | null;
  readonly preview: boolean;
  readonly seed: string;
  /** Tells the requests of this sync from those of others. */
  readonly run: string;
  readonly local: Side;
  readonly remote: Remote;
  readonly conflicts: ConflictBook;
  readonly result: SyncResult;
  readonly keepRule: KeepRule;
  readonly clock: Clock;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly note: (words: string) => void;
  readonly signal: AbortSignal;
  readonly links: (resource: string) => Links;
  /** Objects of one side alone whose removal waits for the end: what belongs to them is left alone until then. */
  readonly leaving: { readonly here: Set<string>; readonly there: Set<string> };
}

/** Every Links object of a sync is made once. */
export function linkBook(database: Database, remote: { readonly id: number | null; readonly writes: boolean }): SyncContext['links'] {
  const made = new Map<string, Links>();
  return (resource) => {
    const known = made.get(resource);
    if (known !== undefined) return known;
    const links = new Links(database, remote, resource);
    made.set(resource, links);
    return links;
  };
}

const COUNTED_AS: Readonly<Record<Few | 'records' | 'matches' | 'overdue', Counted>> = {
  accounts: 'accounts',
  streams: 'streams',
  properties: 'streams',
  reconciliations: 'reconciliations',
  rules: 'rules',
  stories: 'stories',
  balances: 'balances',
  records: 'records',
  matches: 'matches',
  overdue: 'overdue',
};

/** Counts what was made on a side. */
export function countMade({ result }: SyncContext, way: 'sent' | 'received', resource: Resource, by = 1): void {
  result[way][COUNTED_AS[resource]] += by;
}

export function cannotMove({ result }: SyncContext, resource: string, name: string, reason: string): void {
  const isKnown = result.remote.cannot_move.some((one) => one.resource === resource && one.name === name && one.reason === reason);
  if (!isKnown) result.remote.cannot_move.push({ resource, name, reason });
}

/** What a side does not take is told once; a closed period is a conflict, which somebody can settle. */
export function tellRefusal(
  context: SyncContext,
  { status, code, message }: Refusal,
  about: { readonly resource: string; readonly name: string; readonly here: boolean; readonly conflict: Met },
): void {
  if (code === 'period_closed')
    context.conflicts.show({ ...about.conflict, kind: 'closed_period', what: `${about.conflict.what}: ${message}` });
  else
    context.result.refused.push({ resource: about.resource, name: about.name, status, message: about.here ? `Here: ${message}` : message });
}
