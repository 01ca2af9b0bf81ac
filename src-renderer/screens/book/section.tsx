import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly about: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** One part of the settings: an introduction in one sentence, then the controls. */
export function Section({ id, title, about, action, children }: SectionProps) {
  return (
    <section aria-labelledby={`${id}-heading`} data-testid={id}>
      <Group justify="space-between" align="flex-end" gap="sm" mb="sm">
        <Stack gap={2} flex="1 1 20rem" miw={0}>
          <Title order={2} id={`${id}-heading`}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        </Stack>
        {action}
      </Group>
      <div className="card clipped">{children}</div>
    </section>
  );
}
