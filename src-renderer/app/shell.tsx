import {
  ActionIcon,
  Alert,
  Badge,
  Burger,
  Button,
  Drawer,
  Flex,
  Group,
  Menu,
  Progress,
  ScrollArea,
  Skeleton,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  type Icon,
  IconCheck,
  IconChevronDown,
  IconDeviceFloppy,
  IconRefresh,
  IconSearch,
  IconX,
} from '@tabler/icons-react';
import { Component, lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Backup, BookCondition, LocalPort, SyncRemote } from '../../src-shared/contract/index.ts';
import { useConnection, useEvents, useOperation } from '../api/use-operation.ts';
import { Instant } from '../components/day.tsx';
import { FailurePanel } from '../components/failure-panel.tsx';
import { RestoreBackup } from '../components/restore-backup.tsx';
import { Band, classes, Mark, type StateTone } from '../components/primitives.tsx';
import { Said } from '../components/said.tsx';
import { useNow } from '../components/use-now.ts';
import { useKeptKeys, useShortcuts } from '../components/use-shortcuts.ts';
import { useUndo } from '../components/use-undo.ts';
import { WriteIcon } from '../components/writing.tsx';
import { endedWords, runningWords } from '../format/job-words.ts';
import { timeText } from '../format/dates.ts';
import { markLabel, markOf, markText, mostUrgent, statusParts } from '../format/remote-words.ts';
import { BookScreen } from '../screens/book/book-screen.tsx';
import { holdActions, holdStatus, holdTitle } from '../state/frame-slots.ts';
import { openedFiles } from '../state/import-flow.ts';
import { useNavigation } from '../state/navigation.ts';
import { guideAddress, type Place, placeFrom, placeText } from '../state/places.ts';
import { activity, runProgress } from '../state/run-progress.ts';
import { keptFileOnShow } from '../components/kept-file.tsx';
import { UndoChangedDialog, undoImport } from '../components/undo-dialogs.tsx';
import { ColorSchemeMenu } from './color-scheme-menu.tsx';
import { Rail, useRailSize } from './rail.tsx';
import styles from './shell.module.css';
import { useKeptFocus } from './use-kept-focus.ts';
import statusBarStyles from './status-bar.module.css';
import { say } from '../../src-shared/words/say.ts';

const MARKS = {
  off: { text: say('shell.marks.off.text'), hint: say('shell.marks.off.hint') },
  synced: { text: say('shell.marks.synced.text'), hint: say('shell.marks.synced.hint') },
  on: { text: say('shell.marks.on.text'), hint: say('shell.marks.on.hint') },
  other: { text: say('shell.marks.other.text'), hint: say('shell.marks.other.hint') },
  failed: { text: say('shell.marks.failed.text'), hint: say('shell.marks.failed.hint') },
} as const;

function stateOf(port: LocalPort | undefined, hasRemotes: boolean): keyof typeof MARKS {
  if (port === undefined || port.status === 'off') return hasRemotes ? 'synced' : 'off';
  return port.status === 'on' && port.other_urls.length > 0 ? 'other' : port.status;
}

const TONES = { off: 'none', synced: 'done', on: 'done', other: 'open', failed: 'broken' } as const;

/** Says whether other programs can reach the book. Opens the settings. */
function AddressMark() {
  const { data: port } = useOperation('local_port.get', {});
  const { data: remotes } = useOperation('sync_remotes.list', {});
  const go = useNavigation((state) => state.go);
  const state = stateOf(port, (remotes?.remotes.length ?? 0) > 0);
  const { text, hint } = MARKS[state];
  const address = port?.base_url ?? '';
  return (
    <Tooltip label={port?.message ?? `${hint} ${address}`.trim()}>
      <UnstyledButton
        className={classes(statusBarStyles.link, (state === 'other' || state === 'failed') && 'doubt')}
        data-testid="address-mark"
        aria-label={say('shell.openTheSettings', { text })}
        onClick={() => go({ screen: 'settings' })}
      >
        <Mark tone={TONES[state]} />
        <span>{text}</span>
      </UnstyledButton>
    </Tooltip>
  );
}

/** Shows who can reach the book, which job is running, when the book was saved, and the figures that the screen adds. */
function StatusBar() {
  const open = useNavigation((state) => state.open);
  const place = useNavigation((state) => state.place);
  return (
    <footer className={statusBarStyles.status} data-testid="status-bar">
      <AddressMark />
      <SyncStatus />
      <Work />
      <Saved />
      <span className="grow" />
      <div className={`row ${statusBarStyles.slot}`} ref={holdStatus} />
      <ColorSchemeMenu />
      <a className={statusBarStyles.link} href={guideAddress(place)} target="_blank" rel="noreferrer" aria-keyshortcuts="F1">
        {say('shell.guideLink')}
      </a>
      <UnstyledButton
        className={statusBarStyles.link}
        onClick={() => open('keyboard_help')}
        aria-keyshortcuts="?"
        data-testid="keyboard-help"
      >
        {say('shell.keysEnsp')}
      </UnstyledButton>
    </footer>
  );
}

function Work() {
  const running = useStore(activity, (state) => state.running);
  const ended = useStore(activity, (state) => state.ended);
  if (running !== null) {
    return (
      <Flex component="span" gap="xs" align="center" h="var(--status)" c="inherit" fz="inherit" data-testid="job-progress">
        {runningWords(running)}
        <Progress value={running.progress} size={4} w={72} color="var(--matched)" aria-hidden />
        <span className="tabular">{running.progress} %</span>
      </Flex>
    );
  }
  if (ended === null) return null;
  const Icon = ended.job.status === 'completed' ? IconCheck : IconX;
  return (
    <Flex component="span" gap="xs" align="center" h="var(--status)" c="inherit" fz="inherit">
      <Icon size={13} aria-hidden />
      {endedWords(ended.job)} {timeText(ended.atMs)}
    </Flex>
  );
}

/** Shows when the book was last saved. Every change is on the disk before the window receives its event. */
function Saved() {
  const at = useStore(activity, (state) => state.savedAtMs);
  return (
    <Flex component="span" gap="xs" align="center" h="var(--status)" c="inherit" fz="inherit" data-testid="saved">
      <IconDeviceFloppy size={13} aria-hidden />
      {at === null ? say('shell.saved') : say('shell.savedAt', { time: timeText(at) })}
    </Flex>
  );
}

interface State {
  readonly hasFailed: boolean;
}

/** Catches an error of one screen, so that the rest of the window stays usable. */
class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div style={{ padding: '2rem' }}>
        <FailurePanel
          title={say('shell.thisScreenCouldNotBeShown')}
          failure={{ message: say('shell.thatIsAFault') }}
          onRetry={() => this.setState({ hasFailed: false })}
        />
      </div>
    );
  }
}

// The grid is the largest part of the bundle. It is loaded while the user reads the first screen.
const loadReconciliation = () => import('../screens/reconciliations/reconciliation-screen.tsx');
const ReconciliationScreen = lazy(() => loadReconciliation().then((module) => ({ default: module.ReconciliationScreen })));
const ImportScreen = lazy(() => import('../screens/imports/import-screen.tsx').then((module) => ({ default: module.ImportScreen })));
const StreamScreen = lazy(() => import('../screens/streams/stream-screen.tsx').then((module) => ({ default: module.StreamScreen })));
const AccountScreen = lazy(() => import('../screens/streams/account-screen.tsx').then((module) => ({ default: module.AccountScreen })));
const AccountsScreen = lazy(() => import('../screens/streams/accounts-screen.tsx').then((module) => ({ default: module.AccountsScreen })));
const RecordsScreen = lazy(() => import('../screens/records/records-screen.tsx').then((module) => ({ default: module.RecordsScreen })));
const CloseScreen = lazy(() => import('../screens/close/close-screen.tsx').then((module) => ({ default: module.CloseScreen })));
const SyncScreen = lazy(() => import('../screens/sync/remote-sync.tsx').then((module) => ({ default: module.SyncScreen })));
const ExceptionsScreen = lazy(() =>
  import('../screens/records/exceptions-screen.tsx').then((module) => ({ default: module.ExceptionsScreen })),
);
const DatabaseScreen = lazy(() =>
  import('../screens/databases/database-screen.tsx').then((module) => ({ default: module.DatabaseScreen })),
);
const HistoryScreen = lazy(() => import('../screens/book/history-screen.tsx').then((module) => ({ default: module.HistoryScreen })));
const SettingsScreen = lazy(() => import('../screens/book/settings-screen.tsx').then((module) => ({ default: module.SettingsScreen })));

/** Renders the screen of the current place. */
function Place() {
  const place = useNavigation((state) => state.place);
  const frame = useRef<HTMLElement>(null);
  const text = placeText(place);
  const before = useRef(text);
  useEffect(() => {
    // A new screen gets the focus, so that screen readers announce it. On start the focus stays where the browser puts it.
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
      aria-label={say('shell.screen')}
    >
      <ErrorBoundary key={text}>
        <Suspense fallback={<ScreenSkeleton />}>
          {place.screen === 'book' && <BookScreen />}
          {place.screen === 'import' && <ImportScreen key={place.streamKey} streamKey={place.streamKey} />}
          {place.screen === 'reconciliation' && <ReconciliationScreen key={place.id} id={place.id} firstTab={place.tab ?? 'open'} />}
          {place.screen === 'close' && <CloseScreen id={place.key} periodId={place.periodId} />}
          {place.screen === 'accounts' && <AccountsScreen />}
          {place.screen === 'account' && <AccountScreen key={place.id} id={place.id} />}
          {place.screen === 'records' && <RecordsScreen streamKey={place.streamKey} recordId={place.recordId ?? null} />}
          {place.screen === 'history' && <HistoryScreen />}
          {place.screen === 'exceptions' && <ExceptionsScreen />}
          {place.screen === 'sync' && <SyncScreen place={place} />}
          {place.screen === 'database' && <DatabaseScreen key={place.id} id={place.id} />}
          {place.screen === 'settings' && <SettingsScreen />}
          {place.screen === 'stream' && <StreamScreen key={place.key} streamKey={place.key} />}
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })));
const KeyboardHelp = lazy(() => import('./keyboard-help.tsx').then((module) => ({ default: module.KeyboardHelp })));
const KeptFileDialog = lazy(() => import('../components/kept-file.tsx').then((module) => ({ default: module.KeptFileDialog })));
const UndoImportDialog = lazy(() => import('../components/undo-dialogs.tsx').then((module) => ({ default: module.UndoImportDialog })));
const RescueScreen = lazy(() => import('../screens/book/rescue-screen.tsx').then((module) => ({ default: module.RescueScreen })));
const BookDialog = lazy(() => import('../screens/book/books.tsx').then((module) => ({ default: module.BookDialog })));
const NewReconciliation = lazy(() =>
  import('../screens/reconciliations/new-reconciliation.tsx').then((module) => ({ default: module.NewReconciliation })),
);

/** Renders the rescue screen when the book cannot be opened, else the window. */
export function Shell() {
  const { data: condition } = useOperation('book.condition', {});
  const isClosed = condition !== undefined && condition.condition !== 'open' && condition.condition !== 'read_only';
  useOtherBook(condition);
  if (!isClosed) return <OpenBook condition={condition} />;
  return (
    <Suspense fallback={null}>
      <RescueScreen condition={condition} />
    </Suspense>
  );
}

/** Waits for the answers to commands under way, so that their callers are done. */
async function reloadOnce(answered: Promise<void>): Promise<void> {
  await answered;
  const { place, go } = useNavigation.getState();
  if (place.screen !== 'settings') go({ screen: 'book' });
  location.reload();
}

/** Loads the window anew where the book of another folder has been opened in it: nothing that it holds is of that book. */
function useOtherBook(condition: BookCondition | undefined): void {
  const { answered } = useConnection();
  const first = useRef<string | null>(null);
  const folder = condition?.condition === 'restoring' ? undefined : condition?.folder;
  useEffect(() => {
    if (folder === undefined) return;
    first.current ??= folder;
    if (first.current === folder) return;
    void reloadOnce(answered());
  }, [folder, answered]);
}

/** The window of an open book: the rail, the header, the screen, the status bar and the dialogs. */
function OpenBook({ condition }: { readonly condition: BookCondition | undefined }) {
  const rail = useRailSize();
  useKeptFocus();
  useWindowEvents();
  useOpened();
  useWindowTitle();
  return (
    <div className={styles.app} data-rail={rail}>
      {rail === 'none' ? <PlacesButton /> : <Rail size={rail} />}
      <Header hasMenuButton={rail === 'none'} />
      <main className={styles.main}>
        <LostBand />
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
function PlacesButton() {
  const isMenuOpen = useNavigation((state) => state.isMenuOpen);
  const setMenuOpen = useNavigation((state) => state.setMenuOpen);
  return (
    <Drawer
      opened={isMenuOpen}
      onClose={() => setMenuOpen(false)}
      size={240}
      padding={0}
      withCloseButton={false}
      title={say('shell.navigation')}
    >
      <Rail size="wide" onClose={() => setMenuOpen(false)} />
    </Drawer>
  );
}

function Dialogs() {
  const dialog = useNavigation((state) => state.dialog);
  const open = useNavigation((state) => state.open);
  const isUndoingImport = useStore(undoImport, (state) => state.batchId !== null);
  const isShowingFile = useStore(keptFileOnShow, (state) => state.shown !== null);
  const close = (): void => open(null);
  return (
    <Suspense fallback={null}>
      {dialog === 'palette' && <Palette onClose={close} />}
      {dialog === 'keyboard_help' && <KeyboardHelp opened onClose={close} />}
      {dialog === 'new_reconciliation' && <NewReconciliation onClose={close} />}
      {(dialog === 'open_book' || dialog === 'new_book' || dialog === 'move_book') && <BookDialog kind={dialog} onClose={close} />}
      {isUndoingImport && <UndoImportDialog />}
      <UndoChangedDialog />
      {isShowingFile && <KeptFileDialog />}
    </Suspense>
  );
}

function useWindowEvents(): void {
  const go = useNavigation((state) => state.go);
  const open = useNavigation((state) => state.open);
  const { undoNewest, redoNewest, showDone } = useUndo();
  useEvents((event) => {
    if (event.kind === 'done') showDone(event.undoId, event.label);
    if (event.kind === 'job') runProgress.getState().receive(event);
    if (event.kind === 'job' || event.kind === 'changed') activity.getState().receive(event, Date.now());
  });
  useShortcuts({
    'mod+z': undoNewest,
    'mod+shift+z': redoNewest,
    'mod+y': redoNewest,
    'mod+k': () => open('palette'),
    'mod+o': () => open('open_book'),
    '?': () => open('keyboard_help'),
    F1: () => void window.open(guideAddress(useNavigation.getState().place), '_blank', 'noreferrer'),
    h: () => go({ screen: 'book' }),
    'mod+,': () => go({ screen: 'settings' }),
    i: () => go({ screen: 'import', streamKey: null }),
  });
}

/** Goes where the system asked the window to go: to the place of a link, or to the import of files that were opened with Tieout. */
function useOpened(): void {
  const { takeOpened } = useConnection();
  const go = useNavigation((state) => state.go);
  const take = useEffectEvent(async () => {
    const opened = await takeOpened?.();
    if (opened === undefined) return;
    if (opened.place !== null) go(placeFrom(opened.place));
    if (opened.files.length === 0) return;
    openedFiles.setState(({ files }) => ({ files: [...files, ...opened.files] }));
    go({ screen: 'import', streamKey: null });
  });
  useEffect(() => void take(), []);
  useEvents((event) => {
    if (event.kind === 'command' && event.command === 'opened') void take();
  });
}

function useWindowTitle(): void {
  const { data: book } = useOperation('book.overview', {});
  useEffect(() => {
    document.title = book === undefined ? 'Tieout' : say('shell.tieout', { name: book.name });
  }, [book]);
}

/** Shows the name of the screen, the menu of its kind, undo, and the screen's actions. */
function Header({ hasMenuButton }: { readonly hasMenuButton: boolean }) {
  const isMenuOpen = useNavigation((state) => state.isMenuOpen);
  const setMenuOpen = useNavigation((state) => state.setMenuOpen);
  return (
    <header className={styles.head}>
      {hasMenuButton && (
        <Burger
          opened={false}
          onClick={() => setMenuOpen(true)}
          size="xs"
          aria-label={say('shell.openTheNavigation')}
          aria-expanded={isMenuOpen}
          data-testid="menu-button"
        />
      )}
      <Flex align="center" miw={0} ref={holdTitle} />
      <PlaceMenu />
      <BookBadges />
      <div className="grow" />
      <PaletteButton />
      <SyncMark />
      <UndoButtons />
      <div className={styles.actions} ref={holdActions} />
    </header>
  );
}

/** Marks a book that is not the live one. */
function BookBadges() {
  const { data: book } = useOperation('book.overview', {});
  if (book === undefined) return null;
  const isLive = book.environment === 'live';
  return (
    <>
      {!isLive && <Badge color="orange">{book.environment === 'test' ? say('shell.test') : book.environment}</Badge>}
      {book.is_sample && <Badge color="gray">{say('shell.sample')}</Badge>}
    </>
  );
}

function PaletteButton() {
  const open = useNavigation((state) => state.open);
  const label = say('shell.palette.title');
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => open('palette')}
        data-testid="palette-button"
      >
        <IconSearch size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function UndoButtons() {
  const { newest, next, undoNewest, redoNewest } = useUndo();
  const [undo, redo] = [newest?.label, next?.label];
  return (
    <>
      <ChangeButton
        label={undo === undefined ? say('shell.nothingToUndo') : say('shell.undo', { label: undo })}
        isIdle={undo === undefined}
        onClick={undoNewest}
        icon={IconArrowBackUp}
        testId="undo-button"
      />
      <ChangeButton
        label={redo === undefined ? say('shell.nothingToRedo') : say('shell.redo', { label: redo })}
        isIdle={redo === undefined}
        onClick={redoNewest}
        icon={IconArrowForwardUp}
        testId="redo-button"
      />
    </>
  );
}

interface ChangeButtonProps {
  readonly label: string;
  readonly isIdle: boolean;
  readonly onClick: () => void;
  readonly icon: Icon;
  readonly testId: string;
}

/** It stays focusable while there is nothing to do, so that its tooltip can explain why. */
function ChangeButton({ label, isIdle, onClick, icon: Glyph, testId }: ChangeButtonProps) {
  return (
    <Tooltip label={label}>
      <WriteIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        data-testid={testId}
        aria-disabled={isIdle}
        className={isIdle ? styles.idle : undefined}
        onClick={onClick}
      >
        <Glyph size={17} aria-hidden />
      </WriteIcon>
    </Tooltip>
  );
}

/** Says above every screen that the service does not answer, until it does again. */
function LostBand() {
  const [isLost, setLost] = useState(false);
  useEvents((event) => {
    if (event.kind === 'lost' || event.kind === 'reconnected') setLost(event.kind === 'lost');
  });
  if (!isLost) return null;
  return (
    <Band tone="broken" role="alert" data-testid="lost-band">
      <h2>{say('shell.lost.title')}</h2>
      <p>{say('shell.lost.text')}</p>
    </Band>
  );
}

/** Explains above every screen of a damaged book that it is read-only, and how to restore a sound one. */
function ReadOnlyBand({ condition }: { readonly condition: BookCondition }) {
  const go = useNavigation((state) => state.go);
  const [chosen, setChosen] = useState<Backup | null>(null);
  const { newest_backup: newest, message } = condition;
  return (
    <Alert
      color="red"
      radius={0}
      role="alert"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title={say('shell.thisBookIsDamaged')}
      data-testid="read-only-band"
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 20rem" style={{ overflowWrap: 'anywhere' }}>
          {message} {newest === null && say('shell.noBackupOfItIsKeptHere')}
        </Text>
        <Group gap="xs">
          {newest !== null && (
            <Button size="xs" color="red" onClick={() => setChosen(newest)} data-testid="restore-newest">
              <Said words="shell.restoreTheBackupOf" with={{ at: <Instant at={newest.made_at} /> }} />
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => go({ screen: 'settings' })}>
            {say('shell.allBackups')}
          </Button>
        </Group>
      </Group>
      {chosen !== null && <RestoreBackup backup={chosen} isReplacing={false} onClose={() => setChosen(null)} />}
    </Alert>
  );
}

function ScreenSkeleton() {
  useKeptKeys();
  return (
    <Stack p="xl" gap="lg" aria-busy="true" aria-label={say('shell.loading')}>
      <Skeleton height={30} width={260} />
      <Skeleton height={110} radius="lg" />
      <Skeleton height={320} radius="lg" />
    </Stack>
  );
}

/** Returns the shape of a remote's state. What waits to be sent is prepared. */
function toneOf(remote: SyncRemote): StateTone {
  const mark = markOf(remote);
  return mark === 'waiting' ? 'prepared' : mark;
}

/** The header's sync mark: its shape shows the state, its number what waits. Opens the sync screen. */
function SyncMark() {
  const shown = useShownRemote();
  const now = useNow();
  const go = useNavigation((state) => state.go);
  if (shown === null) return null;
  const { remote, name } = shown;
  const label = markLabel(remote, name, now);
  return (
    <Tooltip label={label}>
      <Button
        variant="subtle"
        color="gray"
        px="sm"
        aria-label={label}
        onClick={() => go({ screen: 'sync', id: remote.id })}
        data-testid="sync-mark"
      >
        <span className="row tabular">
          <IconRefresh size={17} aria-hidden />
          <Mark tone={toneOf(remote)} />
          {markText(remote)}
        </span>
      </Button>
    </Tooltip>
  );
}

/** The state of sync in words, for the status bar. */
function SyncStatus() {
  const shown = useShownRemote();
  const now = useNow();
  const go = useNavigation((state) => state.go);
  if (shown === null) return null;
  const { remote, name } = shown;
  return (
    <UnstyledButton
      className={statusBarStyles.link}
      title={remote.message ?? undefined}
      onClick={() => go({ screen: 'sync', id: remote.id })}
      data-testid="sync-status"
    >
      <Mark tone={toneOf(remote)} />
      <span className="tabular">{[...(name === null ? [] : [name]), ...statusParts(remote, now)].join(' · ')}</span>
    </UnstyledButton>
  );
}

/** Returns the remote that the header and the status bar describe, which is the most urgent one. `name` is null when it is the only one. */
function useShownRemote(): { readonly remote: SyncRemote; readonly name: string | null } | null {
  const { data: value } = useOperation('sync_remotes.list', {});
  const remotes = value?.remotes ?? [];
  const remote = mostUrgent(remotes);
  return remote === null ? null : { remote, name: remotes.length === 1 ? null : remote.name };
}

interface Choice {
  readonly name: string;
  readonly place: Place;
}

/** A menu beside the name of a screen that leads to the other screens of its kind. */
function PlaceMenu() {
  const screen = useNavigation((state) => state.place.screen);
  if (screen === 'reconciliation' || screen === 'close') return <OtherReconciliations />;
  if (screen === 'account' || screen === 'stream') return <OtherAccounts />;
  if (screen === 'sync') return <OtherRemotes />;
  return null;
}

/** Lists the other remotes. Renders nothing when there is only one. */
function OtherRemotes() {
  const { data: value } = useOperation('sync_remotes.list', {});
  const remotes = value?.remotes ?? [];
  if (remotes.length < 2) return null;
  const choices = remotes.map(({ id, name }): Choice => ({ name, place: { screen: 'sync', id } }));
  return (
    <Others
      label={say('shell.placeMenu.otherConnections')}
      choices={choices}
      all={{ name: say('shell.placeMenu.allConnections'), place: { screen: 'settings' } }}
    />
  );
}

function OtherReconciliations() {
  const { data: value } = useOperation('reconciliations.list', { limit: 100 });
  const choices = (value?.data ?? []).map(({ id, name }): Choice => ({ name, place: { screen: 'reconciliation', id } }));
  return (
    <Others
      label={say('shell.placeMenu.otherReconciliations')}
      choices={choices}
      all={{ name: say('shell.placeMenu.allReconciliations'), place: { screen: 'book' } }}
    />
  );
}

function OtherAccounts() {
  const { data: accounts } = useOperation('bank_accounts.list', {});
  const { data: streams } = useOperation('streams.list', {});
  const choices = [
    ...(accounts ?? []).map(({ id, name }): Choice => ({ name, place: { screen: 'account', id } })),
    ...(streams ?? []).map(({ key, name }): Choice => ({ name, place: { screen: 'stream', key } })),
  ];
  return (
    <Others
      label={say('shell.placeMenu.otherAccountsAndStreams')}
      choices={choices}
      all={{ name: say('shell.placeMenu.allAccountsAndStreams'), place: { screen: 'accounts' } }}
    />
  );
}

function Others({ label, choices, all }: { readonly label: string; readonly choices: readonly Choice[]; readonly all: Choice }) {
  const go = useNavigation((state) => state.go);
  const here = useNavigation((state) => placeText(state.place));
  return (
    <Menu position="bottom-start" width={280} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} data-testid="place-menu">
          <IconChevronDown size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah="60vh" type="auto">
          {choices.map(({ name, place }) => (
            <Menu.Item key={placeText(place)} onClick={() => go(place)} aria-current={placeText(place) === here} title={name}>
              <div className="truncate">{name}</div>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        <Menu.Divider />
        <Menu.Item onClick={() => go(all.place)}>{all.name}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
