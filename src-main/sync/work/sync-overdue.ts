import type { SyncContext } from './context.ts';
import { recordName } from './conflict-words.ts';
import { recordsByIds } from './local-records.ts';
import { cannotMove, moved } from './told.ts';
import { overdueOf } from '../store/reads.ts';
import type { RecordPlan } from './record-plan.ts';
import type { ReconciliationPair } from './match-plan.ts';

interface Mark {
  readonly localId: number;
  readonly remoteKey: string;
  readonly here: string | null;
  readonly there: string | null;
}

/** Marks of one reconciliation, both sides beside each other. */
function marksOf(context: SyncContext, here: ReadonlyMap<number, string>, there: ReadonlyMap<string, string>): Mark[] {
  const links = context.links('records');
  const marks = [...here].map(([localId, at]) => {
    const remoteKey = links.ofLocal(localId)?.remote_key ?? null;
    return { localId, remoteKey, here: at, there: remoteKey === null ? null : (there.get(remoteKey) ?? null) };
  });
  const both: Mark[] = marks.flatMap((mark) => (mark.remoteKey === null ? [] : [{ ...mark, remoteKey: mark.remoteKey }]));
  for (const [remoteKey, at] of there) {
    const localId = links.ofRemote(remoteKey)?.local_id;
    if (localId !== undefined && !here.has(localId)) both.push({ localId, remoteKey, here: null, there: at });
  }
  return both;
}

/** Of two times the later one is what was said last. */
async function settle(context: SyncContext, pair: ReconciliationPair, mark: Mark): Promise<void> {
  const { remote, local, preview } = context;
  const links = context.links(`overdue ${pair.localId}`);
  const isRead = remote.dialect.gaps['overdue.list'] === undefined;
  const known = links.ofLocal(mark.localId);
  const there = isRead ? mark.there : (known?.remote_hash ?? null);
  if (mark.here === there) return;
  const isOurs = there === null || (mark.here !== null && mark.here > there);
  const at = (isOurs ? mark.here : there) ?? '';
  if (!preview) {
    const answer = isOurs
      ? await remote.side.markOverdue(mark.remoteKey, pair.remoteKey, at)
      : await local.markOverdue(String(mark.localId), String(pair.localId), at);
    if (!answer.ok) {
      const where = isOurs ? 'at the remote' : 'in the book';
      return cannotMove(
        context,
        'overdue',
        `${pair.name}: record ${mark.localId}`,
        `The record takes no mark ${where}: ${answer.error.message}`,
        mark.localId,
      );
    }
    links.put({ local_id: mark.localId, remote_key: mark.remoteKey, local_hash: at, remote_hash: at });
  }
  const row = recordsByIds(context.database, [mark.localId])[0];
  const name = row === undefined ? pair.name : `${pair.name}: ${recordName(row.content)}`;
  moved(context, isOurs ? 'sent' : 'received', { resource: 'overdue', act: 'made', name, localId: mark.localId });
}

/** Overdue marks, before matches are made: a matched record takes none. */
export async function syncOverdue(context: SyncContext, pairs: readonly ReconciliationPair[], plan: RecordPlan): Promise<void> {
  const marks = overdueOf(context.database, context.environmentId);
  for (const pair of pairs) {
    const own = marks.filter((mark) => mark.reconciliation_id === pair.localId);
    const here = new Map(own.map((mark) => [mark.record_id, new Date(mark.overdue_at).toISOString()]));
    const theirs = plan.marksThere.filter((mark) => mark.reconciliation === pair.remoteKey);
    const there = new Map(theirs.map((mark) => [mark.record, mark.at]));
    for (const mark of marksOf(context, here, there)) await settle(context, pair, mark);
    context.links(`overdue ${pair.localId}`).save();
  }
}
