import { phrase } from '../../../src-shared/words/say.ts';
import { dropIntent, findIntent, leaveUnsure, putIntent, SEND_AGAIN } from '../store/links.ts';
import { agreedRecord } from './agreed-history.ts';
import { type Answer, LostAnswer, nothingTakenOn, SyncStop } from './answers.ts';
import { recordDetail, recordName, recordWords } from './conflict-book.ts';
import type { SyncContext } from './context.ts';
import { hashOf, hashOfValue, recordHash } from './hashes.ts';
import { canonicalRecord, type LocalRecord, madeExternalId, recordsByIds } from './record-content.ts';
import type { RecordContent } from './resources.ts';
import { type Side, valueOf } from './side.ts';
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
        what: phrase('sync.sending.lineOf', { streamKey }),
        local: name,
        remote: phrase('sync.sending.notThere'),
        detail: {
          ...recordDetail({ stream: streamKey, localId: id, ours: content, theirs: null }),
          words: phrase('sync.sending.newHereThePeriodIsClosed'),
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
    cannotMove(context, 'records', stream.key, phrase('sync.noAccountThere', { records: ids.length }));
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

/** A stream, and the sides that have it. */
export interface StreamPair {
  readonly key: string;
  /** Null in a preview, in which the stream would still have to be created. */
  readonly localId: number | null;
  readonly isThere: boolean;
}

/** A linked record that one side must change or remove. */
export interface RecordChange {
  readonly stream: string;
  readonly localId: number;
  readonly remoteKey: string;
  /** The remote's content; null if it is not known or gone. */
  readonly content: RecordContent | null;
  readonly hash: string;
}

/** `content` is the remote's content, `merged` the content for both sides. */
export interface Merge extends RecordChange {
  readonly merged: RecordContent;
}

/** Changes of records that wait until the matches that hold them are taken apart. */
export interface RecordPlan {
  readonly changeHere: RecordChange[];
  readonly changeThere: RecordChange[];
  /** Records that both sides edited in different fields: each side gets the other's edits. */
  readonly merge: Merge[];
  readonly removeHere: RecordChange[];
  readonly removeThere: RecordChange[];
  /** Records that one side deleted and gets back. */
  readonly bringHere: RecordChange[];
  readonly bringThere: RecordChange[];
  /** Overdue marks of the remote; `record` and `reconciliation` are remote ids. */
  readonly marksThere: { readonly record: string; readonly reconciliation: string; readonly at: string }[];
}

export function emptyPlan(): RecordPlan {
  return { changeHere: [], changeThere: [], merge: [], removeHere: [], removeThere: [], bringHere: [], bringThere: [], marksThere: [] };
}

export interface BulkOutcome {
  readonly status: 'taken' | 'refused';
  /** Null if the answer does not say. */
  readonly recordKey: string | null;
  readonly code: string;
  readonly message: string;
}

interface Result {
  readonly index: number;
  readonly status: string;
  readonly record_id?: number | null;
  readonly error?: unknown;
}
interface Progress {
  readonly status: string;
  readonly successful_items?: number | null | undefined;
  readonly results?:
    | readonly Result[]
    | { readonly data: readonly Result[]; readonly has_more?: boolean | null | undefined }
    | null
    | undefined;
}

const ENDED = new Set(['completed', 'failed', 'cancelled']);
const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 1_000;
/** The factor between polls. Doubling instead would notice the end of a request up to half of its duration late. */
const LATER = 1.5;
/** Results of one page. */
const PAGE = 100;
const SILENCE_MS = 10 * 60_000;

interface Waiting {
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Returns why the side makes no progress, or null. */
  readonly trouble: () => string | null;
}

interface BulkSent {
  readonly id: number;
  readonly count: number;
}

const ask = (side: Side, { id }: BulkSent, page: { readonly limit: number; readonly offset?: number }): Promise<Progress> =>
  valueOf(side.call, 'bulk_requests.get', { id, ...page }) as Promise<Progress>;

/** Waits for the end of a bulk request and returns it with its first results. Stops the sync after ten minutes without an end. */
async function ended(side: Side, request: BulkSent, limit: number, { wait, trouble }: Waiting): Promise<Progress> {
  let waitedMs = 0;
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(LONGEST_LOOK_MS, lookMs * LATER)) {
    const progress = await ask(side, request, { limit });
    if (ENDED.has(progress.status)) return progress;
    const words = trouble();
    if (words !== null) throw nothingTakenOn(words);
    if (waitedMs > SILENCE_MS)
      throw new SyncStop('no_progress', phrase('sync.sending.bulkRequestIsForTenMinutes', { status: progress.status }));
    await wait(lookMs);
    waitedMs += lookMs;
  }
}

function wordsOf(error: unknown): { code: string; message: string } {
  if (typeof error === 'string') return { code: '', message: error };
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : phrase('sync.sending.itWasNotTaken'),
  };
}

function outcomeOf({ status, record_id: record, error }: Result): BulkOutcome {
  const recordKey = record === null || record === undefined ? null : String(record);
  if (status === 'failed') return { status: 'refused', recordKey: null, ...wordsOf(error) };
  // Skipped without an error means that the same content is there already; with an error, the content differs.
  const { code, message } = wordsOf(error ?? '');
  return { status: 'taken', recordKey, code, message };
}

/** Returns the results of a page, and whether more follow. */
function resultsOf({ results }: Progress): { readonly data: readonly Result[]; readonly hasMore: boolean } {
  if (results === undefined || results === null) return { data: [], hasMore: false };
  if (Array.isArray(results)) return { data: results as readonly Result[], hasMore: false };
  const page = results as { readonly data: readonly Result[]; readonly has_more?: boolean | null | undefined };
  return { data: page.data, hasMore: page.has_more === true && page.data.length > 0 };
}

/**
 * Derives all ids from the first and the last: if every item was taken and the range holds as many ids as items, ids that grow must fill it. Returns
 * null if this does not follow.
 */
async function allInOrder(side: Side, request: BulkSent, progress: Progress): Promise<BulkOutcome[] | null> {
  const { count } = request;
  if (progress.status !== 'completed' || progress.successful_items !== count) return null;
  const [first] = resultsOf(progress).data;
  const [last] = resultsOf(await ask(side, request, { limit: 1, offset: count - 1 })).data;
  const [from, to] = [first?.record_id ?? null, last?.record_id ?? null];
  if (first?.index !== 0 || last?.index !== count - 1 || from === null || to === null || to - from !== count - 1) return null;
  return Array.from({ length: count }, (_, place) => ({ status: 'taken', recordKey: String(from + place), code: '', message: '' }));
}

/**
 * Returns the outcome of each item of a bulk request, null where the answer has none. If the side numbers items in order, two results stand for a
 * thousand: ten pages would cost a Tieout a tenth of the time it works on the items. Pages after the first are requested together: each waits for the
 * side's work on the next request, and in sequence they took longer than that work.
 */
export async function bulkOutcomes(side: Side, request: BulkSent, waiting: Waiting): Promise<(BulkOutcome | null)[]> {
  const { numbersInOrder } = side.dialect;
  const progress = await ended(side, request, numbersInOrder ? 1 : PAGE, waiting);
  const known = numbersInOrder ? await allInOrder(side, request, progress) : null;
  if (known !== null) return known;
  const outcomes: (BulkOutcome | null)[] = Array.from({ length: request.count }, () => null);
  const first = resultsOf(numbersInOrder ? await ask(side, request, { limit: PAGE }) : progress);
  const offsets: number[] = [];
  if (first.hasMore) for (let offset = first.data.length; offset < request.count; offset += first.data.length) offsets.push(offset);
  const pages = await Promise.all(offsets.map((offset) => ask(side, request, { limit: PAGE, offset })));
  for (const { data } of [first, ...pages.map(resultsOf)]) {
    for (const result of data) if (result.index < outcomes.length) outcomes[result.index] = outcomeOf(result);
  }
  return outcomes;
}
