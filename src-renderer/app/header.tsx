import { ActionIcon, Badge, Burger, Group, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconKeyboard } from '@tabler/icons-react';
import { useQuery } from '../api/use-query.ts';
import { useUndo } from '../components/use-undo.ts';
import { WriteIcon } from '../components/writing.tsx';
import { useNavigation } from '../state/navigation.ts';
import { AddressMark } from './address-mark.tsx';
import { ColorSchemeMenu } from './color-scheme-menu.tsx';
import styles from './shell.module.css';

/** The book's name and what holds for the whole window. */
export function Header() {
  const isMenuOpen = useNavigation((state) => state.isMenuOpen);
  const setMenuOpen = useNavigation((state) => state.setMenuOpen);
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="sm">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Burger
          opened={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
          hiddenFrom="md"
          size="sm"
          aria-label="Open the navigation"
          // Under the open navigation, which has a way to close of its own.
          inert={isMenuOpen}
          aria-expanded={isMenuOpen}
        />
        <BookName />
      </Group>
      <Group gap={4} wrap="nowrap">
        <AddressMark />
        <UndoButton />
        <HelpButton />
        <ColorSchemeMenu />
      </Group>
    </Group>
  );
}

function BookName() {
  const { value: book } = useQuery('book.overview', {});
  if (book === undefined) return <Skeleton height={18} width={160} />;
  return (
    <>
      <Text fw={600} className="truncate" title={book.name}>
        {book.name}
      </Text>
      <Badge color={book.environment === 'live' ? 'pine' : 'orange'} style={{ flexShrink: 0 }}>
        {book.environment === 'live' ? 'Live' : book.environment === 'test' ? 'Test' : book.environment}
      </Badge>
      {book.is_sample && (
        <Badge color="gray" style={{ flexShrink: 0 }}>
          Sample
        </Badge>
      )}
    </>
  );
}

function UndoButton() {
  const { newest, undoNewest } = useUndo();
  const label = newest === undefined ? 'Nothing to undo' : `Undo: ${newest.label}`;
  return (
    <Tooltip label={label}>
      <WriteIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        data-testid="undo-button"
        // Kept in the focus order, so that its tooltip can tell why nothing happens.
        aria-disabled={newest === undefined}
        className={newest === undefined ? styles.idle : undefined}
        onClick={undoNewest}
      >
        <IconArrowBackUp size={18} aria-hidden />
      </WriteIcon>
    </Tooltip>
  );
}

function HelpButton() {
  const open = useNavigation((state) => state.open);
  return (
    <Tooltip label="Keyboard (?)">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Keyboard help"
        onClick={() => open('keyboard_help')}
        data-testid="keyboard-help"
      >
        <IconKeyboard size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
