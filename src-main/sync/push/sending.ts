import { dropIntent, findIntent, putIntent } from '../../store/sync/intents.ts';
import type { SyncContext } from '../context.ts';
import { hashOfValue } from '../identity/hashes.ts';
import { type Answer, LostAnswer } from '../model/answers.ts';

interface Sending<T> {
  readonly resource: string;
  readonly localId: number;
  /** What is sent: the same intent stands for the same body alone. */
  readonly body: unknown;
  readonly send: (idempotencyKey: string) => Promise<Answer<T>>;
  /** Looks on the other side for what the request would have made; null where it cannot be seen there. */
  readonly look: (() => Promise<T | undefined>) | null;
}

const SENDS = 3;

/** What makes something there, once: `unsure` when nobody can tell whether it is there. */
export async function sendOnce<T>(context: SyncContext, sending: Sending<T>): Promise<Answer<T> | 'unsure'> {
  const { database, remoteId, remote, seed, run, clock } = context;
  const { resource, localId, look } = sending;
  if (remoteId === null) throw new Error('a preview sends nothing');
  const bodyHash = hashOfValue(sending.body);
  const left = findIntent(database, remoteId, resource, localId);
  // What stands from an earlier sync was looked for before, where the remote can list it.
  if (left !== undefined && !remote.dialect.takesKeys && look === null) return 'unsure';
  // A key of an earlier sync would be answered with what was there then.
  const key = left?.body_hash === bodyHash ? left.idempotency_key : `${seed}-${run}-${resource}-${localId}-${bodyHash}`;
  const intent = { remote_id: remoteId, resource, local_id: localId, idempotency_key: key, body_hash: bodyHash, sent_at: clock.nowMs() };
  database.write((write) => putIntent(write, intent));
  for (let sends = 1; ; sends += 1) {
    try {
      const answer = await sending.send(key);
      // With the answer the intent has done its work; what was made is linked in a moment, and recognised if that moment does not come.
      if (!answer.ok) database.write((write) => dropIntent(write, remoteId, resource, localId));
      return answer;
    } catch (error) {
      if (!(error instanceof LostAnswer)) throw error;
      if (look === null) return 'unsure';
      const made = await look();
      if (made !== undefined) return { ok: true, value: made };
      if (sends >= SENDS) return 'unsure';
    }
  }
}
