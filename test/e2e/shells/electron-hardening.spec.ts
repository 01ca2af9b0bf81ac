import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { DeviceKind } from '../../support/electron/control-messages.ts';
import { launchApp, type RunningApp } from '../../support/electron/launch-app.ts';
import { newBookFolder } from '../served-book.ts';

let app: RunningApp | null = null;
const launch = async (isPackaged = false, userFolder?: string): Promise<RunningApp> => {
  app = await launchApp(newBookFolder(), { isPackaged, ...(userFolder === undefined ? {} : { userFolder }) });
  await expect(app.page.getByTestId('book-overview')).toBeVisible();
  return app;
};
test.afterEach(async () => {
  expect(await app?.stop(), app?.log()).toBe(0);
});

test('devices, the screen and all permissions are refused, except that of a copy button', async () => {
  const { control } = await launch();
  const devices: readonly DeviceKind[] = ['serial', 'hid', 'usb', 'bluetooth', 'display-media'];
  for (const device of devices) expect([device, await control({ kind: 'ask-device', device })]).toEqual([device, null]);
  expect(await control({ kind: 'ask-device', device: 'bluetooth-pairing' })).toBe(false);
  expect(await control({ kind: 'ask-device', device: 'known-device' })).toBe(false);
  for (const permission of [
    'serial',
    'hid',
    'usb',
    'media',
    'display-capture',
    'fileSystem',
    'midiSysex',
    'openExternal',
    'clipboard-read',
  ]) {
    expect([permission, await control({ kind: 'ask-permission', permission })]).toEqual([permission, false]);
    expect([permission, await control({ kind: 'check-permission', permission, origin: 'app://tieout/' })]).toEqual([permission, false]);
  }
  const write = { kind: 'check-permission', permission: 'clipboard-sanitized-write' } as const;
  expect(await control({ ...write, origin: 'app://tieout/' })).toBe(true);
  expect(await control({ ...write, origin: 'https://tieout/' })).toBe(false);
});

test('no page reaches the network', async () => {
  const { page, control, log } = await launch();
  for (const url of [
    'app://tieout/',
    'app://tieout/assets/a.js',
    'data:image/png;base64,AAAA',
    'blob:app://tieout/1-2-3',
    'devtools://devtools/bundled/a.js',
  ]) {
    expect([url, await control({ kind: 'ask-request', url })]).toEqual([url, true]);
  }
  const elsewhere = [
    'https://example.invalid/',
    'http://127.0.0.1:4690/v1/records',
    'ws://127.0.0.1:1/',
    'wss://example.invalid/',
    'ftp://example.invalid/',
    'file:///etc/passwd',
    'app://elsewhere/',
    'blob:https://example.invalid/1',
    'chrome-extension://abc/x.js',
    'not an address',
  ];
  for (const url of elsewhere) expect([url, await control({ kind: 'ask-request', url })]).toEqual([url, false]);
  expect(log()).toContain('A request to elsewhere was refused');
  expect(await control({ kind: 'settings' })).toEqual({
    switches: { 'host-resolver-rules': 'MAP * ~NOTFOUND' },
    webRtc: 'disable_non_proxied_udp',
  });
  // A page without our policy, as after a break-out, is stopped by the network block alone.
  await control({ kind: 'load-url', url: 'https://foreign.invalid/' });
  const before = log().split('A request to elsewhere was refused').length;
  const reached = (): Promise<string> =>
    page.evaluate(() =>
      fetch('https://foreign.invalid/data').then(
        () => 'reached',
        () => 'refused',
      ),
    );
  await expect.poll(() => reached().catch(String)).toBe('refused');
  await expect.poll(() => log().split('A request to elsewhere was refused').length).toBeGreaterThan(before);
});

const messages = async ({ control }: RunningApp): Promise<readonly Record<string, unknown>[]> =>
  (await control({ kind: 'calls' }))
    .filter(({ name }) => name === 'dialog.showMessageBox')
    .map(({ detail }) => detail as Record<string, unknown>);

test('without a place for updates none is looked for, and the menu says so', async () => {
  const running = await launch();
  await running.control({ kind: 'click-menu', label: 'Look for &updates…' });
  await expect.poll(() => messages(running)).toEqual([expect.objectContaining({ detail: expect.stringContaining('never looks for any') })]);
});

test('with a place for updates the updater alone finds its host, after a yes, and no page does', async () => {
  const userFolder = path.dirname(newBookFolder());
  fs.mkdirSync(path.join(userFolder, 'tieout'), { recursive: true });
  fs.writeFileSync(path.join(userFolder, 'tieout', 'updates.json'), '{ "feed": "https://updates.example.invalid/tieout/" }');
  const running = await launch(false, userFolder);
  const { control } = running;
  expect((await control({ kind: 'settings' })).switches).toEqual({
    'host-resolver-rules': 'MAP * ~NOTFOUND, EXCLUDE updates.example.invalid',
  });
  const url = 'https://updates.example.invalid/tieout/latest.yml';
  expect(await control({ kind: 'ask-request', url })).toBe(false);
  await control({ kind: 'click-menu', label: 'Look for &updates…' });
  // The question is answered with yes. This build is no installed one, so that the updater in the bundle finds nothing to replace.
  await expect
    .poll(() => messages(running))
    .toEqual([
      expect.objectContaining({ type: 'question', buttons: ['Look now', 'Not now'], cancelId: 1 }),
      expect.objectContaining({ detail: expect.stringContaining('cannot replace itself') }),
    ]);
  for (const asked of [url, 'https://elsewhere.invalid/']) {
    expect(await control({ kind: 'ask-request', url: asked })).toBe(false);
    expect(await control({ kind: 'ask-request', url: asked, partition: 'electron-updater' })).toBe(false);
  }
});

/** Starts a download of an address as a page can. */
function download(page: RunningApp['page'], url: string | null): Promise<void> {
  return page.evaluate((given) => {
    const link = document.createElement('a');
    link.href = given ?? URL.createObjectURL(new Blob(['{}'], { type: 'application/json' }));
    link.download = 'recipe.json';
    link.click();
  }, url);
}

test('a file that the page made can be saved, and nothing else is downloaded', async () => {
  const { page, control, log } = await launch();
  await download(page, null);
  await expect.poll(() => control({ kind: 'calls' })).toEqual([{ name: 'download', detail: 'recipe.json' }]);
  await download(page, 'data:application/octet-stream,program');
  await expect.poll(log).toContain('A download was refused');
  await control({ kind: 'load-url', url: 'https://foreign.invalid/' });
  await expect.poll(() => page.evaluate(() => document.title).catch(String)).toBe('elsewhere');
  const refusals = () => log().split('A download was refused').length;
  const before = refusals();
  await download(page, null);
  await expect.poll(refusals).toBeGreaterThan(before);
  expect(await control({ kind: 'calls' })).toHaveLength(1);
});

test('a packaged build has no developer tools, a build from the repository has them', async () => {
  for (const isPackaged of [true, false]) {
    const { control, stop } = await launch(isPackaged);
    const [options] = await control({ kind: 'window-options' });
    expect(options?.['webPreferences']).toMatchObject({ devTools: !isPackaged });
    expect((await control({ kind: 'menu' })).includes('toggleDevTools')).toBe(!isPackaged);
    expect(await control({ kind: 'ask-request', url: 'devtools://devtools/bundled/a.js' })).toBe(!isPackaged);
    if (isPackaged) expect(await stop()).toBe(0);
  }
});
