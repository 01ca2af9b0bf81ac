import { dropIntent, findIntent, leaveUnsure, putIntent, SEND_AGAIN } from '../store/intents.ts';
import { type Answer, LostAnswer, SyncStop } from './answers.ts';
import type { SyncContext } from './context.ts';
import { hashOfValue } from './hashes.ts';

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
