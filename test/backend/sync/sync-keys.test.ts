import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Secrets } from '../../../src-main/platform/ports.ts';
import type { KeyOwner } from '../../../src-main/sync/operations/sync-life.ts';
import { openSyncKeys } from '../../../src-main/sync/runner/sync-keys.ts';
import { testFolder, testRandom } from '../../support/books/backend.ts';

const KEY = 'sk_live_0123456789abcdef';
const HEAD_OFFICE: KeyOwner = { environment: 'live', baseUrl: 'https://head.office/v1' };

/** A store that turns bytes over; what `key` sealed it opens alone. */
function store(key = 0x5a): Secrets {
  return {
    encrypt: async (text) => Uint8Array.from(Buffer.from(text), (byte) => byte ^ key),
    decrypt: async (sealed) => Buffer.from(sealed.map((byte) => byte ^ key)).toString(),
  };
}

function places(): { readonly dataFolder: string; readonly configFolder: string } {
  const folder = testFolder();
  const [dataFolder, configFolder] = [path.join(folder, 'book'), path.join(folder, 'config')];
  mkdirSync(dataFolder);
  return { dataFolder, configFolder };
}

function keysAt(at: ReturnType<typeof places>, secrets: Secrets | null = null, seed = 7) {
  return openSyncKeys({ ...at, secrets, random: testRandom(seed) });
}

const fileOf = ({ dataFolder }: { readonly dataFolder: string }): string => path.join(dataFolder, 'sync-keys.json');
const modeOf = (file: string): number => statSync(file).mode & 0o777;

test('without a secret store a key lies encrypted in a file of the owner alone, and its secret outside of the data folder', async () => {
  const at = places();
  const keys = keysAt(at);
  expect(keys.place()).toBe('encrypted_file');
  expect(await keys.where(HEAD_OFFICE)).toBe('none');
  await keys.keep(HEAD_OFFICE, KEY);
  expect(await keys.where(HEAD_OFFICE)).toBe('encrypted_file');
  expect(await keysAt(at).read(HEAD_OFFICE)).toBe(KEY);
  const text = readFileSync(fileOf(at), 'utf8');
  expect(text).not.toContain(KEY);
  expect(text).not.toContain(Buffer.from(KEY).toString('base64').slice(0, 12));
  const secret = path.join(at.configFolder, 'machine-secret');
  expect([modeOf(fileOf(at)), modeOf(secret)]).toEqual([0o600, 0o600]);
  expect(readdirSync(at.dataFolder)).toEqual(['sync-keys.json']);
});

test('a copy of the folder on another machine opens nothing, and that is no error', async () => {
  const at = places();
  await keysAt(at).keep(HEAD_OFFICE, KEY);
  const other = places();
  cpSync(at.dataFolder, other.dataFolder, { recursive: true });
  // It has a secret of its own.
  await keysAt(other, null, 8).keep({ environment: 'test', baseUrl: 'https://other/v1' }, 'another');
  expect(await keysAt(other).where(HEAD_OFFICE)).toBe('none');
  expect(await keysAt(other).read(HEAD_OFFICE)).toBeNull();
  await keysAt(other).keep(HEAD_OFFICE, 'given again');
  expect(await keysAt(other).read(HEAD_OFFICE)).toBe('given again');
});

test('a key is that of its remote alone: whoever writes another address over it gets nothing', async () => {
  for (const secrets of [null, store()]) {
    const at = places();
    await keysAt(at, secrets).keep(HEAD_OFFICE, KEY);
    const elsewhere = { environment: 'live', baseUrl: 'https://elsewhere/v1' } as const;
    writeFileSync(fileOf(at), readFileSync(fileOf(at), 'utf8').replace(HEAD_OFFICE.baseUrl, elsewhere.baseUrl));
    expect(await keysAt(at, secrets).where(elsewhere)).toBe('none');
  }
});

test('the secret store is used where there is one; without it, or with another one, the key is to be given again', async () => {
  const at = places();
  const keys = keysAt(at, store());
  expect(keys.place()).toBe('secret_store');
  await keys.keep(HEAD_OFFICE, KEY);
  expect(await keys.where(HEAD_OFFICE)).toBe('secret_store');
  expect(await keysAt(at, store()).read(HEAD_OFFICE)).toBe(KEY);
  expect(readdirSync(path.dirname(at.dataFolder))).toEqual(['book']);
  expect(await keysAt(at).where(HEAD_OFFICE)).toBe('none');
  expect(await keysAt(at, store(0x33)).read(HEAD_OFFICE)).toBeNull();
  const locked: Secrets = { encrypt: store().encrypt, decrypt: () => Promise.reject(new Error('locked')) };
  expect(await keysAt(at, locked).where(HEAD_OFFICE)).toBe('none');
});

test('a store that does not give back what it took is none from then on', async () => {
  for (const secrets of [
    { encrypt: async () => null, decrypt: store().decrypt },
    { encrypt: () => Promise.reject(new Error('no keyring')), decrypt: store().decrypt },
    { encrypt: store().encrypt, decrypt: async () => null },
  ] satisfies Secrets[]) {
    const at = places();
    const keys = keysAt(at, secrets);
    await keys.keep(HEAD_OFFICE, KEY);
    expect([keys.place(), await keys.where(HEAD_OFFICE), await keys.read(HEAD_OFFICE)]).toEqual(['encrypted_file', 'encrypted_file', KEY]);
  }
});

test('keys of many remotes are kept at once, replaced and forgotten; the last one takes the file with it', async () => {
  const at = places();
  const keys = keysAt(at);
  const ofTest: KeyOwner = { ...HEAD_OFFICE, environment: 'test' };
  await Promise.all([keys.keep(HEAD_OFFICE, 'one'), keys.keep(ofTest, 'two'), keys.keep(HEAD_OFFICE, 'three')]);
  expect([await keys.read(HEAD_OFFICE), await keys.read(ofTest)]).toEqual(['three', 'two']);
  await keys.forget(HEAD_OFFICE);
  expect([await keys.read(HEAD_OFFICE), await keys.read(ofTest)]).toEqual([null, 'two']);
  await keys.forget(ofTest);
  expect(readdirSync(at.dataFolder)).toEqual([]);
});

test.each(['', '{', '[]', '{"format":2,"keys":[]}', '{"format":1,"keys":[null,{"environment":"live"}]}'])(
  'a file of keys that cannot be read holds none: %s',
  async (text) => {
    const at = places();
    writeFileSync(fileOf(at), text);
    const keys = keysAt(at);
    expect(await keys.where(HEAD_OFFICE)).toBe('none');
    await keys.keep(HEAD_OFFICE, KEY);
    expect(await keys.read(HEAD_OFFICE)).toBe(KEY);
  },
);

test('changed or cut bytes open nothing', async () => {
  const at = places();
  await keysAt(at).keep(HEAD_OFFICE, KEY);
  const whole = JSON.parse(readFileSync(fileOf(at), 'utf8')) as { keys: { sealed: string }[] };
  const sealed = Buffer.from(whole.keys[0]?.sealed ?? '', 'base64');
  for (const bad of [
    sealed.subarray(0, -1),
    sealed.subarray(0, 20),
    Buffer.alloc(0),
    Buffer.from(sealed.map((byte, at_) => (at_ === 50 ? byte ^ 1 : byte))),
  ]) {
    const entry = { ...whole.keys[0], sealed: bad.toString('base64') };
    writeFileSync(fileOf(at), JSON.stringify({ format: 1, keys: [entry] }));
    expect(await keysAt(at).read(HEAD_OFFICE)).toBeNull();
  }
});

test('a file in place of the settings folder sends the secret beside the data folder', async () => {
  const at = places();
  writeFileSync(at.configFolder, '');
  await keysAt(at).keep(HEAD_OFFICE, KEY);
  expect(readdirSync(path.dirname(at.dataFolder)).toSorted()).toEqual(['book', 'book-machine-secret', 'config']);
  expect(await keysAt(at).read(HEAD_OFFICE)).toBe(KEY);
});

test('where the secret can be written nowhere it is said in a sentence, and nothing is kept', async () => {
  const at = places();
  writeFileSync(at.configFolder, '');
  mkdirSync(`${at.dataFolder}-machine-secret`);
  await expect(keysAt(at).keep(HEAD_OFFICE, KEY)).rejects.toThrow('The API key cannot be kept: neither ');
  expect(readdirSync(at.dataFolder)).toEqual([]);
});
