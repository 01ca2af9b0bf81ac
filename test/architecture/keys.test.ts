import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { keyFaults, keysOf } from './key-check.ts';
import { codeUnder } from './sources.ts';

const sources = codeUnder('src-renderer');

// The help asks for the address of the window as it loads, and hears of its changes.
beforeAll(() => {
  vi.stubGlobal('location', { hash: '' });
  vi.stubGlobal('window', { addEventListener: () => {} });
});
afterAll(() => void vi.unstubAllGlobals());

it('finds the keys that the window listens for', () => {
  const found = new Set(sources.flatMap((source) => keysOf(source).map(({ key }) => key)));
  expect([...found]).toEqual(expect.arrayContaining(['mod+z', 'mod+shift+z', '?', 'F1', 'c', 'x', 'm', '/', 'n', 'Escape']));
});

it('lists each key in the help of the keyboard', async () => {
  const { SECTIONS } = await import('../../src-renderer/app/keyboard-help.tsx');
  expect(sources.flatMap((source) => keyFaults(source, SECTIONS))).toEqual([]);
});
