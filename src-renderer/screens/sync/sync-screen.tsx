import { Skeleton } from '@mantine/core';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import type { SyncPlace } from '../../state/places.ts';
import { NoRemote } from './no-remote.tsx';
import { RemoteSync } from './remote-sync.tsx';

/** The sync with another Tieout: what would move, what is to decide, and what was. */
export function SyncScreen({ place }: { readonly place: SyncPlace }) {
  const { value, failure, refetch } = useQuery('sync_remotes.list', {});
  if (failure !== undefined && value === undefined) {
    return (
      <Page title="Sync">
        <FailurePanel title="The remotes could not be read" failure={failure} onRetry={refetch} />
      </Page>
    );
  }
  if (value === undefined) {
    return (
      <Page title="Sync">
        <Skeleton height={200} radius="lg" />
      </Page>
    );
  }
  const remote = place.id === null ? value.remotes[0] : value.remotes.find(({ id }) => id === place.id);
  if (remote === undefined) return <NoRemote isGone={place.id !== null} />;
  return <RemoteSync key={remote.id} remote={remote} tab={place.tab} conflict={place.conflict ?? null} />;
}
