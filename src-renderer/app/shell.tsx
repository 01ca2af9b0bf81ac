import { Drawer } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import type { BookCondition } from '../../src-shared/contract/index.ts';
import { useEvents, useQuery } from '../api/use-query.ts';
import { useShortcuts } from '../components/use-shortcuts.ts';
import { useUndo } from '../components/use-undo.ts';
import { activity } from '../state/activity.ts';
import { undoImport } from '../state/undo-import.ts';
import { useNavigation } from '../state/navigation.ts';
import { runProgress } from '../state/run-progress.ts';
import { Header } from './header.tsx';
import { Place } from './place.tsx';
import { Rail } from './rail.tsx';
import { useRailSize } from './rail-size.ts';
import { ReadOnlyBand } from './read-only-band.tsx';
import styles from './shell.module.css';
import { StatusBar } from './status-bar.tsx';

const KeyboardHelp = lazy(() => import('./keyboard-help.tsx').then((module) => ({ default: module.KeyboardHelp })));
const UndoImportDialog = lazy(() =>
  import('../components/undo-import-dialog.tsx').then((module) => ({ default: module.UndoImportDialog })),
);
const RescueScreen = lazy(() => import('../screens/book/rescue-screen.tsx').then((module) => ({ default: module.RescueScreen })));
const NewReconciliation = lazy(() =>
  import('../screens/reconciliations/new-reconciliation.tsx').then((module) => ({ default: module.NewReconciliation })),
);

/** Without a book that can be opened the window is another one. */
export function Shell() {
  const { value: condition } = useQuery('book.condition', {});
  const isClosed = condition !== undefined && condition.condition !== 'open' && condition.condition !== 'read_only';
  if (!isClosed) return <OpenBook condition={condition} />;
  return (
    <Suspense fallback={null}>
      <RescueScreen condition={condition} />
    </Suspense>
  );
}

/** The window: the rail of places, the header, the screen, the status bar, and what floats above. */
function OpenBook({ condition }: { readonly condition: BookCondition | undefined }) {
  const rail = useRailSize();
  useWindowEvents();
  useWindowTitle();
  return (
    <div className={styles.app} data-rail={rail}>
      {rail === 'none' ? <Menu /> : <Rail size={rail} />}
      <Header hasMenuButton={rail === 'none'} />
      <main className={styles.main}>
        {condition?.condition === 'read_only' && <ReadOnlyBand condition={condition} />}
        <div className={styles.page} id="page">
          <Place />
        </div>
      </main>
      <StatusBar />
      <Dialogs />
    </div>
  );
}

/** The rail of a narrow window. */
function Menu() {
  const isMenuOpen = useNavigation((state) => state.isMenuOpen);
  const setMenuOpen = useNavigation((state) => state.setMenuOpen);
  return (
    <Drawer opened={isMenuOpen} onClose={() => setMenuOpen(false)} size={240} padding={0} withCloseButton={false} title="Navigation">
      <Rail size="wide" onClose={() => setMenuOpen(false)} />
    </Drawer>
  );
}

function Dialogs() {
  const dialog = useNavigation((state) => state.dialog);
  const open = useNavigation((state) => state.open);
  const isUndoingImport = useStore(undoImport, (state) => state.batchId !== null);
  const close = (): void => open(null);
  return (
    <Suspense fallback={null}>
      {dialog === 'keyboard_help' && <KeyboardHelp opened onClose={close} />}
      {dialog === 'new_reconciliation' && <NewReconciliation onClose={close} />}
      {isUndoingImport && <UndoImportDialog />}
    </Suspense>
  );
}

function useWindowEvents(): void {
  const go = useNavigation((state) => state.go);
  const open = useNavigation((state) => state.open);
  const { undoNewest } = useUndo();
  useEvents((event) => {
    if (event.kind === 'job') runProgress.getState().hear(event);
    if (event.kind === 'job' || event.kind === 'changed') activity.getState().hear(event, Date.now());
    if (event.kind === 'command' && event.command === 'import') go({ screen: 'import', streamKey: null });
    if (event.kind === 'command' && event.command === 'settings') go({ screen: 'settings' });
  });
  useShortcuts({
    'mod+z': undoNewest,
    '?': () => open('keyboard_help'),
    h: () => go({ screen: 'book' }),
    'mod+,': () => go({ screen: 'settings' }),
    i: () => go({ screen: 'import', streamKey: null }),
  });
}

function useWindowTitle(): void {
  const { value: book } = useQuery('book.overview', {});
  useEffect(() => {
    document.title = book === undefined ? 'Tieout' : `${book.name} – Tieout`;
  }, [book]);
}
