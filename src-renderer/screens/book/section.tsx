import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';
import { say } from '../../../src-shared/words/say.ts';
import { useConnection } from '../../api/use-operation.ts';

/** The ids of the parts that a search of the settings found; null without a search. */
export const FoundParts = createContext<ReadonlySet<string> | null>(null);

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly about: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** One part of the settings: an introduction in one sentence, then the controls. */
export function Section({ id, title, about, action, children }: SectionProps) {
  const found = useContext(FoundParts);
  return (
    <section aria-labelledby={`${id}-heading`} hidden={found !== null && !found.has(id)} data-testid={id}>
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

/** Shows the book's file, or a backup, in the system's file manager. A browser cannot, so there the button is missing. */
export function ShowInFolder({ backup }: { readonly backup: string | null }) {
  const { showInFolder } = useConnection();
  if (showInFolder === null) return null;
  return (
    <Button
      variant="default"
      size="xs"
      onClick={() => void showInFolder(backup)}
      data-testid={backup === null ? 'show-book-in-folder' : 'show-backup-in-folder'}
    >
      {say('book.section.showInFolder')}
    </Button>
  );
}
