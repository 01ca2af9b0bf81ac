import fs from 'node:fs';
import path from 'node:path';
import { app, BrowserWindow, type Event, nativeTheme, screen, session, type Session, shell, type WebContents } from 'electron';
import type { Log } from '../platform/ports.ts';
import { APP_URL, isAppUrl, isOpenableOutside, isOwnDownload, isOwnRequest } from './app-pages.ts';

/** Place and size of the window, in screen pixels. */
interface WindowState {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isMaximized: boolean;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const SMALLEST_SHOWN_PIXELS = 100;

function isState(value: unknown): value is WindowState {
  if (typeof value !== 'object' || value === null) return false;
  const state = value as Record<string, unknown>;
  return ['x', 'y', 'width', 'height'].every((name) => Number.isSafeInteger(state[name])) && typeof state['isMaximized'] === 'boolean';
}

/** Whether enough of the window lies on a screen to be grasped; a screen may have been unplugged since. */
export function isOnAScreen(state: Rectangle, screens: readonly Rectangle[]): boolean {
  return screens.some((screen) => {
    const across = Math.min(state.x + state.width, screen.x + screen.width) - Math.max(state.x, screen.x);
    const down = Math.min(state.y + state.height, screen.y + screen.height) - Math.max(state.y, screen.y);
    return across >= SMALLEST_SHOWN_PIXELS && down >= SMALLEST_SHOWN_PIXELS;
  });
}

/** What was remembered, or null when there is nothing that can be used. */
export function readWindowState(file: string, screens: readonly Rectangle[]): WindowState | null {
  try {
    const state: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    return isState(state) && isOnAScreen(state, screens) ? state : null;
  } catch {
    return null;
  }
}

/** Remembers the window. A failure to write is of no consequence. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(state));
  } catch {
    // The next start opens the window at its usual place.
  }
}

interface WindowOptions {
  readonly preloadScript: string;
  /** File in which place and size are remembered. */
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
    if (isOpenableOutside(url)) void shell.openExternal(url);
    else log.warning('A new window was refused');
    return { action: 'deny' };
  });
  refuseBluetooth(contents);
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** Rules for every page this process will ever show: it stays at home, opens no windows, and reaches nothing outside. */
export function guardEveryPage(log: Log): void {
  app.on('web-contents-created', (_, contents) => guard(contents, log));
  guardSession(session.defaultSession, !app.isPackaged, log);
}

/** To be called before the application is ready: Chromium resolves no name at all, not even ahead of a request that would be refused. */
export function cutOffNetwork(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
}

/** Opens the application's window: isolated, sandboxed, where it was last time. */
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
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#1a1b1e' : '#ffffff',
    webPreferences: {
      preload: options.preloadScript,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  if (state?.isMaximized === true) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => writeWindowState(options.stateFile, { ...window.getNormalBounds(), isMaximized: window.isMaximized() }));
  void window.loadURL(APP_URL);
  return window;
}

/** Our own page may put a key or an address on the clipboard when a person presses the button; it may not read it. */
function isGranted(permission: string, url: string): boolean {
  return permission === 'clipboard-sanitized-write' && isAppUrl(url);
}

/** Chooses no device. Left alone, Electron would take the first one. */
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
  // On macOS the system pairs, and there is no such handler.
  if (process.platform !== 'darwin') session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
}

/** Bluetooth devices are chosen page by page. */
function refuseBluetooth(contents: WebContents): void {
  contents.on('select-bluetooth-device', (event, _devices, choose) => chooseNone(event, choose));
}

/** Where a refused address leads, without what may be private in it. */
function originOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/**
 * What holds whatever a page may contain, and without its policy: no permission but writing to the clipboard, no device, no screen,
 * no download but what our page has made itself, and no request to anywhere else. `mayInspect` lets the developer tools load.
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
