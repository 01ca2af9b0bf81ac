// Imports neither Electron nor the updater: both are passed in, so that tests run without them.
import fs from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import path from 'node:path';
import { say } from '../../src-shared/words/say.ts';
import type { Log } from '../platform/ports.ts';

/** `latest` for everyone; `beta` for those who try a version before it is for everyone. */
type Channel = 'latest' | 'beta';

/** Where updates come from. Without a feed nothing is ever looked for. */
export interface UpdateSettings {
  readonly feed: URL;
  readonly channel: Channel;
}

/** The file in the user's own folder that sets the feed, such as `{ "feed": "https://updates.example.com/tieout/", "channel": "latest" }`. */
export const updatesFile = (userFolder: string): string => path.join(userFolder, 'updates.json');

/** Returns where updates come from; null where no feed is set, or where it is no address of https without a name and a password. */
export function readUpdateSettings(userFolder: string): UpdateSettings | null {
  try {
    const { feed, channel } = JSON.parse(fs.readFileSync(updatesFile(userFolder), 'utf8')) as Record<string, unknown>;
    if (typeof feed !== 'string' || !URL.canParse(feed)) return null;
    const url = new URL(feed);
    const isSafe = url.protocol === 'https:' && url.username === '' && url.password === '' && /^[a-z0-9.-]+$/.test(url.hostname);
    return isSafe ? { feed: url, channel: channel === 'beta' ? 'beta' : 'latest' } : null;
  } catch {
    return null;
  }
}

/** Returns the rule by which Chromium finds no host at all, or no other than that of the feed. */
export function resolverRules(settings: UpdateSettings | null): string {
  return settings === null ? 'MAP * ~NOTFOUND' : `MAP * ~NOTFOUND, EXCLUDE ${settings.feed.hostname}`;
}

/** What is used of electron-updater. */
interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  allowDowngrade: boolean;
  channel: string | null;
  logger: unknown;
  requestHeaders: OutgoingHttpHeaders | null;
  readonly setFeedURL: (feed: { readonly provider: 'generic'; readonly url: string; readonly channel: string }) => void;
  readonly checkForUpdates: () => Promise<{
    readonly isUpdateAvailable: boolean;
    readonly updateInfo: { readonly version: string };
  } | null>;
  readonly downloadUpdate: () => Promise<unknown>;
  readonly once: (event: 'error', listener: () => void) => unknown;
  readonly quitAndInstall: () => void;
}

interface UpdateOptions {
  readonly settings: UpdateSettings | null;
  /** The folder that a person looks into to set a feed. */
  readonly userFolder: string;
  readonly version: string;
  /** Whether this is the one file for Windows that nothing installs. The updater would install another copy beside it. */
  readonly isPortable: boolean;
  /** Loads the updater. Called only after the person said yes. */
  readonly load: () => Promise<Updater>;
  /** Lets requests of the updater through to a host, or with null to none. */
  readonly letThrough: (host: string | null) => void;
  readonly ask: (question: string, yes: string) => Promise<boolean>;
  readonly tell: (words: string) => Promise<void>;
  /** Closes the book before the new version opens it. */
  readonly closeBook: () => Promise<void>;
  /** Starts this version again, where the new one was not installed and the book is closed. */
  readonly startAgain: () => void;
  readonly log: Log;
}

/** Returns what looks for an update when a person asks for it. Each step waits for the person's yes, and the network is open only within it. */
export function createUpdates(options: UpdateOptions): { readonly look: () => Promise<void> } {
  let isLooking = false;
  return {
    look: async () => {
      if (isLooking) return;
      isLooking = true;
      try {
        await lookOnce(options);
      } finally {
        options.letThrough(null);
        isLooking = false;
      }
    },
  };
}

/** Why no place for updates is known: none was named, or what was named cannot be used. */
function whyUnset(userFolder: string): string {
  const file = updatesFile(userFolder);
  return fs.existsSync(file) ? say('shell.updates.unusable', { file }) : say('shell.updates.noFeed', { file });
}

/** Sets an updater so that it does nothing by itself, and sends nothing that tells this copy from others. */
function tame(updater: Updater, { feed, channel }: UpdateSettings): void {
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.setFeedURL({ provider: 'generic', url: feed.href, channel });
  updater.channel = channel;
  // Setting a channel allows an older version; a book is not opened by one.
  updater.allowDowngrade = false;
  // The updater makes up a number for each copy and would send it, so that a publisher could tell copies apart.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
}

async function lookOnce(options: UpdateOptions): Promise<void> {
  const { settings, userFolder, isPortable, version, load, letThrough, ask, tell, closeBook, startAgain, log } = options;
  if (settings === null) return tell(whyUnset(userFolder));
  if (isPortable) return tell(say('shell.updates.notInstalled'));
  const host = settings.feed.hostname;
  if (!(await ask(say('shell.updates.mayItLook', { host, version }), say('shell.updates.look')))) return;
  try {
    const updater = await load();
    tame(updater, settings);
    letThrough(host);
    const found = await updater.checkForUpdates();
    letThrough(null);
    if (found === null) return await tell(say('shell.updates.notInstalled'));
    if (!found.isUpdateAvailable) return await tell(say('shell.updates.newest', { version }));
    const next = found.updateInfo.version;
    if (!(await ask(say('shell.updates.mayItDownload', { next, host }), say('shell.updates.download')))) return;
    letThrough(host);
    await updater.downloadUpdate();
    letThrough(null);
    if (!(await ask(say('shell.updates.mayItInstall', { next }), say('shell.updates.install')))) return;
    await closeBook();
    updater.once('error', startAgain);
    updater.quitAndInstall();
  } catch (error) {
    log.warning('No update was installed', { error: String(error) });
    await tell(say('shell.updates.failed', { host }));
  }
}
