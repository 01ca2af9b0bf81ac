import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../../..');

/** A builder of a few lines in the place of electron-vite: it copies what `src-main/cli.ts` says, counts itself, takes its time, fails or hangs. */
const BUILDER = `
import fs from 'node:fs';
import path from 'node:path';
const out = process.argv[process.argv.indexOf('--outDir') + 1];
fs.appendFileSync('builds.txt', process.pid + '\\n');
const source = fs.readFileSync('src-main/cli.ts', 'utf8');
fs.mkdirSync(path.join(out, 'main'), { recursive: true });
fs.mkdirSync(path.join(out, 'preload'));
fs.mkdirSync(path.join(out, 'renderer'));
if (source.includes('HANG')) setInterval(() => {}, 1000);
else if (source.includes('BROKEN')) { console.error('broken on line 7'); process.exitCode = 1; }
else setTimeout(() => fs.writeFileSync(path.join(out, 'main/cli.js'), source), source.includes('SLOW') ? 300 : 0);
`;
/** In the place of vitepress: it copies the guide's page and counts itself. */
const GUIDE_BUILDER = `
import fs from 'node:fs';
import path from 'node:path';
const out = process.argv[process.argv.indexOf('--outDir') + 1];
fs.appendFileSync('guides.txt', process.pid + '\\n');
const page = fs.readFileSync('resources/guide/index.md', 'utf8');
if (page.includes('BROKEN')) { console.error('a link leads nowhere'); process.exit(1); }
fs.mkdirSync(out, { recursive: true });
fs.writeFileSync(path.join(out, 'index.html'), page);
`;
const cli = (word: string): string =>
  `export const runCli = async (args) => { console.log(${JSON.stringify(word)} + ' ' + args.join(' ')); return 7; };`;

let folder = '';
const started: ChildProcess[] = [];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-launch-'));
  for (const name of [
    'src-main',
    'src-renderer',
    'src-shared',
    'resources/guide',
    'node_modules/electron-vite/bin',
    'node_modules/vitepress/bin',
  ]) {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
  }
  fs.copyFileSync(path.join(repository, 'src-main/launch.mjs'), path.join(folder, 'src-main/launch.mjs'));
  fs.writeFileSync(path.join(folder, 'node_modules/electron-vite/bin/electron-vite.js'), BUILDER);
  fs.writeFileSync(path.join(folder, 'node_modules/vitepress/bin/vitepress.js'), GUIDE_BUILDER);
  fs.writeFileSync(path.join(folder, 'node_modules/vitepress/package.json'), '{"type":"module"}');
  fs.writeFileSync(path.join(folder, 'resources/guide/index.md'), 'first page');
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  fs.writeFileSync(path.join(folder, 'node_modules/electron-vite/package.json'), '{"type":"module"}');
  for (const name of ['electron.vite.config.ts', 'package-lock.json', 'tsconfig.json']) fs.writeFileSync(path.join(folder, name), '');
  fs.writeFileSync(path.join(folder, 'src-main/cli.ts'), cli('first'));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
});

function begin(...args: string[]): { child: ChildProcess; ended: Promise<{ code: number | null; stdout: string; stderr: string }> } {
  const child = spawn(process.execPath, ['src-main/launch.mjs', ...args], { cwd: folder });
  started.push(child);
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, ...text }))) };
}
const run = (...args: string[]) => begin(...args).ended;
const countOf = (name: string): number => fs.readFileSync(path.join(folder, name), 'utf8').split('\n').length - 1;
const buildCount = (): number => countOf('builds.txt');
const inOut = (): string[] => fs.readdirSync(path.join(folder, 'out')).toSorted();

test('builds what is stale, then runs; stdout carries the answer alone', async () => {
  expect(await run('serve', '--json')).toEqual({ code: 7, stdout: 'first serve --json\n', stderr: 'Building Tieout…\n' });
  expect(await run('again')).toEqual({ code: 7, stdout: 'first again\n', stderr: '' });
  expect(buildCount()).toBe(1);
  fs.writeFileSync(path.join(folder, 'src-main/cli.ts'), cli('second'));
  expect((await run()).stdout).toBe('second \n');
  expect(inOut()).toEqual(['.stamp', 'main', 'preload', 'renderer']);
});

test('a touched file is no change, a README neither', async () => {
  await run();
  fs.utimesSync(path.join(folder, 'src-main/cli.ts'), new Date(0), new Date(0));
  fs.writeFileSync(path.join(folder, 'src-main/README.md'), 'words');
  await run();
  expect(buildCount()).toBe(1);
});

test('the guide is built again when it has changed, and kept when only the program has', async () => {
  const page = (): string => fs.readFileSync(path.join(folder, 'out/renderer/guide/index.html'), 'utf8');
  await run();
  expect(page()).toBe('first page');
  fs.writeFileSync(path.join(folder, 'src-main/cli.ts'), cli('second'));
  await run();
  expect([page(), buildCount(), countOf('guides.txt')]).toEqual(['first page', 2, 1]);
  fs.writeFileSync(path.join(folder, 'resources/guide/index.md'), 'second page');
  await run();
  expect([page(), countOf('guides.txt')]).toEqual(['second page', 2]);
});

test('a guide that cannot be built is named and leaves the last good build', async () => {
  await run();
  fs.writeFileSync(path.join(folder, 'resources/guide/index.md'), 'BROKEN');
  const broken = await run();
  expect(broken.code).toBe(3);
  expect(broken.stderr).toContain('a link leads nowhere');
  expect(fs.readFileSync(path.join(folder, 'out/renderer/guide/index.html'), 'utf8')).toBe('first page');
});

test('--build builds and runs nothing', async () => {
  expect(await run('--build')).toEqual({ code: 0, stdout: '', stderr: 'Building Tieout…\n' });
});

test('a broken build is told, exits 3 and leaves the last good one', async () => {
  await run();
  fs.writeFileSync(path.join(folder, 'src-main/cli.ts'), 'BROKEN');
  const broken = await run();
  expect(broken.code).toBe(3);
  expect(broken.stdout).toBe('');
  expect(broken.stderr).toContain('broken on line 7');
  expect(fs.readFileSync(path.join(folder, 'out/main/cli.js'), 'utf8')).toBe(cli('first'));
  expect(inOut()).toEqual(['.stamp', 'main', 'preload', 'renderer']);
});

test('two at once build once', async () => {
  fs.writeFileSync(path.join(folder, 'src-main/cli.ts'), cli('SLOW'));
  const both = await Promise.all([run('a'), run('b')]);
  expect(both.map((ended) => ended.stdout).toSorted()).toEqual(['SLOW a\n', 'SLOW b\n']);
  expect(buildCount()).toBe(1);
});

test('a lock whose owner died does not stop anyone', async () => {
  fs.mkdirSync(path.join(folder, 'out'));
  const gone = spawn(process.execPath, ['-e', '0']);
  await new Promise((resolve) => gone.once('close', resolve));
  fs.writeFileSync(path.join(folder, 'out/.lock'), String(gone.pid));
  expect((await run('a')).stdout).toBe('first a\n');
});

test('a signal during the build ends the builder too', async () => {
  fs.writeFileSync(path.join(folder, 'src-main/cli.ts'), 'HANG');
  const { child, ended } = begin('serve');
  const builds = path.join(folder, 'builds.txt');
  await expect.poll(() => fs.existsSync(builds) && fs.readFileSync(builds, 'utf8').endsWith('\n'), { timeout: 5_000 }).toBe(true);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(130);
  const builder = Number(fs.readFileSync(builds, 'utf8'));
  expect(() => process.kill(builder, 0)).toThrow(/ESRCH/);
  expect(inOut()).toEqual([]);
});

test('under npm, losing the shell in between is the signal to stop', async () => {
  const note = (name: string): string => JSON.stringify(path.join(folder, name));
  const body = `import fs from 'node:fs';
    export const runCli = () => new Promise((resolve) => {
      const alive = setInterval(() => {}, 1000);
      process.on('SIGTERM', () => { clearInterval(alive); fs.writeFileSync(${note('ended.txt')}, 'by SIGTERM'); resolve(0); });
      fs.writeFileSync(${note('begun.txt')}, 'yes');
    });`;
  fs.writeFileSync(path.join(folder, 'src-main/cli.ts'), body);
  const environment = { ...process.env, npm_lifecycle_event: 'start' };
  const shell = spawn('sh', ['-c', `"${process.execPath}" src-main/launch.mjs serve; true`], {
    cwd: folder,
    stdio: 'ignore',
    env: environment,
  });
  started.push(shell);
  await expect.poll(() => fs.existsSync(path.join(folder, 'begun.txt')), { timeout: 10_000 }).toBe(true);
  shell.kill('SIGTERM');
  const ended = path.join(folder, 'ended.txt');
  await expect.poll(() => (fs.existsSync(ended) ? fs.readFileSync(ended, 'utf8') : ''), { timeout: 10_000 }).toBe('by SIGTERM');
});

test('a reader that stops reading is no failure', async () => {
  const lines =
    'for (let n = 0; n < 20000; n += 1) console.log("a line of some length " + n); await new Promise((r) => setTimeout(r, 200));';
  fs.writeFileSync(path.join(folder, 'src-main/cli.ts'), `export const runCli = async () => { ${lines} return 7; };`);
  await run('--build');
  const { child, ended } = begin('list');
  child.stdout?.once('data', () => child.stdout?.destroy());
  expect(await ended).toMatchObject({ code: 7, stderr: '' });
});

test('without the packages it says what to do', async () => {
  fs.rmSync(path.join(folder, 'node_modules'), { recursive: true });
  const ended = await run('serve');
  expect(ended.code).toBe(3);
  expect(ended.stderr).toMatch(/^The packages .*npm ci.*\n$/);
});
