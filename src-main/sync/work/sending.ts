import { dropIntent, findIntent, leaveUnsure, putIntent, SEND_AGAIN } from '../store/intents.ts';
import { agreedRecord } from './agreed.ts';
import { type Answer, LostAnswer, SyncStop } from './answers.ts';
import { type BulkOutcome, bulkOutcomes } from './bulk-outcome.ts';
import { recordDetail } from './conflict-detail.ts';
import { recordName, recordWords } from './conflict-words.ts';
import type { SyncContext } from './context.ts';
import { madeExternalId } from './external-ids.ts';
import { hashOf, hashOfValue, recordHash } from './hashes.ts';
import { type LocalRecord, recordsByIds } from './local-records.ts';
import { canonicalRecord } from './record-content.ts';
import type { StreamPair } from './record-plan.ts';
import { cannotMove, moved, saveRecords, tellRefusal } from './told.ts';

interface Sending<T> {
  readonly resource: string;
  readonly localId: number;
  /** A description by which a person finds the object on the other side. */
  readonly words: string;
  /** The body of the request; an intent is reused only for an equal body. */
  readonly body: unknown;
  readonly send: (idempotencyKey: string) => Promise<Answer<T>>;
  /** Finds on the other side what the request would have created; null if the side cannot list it. */
  readonly look: (() => Promise<T | undefined>) | null;
}

const SENDS = 3;
/** Errors that prove that a request without retries was not taken: it was refused, or no connection was made. */
const NOT_TAKEN: ReadonlySet<string> = new Set(['wrong_key', 'key_not_allowed', 'remote_busy', 'unreachable']);
/** Statuses with which a remote refuses what it already has. */
const IS_TAKEN: ReadonlySet<number> = new Set([409, 422]);

/** Whether an earlier sync sent the object and its outcome is unknown. Objects that the remote can list were looked up before. */
export function isUnsure(
  { database, remoteId, remote }: SyncContext,
  { resource, localId, look }: Pick<Sending<unknown>, 'resource' | 'localId' | 'look'>,
): boolean {
  if (remoteId === null || remote.dialect.takesKeys || look !== null) return false;
  const left = findIntent(database, remoteId, resource, localId);
  return left !== undefined && left.choice !== SEND_AGAIN;
}

/** Creates an object at the remote once. Returns `unsure` if it is unknown whether the object is there. */
export async function sendOnce<T>(context: SyncContext, sending: Sending<T>): Promise<Answer<T> | 'unsure'> {
  const { database, remoteId, remote, seed, run, clock, signal } = context;
  const { resource, localId, look } = sending;
  if (remoteId === null) throw new Error('a preview sends nothing');
  const unsure = (): 'unsure' => {
    if (look === null) database.write((write) => leaveUnsure(write, remoteId, resource, localId));
    return 'unsure';
  };
  if (isUnsure(context, sending)) return unsure();
  signal.throwIfAborted();
  const bodyHash = hashOfValue(sending.body);
  const left = findIntent(database, remoteId, resource, localId);
  const isSame = left?.body_hash === bodyHash && left.choice === null;
  // A key of an earlier sync would return the answer of that time.
  const key = isSame ? left.idempotency_key : `${seed}-${run}-${resource}-${localId}-${bodyHash}`;
  const sent = { idempotency_key: key, body_hash: bodyHash, sent_at: clock.nowMs(), sent_as: sending.words };
  database.write((write) => putIntent(write, { remote_id: remoteId, resource, local_id: localId, ...sent }));
  for (let sends = 1; ; sends += 1) {
    try {
      const answer = await sending.send(key);
      // A network can deliver a request twice: the second is refused, and the object of the first is there.
      const mayBeThere = !answer.ok && IS_TAKEN.has(answer.error.status) && !remote.dialect.takesKeys;
      const there = mayBeThere ? await look?.() : undefined;
      if (there !== undefined) return { ok: true, value: there };
      // An answer completes the intent. `Links.save` drops it for a created object; if the sync ends before, the object is recognised.
      if (!answer.ok) database.write((write) => dropIntent(write, remoteId, resource, localId));
      return answer;
    } catch (error) {
      const isTaken = !(error instanceof SyncStop) || !NOT_TAKEN.has(error.code);
      if (!isTaken && !remote.dialect.takesKeys) database.write((write) => dropIntent(write, remoteId, resource, localId));
      if (!(error instanceof LostAnswer)) throw error;
      if (look === null) return unsure();
      const made = await look();
      if (made !== undefined) return { ok: true, value: made };
      if (sends >= SENDS) return 'unsure';
    }
  }
}

const CHUNK = 1_000;

interface Outgoing {
  readonly record: LocalRecord;
  readonly externalId: string;
}

function refused(context: SyncContext, streamKey: string, { id, content }: LocalRecord, outcome: BulkOutcome): void {
  const name = recordWords(content);
  tellRefusal(
    context,
    { status: 422, code: outcome.code, message: outcome.message },
    {
      resource: 'records',
      name,
      here: false,
      conflict: {
        kind: 'closed_period',
        resource: 'records',
        localId: id,
        remoteKey: null,
        what: `Record of ${streamKey}`,
        local: name,
        remote: 'not there',
        detail: {
          ...recordDetail({ stream: streamKey, localId: id, ours: content, theirs: null }),
          words: 'New here, the period is closed there',
        },
      },
    },
  );
}

function sent(context: SyncContext, { key }: StreamPair, { id, content }: LocalRecord): void {
  moved(context, 'sent', { resource: 'records', act: 'made', name: recordName(content), localId: id, stream: key });
}

/** Links the records that the remote took. Ids that its answer omits are looked up in its newest batches. */
async function settle(context: SyncContext, stream: StreamPair, chunk: readonly Outgoing[], requestId: number): Promise<void> {
  const { remote, wait, note, result } = context;
  const outcomes = await bulkOutcomes(remote.side, { id: requestId, count: chunk.length }, { wait, trouble: () => null });
  const untold = chunk.filter((_, place) => (outcomes[place]?.recordKey ?? null) === null && outcomes[place]?.status !== 'refused');
  const found =
    untold.length === 0
      ? new Map<string, string>()
      : await remote.recordsOfNewestBatches(stream.key, new Set(untold.map(({ externalId }) => externalId)));
  const links = context.links('records');
  for (const [place, { record, externalId }] of chunk.entries()) {
    const outcome = outcomes[place] ?? null;
    if (outcome?.status === 'refused') {
      refused(context, stream.key, record, outcome);
      continue;
    }
    const key = outcome?.recordKey ?? found.get(externalId);
    // The next sync compares records without an answer and records that are there with other content.
    if (key === undefined || outcome?.code === 'same_id_other_content') continue;
    const content = canonicalRecord(record.content);
    const hash = recordHash(content, remote.dialect.recordFields);
    const agreed = agreedRecord(content, remote.dialect.recordFields);
    links.put({ local_id: record.id, remote_key: key, local_hash: hash, remote_hash: hash, agreed });
    sent(context, stream, record);
  }
  saveRecords(context);
  note(`sent ${result.sent.records} records`);
}

/** Sends records that the remote lacks, a thousand per request. While the remote works on one request, the next is sent. */
export async function pushRecords(context: SyncContext, stream: StreamPair, ids: readonly number[]): Promise<void> {
  const { preview, remote, seed, run, database, signal } = context;
  if (ids.length === 0) return;
  if (!stream.isThere && remote.dialect.gaps['streams.create'] !== undefined) {
    cannotMove(context, 'records', stream.key, `The remote has not the stream, so ${ids.length} records of it stay here.`);
    return;
  }
  if (preview) {
    for (let at = 0; at < ids.length; at += CHUNK) {
      for (const record of recordsByIds(database, ids.slice(at, at + CHUNK))) sent(context, stream, record);
    }
    return;
  }
  let working: Promise<void> = Promise.resolve();
  for (let at = 0; at < ids.length; at += CHUNK) {
    signal.throwIfAborted();
    const chunk = recordsByIds(database, ids.slice(at, at + CHUNK)).map((record) => ({
      record,
      externalId: record.content.external_id ?? madeExternalId(seed, record),
    }));
    const records = chunk.map(({ record, externalId }) => ({
      stream: stream.key,
      content: { ...record.content, external_id: externalId },
    }));
    const key = `${seed}-${run}-${hashOf(chunk.map(({ externalId }) => externalId).join('\n'))}`;
    const sending = remote.side.sendBulk(records, key);
    const [sent] = await Promise.all([sending, working]);
    if (!sent.ok) {
      context.result.refused.push({ resource: 'records', name: stream.key, status: sent.error.status, message: sent.error.message });
      return;
    }
    working = settle(context, stream, chunk, sent.value.id);
    // The next round awaits it; until then a rejection must not count as unhandled.
    working.catch(() => {});
  }
  await working;
}
