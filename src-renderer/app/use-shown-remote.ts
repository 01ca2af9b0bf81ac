import type { SyncRemote } from '../../src-shared/contract/index.ts';
import { useQuery } from '../api/use-query.ts';
import { mostUrgent } from '../format/remote-words.ts';

/** The remote that the frame speaks of: of several the one that wants most. `name` is null where it is the only one. */
export function useShownRemote(): { readonly remote: SyncRemote; readonly name: string | null } | null {
  const { value } = useQuery('sync_remotes.list', {});
  const remotes = value?.remotes ?? [];
  const remote = mostUrgent(remotes);
  return remote === null ? null : { remote, name: remotes.length === 1 ? null : remote.name };
}
