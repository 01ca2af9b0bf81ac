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
      Try now
    </Button>
  );
  return (
    <Band tone="open" icon={<IconWifiOff size={16} aria-hidden />} actions={retry} aria-live="polite" data-testid="sync-waits">
      <p>
        <b>
          {control.remote.name} has not answered since {secondText(waits.since)}.
        </b>{' '}
        {waits.reason} Next try {secondText(waits.next_at)}
        <span aria-hidden>, in {countText(seconds)} s</span>; try {countText(waits.tries + 1)} of {countText(waits.of)}.
      </p>
    </Band>
  );
}
