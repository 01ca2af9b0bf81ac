import type { SyncUnsure } from '../../../src-shared/contract/index.ts';
import type { ReadHandle } from '../../database/database.ts';
import { answer, missing, refuseField, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { accountName } from '../store/reads.ts';
import { chooseOfUnsure, findUnsure, ownersOf, remoteById, unsureOf, type UnsureRow } from '../store/remotes.ts';

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
