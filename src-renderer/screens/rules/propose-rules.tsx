import { Tooltip } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { WriteButton } from '../../components/writing.tsx';
import type { RunControl } from '../runs/use-run.ts';

interface ProposeButtonProps {
  readonly run: RunControl;
  /** The first thing to do here. */
  readonly isMain?: boolean;
}

/** Looks for rules in the data. How far that is, and the way to stop it, stand above all tabs, as for any run. */
export function ProposeButton({ run, isMain = false }: ProposeButtonProps) {
  return (
    <Tooltip label="Looks at the lines of both sides and at what people matched, on this machine. Rules found wait for you.">
      <WriteButton
        size={isMain ? 'sm' : 'compact-sm'}
        variant={isMain ? 'filled' : 'default'}
        mt={isMain ? 'sm' : 0}
        leftSection={<IconSparkles size={14} aria-hidden />}
        onClick={run.propose}
        loading={run.isStarting}
        disabled={run.progress !== null}
        data-testid="propose-rules"
      >
        Propose rules from the data
      </WriteButton>
    </Tooltip>
  );
}
