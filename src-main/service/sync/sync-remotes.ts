import type { Failure, SyncProbe } from '../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { appendAudit } from '../../store/book/audit.ts';
import type { WriteHandle } from '../../store/database/database.ts';
import {
  deleteRemote,
  findRemote,
  insertRemote,
  remoteById,
  remotesOf,
  seedOfBook,
  type SyncRemoteRow,
  updateRemote,
} from '../../store/sync/remotes.ts';
import { answer, missing, refuse } from '../core/answers.ts';
import type { ServiceContext } from '../core/context.ts';
import type { Caller, Handlers } from '../core/handler.ts';
import { isUnderWay, ownerOf, RemoteViews } from './remote-view.ts';
import { KeyNotKept, type KeyOwner } from './sync-life.ts';

const SEED_BYTES = 8;

type Unusable = Failure<'remote_unusable'>;

/** Some remotes say the key in what they answer; it goes no further. */
function withoutKey(failure: Unusable, key: string): Unusable {
  return { ...failure, message: failure.message.replaceAll(key, '…') };
}

function audited(
  write: WriteHandle,
  context: ServiceContext,
  caller: Caller,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): void {
  appendAudit(write, { environmentId: caller.environmentId, atMs: context.clock.nowMs(), actor: caller.actor, action, detail });
}

/** Tells of the change once it is in the book. */
function toldOf(context: ServiceContext): void {
  context.changed(['sync']);
  context.sync.rescheduled();
}

async function probed({ sync }: ServiceContext, baseUrl: string, key: string): Promise<Result<SyncProbe, Unusable>> {
  const found = await sync.probe(baseUrl, key);
  return found.ok ? found : failed(withoutKey(found.error, key));
}

async function kept({ sync }: ServiceContext, owner: KeyOwner, key: string): Promise<Result<null, Unusable>> {
  try {
    await sync.keys.keep(owner, key);
    return success(null);
  } catch (error) {
    if (error instanceof KeyNotKept) return refuse('remote_unusable', error.message);
    throw error;
  }
}

function alreadyThere({ name, base_url: baseUrl }: SyncRemoteRow) {
  return refuse('conflict', `${baseUrl} is there already, as ${name}: give that remote a new key, or remove it first.`);
}

function createHandler(context: ServiceContext, views: RemoteViews): Handlers['sync_remotes.create'] {
  const { database, random, clock } = context;
  return async (caller, input) => {
    const found = await probed(context, input.base_url, input.api_key);
    if (!found.ok) return found;
    const { base_url: baseUrl, kind } = found.value;
    const known = findRemote(database, caller.environmentId, baseUrl);
    if (known !== undefined) return alreadyThere(known);
    const key = await kept(context, { environment: caller.environment, baseUrl }, input.api_key);
    if (!key.ok) return key;
    const added = database.write((write) => {
      // Somebody was faster while the key was being sealed.
      const other = findRemote(write, caller.environmentId, baseUrl);
      if (other !== undefined) return alreadyThere(other);
      const said = {
        name: input.name,
        base_url: baseUrl,
        kind,
        every_minutes: input.every_minutes ?? null,
        when_online: input.when_online === true,
      };
      const id = insertRemote(write, {
        ...said,
        environment_id: caller.environmentId,
        when_online: said.when_online ? 1 : 0,
        seed: seedOfBook(write) ?? Buffer.from(random.bytes(SEED_BYTES)).toString('hex'),
        created_at: clock.nowMs(),
      });
      audited(write, context, caller, 'sync_remote.added', { sync_remote_id: id, ...said });
      return success(id);
    });
    if (!added.ok) return added;
    toldOf(context);
    const row = remoteById(database, caller.environmentId, added.value);
    return row === undefined ? missing('remote', added.value) : answer(await views.view(caller.environment, row));
  };
}

function updateHandler(context: ServiceContext, views: RemoteViews): Handlers['sync_remotes.update'] {
  const { database } = context;
  return async (caller, { id, api_key: apiKey, ...change }) => {
    const row = remoteById(database, caller.environmentId, id);
    if (row === undefined) return missing('remote', id);
    if (apiKey !== undefined) {
      const found = await probed(context, row.base_url, apiKey);
      if (!found.ok) return found;
      const key = await kept(context, ownerOf(caller.environment, row), apiKey);
      if (!key.ok) return key;
    }
    const { when_online: whenOnline, ...rest } = change;
    const columns = {
      ...(rest.name === undefined ? {} : { name: rest.name }),
      ...(rest.every_minutes === undefined ? {} : { every_minutes: rest.every_minutes }),
      ...(whenOnline === undefined ? {} : { when_online: whenOnline ? (1 as const) : (0 as const) }),
    };
    database.write((write) => {
      if (Object.keys(columns).length > 0) updateRemote(write, id, columns);
      audited(write, context, caller, 'sync_remote.updated', { sync_remote_id: id, change, has_new_key: apiKey !== undefined });
    });
    toldOf(context);
    const changed = remoteById(database, caller.environmentId, id);
    return changed === undefined ? missing('remote', id) : answer(await views.view(caller.environment, changed));
  };
}

function removeHandler(context: ServiceContext): Handlers['sync_remotes.remove'] {
  const { database, sync } = context;
  return async (caller, { id }) => {
    const row = remoteById(database, caller.environmentId, id);
    if (row === undefined) return missing('remote', id);
    if (isUnderWay(sync.activity(id))) {
      return refuse('sync_in_progress', `A sync with ${row.name} is under way: wait for its end, or cancel it first.`);
    }
    database.write((write) => {
      deleteRemote(write, id);
      audited(write, context, caller, 'sync_remote.removed', { sync_remote_id: id, name: row.name, base_url: row.base_url });
    });
    await sync.keys.forget(ownerOf(caller.environment, row));
    toldOf(context);
    return answer(null);
  };
}

/** Remotes of the caller's environment. A key goes to the keeper of keys and to the remote, nowhere else. */
export function syncRemoteHandlers(
  context: ServiceContext,
): Pick<Handlers, 'sync_remotes.list' | 'sync_remotes.probe' | 'sync_remotes.create' | 'sync_remotes.update' | 'sync_remotes.remove'> {
  const views = new RemoteViews(context);
  return {
    'sync_remotes.list': async (caller) => {
      const rows = remotesOf(context.database, caller.environmentId);
      return answer({
        keys_kept: context.sync.keys.place(),
        remotes: await Promise.all(rows.map((row) => views.view(caller.environment, row))),
      });
    },
    'sync_remotes.probe': async (_caller, input) => probed(context, input.base_url, input.api_key),
    'sync_remotes.create': createHandler(context, views),
    'sync_remotes.update': updateHandler(context, views),
    'sync_remotes.remove': removeHandler(context),
  };
}
