import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const program = path.resolve(import.meta.dirname, '../../support/processes/start-window.ts');

let folder = '';
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-start-'));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A program of a few lines; it notes its arguments and its process id. */
function script(name: string, body: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!/bin/sh\necho "$@" > "${file}.arguments"\necho $$ > "${file}.id"\n${body}\n`, { mode: 0o755 });
  return file;
}
const noted = (file: string): string => fs.readFileSync(file, 'utf8').trim();

/** Lets a process measure ten times as much time as goes by: a browser that was open for seconds needs a tenth of them. */
const FAST_CLOCK = `data:text/javascript,${encodeURIComponent('const now = performance.now.bind(performance); performance.now = () => now() * 10;')}`;

function begin(electron: string, environment: Record<string, string>, dataFolder = path.join(folder, 'book')) {
  const clean = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', TIEOUT_BROWSER: path.join(folder, 'absent'), ...environment };
  const child = spawn(process.execPath, [program, dataFolder, electron], { env: clean });
  started.push(child);
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const says = async (words: string): Promise<void> => {
    await expect.poll(() => text.stdout + text.stderr, { timeout: 10_000 }).toContain(words);
  };
  return { child, text, ended, says };
}

const display = { DISPLAY: ':99' };
const ADDRESS = 'http://127.0.0.1:1/#token=secret';

// Only on Linux a machine can lack a display.
test.each(['linux'].filter((platform) => platform === process.platform))(
  '%s: without a display it prints the address and waits for a signal',
  async () => {
    const { child, text, ended, says } = begin('no runtime', {});
    await says(ADDRESS);
    expect(text.stderr).toMatch(/^There is no display here\. Open this address .*:\nhttp.*\n$/);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(text.stdout).toBe('serving live, programs false\nlocal port as the settings say\nserver closed\nbackend closed\n');
  },
);

test('without a browser it prints the address too', async () => {
  const { child, ended, says } = begin('no runtime', display);
  await says('Opening in the browser, not in Electron: no runtime.');
  await says('No Chrome, Chromium or Edge was found: install one of them');
  await says(ADDRESS);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

test('a signal closes the browser window with everything else', async () => {
  const browser = script('browser', 'exec sleep 60');
  const { child, ended, text } = begin('no runtime', { ...display, TIEOUT_BROWSER: browser });
  await expect.poll(() => fs.existsSync(`${browser}.id`), { timeout: 10_000 }).toBe(true);
  expect(noted(`${browser}.arguments`)).not.toContain('secret');
  expect(noted(`${browser}.arguments`)).toContain(
    `--app=http://127.0.0.1:1/open/ticket --user-data-dir=${path.join(folder, 'book-window')} --no-first-run`,
  );
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(() => process.kill(Number(noted(`${browser}.id`)), 0)).toThrow(/ESRCH/);
  expect(text.stdout).toContain('backend closed');
});

test('closing the browser window ends Tieout', async () => {
  const browser = script('browser', 'exec sleep 0.5');
  const { ended, text } = begin('no runtime', { ...display, TIEOUT_BROWSER: browser, NODE_OPTIONS: `--import ${FAST_CLOCK}` });
  expect(await ended).toBe(0);
  expect(text.stdout).toContain('backend closed');
});

test('a browser that ends at once has closed no window: the address is printed', async () => {
  const browser = script('browser', 'exit 0');
  const { child, ended, says } = begin('no runtime', { ...display, TIEOUT_BROWSER: browser });
  await says(ADDRESS);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('Electron gets the folder and its exit code is ours; no second backend is started', async () => {
  const electron = script('electron', 'exit 5');
  const { ended, text } = begin(electron, display);
  expect(await ended).toBe(5);
  expect(noted(`${electron}.arguments`)).toContain(
    `${path.resolve(import.meta.dirname, '../../..')} --data ${path.join(folder, 'book')} --environment live`,
  );
  expect(text).toEqual({ stdout: '', stderr: '' });
});

test('an Electron that cannot start on this machine gives way to the browser', async () => {
  const { child, ended, says } = begin(script('electron', 'exit 127'), display);
  await says('Opening in the browser, not in Electron: its runtime does not start on this machine.');
  await says(ADDRESS);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a book that cannot be opened is exit 3 and one sentence', async () => {
  const { ended, text } = begin('no runtime', {}, 'in use');
  expect(await ended).toBe(3);
  expect(text.stderr.split('\n').at(-2)).toBe('Another Tieout has this book open.');
});
