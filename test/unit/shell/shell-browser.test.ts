import { describe, expect, test } from 'vitest';
import { type BrowserHost, findBrowser, hasDisplay } from '../../../src-main/shell/browser.ts';

const host = (platform: NodeJS.Platform, environment: Record<string, string>, ...files: string[]): BrowserHost => ({
  platform,
  environment,
  isFile: (place) => files.includes(place),
});

describe('findBrowser', () => {
  test('finds Chromium on the path of a Linux machine', () => {
    expect(findBrowser(host('linux', { PATH: '/bin:/somewhere/bin' }, '/somewhere/bin/chromium'))).toBe('/somewhere/bin/chromium');
  });
  test('takes Chrome before Chromium and Edge', () => {
    const installed = ['/usr/bin/microsoft-edge', '/usr/bin/chromium', '/usr/bin/google-chrome'];
    expect(findBrowser(host('linux', { PATH: '/usr/bin' }, ...installed))).toBe('/usr/bin/google-chrome');
  });
  test('ignores relative folders of the path', () => {
    expect(findBrowser(host('linux', { PATH: '.:bin' }, './chromium', 'bin/chromium'))).toBeNull();
  });
  test('knows where macOS keeps applications', () => {
    const edge = '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge';
    expect(findBrowser(host('darwin', { HOME: '/h' }, edge))).toBe(edge);
    const own = '/h/Applications/Chromium.app/Contents/MacOS/Chromium';
    expect(findBrowser(host('darwin', { HOME: '/h' }, own))).toBe(own);
  });
  test('knows where Windows keeps programs', () => {
    const edge = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
    expect(findBrowser(host('win32', { 'PROGRAMFILES(X86)': 'C:\\Program Files (x86)' }, edge))).toBe(edge);
  });
  test('answers null where none is', () => {
    expect(findBrowser(host('linux', { PATH: '/usr/bin' }))).toBeNull();
    expect(findBrowser(host('win32', {}))).toBeNull();
  });
  test('a named browser goes before all, and a wrong name is not hidden by another find', () => {
    const environment = { PATH: '/usr/bin', TIEOUT_BROWSER: '/opt/mine' };
    expect(findBrowser(host('linux', environment, '/usr/bin/chromium', '/opt/mine'))).toBe('/opt/mine');
    expect(findBrowser(host('linux', environment, '/usr/bin/chromium'))).toBeNull();
  });
});

describe('hasDisplay', () => {
  test.each([
    ['linux', {}, false],
    ['linux', { DISPLAY: '' }, false],
    ['linux', { DISPLAY: ':0' }, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['darwin', {}, true],
    ['win32', {}, true],
  ] as const)('%s %o: %s', (platform, environment, expected) => {
    expect(hasDisplay({ platform, environment })).toBe(expected);
  });
});
