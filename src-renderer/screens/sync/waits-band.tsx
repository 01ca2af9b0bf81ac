import { Button } from '@mantine/core';
import { IconWifiOff } from '@tabler/icons-react';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { Band } from '../../components/primitives.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { countText } from '../../format/counts.ts';
import { secondText } from '../../format/sync-steps.ts';
import { useSeconds } from './use-seconds.ts';
import type { SyncControl } from './use-sync-control.ts';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

interface WaitsBandProps {
  readonly control: SyncControl;
  readonly waits: NonNullable<SyncActivity['waits']>;
}

/** Says since when and why the remote does not answer, and when the next attempt is. */
export function WaitsBand({ control, waits }: WaitsBandProps) {
  const now = useSeconds();
  const seconds = Math.max(0, Math.ceil((Date.parse(waits.next_at) - now) / 1_000));
  useShortcuts({ r: control.retry });
  const retry = (
    <Button
      size="compact-sm"
      variant="default"
      rightSection={<KeyHint keys="R" />}
      onClick={control.retry}
      aria-keyshortcuts="R"
      data-testid="sync-retry"
    >
      {say('sync.waitsBand.tryNow')}
    </Button>
  );
  return (
    <Band tone="open" icon={<IconWifiOff size={16} aria-hidden />} actions={retry} aria-live="polite" data-testid="sync-waits">
      <p>
        <Said
          words="sync.waitsBand.nextTryTryOf"
          with={{
            part: <b>{say('sync.waitsBand.hasNotAnsweredSince', { name: control.remote.name, second: secondText(waits.since) })}</b>,
            reason: waits.reason,
            second: secondText(waits.next_at),
            part2: <span aria-hidden>{say('sync.waitsBand.inS', { seconds: countText(seconds) })}</span>,
            tries: countText(waits.tries + 1),
            of: countText(waits.of),
          }}
        />
      </p>
    </Band>
  );
}
