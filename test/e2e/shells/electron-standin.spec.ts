import { expect, type Page, test } from '@playwright/test';
import type { Bridge } from '../../../src-shared/contract/wire.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { launchApp, type RunningApp } from '../../support/electron/launch-app.ts';
import { BANK_SAMPLE, newBookFolder } from '../served-book.ts';
import { type ChooseFile, samplesToMatch } from '../window-steps.ts';

/** The globals of a page. The raw channel of the stand-in is what a compromised page could reach. */
interface PageGlobals {
  readonly tieout: Bridge;
  readonly standInInvoke: (channel: string, input: unknown[]) => Promise<{ value?: unknown; error?: string }>;
}

let app: RunningApp;
/** Starts one window for tests that do not change it: each start takes seconds. */
const oneWindow = (): void => startedBy(test.beforeAll, test.afterAll);
const ownWindows = (): void => startedBy(test.beforeEach, test.afterEach);

function startedBy(before: typeof test.beforeAll, after: typeof test.afterAll): void {
  before(async () => {
    app = await launchApp(newBookFolder());
  });
  after(async () => {
    const code = await app.stop();
    expect(code, app.log()).toBe(0);
  });
}

test.describe('a shared window', () => {
  oneWindow();

  test('the window is isolated, sandboxed and without Node, and shows the book', async () => {
    await expect(app.page.getByTestId('book-overview')).toBeVisible();
    const [options] = await app.control({ kind: 'window-options' });
    expect(options?.['webPreferences']).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
    const bridge = await app.page.evaluate(() => Object.keys((globalThis as unknown as PageGlobals).tieout));
    expect(bridge.toSorted()).toEqual(['chooseFile', 'chooseFolder', 'request', 'showInFolder', 'subscribe', 'takeOpened']);
  });

  test('the page has a policy that blocks all other sources, and obeys it', async () => {
    const violations: string[] = [];
    app.page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
    });
    const response = await app.page.reload();
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    await expect(app.page.getByTestId('book-overview')).toBeVisible();
    expect(violations).toEqual([]);
    // The policy is enforced, not only sent.
    const reached = await app.page.evaluate(() =>
      fetch('https://example.invalid/').then(
        () => 'reached',
        () => 'refused',
      ),
    );
    expect(reached).toBe('refused');
    await expect.poll(() => violations.length).toBeGreaterThan(0);
  });

  test('a frame inside the page gets no answer', async () => {
    const own = await app.page.evaluate(() => (globalThis as unknown as PageGlobals).tieout.request('book.overview', {}));
    expect(own.ok).toBe(true);
    await app.page.evaluate(() => document.body.append(document.createElement('iframe')));
    await expect.poll(() => app.page.frames().length).toBe(2);
    const [, inner] = app.page.frames();
    const answer = await inner?.evaluate(() =>
      (globalThis as unknown as PageGlobals).standInInvoke('tieout:request', ['book.overview', {}]),
    );
    expect(answer?.value).toBeUndefined();
    expect(answer?.error).toContain('a frame inside the page sent it');
    expect(app.log()).toContain('A message was refused');
  });
});

test.describe('a new window', () => {
  ownWindows();

  test('a page from another origin gets no answer, although it has the bridge', async () => {
    await app.control({ kind: 'load-url', url: 'https://foreign.invalid/' });
    const ask = (name: 'request' | 'chooseFile'): Promise<string> =>
      app.page.evaluate(async (name) => {
        const { tieout } = globalThis as unknown as PageGlobals;
        try {
          return JSON.stringify(await (name === 'request' ? tieout.request('book.overview', {}) : tieout.chooseFile()));
        } catch (error) {
          return String(error);
        }
      }, name);
    // The previous page may still be there at the first request.
    await expect.poll(() => ask('request').catch(String)).toContain('a page of https://foreign.invalid sent it');
    expect(await ask('chooseFile')).toContain('a page of https://foreign.invalid sent it');
    // No dialog was opened for it.
    expect(await app.control({ kind: 'calls' })).toEqual([]);
  });

  test('the window stays on its page and gets no permissions', async () => {
    const home = app.page.url();
    await app.page.evaluate(() => location.assign('https://example.invalid/'));
    await expect.poll(() => app.log()).toContain('A navigation away from the application was refused');
    expect(app.page.url()).toBe(home);
    await expect(app.page.getByTestId('book-overview')).toBeVisible();

    await app.page.evaluate(() => void window.open('https://example.invalid/help'));
    await expect
      .poll(() => app.control({ kind: 'calls' }))
      .toEqual([{ name: 'shell.openExternal', detail: 'https://example.invalid/help' }]);
    await app.page.evaluate(() => void window.open('http://example.invalid/plain'));
    await expect.poll(() => app.log()).toContain('A new window was refused');
    expect(await app.control({ kind: 'calls' })).toHaveLength(1);
    await expect.poll(() => app.page.context().pages().length).toBe(1);

    for (const permission of ['geolocation', 'media', 'notifications', 'clipboard-read']) {
      expect(await app.control({ kind: 'ask-permission', permission })).toBe(false);
    }
    // A copy button needs this permission, which only our own page gets.
    expect(await app.control({ kind: 'ask-permission', permission: 'clipboard-sanitized-write' })).toBe(true);
    await app.control({ kind: 'load-url', url: 'https://foreign.invalid/' });
    expect(await app.control({ kind: 'ask-permission', permission: 'clipboard-sanitized-write' })).toBe(false);
  });

  test('the guide has one window without the bridge, which closes with the application', async () => {
    const { page } = app;
    await expect(page.getByTestId('book-overview')).toBeVisible();
    await page.keyboard.press('F1');
    // A window begins with an empty page, so its address says which one it is.
    const guideOf = (): Page | undefined =>
      page
        .context()
        .pages()
        .find((other) => other.url().includes('/guide/'));
    await expect.poll(() => guideOf() !== undefined).toBe(true);
    const guide = present(guideOf(), 'the window of the guide');
    await expect(guide.getByRole('heading', { level: 1 })).toContainText('Your first hour');
    expect(await guide.evaluate(() => 'tieout' in globalThis)).toBe(false);
    await page.evaluate(() => window.location.assign('#/sync'));
    await page.bringToFront();
    await page.keyboard.press('F1');
    await expect(guide.getByRole('heading', { level: 1 })).toContainText('Sync');
    const closed = guide.waitForEvent('close');
    await page.close();
    await closed;
  });

  test('import by click, run, match by hand and undo cross the preload and IPC', async () => {
    const { page } = app;
    const byDialog: ChooseFile = async (_, path) => {
      await app.control({ kind: 'next-file', path });
      await page.getByTestId('choose-file').click();
    };
    await samplesToMatch(page, byDialog);
    // The page received tokens and names, never a path.
    expect(await page.content()).not.toContain(BANK_SAMPLE);
  });

  test('a statement that is opened with Tieout is read, and a link leads to its place', async () => {
    const { page } = app;
    await expect(page.getByTestId('book-overview')).toBeVisible();
    await app.control({ kind: 'second-start', args: [BANK_SAMPLE] });
    await expect(page.getByTestId('import-preview')).toBeVisible();
    expect(await page.content()).not.toContain(BANK_SAMPLE);
    await app.control({ kind: 'second-start', args: ['tieout://accounts'] });
    await expect.poll(() => new URL(page.url()).hash).toBe('#/accounts');
    await app.control({ kind: 'second-start', args: [`${BANK_SAMPLE}.absent`, 'https://example.invalid/'] });
    expect(new URL(page.url()).hash).toBe('#/accounts');
  });

  test('the menu opens the import, and a closed dialog changes nothing', async () => {
    await expect(app.page.getByTestId('book-overview')).toBeVisible();
    await app.control({ kind: 'click-menu', label: '&Import…' });
    await expect(app.page.getByTestId('import-screen')).toBeVisible();
    await app.control({ kind: 'next-file', path: null });
    await app.page.getByTestId('choose-file').click();
    await expect.poll(async () => (await app.control({ kind: 'calls' })).map((call) => call.name)).toEqual(['dialog.showOpenDialog']);
    await expect(app.page.getByTestId('choose-file')).toBeEnabled();
    await app.control({ kind: 'next-file', path: `${BANK_SAMPLE}.absent` });
    await app.page.getByTestId('choose-file').click();
    await expect.poll(async () => (await app.control({ kind: 'calls' })).at(-1)?.name).toBe('dialog.showMessageBox');
    await expect(app.page.getByTestId('import-preview')).toHaveCount(0);
  });

  test('other programs have access with a key while the settings allow it, and not before or after', async () => {
    const { page } = app;
    await app.control({ kind: 'click-menu', label: '&Settings…' });
    await expect(page.getByTestId('settings-screen')).toBeVisible();
    await expect(page.getByTestId('address-mark')).toContainText('Offline');
    // Once the content above is loaded, the layout does not move any more.
    for (const above of ['no-backups', 'no-remotes']) await expect(page.getByTestId(above)).toBeVisible();
    await page.getByTestId('port-free').check();
    await page.getByTestId('port-save').click();
    await expect(page.getByTestId('port-save')).toHaveCount(0);
    await page.getByTestId('local-address-switch').click({ force: true });
    const url = page.getByTestId('local-address-url');
    await expect(url).toHaveText(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    await expect(page.getByTestId('address-mark')).toContainText('Local address on');
    const address = `${(await url.textContent()) ?? ''}/data_streams`;
    expect((await fetch(address)).status).toBe(401);

    await page.getByTestId('new-key').click();
    await page.getByTestId('key-name').fill('Spreadsheet');
    await page.keyboard.press('Enter');
    const key = (await page.getByTestId('issued-key').textContent()) ?? '';
    await page.getByTestId('key-done').click();
    await expect(page.getByTestId('key-row')).toContainText('Spreadsheet');
    expect(await page.content()).not.toContain(key);
    const headers = { 'x-api-key': key };
    const answer = await fetch(address, { headers });
    expect([answer.status, await answer.json()]).toEqual([200, []]);
    expect((await fetch(address, { headers: { ...headers, origin: 'https://addin.example.com' } })).status).toBe(403);
    await page.getByTestId('allowed-origins-input').fill('https://addin.example.com');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await fetch(address, { headers: { ...headers, origin: 'https://addin.example.com' } })).status)
      .toBe(200);
    await page.getByTestId('docs-link').click();
    await expect
      .poll(() => app.control({ kind: 'calls' }))
      .toEqual([{ name: 'shell.openExternal', detail: address.replace('/v1/data_streams', '/docs') }]);

    await page.getByTestId('revoke-key').click();
    await page.getByTestId('revoke-confirm').click();
    await expect(page.getByTestId('no-keys')).toBeVisible();
    expect((await fetch(address, { headers })).status).toBe(401);
    await page.getByTestId('local-address-switch').click({ force: true });
    await expect(page.getByTestId('local-address-status')).toHaveText('Off');
    await expect(fetch(address, { headers })).rejects.toThrow('fetch failed');
  });
});
