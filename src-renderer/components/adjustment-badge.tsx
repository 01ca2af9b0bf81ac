import { Badge, Tooltip } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';

/** Marks an adjustment, the record that makes a match balance and that no file contains. `label` says what it is for, if known. */
export function AdjustmentBadge({ label }: { readonly label: string | null }) {
  return (
    <Tooltip label="Made to balance this match. It is not a line of either side, and goes when the match is taken apart.">
      <Badge
        color="orange"
        leftSection={<IconAdjustments size={12} aria-hidden />}
        tabIndex={0}
        style={{ cursor: 'help' }}
        data-testid="adjustment-badge"
      >
        {label === null ? 'Adjustment' : `Adjustment: ${label}`}
      </Badge>
    </Tooltip>
  );
}
