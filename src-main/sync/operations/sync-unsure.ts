import type { Output, SyncUnsure } from '../../../src-shared/contract/index.ts';
import { ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams/streams.ts';
import type { ReadHandle } from '../../database/database.ts';
import { answer, missing, refuseField, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { conflictAbout } from '../store/conflicts.ts';
import { lastNotMoved } from '../store/lines.ts';
import { findIntent, findLink, placesOfRecords } from '../store/links.ts';
import { accountName, matchStatus } from '../store/reads.ts';
import {
  chooseOfUnsure,
  findUnsure,
  ownersOf,
  remoteById,
  remotesOf,
  type SyncRemoteRow,
  unsureOf,
  type UnsureRow,
} from '../store/remotes.ts';

function unsureView(row: UnsureRow): SyncUnsure {
  const { id, remote_id, local_id, name, sent_as, sent_at: sentAt, choice, decided_at: decidedAt } = row;
  return {
    id,
    remote_id,
    resource: 'accounts',
    local_id,
    name,
    sent_as,
    sent_at: timestampOf(sentAt),
    choice,
    decided_at: timestampOrNull(decidedAt),
  };
}

/** Returns the account that already has the chosen remote id, or null if it is free. */
function ownerOf(read: ReadHandle, row: UnsureRow, choice: string): string | null {
  const other = ownersOf(read, row, choice).find((id) => id !== row.local_id);
  return other === undefined ? null : (accountName(read, other) ?? `account ${other}`);
}

export function syncUnsureHandlers(context: ServiceContext): Pick<Handlers, 'sync_unsure.list' | 'sync_unsure.settle'> {
  const { database, clock } = context;
  return {
    'sync_unsure.list': (caller, { id }) => {
      if (remoteById(database, caller.environmentId, id) === undefined) return missing('remote', id);
      return answer(unsureOf(database, id).map(unsureView));
    },
    'sync_unsure.settle': (caller, { id, choice }) => {
      const row = findUnsure(database, caller.environmentId, id);
      if (row === undefined) return missing('unsure account', id);
      const owner = choice === null ? null : ownerOf(database, row, choice);
      if (owner !== null) {
        return refuseField(
          'conflict',
          'choice',
          `Id ${choice} there is that of ${owner} already: say under which id ${row.name} is there.`,
        );
      }
      const decidedAtMs = choice === null ? null : clock.nowMs();
      database.write((write) => chooseOfUnsure(write, id, choice, decidedAtMs));
      context.changed(['sync']);
      return answer(unsureView({ ...row, choice, decided_at: decidedAtMs }));
    },
  };
}

type Why = Output<'syncs.why'>[number];
type Asked = { readonly resource: string; readonly id: number };

type Said = Pick<Why, 'state' | 'words' | 'conflict_id'>;

async function stateOf({ database, sync }: ServiceContext, caller: Caller, remote: SyncRemoteRow, { resource, id }: Asked): Promise<Said> {
  const said = (state: Why['state'], words: string, conflictId: number | null = null) => ({ state, words, conflict_id: conflictId });
  const conflict = conflictAbout(database, remote.id, resource, id);
  if (conflict !== undefined) {
    return conflict.choice === null
      ? said('to_decide', `Both sides disagree: ${conflict.what}`, conflict.id)
      : said('changed', 'Decided; the next sync carries it out.', conflict.id);
  }
  const unsure = findIntent(database, remote.id, resource, id);
  if (unsure?.is_unsure === 1) {
    return unsure.choice === null
      ? said('unsure', `Sent ${timestampOf(unsure.sent_at)}, and the answer was lost: look there, and say whether it is there.`)
      : said('changed', 'You said whether it is there; the next sync goes by that.');
  }
  if (resource === 'matches' && matchStatus(database, id) === 'proposed')
    return said('stays', 'It is proposed: it goes once somebody has confirmed it.');
  if (resource === 'records' && placesOfRecords(database, [id]).get(id) === ADJUSTMENTS_KEY)
    return said('stays', 'It makes a match balance, and goes with that match.');
  const link = findLink(database, remote.id, resource, id);
  const left = lastNotMoved(database, remote.id, resource, id);
  if (link !== undefined) {
    if (left?.act === 'refused') return said('refused', `A change was refused: ${left.reason}`);
    if (await sync.hasChanged({ environment: caller.environment, remoteId: remote.id, resource, id }))
      return said('changed', 'Changed here since the last sync: the next one sends it.');
    return said(
      'synced',
      remote.last_synced_at === null ? 'On both sides.' : `On both sides, last compared ${timestampOf(remote.last_synced_at)}.`,
    );
  }
  if (left !== undefined) {
    const state = left.act === 'unsure' ? 'unsure' : left.act === 'refused' ? 'refused' : 'stays';
    return said(state, left.reason);
  }
  return said(
    'not_sent',
    remote.last_synced_at === null ? 'Nothing has been synced yet.' : 'New since the last sync: the next one sends it.',
  );
}

export function syncWhyHandlers(context: ServiceContext): Pick<Handlers, 'syncs.why'> {
  return {
    'syncs.why': async (caller, asked) => {
      const all: Why[] = [];
      for (const remote of remotesOf(context.database, caller.environmentId)) {
        all.push({ remote_id: remote.id, remote_name: remote.name, ...(await stateOf(context, caller, remote, asked)) });
      }
      return answer(all);
    },
  };
}
