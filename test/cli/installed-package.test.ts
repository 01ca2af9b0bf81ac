import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { longTest, quickDescribe } from '../support/long.ts';
import { pdfOf } from '../support/pdf-writer.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-package-'));
const MEGABYTE = 1_048_576;

afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Returns what `npm pack` packs of the build that the tests run on. */
async function pack(...options: string[]): Promise<Packed> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', ...options], { cwd: root, maxBuffer: 32 * MEGABYTE });
  const answer = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  return Object.values(answer)[0] as Packed;
}

quickDescribe('the package that npm publishes', () => {
  test('has the build, the samples and the command, and no source, test or book', async () => {
    const packed = await pack('--dry-run');
    const files = packed.files.map((file) => file.path);
    const expected =
      /^(?:out\/(?:main|preload|renderer)\/|resources\/(?:samples|spreadsheets|icons)\/|src-main\/bin\.mjs$|(?:LICENSE|README\.md|package\.json)$)/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['out/main/cli.js', 'out/main/main.js', 'out/renderer/index.html', 'src-main/bin.mjs']));
    expect(packed.unpackedSize).toBeLessThan(25 * MEGABYTE);
  });

  test('can be published, names its command, and installs no Node', () => {
    expect(packageFile).not.toHaveProperty('private');
    expect(packageFile.bin).toEqual({ tieout: 'src-main/bin.mjs' });
    expect(packageFile).not.toHaveProperty('optionalDependencies');
  });
});

test('a package without the built program says how to make a whole one', async () => {
  const folder = path.join(place, 'unbuilt', 'src-main');
  fs.mkdirSync(folder, { recursive: true });
  fs.copyFileSync(path.join(root, packageFile.bin.tieout), path.join(folder, 'bin.mjs'));
  const error: unknown = await run(process.execPath, [path.join(folder, 'bin.mjs'), '--version']).catch((problem: unknown) => problem);
  expect(error).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('npm run package') as unknown });
});

/** Returns the size of a folder in bytes. */
function sizeOf(folder: string): number {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, file) => sum + fs.statSync(path.join(file.parentPath, file.name)).size, 0);
}

/** Returns a statement of two lines as PDF, which no test environment helps to read. */
function onePdf(): Buffer {
  const rows = [
    ['Date', 'Details', 'Amount', 'Balance'],
    ['', 'Opening balance', '', '1000.00'],
    ['02/03/2026', 'Corner Bakery', '-12.50', '987.50'],
    ['05/03/2026', 'Salary', '2000.00', '2987.50'],
    ['', 'Closing balance', '', '2987.50'],
  ];
  const titles = ['Statement 01/03/2026 to 31/03/2026', 'Account number 12345678'].map((text, index) => ({
    x: 40,
    y: 40 + 15 * index,
    text,
  }));
  const xs = [40, 110, 475, 550];
  const cells = rows.flatMap((row, index) =>
    row.map((text, column) => ({ x: xs[column] ?? 0, y: 80 + 15 * index, text, isRight: column > 1 })),
  );
  return pdfOf([[...titles, ...cells.filter(({ text }) => text !== '')]]);
}

interface Ready {
  readonly base_url: string;
  readonly ui_url: string;
  readonly api_key: string;
}

/** Runs the installed `tieout serve`, calls `use` with what it says when it is ready, and stops it. Returns its exit code. */
async function serve(bin: string, folder: string, use: (ready: Ready) => Promise<void>): Promise<number | null> {
  const child = spawn(process.execPath, [bin, 'serve', '--data', 'book', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const end = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString()));
      child.once('exit', () => reject(new Error('serve ended before it was ready')));
    });
    await use(JSON.parse(line) as Ready);
  } finally {
    child.kill('SIGTERM');
  }
  return end;
}

longTest('an empty folder gets Tieout from the tarball, and it runs there without building', { timeout: 300_000 }, async () => {
  const folder = path.join(place, 'empty');
  fs.mkdirSync(folder);
  const { filename } = await pack('--pack-destination', place);
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', path.join(place, filename)], { cwd: folder });
  expect(sizeOf(path.join(folder, 'node_modules'))).toBeLessThan(100 * MEGABYTE);

  const bin = path.join(folder, 'node_modules', 'tieout', packageFile.bin.tieout);
  const tieout = (...args: string[]) => run(process.execPath, [bin, ...args], { cwd: folder });
  expect((await tieout('--version')).stdout.trim()).toBe(packageFile.version);
  const demo = JSON.parse((await tieout('demo', '--data', 'book', '--json')).stdout) as { created: boolean };
  expect(demo.created).toBe(true);
  const common = ['--data', 'book', '--reconciliation', '1', '--period', '2026-06'];
  fs.writeFileSync(path.join(folder, 'march.pdf'), onePdf());
  const imported = await tieout('import', 'march.pdf', '--data', 'other', '--stream', 'bank', '--currency', 'GBP', '--json');
  expect(JSON.parse(imported.stdout)).toMatchObject({ kept: 2, proof: 'proved' });
  await tieout('close', ...common, '--json');
  await tieout('report', ...common, '--format', 'html', '--out', 'june.html').catch((error: { code: number }) =>
    expect(error.code).toBe(1),
  );
  expect(fs.readFileSync(path.join(folder, 'june.html'), 'utf8')).toContain('Reconciliation');

  const code = await serve(bin, folder, async (ready) => {
    const records = await fetch(`${ready.base_url}/records?limit=1`, { headers: { 'X-API-KEY': ready.api_key } });
    expect(records.status).toBe(200);
    expect(await (await fetch(ready.ui_url)).text()).toContain('<div id="root">');
  });
  expect(code).toBe(0);
});
