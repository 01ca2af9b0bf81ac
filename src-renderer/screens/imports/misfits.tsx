import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Misfit } from '../../../src-shared/contract/index.ts';

/** Why the file may not belong in the chosen stream; it is agreed to beside the button that imports it. */
export function Misfits({ misfits }: { readonly misfits: readonly Misfit[] }) {
  if (misfits.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title="The file does not seem to belong in this stream"
      data-testid="misfits"
    >
      <List size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {misfits.map(({ about, message }) => (
          <List.Item key={about}>{message}</List.Item>
        ))}
      </List>
      <Text size="sm">Choose another stream, or say beside the button that this is the right one.</Text>
    </Alert>
  );
}
