import type { SyncContext } from './context.ts';
import { cannotMove, moved, saveRecords, tellRefusal } from './told.ts';
import { recordDetail } from './conflict-detail.ts';
import { recordName, recordWords } from './conflict-words.ts';
import { madeExternalId } from './external-ids.ts';
import { agreedRecord } from './agreed.ts';
import { hashOf, recordHash } from './hashes.ts';
import { type LocalRecord, recordsByIds } from './local-records.ts';
import { canonicalRecord } from './record-content.ts';
import type { StreamPair } from './record-plan.ts';
import { type BulkOutcome, bulkOutcomes } from './bulk-outcome.ts';

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
