import { app, BrowserWindow, nativeTheme, screen, session, shell, type WebContents } from 'electron';
import type { Log } from '../platform/ports.ts';
import { APP_URL, isAppUrl, isOpenableOutside } from './app-pages.ts';
import { guardSession, refuseBluetooth } from './guard-session.ts';
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
    if (isOpenableOutside(url)) void shell.openExternal(url);
    else log.warning('A new window was refused');
    return { action: 'deny' };
  });
  refuseBluetooth(contents);
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** Applies the rules for every page of this process: it stays at the application's address, opens no windows, and reaches nothing outside. */
export function guardEveryPage(log: Log): void {
  app.on('web-contents-created', (_, contents) => guard(contents, log));
  guardSession(session.defaultSession, !app.isPackaged, log);
}

/** Turns name resolution off for the whole process, even for requests that would be refused. Call it before the application is ready. */
export function cutOffNetwork(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
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
