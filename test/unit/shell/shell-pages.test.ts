import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answerFile,
  checkSender,
  fileFor,
  isAppUrl,
  isGuideUrl,
  isOpenableOutside,
  isOwnDownload,
  isOwnRequest,
} from '../../../src-main/shell/app-pages.ts';
import { readArguments } from '../../../src-main/shell/opened.ts';
import { isOnAScreen, readWindowState, writeWindowState } from '../../../src-main/shell/window-state.ts';

let folder = '';
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-pages-'));
  fs.mkdirSync(path.join(folder, 'ui/assets'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'ui/guide'));
  fs.writeFileSync(path.join(folder, 'ui/guide/index.html'), '<p>guide</p>');
  fs.writeFileSync(path.join(folder, 'ui/index.html'), '<p>page</p>');
  fs.writeFileSync(path.join(folder, 'ui/assets/a b.js'), 'let a;');
  fs.writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  fs.mkdirSync(path.join(folder, 'ui-other'));
  fs.writeFileSync(path.join(folder, 'ui-other/index.html'), 'other');
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const get = (url: string, method = 'GET'): Promise<Response> => answerFile(path.join(folder, 'ui'), { url, method });

describe('pages of app://tieout/', () => {
  test('the page comes with its policy', async () => {
    const answer = await get('app://tieout/');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('<p>page</p>');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
  test('a folder leads to its first page', async () => {
    expect(await (await get('app://tieout/guide/')).text()).toBe('<p>guide</p>');
  });
  test('files have their type', async () => {
    const answer = await get('app://tieout/assets/a%20b.js');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });
  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '/../ui-other/index.html',
    '/%00',
    '/%E0%A4%A',
  ])('%s leads nowhere', (urlPath) => {
    expect(fileFor(path.join(folder, 'ui'), urlPath)).toBeNull();
  });
  test.each(['app://tieout/..%2fsecret.txt', 'app://tieout/absent.js', 'app://elsewhere/index.html', 'app://tieout/assets'])(
    '%s is not found, and carries the policy too',
    async (url) => {
      const answer = await get(url);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    },
  );
  test('only reading is answered', async () => {
    expect((await get('app://tieout/', 'POST')).status).toBe(405);
  });
});

describe('addresses', () => {
  test.each([
    ['app://tieout/assets/a.js', true, false],
    ['blob:app://tieout/1-2', true, true],
    ['data:image/png;base64,AA', true, false],
    ['app://elsewhere/', false, false],
    ['blob:https://tieout/1-2', false, false],
    ['https://example.com/', false, false],
    ['ws://127.0.0.1:1/', false, false],
    ['file:///etc/passwd', false, false],
    ['blob:', false, false],
    ['', false, false],
  ])('%s may be asked for: %s, and saved: %s', (url, mayAsk, maySave) => {
    expect([isOwnRequest(url, false), isOwnDownload(url)]).toEqual([mayAsk, maySave]);
  });
  test.each([
    ['app://tieout/guide/sync.html', true],
    ['app://tieout/', false],
    ['app://elsewhere/guide/sync.html', false],
    ['https://example.com/guide/', false],
  ])('%s belongs to the guide: %s', (url, isGuide) => {
    expect(isGuideUrl(url)).toBe(isGuide);
  });
  test('the developer tools load where they may be opened', () => {
    const url = 'devtools://devtools/bundled/devtools_app.html';
    expect([isOwnRequest(url, true), isOwnRequest(url, false), isOwnRequest('devtools://remote/x', true)]).toEqual([true, false, false]);
  });
  test.each([
    ['app://tieout/', true],
    ['app://tieout/index.html#/import', true],
    ['app://tieout.evil/', false],
    ['app://tieout:1/', false],
    ['app://x@tieout.evil/', false],
    ['https://tieout/', false],
    ['file:///index.html', false],
    ['about:blank', false],
    ['', false],
  ])('%s belongs to the application: %s', (url, expected) => {
    expect(isAppUrl(url)).toBe(expected);
  });
  test.each([
    ['https://example.com/x', true],
    ['http://example.com/', false],
    ['http://127.0.0.1:4690/docs', true],
    ['http://192.168.1.5:4690/docs', true],
    ['http://[::1]:4690/docs', true],
    ['http://127.0.0.1:4690/sheet/sheet_a-b_1/workbook', true],
    ['http://127.0.0.1:4690/sheet/sheet_a-b_1/open', false],
    ['http://example.com:4690/docs', false],
    ['http://127.0.0.1.example.com/docs', false],
    ['http://127.0.0.1:4690/v1', false],
    ['http://127.0.0.1:4690/docs/../v1', false],
    ['http://127.0.0.1:4690/docs?to=elsewhere', false],
    ['http://user@127.0.0.1:4690/docs', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['https://user:name@example.com/', false],
    ['not an address', false],
  ])('%s may be opened outside: %s', (url, expected) => {
    expect(isOpenableOutside(url)).toBe(expected);
  });
});

const frame = (url: string, frameTreeNodeId = 1) => ({ url, parent: null, frameTreeNodeId });

describe('checkSender', () => {
  const sender = { mainFrame: { frameTreeNodeId: 1 } };
  test('the top frame at home may speak', () => {
    expect(checkSender({ senderFrame: frame('app://tieout/'), sender })).toEqual({ ok: true, value: true });
  });
  test.each([
    ['gone', null],
    ['inside', { ...frame('app://tieout/', 2), parent: frame('app://tieout/') as never }],
    ['inside', frame('app://tieout/', 2)],
    ['https://foreign.invalid', frame('https://foreign.invalid/app://tieout/')],
    ['app', frame('app://other/')],
    ['no address', frame('')],
  ])('refused: %s', (reason, senderFrame) => {
    const checked = checkSender({ senderFrame, sender });
    expect(checked.ok).toBe(false);
    expect(checked.ok ? '' : checked.error).toContain(reason === 'app' ? 'sent it' : reason);
  });
});

describe('what the window remembers', () => {
  const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }];
  const state = { x: 10, y: 20, width: 900, height: 700, isMaximized: false };
  test('is read as it was written', () => {
    const file = path.join(folder, 'state/window.json');
    writeWindowState(file, state);
    expect(readWindowState(file, screens)).toEqual(state);
  });
  test('is forgotten when its screen is gone or the file is damaged', () => {
    const file = path.join(folder, 'gone.json');
    writeWindowState(file, { ...state, x: 3000 });
    expect(readWindowState(file, screens)).toBeNull();
    fs.writeFileSync(file, '{"x":1');
    expect(readWindowState(file, screens)).toBeNull();
    fs.writeFileSync(file, '{"x":"1","y":2,"width":3,"height":4,"isMaximized":true}');
    expect(readWindowState(file, screens)).toBeNull();
    expect(readWindowState(path.join(folder, 'absent.json'), screens)).toBeNull();
  });
  test('a window of which a corner is seen is on a screen', () => {
    expect(isOnAScreen({ ...state, x: 1820 }, screens)).toBe(true);
    expect(isOnAScreen({ ...state, x: 1821 }, screens)).toBe(false);
  });
});

describe('readArguments', () => {
  test('--data goes before TIEOUT_DATA, which goes before the own book', () => {
    const own = path.resolve('user');
    expect(readArguments(['main.js', '--data', 'a'], { TIEOUT_DATA: 'b' }, own)).toEqual({
      dataFolder: path.resolve('a'),
      isNamed: true,
      environment: 'live',
      named: ['main.js'],
    });
    expect(readArguments(['main.js'], { TIEOUT_DATA: 'b' }, own).dataFolder).toBe(path.resolve('b'));
    expect(readArguments(['main.js', '--enable-logging'], {}, own)).toEqual({
      dataFolder: path.join(own, 'book'),
      isNamed: false,
      environment: 'live',
      named: ['main.js'],
    });
  });
  test('the test environment is asked for by name', () => {
    expect(readArguments(['--environment', 'test'], {}, 'user').environment).toBe('test');
  });
});
