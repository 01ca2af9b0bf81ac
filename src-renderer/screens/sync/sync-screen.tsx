import { Button, Skeleton } from '@mantine/core';
import { useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/primitives.tsx';
import { useNavigation } from '../../state/navigation.ts';
import type { SyncPlace } from '../../state/places.ts';
import { RemoteSync } from './remote-sync.tsx';
import { say } from '../../../src-shared/words/say.ts';

/** The sync with another Tieout: the next sync, the decisions, and the history. */
export function SyncScreen({ place }: { readonly place: SyncPlace }) {
  const { data: value, error: failure, refetch } = useOperation('sync_remotes.list', {});
  if (failure !== null && value === undefined) {
    return (
      <Page title={say('sync.syncScreen.sync')}>
        <FailurePanel title={say('sync.syncScreen.theRemotesCouldNotBeRead')} failure={failure} onRetry={refetch} />
      </Page>
    );
  }
  if (value === undefined) {
    return (
      <Page title={say('sync.syncScreen.sync')}>
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
    <Page title={say('sync.syncScreen.sync')} isFlush testId="sync-screen">
      <EmptyState
        title={isGone ? say('sync.syncScreen.thisRemoteIsNotSetUpHere') : say('sync.syncScreen.nothingToSyncWithYet')}
        data-testid="no-remote"
      >
        <p>{say('sync.syncScreen.syncKeepsThisBook')}</p>
        <Button onClick={() => go({ screen: 'settings' })} data-testid="set-up-remote">
          {isGone ? say('sync.syncScreen.openTheSettings') : say('sync.syncScreen.setUpARemote')}
        </Button>
      </EmptyState>
    </Page>
  );
}
