import { Button, Skeleton } from '@mantine/core';
import { useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/primitives.tsx';
import { useNavigation } from '../../state/navigation.ts';
import type { SyncPlace } from '../../state/places.ts';
import { RemoteSync } from './remote-sync.tsx';

/** The sync with another Tieout: the next sync, the decisions, and the history. */
export function SyncScreen({ place }: { readonly place: SyncPlace }) {
  const { data: value, error: failure, refetch } = useOperation('sync_remotes.list', {});
  if (failure !== null && value === undefined) {
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

/** Explains sync when there is no remote. */
function NoRemote({ isGone }: { readonly isGone: boolean }) {
  const go = useNavigation((state) => state.go);
  return (
    <Page title="Sync" isFlush testId="sync-screen">
      <EmptyState title={isGone ? 'This remote is not set up here' : 'Nothing to sync with yet'} data-testid="no-remote">
        <p>
          Sync keeps this book in step with that of another Tieout: what only one side has goes to the other, whole and once. Where both
          changed the same thing you decide, and you see first what each choice leads to.
        </p>
        <Button onClick={() => go({ screen: 'settings' })} data-testid="set-up-remote">
          {isGone ? 'Open the settings' : 'Set up a remote'}
        </Button>
      </EmptyState>
    </Page>
  );
}
