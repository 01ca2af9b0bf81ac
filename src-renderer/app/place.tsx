import { lazy, Suspense, useEffect, useRef } from 'react';
import { BookScreen } from '../screens/book/book-screen.tsx';
import { useNavigation } from '../state/navigation.ts';
import { placeText } from '../state/places.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { ScreenSkeleton } from './screen-skeleton.tsx';

// The grid is the largest part of the window; it is fetched while the first screen is being read.
const loadReconciliation = () => import('../screens/reconciliations/reconciliation-screen.tsx');
const ReconciliationScreen = lazy(() => loadReconciliation().then((module) => ({ default: module.ReconciliationScreen })));
const ImportScreen = lazy(() => import('../screens/imports/import-screen.tsx').then((module) => ({ default: module.ImportScreen })));
const StreamScreen = lazy(() => import('../screens/streams/stream-screen.tsx').then((module) => ({ default: module.StreamScreen })));
const AccountScreen = lazy(() => import('../screens/streams/account-screen.tsx').then((module) => ({ default: module.AccountScreen })));
const AccountsScreen = lazy(() => import('../screens/streams/accounts-screen.tsx').then((module) => ({ default: module.AccountsScreen })));
const RecordsScreen = lazy(() => import('../screens/records/records-screen.tsx').then((module) => ({ default: module.RecordsScreen })));
const CloseScreen = lazy(() => import('../screens/close/close-screen.tsx').then((module) => ({ default: module.CloseScreen })));
const SyncScreen = lazy(() => import('../screens/sync/sync-screen.tsx').then((module) => ({ default: module.SyncScreen })));
const SettingsScreen = lazy(() => import('../screens/book/settings-screen.tsx').then((module) => ({ default: module.SettingsScreen })));

/** The screen of the place the window is at. */
export function Place() {
  const place = useNavigation((state) => state.place);
  const frame = useRef<HTMLElement>(null);
  const text = placeText(place);
  const before = useRef(text);
  useEffect(() => {
    // A new screen is announced by its heading; at the very start the focus stays where the browser puts it.
    if (before.current !== text) frame.current?.focus({ preventScroll: true });
    before.current = text;
  }, [text]);
  useEffect(() => {
    const timer = setTimeout(() => void loadReconciliation(), 600);
    return () => clearTimeout(timer);
  }, []);
  return (
    <section
      ref={frame}
      tabIndex={-1}
      style={{ outline: 'none', minHeight: '100%', display: 'flex', flexDirection: 'column' }}
      aria-label="Screen"
    >
      <ErrorBoundary key={text}>
        <Suspense fallback={<ScreenSkeleton />}>
          {place.screen === 'book' && <BookScreen />}
          {place.screen === 'import' && <ImportScreen key={place.streamKey} streamKey={place.streamKey} />}
          {place.screen === 'reconciliation' && <ReconciliationScreen key={place.id} id={place.id} firstTab={place.tab ?? 'open'} />}
          {place.screen === 'close' && <CloseScreen id={place.key} periodId={place.periodId} />}
          {place.screen === 'accounts' && <AccountsScreen />}
          {place.screen === 'account' && <AccountScreen key={place.id} id={place.id} />}
          {place.screen === 'records' && <RecordsScreen streamKey={place.streamKey} />}
          {place.screen === 'sync' && <SyncScreen place={place} />}
          {place.screen === 'settings' && <SettingsScreen />}
          {place.screen === 'stream' && <StreamScreen key={place.key} streamKey={place.key} />}
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}
