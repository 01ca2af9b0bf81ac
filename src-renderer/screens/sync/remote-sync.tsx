import { Skeleton } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { Output, SyncRemote } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { Page } from '../../components/page.tsx';
import { Segments } from '../../components/segments.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { activityState, remoteState } from '../../format/sync-states.ts';
import { useNavigation } from '../../state/navigation.ts';
import type { SyncTab } from '../../state/places.ts';
import { DecideTab } from './decide-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { SYNC_KEYS } from './keys.ts';
import { NextTab } from './next-tab.tsx';
import styles from './sync.module.css';
import { type SyncControl, useSyncControl } from './use-sync-control.ts';
import { WaitsForYou } from './waits-for-you.tsx';

interface RemoteSyncProps {
  readonly remote: SyncRemote;
  /** Left out: what has something to do. */
  readonly tab: SyncTab | undefined;
  /** The conflict to look at first. */
  readonly conflict: number | null;
}

/** One remote: its state in the header, and what is next, to decide, or past. */
export function RemoteSync({ remote, tab, conflict }: RemoteSyncProps) {
  const read = useQuery('syncs.get', { id: remote.id });
  const control = useSyncControl(remote);
  // Chosen once: deciding the last one leaves its tab on show.
  const [first] = useState<SyncTab>(remote.to_decide > 0 && remote.state !== 'under_way' ? 'decide' : 'next');
  const shown = tab ?? first;
  const isBusy = read.value !== undefined && read.value.activity !== null && read.value.activity.ended_at === null;
  const state = activityState(read.value?.activity) ?? remoteState(remote);
  return (
    <Page
      title={`Sync with ${remote.name}`}
      actions={
        <>
          <span data-testid="sync-state">
            <StateBadge tone={state.tone} title={remote.message ?? undefined}>
              {state.words}
            </StateBadge>
          </span>
          <Tabs remote={remote} shown={shown} />
          {read.value !== undefined && <SyncNow control={control} read={read.value} tab={shown} />}
        </>
      }
      isFlush
      testId="sync-screen"
    >
      {read.value === undefined && read.failure !== undefined && (
        <div className={styles.failed}>
          <FailurePanel title="The sync could not be read" failure={read.failure} onRetry={read.refetch} />
        </div>
      )}
      {read.value === undefined && read.failure === undefined && (
        <div className={styles.waiting} aria-busy>
          <Skeleton height={240} radius="lg" />
        </div>
      )}
      {read.value !== undefined && (
        <div className={styles.frame}>
          {!isBusy && <WaitsForYou control={control} />}
          {shown === 'next' && <NextTab control={control} read={read.value} />}
          {shown === 'decide' && <DecideTab control={control} activity={read.value.activity} first={conflict} />}
          {shown === 'history' && <HistoryTab control={control} read={read.value} />}
        </div>
      )}
    </Page>
  );
}

function Tabs({ remote, shown }: { readonly remote: SyncRemote; readonly shown: SyncTab }) {
  const place = (tab: SyncTab) => ({ screen: 'sync', id: remote.id, tab }) as const;
  const count = (number: number): string | undefined => (number === 0 ? undefined : countText(number));
  const isFirst = remote.last_synced_at === null;
  return (
    <Segments
      label="Sync"
      segments={[
        {
          label: isFirst ? 'First sync' : 'Next sync',
          place: place('next'),
          count: isFirst ? undefined : count(remote.waiting),
          isCurrent: shown === 'next',
          testId: 'sync-tab-next',
        },
        {
          label: 'To decide',
          place: place('decide'),
          count: count(remote.to_decide),
          isCurrent: shown === 'decide',
          testId: 'sync-tab-decide',
        },
        { label: 'History', place: place('history'), isCurrent: shown === 'history', testId: 'sync-tab-history' },
      ]}
    />
  );
}

interface SyncNowProps {
  readonly control: SyncControl;
  readonly read: Output<'syncs.get'>;
  readonly tab: SyncTab;
}

/** Where a plan is on show its own button syncs; a first sync is looked at before it is begun. */
function SyncNow({ control, read, tab }: SyncNowProps) {
  const go = useNavigation((state) => state.go);
  const { remote } = control;
  const isBusy = read.activity !== null && read.activity.ended_at === null;
  const isOffered = !isBusy && remote.last_synced_at !== null && !(tab === 'next' && read.plan !== null);
  function begin(): void {
    control.sync(read.plan);
    if (tab !== 'next') go({ screen: 'sync', id: remote.id, tab: 'next' });
  }
  useShortcuts(isOffered ? { 'mod+Enter': begin } : {});
  if (!isOffered) return null;
  return (
    <WriteButton
      variant="default"
      leftSection={<IconRefresh size={15} aria-hidden />}
      rightSection={<KeyHint keys={SYNC_KEYS.hint} />}
      onClick={begin}
      loading={control.isStarting}
      aria-keyshortcuts={SYNC_KEYS.aria}
      data-testid="sync-now"
    >
      Sync now
    </WriteButton>
  );
}
