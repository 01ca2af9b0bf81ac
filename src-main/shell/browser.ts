import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The parts of a machine that the search for a browser reads. Tests pass their own. */
export interface BrowserHost {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isFile: (place: string) => boolean;
}

const LINUX_NAMES = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
] as const;
const LINUX_PLACES = ['/opt/google/chrome/chrome', '/snap/bin/chromium', '/opt/microsoft/msedge/msedge'] as const;
const MAC_NAMES = ['Google Chrome', 'Chromium', 'Microsoft Edge'] as const;
const WINDOWS_PLACES = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

const thisHost: BrowserHost = {
  platform: process.platform,
  environment: process.env,
  isFile: (place) => fs.statSync(place, { throwIfNoEntry: false })?.isFile() ?? false,
};

function candidates(host: BrowserHost): string[] {
  const { environment } = host;
  if (host.platform === 'darwin') {
    const folders = ['/Applications', path.posix.join(environment['HOME'] ?? '/', 'Applications')];
    return MAC_NAMES.flatMap((name) => folders.map((folder) => `${folder}/${name}.app/Contents/MacOS/${name}`));
  }
  if (host.platform === 'win32') {
    const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => environment[name] ?? []);
    return WINDOWS_PLACES.flatMap((place) => folders.map((folder) => path.win32.join(folder, place)));
  }
  const folders = (environment['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return [...LINUX_NAMES.flatMap((name) => [...folders, '/usr/bin'].map((folder) => `${folder}/${name}`)), ...LINUX_PLACES];
}

/**
 * Returns the program of an installed Chrome, Chromium or Edge, or null. `TIEOUT_BROWSER` overrides the search. Where it names no file the result is
 * null, so that a wrong setting is noticed.
 */
export function findBrowser(host: BrowserHost = thisHost): string | null {
  const chosen = host.environment['TIEOUT_BROWSER'];
  if (chosen !== undefined && chosen !== '') return host.isFile(chosen) ? chosen : null;
  return candidates(host).find((place) => host.isFile(place)) ?? null;
}

/** Whether a window can be shown. Linux needs a display server. */
export function hasDisplay(host: Pick<BrowserHost, 'platform' | 'environment'> = thisHost): boolean {
  if (host.platform !== 'linux') return true;
  return (host.environment['DISPLAY'] ?? '') !== '' || (host.environment['WAYLAND_DISPLAY'] ?? '') !== '';
}

/** Returns the argument that turns the sandbox off, only for root on Linux, where Chromium refuses to run with it. */
export function sandboxArguments(): string[] {
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

interface AppWindowOptions {
  /** Program of the browser, as `findBrowser` returns it. */
  readonly browser: string;
  /** Folder of the window's own browser profile; created when missing. */
  readonly profileFolder: string;
}

/**
 * Opens an address as a separate app window with its own profile. The process ends when the window closes, or at once when a browser with the same
 * profile already runs and takes the address over.
 */
export function openAppWindow(url: string, options: AppWindowOptions): ChildProcess {
  return spawn(
    options.browser,
    [
      `--app=${url}`,
      `--user-data-dir=${options.profileFolder}`,
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...sandboxArguments(),
    ],
    { stdio: 'ignore' },
  );
}
