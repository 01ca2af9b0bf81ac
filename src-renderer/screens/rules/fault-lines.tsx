import { Text } from '@mantine/core';

/** What the service said against one part of a form. */
export function FaultLines({ lines }: { readonly lines: readonly string[] | undefined }) {
  if (lines === undefined || lines.length === 0) return null;
  return (
    <Text size="xs" c="red" role="alert" data-testid="rule-fault">
      {lines.join(' ')}
    </Text>
  );
}
