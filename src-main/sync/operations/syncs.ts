import { storedJson } from '../../database/json-columns.ts';
import { answer, missing, refuse } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { remoteById } from '../store/remotes.ts';
import { withPlaces } from './line-places.ts';

type SyncOperation = 'syncs.start' | 'syncs.get' | 'syncs.cancel' | 'syncs.retry' | 'syncs.plan_lines';

export function syncHandlers(context: ServiceContext): Pick<Handlers, SyncOperation> {
  const { database, sync } = context;
  const remoteOf = (caller: Caller, id: number) => remoteById(database, caller.environmentId, id);
  return {
    'syncs.start': (caller, { id, what, same = [], accept_deletions: acceptDeletions = 0 }) => {
      if (remoteOf(caller, id) === undefined) return missing('remote', id);
      return sync.start({ remoteId: id, environment: caller.environment, what, trigger: 'by_hand', same, acceptDeletions });
    },
    'syncs.get': (caller, { id }) => {
      const remote = remoteOf(caller, id);
      if (remote === undefined) return missing('remote', id);
      const verified = storedJson('sync_remotes.verified', remote.verified, id);
      return answer({ activity: sync.activity(id), plan: sync.plan(id), verified });
    },
    'syncs.cancel': (caller, { id }) => {
      if (remoteOf(caller, id) === undefined) return missing('remote', id);
      return sync.cancel(id) ? answer(null) : refuse('conflict', 'Nothing is under way with this remote.');
    },
    'syncs.retry': (caller, { id }) => {
      if (remoteOf(caller, id) === undefined) return missing('remote', id);
      return sync.retry(id) ? answer(null) : refuse('conflict', 'Nothing waits for this remote.');
    },
    'syncs.plan_lines': (caller, { id, resource, part, limit, offset }) => {
      if (remoteOf(caller, id) === undefined) return missing('remote', id);
      const found = sync.planLines(id, resource, part);
      if (found === null) return refuse('conflict', 'There is no preview of this remote: make one first.');
      const data = withPlaces(database, found.lines.slice(offset, offset + limit));
      return answer({ total: found.total, kept: found.lines.length, data });
    },
  };
}
