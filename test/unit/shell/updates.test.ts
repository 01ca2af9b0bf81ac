import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppImageUpdater } from 'electron-updater';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createUpdates, readUpdateSettings, resolverRules, type UpdateSettings, updatesFile } from '../../../src-main/shell/updates.ts';

function folderWith(content: string | null): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-updates-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  if (content !== null) fs.writeFileSync(updatesFile(folder), content);
  return folder;
}

const FEED: UpdateSettings = { feed: new URL('https://updates.example.com/tieout/'), channel: 'beta' };

/** A person who answers as given, an updater that finds a version, and what happened in order. */
function ground(
  settings: UpdateSettings | null,
  answers: readonly boolean[],
  found: string | null | Error = '2.0.0',
  { userFolder = '/user', isPortable = false, isInstalled = true } = {},
) {
  const happened: string[] = [];
  const given = [...answers];
  let failed = (): void => {};
  const updater = {
    autoDownload: true,
    autoInstallOnAppQuit: true,
    allowDowngrade: true,
    channel: null as string | null,
    logger: console as unknown,
    requestHeaders: null as Record<string, string> | null,
    setFeedURL: ({ url, channel }: { readonly url: string; readonly channel: string }) => happened.push(`feed ${url} ${channel}`),
    checkForUpdates: async () => {
      happened.push('check');
      if (found instanceof Error) throw found;
      return found === null ? null : { isUpdateAvailable: found !== '1.0.0', updateInfo: { version: found } };
    },
    downloadUpdate: async () => happened.push('download'),
    once: (_: 'error', listener: () => void) => (failed = listener),
    quitAndInstall: () => {
      happened.push('install');
      if (!isInstalled) failed();
    },
  };
  const updates = createUpdates({
    settings,
    userFolder,
    version: '1.0.0',
    isPortable,
    load: async () => updater,
    letThrough: (host) => happened.push(`open to ${host ?? 'none'}`),
    ask: async (_, yes) => {
      happened.push(`asks ${yes}`);
      return given.shift() ?? false;
    },
    tell: async (words) => void happened.push(`says ${words}`),
    closeBook: async () => void happened.push('book closed'),
    startAgain: () => happened.push('started again'),
    log: { info: () => {}, warning: () => {}, error: () => {} },
  });
  return { look: updates.look, happened, updater };
}

test('without a feed nothing is looked for and nothing is asked', async () => {
  const { look, happened } = ground(null, [true, true, true]);
  await look();
  expect(happened).toEqual([expect.stringContaining('says No place for updates is set'), 'open to none']);
});

test('each step waits for a yes, and the network is open to the host of the feed only while it is used', async () => {
  const { look, happened, updater } = ground(FEED, [true, true, true]);
  await look();
  expect(happened).toEqual([
    'asks Look now',
    'feed https://updates.example.com/tieout/ beta',
    'open to updates.example.com',
    'check',
    'open to none',
    'asks Download',
    'open to updates.example.com',
    'download',
    'open to none',
    'asks Install and restart',
    'book closed',
    'install',
    'open to none',
  ]);
  expect(updater).toMatchObject({ autoDownload: false, autoInstallOnAppQuit: false, allowDowngrade: false, channel: 'beta', logger: null });
  expect(updater.requestHeaders).toEqual({ 'x-user-staging-id': 'none' });
});

test.each([
  [[false], 'check'],
  [[true, false], 'download'],
  [[true, true, false], 'install'],
])('after the answers %j there is no %s', async (answers, step) => {
  const { look, happened } = ground(FEED, answers);
  await look();
  expect(happened).not.toContain(step);
  expect(happened.at(-1)).toBe('open to none');
});

test('where the installer does not start, this version opens its book again', async () => {
  const { look, happened } = ground(FEED, [true, true, true], '2.0.0', { isInstalled: false });
  await look();
  expect(happened.slice(-4)).toEqual(['book closed', 'install', 'started again', 'open to none']);
});

test('a copy that no installer made says so, and a portable one asks nobody', async () => {
  const unpacked = ground(FEED, [true], null);
  await unpacked.look();
  expect(unpacked.happened.slice(-2)).toEqual([expect.stringContaining('says This copy of Tieout cannot replace itself'), 'open to none']);
  const portable = ground(FEED, [true], '2.0.0', { isPortable: true });
  await portable.look();
  expect(portable.happened).toEqual([expect.stringContaining('says This copy of Tieout cannot replace itself'), 'open to none']);
});

test('a file that names no usable place is said, and is not taken for none', async () => {
  const { look, happened } = ground(null, [true], '2.0.0', { userFolder: folderWith('{ "feed": "http://updates.example.com/" }') });
  await look();
  expect(happened).toEqual([expect.stringContaining('names no place for updates that can be used'), 'open to none']);
});

test('the newest version and a feed that does not answer are said, and the network is closed again', async () => {
  const newest = ground(FEED, [true], '1.0.0');
  await newest.look();
  expect(newest.happened.slice(-2)).toEqual([expect.stringContaining('says This is the newest version'), 'open to none']);
  const offline = ground(FEED, [true], new Error('net::ERR_INTERNET_DISCONNECTED'));
  await offline.look();
  expect(offline.happened.slice(-2)).toEqual([expect.stringContaining('says updates.example.com did not answer'), 'open to none']);
});

test.each([
  [null, null],
  ['{', null],
  ['{ "feed": "http://updates.example.com/" }', null],
  ['{ "feed": "https://name:word@updates.example.com/" }', null],
  ['{ "feed": "https://updates.example.com/a", "channel": "nightly" }', 'latest'],
  ['{ "feed": "https://updates.example.com/a", "channel": "beta" }', 'beta'],
])('the settings %s give the channel %s', (content, channel) => {
  expect(readUpdateSettings(folderWith(content))?.channel ?? null).toBe(channel);
});

test('Chromium finds no host without a feed, and with one only its host', () => {
  expect(resolverRules(null)).toBe('MAP * ~NOTFOUND');
  expect(resolverRules(FEED)).toBe('MAP * ~NOTFOUND, EXCLUDE updates.example.com');
});

test('the updater itself asks for the file of the channel, and sends nothing that tells this copy from others', async () => {
  const userFolder = folderWith(null);
  vi.stubEnv('APPIMAGE', path.join(userFolder, 'Tieout.AppImage'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const updater = new AppImageUpdater(null, {
    version: '1.0.0',
    name: 'Tieout',
    isPackaged: true,
    appUpdateConfigPath: path.join(userFolder, 'app-update.yml'),
    userDataPath: userFolder,
    baseCachePath: userFolder,
    whenReady: () => Promise.resolve(),
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  });
  const requests: unknown[] = [];
  const answer = 'version: 2.0.0\nfiles:\n  - { url: Tieout.AppImage, sha512: AAAA, size: 1 }\npath: Tieout.AppImage\nsha512: AAAA\n';
  const executor = { request: async (asked: unknown) => (requests.push(asked), answer) };
  Object.assign(updater, { httpExecutor: executor });
  const asked: string[] = [];
  const updates = createUpdates({
    settings: FEED,
    userFolder,
    version: '1.0.0',
    isPortable: false,
    load: async () => updater,
    letThrough: () => {},
    ask: async (question) => asked.push(question) === 1,
    tell: async (words) => void asked.push(words),
    closeBook: async () => {},
    startAgain: () => {},
    log: { info: () => {}, warning: () => {}, error: () => {} },
  });
  await updates.look();
  expect(asked).toEqual([expect.stringContaining('This is version 1.0.0'), expect.stringContaining('Version 2.0.0 is there')]);
  expect(requests).toEqual([expect.objectContaining({ hostname: 'updates.example.com' })]);
  const id = fs.readFileSync(path.join(userFolder, '.updaterId'), 'utf8');
  expect(JSON.stringify(requests)).not.toContain(id);
  expect(JSON.stringify(requests)).toMatch(/\/tieout\/beta(?:-linux|-mac)?/);
});
