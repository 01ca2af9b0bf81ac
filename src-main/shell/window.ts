import {
  app,
  BrowserWindow,
  type Event,
  ipcMain,
  type IpcMainInvokeEvent,
  nativeTheme,
  protocol,
  screen,
  session,
  type Session,
  shell,
  type WebContents,
  type WebPreferences,
} from 'electron';
import { CHANNELS, type ChosenFile, type FolderPurpose, type Opened, type Outcome } from '../../src-shared/contract/wire.ts';
import type { Log } from '../platform/ports.ts';
import {
  answerFile,
  APP_URL,
  checkSender,
  isAppUrl,
  isGuideUrl,
  isOpenableOutside,
  isOwnDownload,
  isOwnRequest,
  SCHEME,
} from './app-pages.ts';
import { readWindowState, writeWindowState } from './window-state.ts';

interface WindowOptions {
  readonly preloadScript: string;
  /** File that keeps the window's place and size. */
  readonly stateFile: string;
}

const USUAL_SIZE = { width: 1280, height: 840 } as const;
const SMALLEST_SIZE = { minWidth: 800, minHeight: 560 } as const;

function guard(contents: WebContents, log: Log): void {
  const keepHome = (event: { preventDefault: () => void }, url: string): void => {
    if (isAppUrl(url)) return;
    event.preventDefault();
    log.warning('A navigation away from the application was refused', { origin: URL.canParse(url) ? new URL(url).origin : '' });
  };
  contents.on('will-navigate', (event) => keepHome(event, event.url));
  contents.on('will-redirect', (event) => keepHome(event, event.url));
  contents.on('will-frame-navigate', (event) => keepHome(event, event.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isGuideUrl(url)) showGuide(url);
    else if (isOpenableOutside(url)) void shell.openExternal(url);
    else log.warning('A new window was refused');
    return { action: 'deny' };
  });
  refuseBluetooth(contents);
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** Applies the rules for every page of this process: it stays at the application's address, opens no window but the guide, and reaches nothing outside. */
export function guardEveryPage(log: Log): void {
  app.on('web-contents-created', (_, contents) => guard(contents, log));
  guardSession(session.defaultSession, !app.isPackaged, log);
}

/**
 * Turns name resolution off for the whole process, but for what `rules` leave, even for requests that would be refused. Call it before the application
 * is ready.
 */
export function cutOffNetwork(rules: string): void {
  app.commandLine.appendSwitch('host-resolver-rules', rules);
}

/** The settings of every window, with the bridge to the service or without: the page is isolated and sandboxed. */
function pagePreferences(): WebPreferences {
  return {
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
    spellcheck: false,
    devTools: !app.isPackaged,
  };
}

function backgroundColor(): string {
  return nativeTheme.shouldUseDarkColors ? '#1a1b1e' : '#ffffff';
}

const guideWindows = new Set<BrowserWindow>();

/** Shows a page of the guide in its own window, which has no bridge to the service. One guide is open at a time. */
function showGuide(url: string): void {
  const [open] = guideWindows;
  if (open !== undefined) {
    loadGuide(open, url);
    open.focus();
    return;
  }
  const window = new BrowserWindow({
    width: 1100,
    height: 820,
    ...SMALLEST_SIZE,
    title: 'Tieout',
    backgroundColor: backgroundColor(),
    webPreferences: pagePreferences(),
  });
  guideWindows.add(window);
  window.on('closed', () => guideWindows.delete(window));
  loadGuide(window, url);
}

/** Loads a page of the guide. Loading ends with an error where the window closes, or is led to another page, before it is done. */
function loadGuide(window: BrowserWindow, url: string): void {
  window.loadURL(url).catch(() => {});
}

/** Returns the application's window, not that of the guide; undefined where none is open. */
export function mainWindow(): BrowserWindow | undefined {
  return BrowserWindow.getAllWindows().find((window) => !guideWindows.has(window));
}

/** Sends an event, or a command of the menu, to every window. */
export function sendToWindows(event: unknown): void {
  for (const window of BrowserWindow.getAllWindows()) window.webContents.send(CHANNELS.event, event);
}

/** Opens the application's window, isolated and sandboxed, at its last place. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const state = readWindowState(
    options.stateFile,
    screen.getAllDisplays().map((display) => display.workArea),
  );
  const window = new BrowserWindow({
    ...USUAL_SIZE,
    ...(state === null ? {} : { x: state.x, y: state.y, width: state.width, height: state.height }),
    ...SMALLEST_SIZE,
    title: 'Tieout',
    show: false,
    backgroundColor: backgroundColor(),
    webPreferences: { ...pagePreferences(), preload: options.preloadScript },
  });
  if (state?.isMaximized === true) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => writeWindowState(options.stateFile, { ...window.getNormalBounds(), isMaximized: window.isMaximized() }));
  // The guide alone is no application: it closes with the window that opened it.
  window.on('closed', () => {
    for (const guide of guideWindows) guide.close();
  });
  void window.loadURL(APP_URL);
  return window;
}

/** Whether a permission is granted. Our own page may write to the clipboard, for the buttons that copy a key or an address; it may not read it. */
function isGranted(permission: string, url: string): boolean {
  return permission === 'clipboard-sanitized-write' && isAppUrl(url);
}

/** Chooses no device. Without this, Electron would take the first one. */
function chooseNone(event: Pick<Event, 'preventDefault'>, choose: (device: string) => void): void {
  event.preventDefault();
  choose('');
}

function refuseDevices(session: Session): void {
  session.setDevicePermissionHandler(() => false);
  session.on('select-serial-port', (event, _ports, _contents, choose) => chooseNone(event, choose));
  session.on('select-hid-device', (event, _details, choose) => chooseNone(event, choose));
  session.on('select-usb-device', (event, _details, choose) => chooseNone(event, choose));
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  // On macOS the system pairs devices, and Electron has no such handler.
  if (process.platform !== 'darwin') session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
}

/** Refuses Bluetooth devices, which a page rather than the session chooses. */
function refuseBluetooth(contents: WebContents): void {
  contents.on('select-bluetooth-device', (event, _devices, choose) => chooseNone(event, choose));
}

/** Returns the origin of a refused address, without the parts that may be private. */
function originOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/**
 * Sets limits for every page of a session, independent of the page's own policy: no permission but writing to the clipboard, no device, no screen, no
 * download but what our page made, and no request to another address. `mayInspect` lets the developer tools load.
 */
function guardSession(session: Session, mayInspect: boolean, log: Log): void {
  session.setPermissionRequestHandler((contents, permission, answer) => answer(isGranted(permission, contents.getURL())));
  session.setPermissionCheckHandler((_, permission, origin) => isGranted(permission, origin));
  refuseDevices(session);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const isOwn = isOwnRequest(url, mayInspect);
    if (!isOwn) log.warning('A request to elsewhere was refused', { origin: originOf(url) });
    answer({ cancel: !isOwn });
  });
  session.on('will-download', (event, item, contents) => {
    if (isOwnDownload(item.getURL()) && isAppUrl(contents.getURL())) return;
    event.preventDefault();
    log.warning('A download was refused', { origin: originOf(item.getURL()) });
  });
}

/** The session of electron-updater. No page has it. */
const UPDATER_SESSION = 'electron-updater';

/** Lets requests of the updater through to one host by https, or with null to none. */
export function letUpdaterThrough(host: string | null): void {
  session.fromPartition(UPDATER_SESSION, { cache: false }).webRequest.onBeforeRequest(({ url }, answer) => {
    const isFeed = host !== null && URL.canParse(url) && new URL(url).protocol === 'https:' && new URL(url).hostname === host;
    answer({ cancel: !isFeed });
  });
}

/** Declares `app://` as a secure, standard scheme. Call it before the application is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

/** Serves the built renderer at `app://tieout/`. */
export function serveAppScheme(folder: string): void {
  protocol.handle(SCHEME, (request) => answerFile(folder, request));
}

interface IpcActions {
  readonly request: (operation: unknown, input: unknown) => Promise<Outcome<unknown>>;
  readonly chooseFile: (event: IpcMainInvokeEvent) => Promise<readonly ChosenFile[]>;
  readonly chooseFolder: (purpose: FolderPurpose) => Promise<string | null>;
  readonly showInFolder: (backup: string | null) => Promise<void>;
  readonly takeOpened: () => Promise<Opened>;
}

/** Answers the window's messages. The sender of each one is checked first; a refused message is logged and answered with an error. */
export function answerIpc(actions: IpcActions, log: Log): void {
  const handle = (channel: string, answer: (event: IpcMainInvokeEvent, ...input: unknown[]) => Promise<unknown>): void => {
    ipcMain.handle(channel, async (event: IpcMainInvokeEvent, ...input: unknown[]) => {
      const checked = checkSender(event);
      if (checked.ok) return answer(event, ...input);
      log.warning('A message was refused', { channel, reason: checked.error });
      throw new Error(`Tieout refused this message: ${checked.error}.`);
    });
  };
  handle(CHANNELS.request, (_, operation, input) => actions.request(operation, input));
  handle(CHANNELS.chooseFile, (event) => actions.chooseFile(event));
  handle(CHANNELS.chooseFolder, (_, purpose) => actions.chooseFolder(purpose === 'new_book' ? 'new_book' : 'book'));
  handle(CHANNELS.showInFolder, (_, backup) => actions.showInFolder(typeof backup === 'string' ? backup : null));
  handle(CHANNELS.takeOpened, () => actions.takeOpened());
}
