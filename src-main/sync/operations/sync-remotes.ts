import type { Failure } from '../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { answer, missing, refuse } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, EnvironmentName, Handlers } from '../../service/handler.ts';
import { deleteRemote, insertRemote, remoteById, remotesOf, seedOfBook, type SyncRemoteRow, updateRemote } from '../store/remotes.ts';
import { answeredWith } from '../store/runs.ts';
import { isUnderWay, ownerOf, questionView, RemoteViews } from './remote-view.ts';
import { keptKey, type ProbedRemote } from './sync-life.ts';

const SEED_BYTES = 8;

type Unusable = Failure<'remote_unusable'>;

/** Removes the key from a message: some remotes repeat it in their answers. */
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

/** Publishes a change of remotes; call it after the transaction has committed. */
function toldOf(context: ServiceContext): void {
  context.changed(['sync']);
  context.sync.rescheduled();
}

async function probed(
  { sync }: ServiceContext,
  environment: EnvironmentName,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
): Promise<Result<ProbedRemote, Unusable>> {
  const found = await sync.probe(environment, { baseUrl, apiKey });
  return found.ok ? found : failed(withoutKey(found.error, apiKey));
}

function alreadyThere({ name, base_url: baseUrl }: Pick<SyncRemoteRow, 'name' | 'base_url'>) {
  return refuse('conflict', phrase('sync.syncRemotes.isThereAlreadyAsGive', { baseUrl, name }));
}

/** Returns a refusal if the book already knows the remote that answered a probe, else null. */
function isKnown({ probe: { base_url: baseUrl, known_as: known } }: ProbedRemote) {
  if (known === null) return null;
  if (known.base_url === baseUrl) return alreadyThere(known);
  return refuse('conflict', phrase('sync.syncRemotes.isTheOneYouKnow', { baseUrl, name: known.name, base_url: known.base_url }));
}

/**
 * Returns what distinguishes a remote from others at the same address, such as two environments of one instance. Refuses if nothing distinguishes
 * them.
 */
function suffixAt(
  read: ReadHandle,
  { environmentId, baseUrl, besides }: { readonly environmentId: number; readonly baseUrl: string; readonly besides: number | null },
  identity: ProbedRemote['identity'],
): Result<string, Failure<'conflict'>> {
  const others = remotesOf(read, environmentId).filter((row) => row.base_url === baseUrl && row.id !== besides);
  const [other] = others;
  if (other === undefined) return success('');
  const suffix = identity === null ? '' : `#${identity.instanceId}/${identity.environment}`;
  return suffix === '' || others.some((row) => row.key_suffix === suffix) ? alreadyThere(other) : success(suffix);
}

function createHandler(context: ServiceContext, views: RemoteViews): Handlers['sync_remotes.create'] {
  const { database, random, clock } = context;
  return async (caller, input) => {
    const found = await probed(context, caller.environment, { baseUrl: input.base_url, apiKey: input.api_key });
    if (!found.ok) return found;
    const { probe, identity } = found.value;
    const { base_url: baseUrl, kind } = probe;
    const known = isKnown(found.value);
    if (known !== null) return known;
    const place = { environmentId: caller.environmentId, baseUrl, besides: null };
    const suffix = suffixAt(database, place, identity);
    if (!suffix.ok) return suffix;
    const key = await keptKey(
      context.sync.keys,
      ownerOf(caller.environment, { base_url: baseUrl, key_suffix: suffix.value }),
      input.api_key,
      'remote_unusable',
    );
    if (!key.ok) return key;
    const added = database.write((write) => {
      // Checks again: another request may have added the remote while the key was being encrypted.
      const still = suffixAt(write, place, identity);
      if (!still.ok) return still;
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
        key_suffix: suffix.value,
        instance_id: identity?.instanceId ?? null,
        book_id: identity?.bookId ?? null,
        remote_environment: identity?.environment ?? null,
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

/** Returns a refusal if the remote that answered is not this one, else null. */
function isAnother(row: SyncRemoteRow, { probe, identity }: ProbedRemote) {
  const { base_url: baseUrl, known_as: known } = probe;
  if (known !== null && known.id !== row.id) {
    return refuse('conflict', phrase('sync.syncRemotes.answersAsAndNotAsCheck', { baseUrl, name: known.name, name2: row.name }));
  }
  const isOtherEnvironment = identity?.instanceId === row.instance_id && identity?.environment !== row.remote_environment;
  if (identity === null || !isOtherEnvironment) return null;
  return refuse(
    'conflict',
    phrase('sync.syncRemotes.theKeyBelongsToThe', {
      environment: identity.environment,
      name: row.name,
      remote_environment: row.remote_environment ?? '',
    }),
  );
}

interface Moving {
  readonly base_url?: string | undefined;
  readonly api_key?: string | undefined;
}

/** Tries another address or key of a remote, and keeps the key for it. Returns the columns that change with it. */
async function moved(context: ServiceContext, caller: Caller, row: SyncRemoteRow, { base_url: address, api_key: given }: Moving) {
  const { sync, database } = context;
  const before = ownerOf(caller.environment, row);
  const apiKey = given ?? (await sync.keys.read(before));
  if (apiKey === null) return refuse('remote_unusable', phrase('sync.syncRemotes.theKeyOfIsNot', { name: row.name }));
  const found = await probed(context, caller.environment, { baseUrl: address ?? row.base_url, apiKey });
  if (!found.ok) return found;
  const another = isAnother(row, found.value);
  if (another !== null) return another;
  const { base_url: baseUrl } = found.value.probe;
  const suffix = suffixAt(database, { environmentId: caller.environmentId, baseUrl, besides: row.id }, found.value.identity);
  if (!suffix.ok) return suffix;
  const place = { base_url: baseUrl, key_suffix: suffix.value };
  const owner = ownerOf(caller.environment, place);
  const key = await keptKey(context.sync.keys, owner, apiKey, 'remote_unusable');
  if (!key.ok) return key;
  // A question is about the remote that answered before the move.
  return success({ before: owner.baseUrl === before.baseUrl ? null : before, columns: { ...place, question: null, answer: null } });
}

function updateHandler(context: ServiceContext, views: RemoteViews): Handlers['sync_remotes.update'] {
  const { database, sync } = context;
  return async (caller, { id, api_key: apiKey, base_url: baseUrl, ...change }) => {
    const row = remoteById(database, caller.environmentId, id);
    if (row === undefined) return missing('remote', id);
    const isMoved = apiKey !== undefined || baseUrl !== undefined;
    if (isMoved && isUnderWay(sync.activity(id))) return underWay(row);
    const place = isMoved ? await moved(context, caller, row, { api_key: apiKey, base_url: baseUrl }) : null;
    if (place !== null && !place.ok) return place;
    const { when_online: whenOnline, ...rest } = change;
    const columns = {
      ...(rest.name === undefined ? {} : { name: rest.name }),
      ...(rest.every_minutes === undefined ? {} : { every_minutes: rest.every_minutes }),
      ...(whenOnline === undefined ? {} : { when_online: whenOnline ? (1 as const) : (0 as const) }),
      ...place?.value.columns,
    };
    database.write((write) => {
      if (Object.keys(columns).length > 0) updateRemote(write, id, columns);
      const moves = place === null || baseUrl === undefined ? {} : { base_url: place.value.columns.base_url };
      audited(write, context, caller, 'sync_remote.updated', {
        sync_remote_id: id,
        change: { ...change, ...moves },
        has_new_key: apiKey !== undefined,
      });
    });
    const before = place?.value.before ?? null;
    if (before !== null) await sync.keys.forget(before);
    toldOf(context);
    const changed = remoteById(database, caller.environmentId, id);
    return changed === undefined ? missing('remote', id) : answer(await views.view(caller.environment, changed));
  };
}

function underWay({ name }: SyncRemoteRow) {
  return refuse('sync_in_progress', phrase('sync.syncRemotes.syncWithIsUnderWay', { name }));
}

function answerHandler(context: ServiceContext, views: RemoteViews): Handlers['sync_remotes.answer'] {
  const { database, sync } = context;
  return async (caller, { id, choice }) => {
    const row = remoteById(database, caller.environmentId, id);
    if (row === undefined) return missing('remote', id);
    if (isUnderWay(sync.activity(id))) return underWay(row);
    const question = questionView(row);
    if (question === null) return refuse('conflict', phrase('sync.syncRemotes.asksNothingSyncAgainToSee', { name: row.name }));
    if (choice !== null && !question.choices.includes(choice)) {
      const ways =
        question.choices.length === 0 ? phrase('sync.syncRemotes.changeItsAddressOrItsApiKey') : `say ${question.choices.join(' or ')}`;
      return refuse('conflict', phrase('sync.syncRemotes.isNoAnswerToWhatAsks', { choice, name: row.name, ways }));
    }
    database.write((write) => {
      updateRemote(write, id, { answer: answeredWith(row, choice) });
      audited(write, context, caller, 'sync_remote.answered', { sync_remote_id: id, question: question.code, choice });
    });
    toldOf(context);
    const answered = remoteById(database, caller.environmentId, id);
    return answered === undefined ? missing('remote', id) : answer(await views.view(caller.environment, answered));
  };
}

function removeHandler(context: ServiceContext): Handlers['sync_remotes.remove'] {
  const { database, sync } = context;
  return async (caller, { id }) => {
    const row = remoteById(database, caller.environmentId, id);
    if (row === undefined) return missing('remote', id);
    if (isUnderWay(sync.activity(id))) {
      return underWay(row);
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

/** Returns the handlers for remotes of the caller's environment. Keys go only to the key store and to the remote. */
export function syncRemoteHandlers(
  context: ServiceContext,
): Pick<
  Handlers,
  'sync_remotes.list' | 'sync_remotes.probe' | 'sync_remotes.create' | 'sync_remotes.update' | 'sync_remotes.answer' | 'sync_remotes.remove'
> {
  const views = new RemoteViews(context);
  return {
    'sync_remotes.list': async (caller) => {
      const rows = remotesOf(context.database, caller.environmentId);
      return answer({
        keys_kept: context.sync.keys.place(),
        remotes: await Promise.all(rows.map((row) => views.view(caller.environment, row))),
      });
    },
    'sync_remotes.probe': async (caller, input) => {
      const found = await probed(context, caller.environment, { baseUrl: input.base_url, apiKey: input.api_key });
      return found.ok ? answer(found.value.probe) : found;
    },
    'sync_remotes.create': createHandler(context, views),
    'sync_remotes.update': updateHandler(context, views),
    'sync_remotes.answer': answerHandler(context, views),
    'sync_remotes.remove': removeHandler(context),
  };
}
