import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { processTree, stillRunning } from '../processes.ts';
import { bookOfTests, BUILT, fileOf, newBookFolder, repository, serveBook, type ServedBook } from '../served-book.ts';
import { backtestFirstRule, byFileInput, samplesToMatch } from '../window-steps.ts';

const byNpm = (): Promise<ServedBook> => serveBook(newBookFolder(), { byNpm: true });
const book = bookOfTests(byNpm, { isShared: true });

/** Returns the secret behind `#` of an address. */
const secretOf = (address: string): string => new URL(address).hash.replace('#token=', '');

test('the address carries the secret; it leaves the address bar, survives a reload without a cookie, and opens a second window', async ({
  page,
  browser,
}) => {
  const secret = secretOf(book.served.ui_url);
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  const home = new URL('/', book.served.base_url).href;
  expect(page.url()).toBe(home);
  expect(await page.context().cookies()).toEqual([]);
  expect(sent.filter((url) => new URL(url).search.includes(secret))).toEqual([]);
  await page.keyboard.press('ControlOrMeta+,');
  await page.reload();
  await expect(page.getByTestId('settings-screen')).toBeVisible();

  const other = await browser.newContext();
  const second = await other.newPage();
  await second.goto(book.served.ui_url);
  await expect(second.getByTestId('book-overview')).toBeVisible();
  // Both windows receive a change that one of them makes.
  const change = { method: 'POST', data: { key: 'heard', name: 'Heard of' }, headers: { 'x-api-key': book.served.api_key } };
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  for (const each of [page, second]) await each.getByTestId('rail-accounts').click();
  expect((await page.request.fetch(`${book.served.base_url}/data_streams`, change)).status()).toBe(201);
  for (const each of [page, second]) await expect(each.getByText('Heard of').first()).toBeVisible();
  await other.close();
});

test('the browser starts with an address that opens the window once and leaves no secret in its history', async ({ page }) => {
  // A program that replaces the browser: it records its arguments and keeps running.
  const noted = fileOf('noted', '');
  const browser = fileOf('browser.sh', `#!/bin/sh\nprintf '%s\\n' "$@" > ${noted}\nexec sleep 60\n`);
  fs.chmodSync(browser, 0o755);
  const env = {
    ...process.env,
    TIEOUT_BROWSER: browser,
    DISPLAY: ':0',
    ELECTRON_OVERRIDE_DIST_PATH: '/nowhere',
    ELECTRON_SKIP_BINARY_DOWNLOAD: '1',
  };
  const started = spawn(process.execPath, [BUILT, 'start', '--data', newBookFolder()], { cwd: repository, stdio: 'ignore', env });
  try {
    await expect.poll(() => fs.readFileSync(noted, 'utf8'), { timeout: 60_000 }).toContain('--app=');
    const address = /--app=(.*)/.exec(fs.readFileSync(noted, 'utf8'))?.[1] ?? '';
    expect(new URL(address).pathname).toMatch(/^\/open\/[A-Za-z0-9_-]{43}$/);
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await page.goto(address);
    await expect(page.getByTestId('book-overview')).toBeVisible();
    expect(page.url()).toBe(new URL('/', address).href);
    expect(visited.filter((url) => url.includes('#'))).toEqual([]);
    await page.reload();
    await expect(page.getByTestId('book-overview')).toBeVisible();
    const other = await page.context().newPage();
    await other.goto(address);
    await expect(other.getByText('This address has been used or is too old')).toBeVisible();
  } finally {
    started.kill('SIGTERM');
  }
});

test('without the secret the page explains how to open it, and shows the book once it has the secret', async ({ page }) => {
  const home = new URL('/', book.served.base_url).href;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(home);
  await expect(page.getByTestId('how-to-open')).toContainText(`${home}#token=`);
  expect(asked.filter((path) => path.startsWith('/app'))).toEqual([]);
  expect((await page.request.get(`${home}app/book`)).status()).toBe(401);
  // A wrong secret, such as that of an earlier start, counts as none.
  await page.goto(`${home}#token=${'x'.repeat(43)}`);
  await expect(page.getByTestId('how-to-open')).toBeVisible();
  await expect(page.getByTestId('book-overview')).toHaveCount(0);
  await page.reload();
  await expect(page.getByTestId('how-to-open')).toBeVisible();
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
});

test('another server on this machine learns nothing from the browser that opens Tieout', async ({ page }) => {
  const seen: http.IncomingHttpHeaders[] = [];
  const second = http.createServer((request, answer) => {
    seen.push(request.headers);
    answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Second</title>');
  });
  await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve));
  const secondUrl = `http://127.0.0.1:${(second.address() as AddressInfo).port}/`;
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.goto(secondUrl);
  const reached = await page.evaluate(async (target) => {
    const options = { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' } } as const;
    const body = JSON.stringify({ environment: 'live', permission: 'read_write', name: 'Stolen' });
    return fetch(`${target}app/api_keys`, { ...options, body }).then(
      () => 'reached',
      () => 'refused',
    );
  }, new URL('/', book.served.base_url).href);
  expect(reached).toBe('refused');
  const received = JSON.stringify(seen);
  expect(received).not.toContain(secretOf(book.served.ui_url));
  expect(seen.flatMap(({ cookie }) => cookie ?? [])).toEqual([]);
  // Even with everything that it has, and with its own request, it gets no key.
  const stolen = await page.request.post(new URL('/app/api_keys', book.served.base_url).href, {
    headers: { 'x-tieout-window': '1', cookie: seen[0]?.cookie ?? '' },
    data: { environment: 'live', permission: 'read_write', name: 'Stolen' },
  });
  expect(stolen.status()).toBe(401);
  second.close();
});

test('the window obeys its content security policy', async ({ page }) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  const response = await page.reload();
  expect(response?.headers()['content-security-policy']).toContain("script-src 'self'");
  await expect(page.getByTestId('book-overview')).toBeVisible();
  expect(violations).toEqual([]);
});

test('a signal to npm itself stops every process', async () => {
  const own = await byNpm();
  const tree = processTree(own.process.pid ?? 0);
  expect(tree.length).toBeGreaterThan(1);
  const code = await own.stop();
  await expect.poll(() => stillRunning(tree)).toEqual([]);
  // The exit code is npm's for the signal or that of our own clean end, and never an error.
  expect([0, null, 143]).toContain(code);
});

test('npm start prints the address on a machine without display, shows the sample book, and ends with the signal', async ({ page }) => {
  const environment = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', XDG_DATA_HOME: newBookFolder() };
  const npm: ChildProcess = spawn('npm', ['start'], { cwd: repository, stdio: ['ignore', 'ignore', 'pipe'], env: environment });
  const ended = new Promise<number | null>((resolve) => npm.once('close', resolve));
  let stderr = '';
  npm.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await expect.poll(() => stderr, { timeout: 50_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+\/#token=\S+/);
  await page.goto(/http:\/\/127\.0\.0\.1:\S+/.exec(stderr)?.[0] ?? '');
  await expect(page.getByTestId('reconciliation-open')).toBeVisible();
  const tree = processTree(npm.pid ?? 0);
  npm.kill('SIGTERM');
  await ended;
  await expect.poll(() => stillRunning(tree)).toEqual([]);
});

test("light, dark, and the system's scheme", async ({ page }) => {
  const background = (): Promise<number> =>
    page.evaluate(() => {
      const [red = 0, green = 0, blue = 0] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
      return (red + green + blue) / 3;
    });
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  for (const [scheme, isDark] of [
    ['dark', true],
    ['light', false],
    ['dark', true],
  ] as const) {
    await page.getByTestId('color-scheme').click();
    await page.getByTestId(`color-scheme-${scheme}`).click();
    await expect.poll(async () => (await background()) < 128).toBe(isDark);
  }
  // The choice survives a reload. On request the system's scheme is followed.
  await page.reload();
  await expect.poll(async () => (await background()) < 128).toBe(true);
  await page.getByTestId('color-scheme').click();
  await page.getByTestId('color-scheme-auto').click();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(async () => (await background()) < 128).toBe(false);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(async () => (await background()) < 128).toBe(true);
});

test('the keyboard reaches every control', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('i');
  await expect(page.getByTestId('import-screen')).toBeVisible();
  // Tab reaches every control of the page, and the focus is visible.
  const reached = new Set<string>();
  for (let step = 0; step < 25; step += 1) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? ''));
  }
  expect([...reached]).toEqual(expect.arrayContaining(['choose-file', 'color-scheme', 'undo-button', 'keyboard-help']));
});

test('two files are imported and reconciled; a match by hand is made and undone', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await samplesToMatch(page, byFileInput);
  await backtestFirstRule(page);
  // The same book answers over /v1 with the session's key.
  const asked = await page.request.get(`${book.served.base_url}/reconciliations/1`, { headers: { 'x-api-key': book.served.api_key } });
  expect(await asked.json()).toMatchObject({ name: 'Ledger June / Bank June', last_run: { status: 'completed', mode: 'commit' } });
});

test('the settings and the documentation fit a narrow window, and the settings say that the command serves', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+,');
  await expect(page.getByTestId('served-by-command')).toBeVisible();
  await expect(page.getByTestId('local-address-url')).toHaveText(book.served.base_url);
  await expect(page.getByTestId('local-address-switch')).toHaveCount(0);
  await page.getByTestId('allowed-origins-input').fill('http://addin.example.com');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('allowed-origins').getByRole('alert')).toContainText('is not safe');
  await page.setViewportSize({ width: 390, height: 844 });
  const overhang = () =>
    page.evaluate(() => [...document.querySelectorAll('html, #page')].map((each) => each.scrollWidth - each.clientWidth));
  expect(await overhang()).toEqual([0, 0]);
  await page.goto(book.served.base_url.replace('/v1', '/docs'));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await overhang()).toEqual([0]);
});

test('a page of an allowed origin reads the answer in a real browser, another page does not', async ({ page }) => {
  const site = http.createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Add-in</title>'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
  const { base_url: address, api_key: key } = book.served;
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.evaluate(
    (allowed) =>
      fetch('/app/local_port', {
        method: 'PATCH',
        headers: { 'x-tieout-window': sessionStorage.getItem('tieout-window') ?? '', 'content-type': 'application/json' },
        body: JSON.stringify({ allowed_origins: [allowed] }),
      }),
    origin,
  );
  const call = () =>
    page.evaluate(
      async ([url = '', apiKey = '']) => {
        try {
          const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': 'once' };
          const answer = await fetch(url, {
            method: 'POST',
            headers,
            body: JSON.stringify({ key: 'from-add-in', name: 'From an add-in' }),
          });
          return `${answer.status} ${answer.headers.get('x-request-id') === null ? 'without' : 'with'} its number`;
        } catch (error) {
          return String(error);
        }
      },
      [`${address}/data_streams`, key],
    );
  await page.goto(origin);
  expect(await call()).toBe('201 with its number');
  await page.goto(origin.replace('localhost', '127.0.0.1'));
  expect(await call()).toContain('Failed to fetch');
  site.close();
});
