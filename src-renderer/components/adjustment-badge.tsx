import { Badge, Tooltip } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { say } from '../../src-shared/words/say.ts';

/** Marks an adjustment, the record that makes a match balance and that no file contains. `label` says what it is for, if known. */
export function AdjustmentBadge({ label }: { readonly label: string | null }) {
  return (
    <Tooltip label={say('matches.adjustmentBadge.madeToBalanceThisMatch')}>
      <Badge
        color="orange"
        leftSection={<IconAdjustments size={12} aria-hidden />}
        tabIndex={0}
        style={{ cursor: 'help' }}
        data-testid="adjustment-badge"
      >
        {label === null ? say('matches.adjustmentBadge.adjustment') : say('matches.adjustmentBadge.adjustmentNamed', { label })}
      </Badge>
    </Tooltip>
  );
}
