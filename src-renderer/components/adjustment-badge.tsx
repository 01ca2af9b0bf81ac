import { Badge, Tooltip } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';

/** Marks the record that makes a match balance: it is no line of a file. `label`: what it is for, where that was said. */
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
