import { Button, Text, Tooltip } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import type { Run } from '../../../src-shared/contract/index.ts';
import styles from './rules.module.css';
import type { RunControl } from './use-run.ts';

interface ProposeButtonProps {
  readonly run: RunControl;
  /** The first thing to do here. */
  readonly isMain?: boolean;
}

/** Looks for rules in the data. How far that is, and the way to stop it, stand above all tabs, as for any run. */
export function ProposeButton({ run, isMain = false }: ProposeButtonProps) {
  return (
    <Tooltip label="Looks at the lines of both sides and at what people matched, on this machine. Rules found wait for you.">
      <Button
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
      </Button>
    </Tooltip>
  );
}

interface NothingProposedProps {
  readonly last: Run | null;
  readonly isRunning: boolean;
}

/** Why the last look at the data found no rule. */
export function NothingProposed({ last, isRunning }: NothingProposedProps) {
  const nothing = last?.proposals?.nothing ?? null;
  if (nothing === null || isRunning) return null;
  return (
    <div className={`card ${styles.nothing}`} data-testid="nothing-proposed">
      <Text size="sm" fw={560}>
        No rule found in the data
      </Text>
      <Text size="sm" c="dimmed">
        {nothing}
      </Text>
    </div>
  );
}
