import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const FILE = 'resources/installers/builder.yml';

interface Configuration {
  [name: string]: unknown;
  directories: { buildResources: string };
  files: { filter: string[] }[];
  electronFuses: Record<string, boolean>;
  asarUnpack: string[];
  mac: { entitlements: string; entitlementsInherit: string; hardenedRuntime: boolean };
  linux: { icon: string };
  publish: unknown;
}

interface Builder {
  readonly getConfig: (folder: string, file: string, more: object | null) => Promise<Configuration>;
  readonly validateConfiguration: (configuration: object, log: { isEnabled: boolean; add: () => void }) => Promise<void>;
}

/** Returns what electron-builder itself reads and validates a configuration with. */
function builder(): Builder {
  const ours = createRequire(import.meta.url);
  return createRequire(ours.resolve('electron-builder'))('app-builder-lib/out/util/config/config.js') as Builder;
}

const configuration = (): Promise<Configuration> => builder().getConfig(root, FILE, null);
const check = (given: object): Promise<void> => builder().validateConfiguration(given, { isEnabled: false, add: () => {} });

describe('the configuration of the installers', () => {
  test('fits the schema of electron-builder, which finds a wrong name', async () => {
    const read = await configuration();
    await expect(check(read)).resolves.toBeUndefined();
    await expect(check({ ...read, entitlement: 'x' })).rejects.toThrow(/unknown property 'entitlement'/);
  });

  test('refuses to run as Node, to be inspected, and to load anything but the sealed archive', async () => {
    expect((await configuration()).electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: true,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
    expect((await configuration()).mac.hardenedRuntime).toBe(true);
  });

  test('packs the build and the samples, and names only files that exist', async () => {
    const read = await configuration();
    const packed = read.files.flatMap((each) => each.filter);
    expect(packed.filter((pattern) => /^(?:src-|test|node_modules)/.test(pattern))).toEqual([]);
    const named = [...packed, ...read.asarUnpack, read.mac.entitlements, read.mac.entitlementsInherit];
    expect(named.filter((pattern) => !fs.existsSync(path.join(root, pattern.replace(/\/\*.*$/, ''))))).toEqual([]);
  });

  test('makes the files that the updater reads, and names no place to look at', async () => {
    expect((await configuration()).publish).toEqual({ provider: 'generic', url: 'https://updates.invalid/' });
  });

  test('has icons of all sizes for the three systems', async () => {
    const read = await configuration();
    const folder = path.join(root, read.directories.buildResources);
    const icons = fs.readdirSync(path.join(folder, read.linux.icon)).map((name) => Number.parseInt(name, 10));
    expect(icons.toSorted((a, b) => a - b)).toEqual([16, 24, 32, 48, 64, 128, 256, 512, 1024]);
    for (const size of icons) {
      const png = fs.readFileSync(path.join(folder, read.linux.icon, `${size}x${size}.png`));
      expect([png.readUInt32BE(16), png.readUInt32BE(20)], `${size}`).toEqual([size, size]);
    }
    const ico = fs.readFileSync(path.join(folder, 'icon.ico'));
    const widths = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => ico.readUInt8(6 + 16 * index) || 256);
    expect(widths.toSorted((a, b) => a - b)).toEqual([16, 20, 24, 32, 40, 48, 64, 128, 256]);
    expect(fs.readFileSync(path.join(folder, 'icon.icns')).subarray(0, 4).toString()).toBe('icns');
  });
});

test('the licences name every package that the built program contains', () => {
  const text = fs.readFileSync(path.join(root, 'out/renderer/licences.txt'), 'utf8');
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries({ ...dependencies })) expect(text).toContain(`\n${name} ${version} (`);
  for (const name of ['react', 'react-dom', '@mantine/core', 'ag-grid-community', 'kysely', 'zod', 'electron-updater'])
    expect(text).toContain(`\n${name} `);
  // The licence in the heading of each package counts: the text of one tells that an ancestor of it was under the GPL long ago.
  const headings = [...text.matchAll(/^-{80}\n\n(\S+ \S+ \(.*\))$/gm)].map(([, heading]) => heading);
  expect(text).toContain(`Tieout contains ${headings.length} packages`);
  expect(headings.filter((heading) => /\((?:A?L?GPL|SSPL|UNLICENSED|see below)/.test(heading ?? ''))).toEqual([]);
});
