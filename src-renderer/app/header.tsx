import { Badge, Burger, Tooltip } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '../api/use-query.ts';
import { useUndo } from '../components/use-undo.ts';
import { WriteIcon } from '../components/writing.tsx';
import { holdActions, holdTitle } from '../state/frame-slots.ts';
import { useNavigation } from '../state/navigation.ts';
import { PlaceMenu } from './place-menu.tsx';
import styles from './shell.module.css';
import { SyncMark } from './sync-mark.tsx';

/** The name of the screen, the others of its kind, undo, and what the screen does. */
export function Header({ hasMenuButton }: { readonly hasMenuButton: boolean }) {
  const isMenuOpen = useNavigation((state) => state.isMenuOpen);
  const setMenuOpen = useNavigation((state) => state.setMenuOpen);
  return (
    <header className={styles.head}>
      {hasMenuButton && (
        <Burger
          opened={false}
          onClick={() => setMenuOpen(true)}
          size="xs"
          aria-label="Open the navigation"
          aria-expanded={isMenuOpen}
          data-testid="menu-button"
        />
      )}
      <div className={styles.title} ref={holdTitle} />
      <PlaceMenu />
      <BookBadges />
      <div className={styles.grow} />
      <SyncMark />
      <UndoButton />
      <div className={styles.actions} ref={holdActions} />
    </header>
  );
}

/** Says when the book is not the live one. */
function BookBadges() {
  const { value: book } = useQuery('book.overview', {});
  if (book === undefined) return null;
  const isLive = book.environment === 'live';
  return (
    <>
      {!isLive && <Badge color="orange">{book.environment === 'test' ? 'Test' : book.environment}</Badge>}
      {book.is_sample && <Badge color="gray">Sample</Badge>}
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
        aria-label={label}
        data-testid="undo-button"
        // Kept in the focus order, so that its tooltip can tell why nothing happens.
        aria-disabled={newest === undefined}
        className={newest === undefined ? styles.idle : undefined}
        onClick={undoNewest}
      >
        <IconArrowBackUp size={17} aria-hidden />
      </WriteIcon>
    </Tooltip>
  );
}
