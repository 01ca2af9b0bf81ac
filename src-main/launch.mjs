/**
 * The entry of every npm script: builds what is out of date, then runs the command line in this process, so that a signal to npm reaches the work and
 * no process is left behind.
 *
 * Plain JavaScript without dependencies that Node 20 can parse as well, because it must be able to say what is missing.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const EXIT_ENVIRONMENT = 3;
const BUILD_WAIT_LIMIT_MS = 10 * 60_000;
const STOP_LIMIT_MS = 3_000;
const PARENT_CHECK_MS = 250;

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const out = path.join(root, 'out');
const stampFile = path.join(out, '.stamp');
const lockFile = path.join(out, '.lock');

const say = (text) => process.stderr.write(`${text}\n`);

/**
 * Returns a digest of the names and contents of files, and of the files in folders, of which `isRead` says whether the build reads them. It uses no
 * times, so a fresh clone or a touched file is no change. A name that is missing counts as empty.
 */
function digestOf(names, isRead) {
  const hash = createHash('sha256');
  const add = (file) => {
    hash.update(`${path.relative(root, file)}\0`);
    hash.update(fs.readFileSync(file));
  };
  const walk = (folder) => {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = path.join(folder, entry.name);
      if (entry.isDirectory()) walk(inner);
      else if (isRead(entry.name)) add(inner);
    }
  };
  for (const name of names) {
    const place = path.join(root, name);
    const kind = fs.statSync(place, { throwIfNoEntry: false });
    if (kind?.isDirectory()) walk(place);
    else if (kind !== undefined) add(place);
  }
  return hash.digest('hex');
}

const SOURCES = ['src-main', 'src-renderer', 'src-shared', 'electron.vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json'];
const GUIDE = path.join('resources', 'guide');

/** Returns the digests of what the program and the guide are built from: the guide takes seconds and changes by itself. */
function digestsNow() {
  return {
    program: digestOf(SOURCES, (name) => !/\.(md|mjs)$/.test(name)),
    guide: digestOf([GUIDE, path.join('resources', 'screenshots'), path.join('node_modules', 'vitepress', 'package.json')], () => true),
  };
}

/** Returns the digests of what was built last; null where nothing whole was built. */
function digestsBuilt() {
  try {
    const built = JSON.parse(fs.readFileSync(stampFile, 'utf8'));
    return fs.existsSync(path.join(out, 'main', 'cli.js')) ? built : null;
  } catch {
    return null;
  }
}

function isCurrent() {
  const [built, now] = [digestsBuilt(), digestsNow()];
  return built !== null && built.program === now.program && built.guide === now.guide;
}

function isAlive(processId) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Takes the lock of the build; returns whether this process has it now. A lock whose owner has died is removed. In the worst case two processes
 * build.
 */
function takeLock() {
  fs.mkdirSync(out, { recursive: true });
  try {
    fs.writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    const owner = Number(fs.readFileSync(lockFile, 'utf8'));
    const ageMs = Date.now() - fs.statSync(lockFile).mtimeMs;
    if ((owner > 0 && !isAlive(owner)) || ageMs > BUILD_WAIT_LIMIT_MS) fs.rmSync(lockFile, { force: true });
  } catch {
    // The owner has just finished; the next attempt notices it.
  }
  return false;
}

/**
 * Runs a Node script. Resolves with its exit code and the signal that stopped it, or null. `onOutput` gets its output where that is piped. The child
 * leads its own process group, so that a signal to us ends it with everything that it started; we exit only after it.
 */
function runNode(script, args, stdio, onOutput) {
  const ownGroup = process.platform !== 'win32';
  const env = onOutput === undefined ? process.env : { ...process.env, NO_COLOR: '1' };
  const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio, env, detached: ownGroup });
  child.stdout?.on('data', onOutput);
  child.stderr?.on('data', onOutput);
  const signalGroup = (signal) => {
    try {
      process.kill(ownGroup ? -child.pid : child.pid, signal);
    } catch {
      // The process has ended already.
    }
  };
  let stoppedBy = null;
  const stop = (signal) => {
    stoppedBy = signal;
    signalGroup(signal);
    setTimeout(() => signalGroup('SIGKILL'), STOP_LIMIT_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, stop);
      if (stoppedBy !== null) signalGroup('SIGKILL');
      resolve({ code: code ?? 1, stoppedBy: stoppedBy ?? (signal === null ? null : signal) });
    });
  });
}

/** Moves the finished build into place. The stamp is removed first and written last, so that a partial `out/` never counts as complete. */
function swapIn(fresh, digests) {
  fs.rmSync(stampFile, { force: true });
  for (const part of ['main', 'preload', 'renderer']) {
    const place = path.join(out, part);
    const old = path.join(fresh, `${part}.old`);
    if (fs.existsSync(place)) fs.renameSync(place, old);
    fs.renameSync(path.join(fresh, part), place);
  }
  fs.writeFileSync(stampFile, JSON.stringify(digests));
}

/** Runs a step of the build; returns its exit code, 0 when it went well. What it prints is shown only when it failed. */
async function runBuildStep(script, args) {
  let output = '';
  const ended = await runNode(path.join(root, 'node_modules', ...script), args, ['ignore', 'pipe', 'pipe'], (bytes) => {
    output += bytes;
  });
  if (ended.stoppedBy !== null) return 130;
  if (ended.code === 0) return 0;
  say(`${output.trim()}\nThe build failed; what was built before is unchanged.`);
  return EXIT_ENVIRONMENT;
}

/** Builds the guide into the window's files, or takes the one that was built before where nothing in it has changed. */
async function buildGuide(fresh, isUnchanged) {
  const target = path.join(fresh, 'renderer', 'guide');
  const before = path.join(out, 'renderer', 'guide');
  if (!isUnchanged || !fs.existsSync(before)) {
    return runBuildStep(['vitepress', 'bin', 'vitepress.js'], ['build', GUIDE, '--outDir', target]);
  }
  fs.cpSync(before, target, { recursive: true });
  return 0;
}

async function buildNow() {
  say('Building Tieout…');
  const digests = digestsNow();
  const fresh = path.join(out, `.building-${process.pid}`);
  try {
    const isGuideUnchanged = digestsBuilt()?.guide === digests.guide;
    const built =
      (await runBuildStep(['electron-vite', 'bin', 'electron-vite.js'], ['build', '--outDir', fresh, '--logLevel', 'warn'])) ||
      (await buildGuide(fresh, isGuideUnchanged));
    if (built === 0) swapIn(fresh, digests);
    return built;
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

function removeLeftovers() {
  for (const name of fs.readdirSync(out)) {
    if (name.startsWith('.building-')) fs.rmSync(path.join(out, name), { recursive: true, force: true });
  }
}

/** Builds when a source has changed; a second process waits for the first. Returns an exit code. */
async function buildWhatIsStale() {
  while (!isCurrent()) {
    if (!takeLock()) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    try {
      if (isCurrent()) return 0;
      removeLeftovers();
      return await buildNow();
    } finally {
      fs.rmSync(lockFile, { force: true });
    }
  }
  return 0;
}

async function runTool(script, args) {
  const ended = await runNode(path.join(root, 'node_modules', ...script), args, ['ignore', 'inherit', 'inherit']);
  return ended.stoppedBy === null ? ended.code : 130;
}

const runVitest = (args) => runTool(['vitest', 'vitest.mjs'], ['run', '--config', 'test/vitest.config.ts', ...args]);

/** `npm test`: runs the quick tests that one runs while working. With words of paths or `--changed`, it runs those files of all quick tests. */
function runTests(args) {
  if (args.some((arg) => !/^--(?:reporter|outputFile)/.test(arg))) process.env.TIEOUT_TESTS ??= 'every';
  return runVitest(args);
}

const runBrowserTests = (args) => runTool(['@playwright', 'test', 'cli.js'], ['test', '--config', 'test/playwright.config.ts', ...args]);

/** `npm run test:long`: runs what `npm test` leaves out, then the browser tests where a browser is found. With arguments it runs only the former. */
async function runLongTests(args) {
  process.env.TIEOUT_TESTS = 'long';
  const code = await runVitest(args);
  return code !== 0 || args.length > 0 ? code : runBrowserTestsWhereFound();
}

async function runBrowserTestsWhereFound() {
  const { findBrowser } = await import(pathToFileURL(path.join(root, 'src-main', 'shell', 'browser.ts')).href);
  if (findBrowser() === null) {
    say('No Chrome, Chromium or Edge was found on this machine, so the browser tests (npm run test:e2e) did not run.');
    return 0;
  }
  return runBrowserTests([]);
}

/** `npm run test:all`: runs all tests, one part after another, even when an earlier part failed. */
async function runAllTests() {
  const codes = [await runVitest([])];
  for (const part of ['rest', 'long']) {
    process.env.TIEOUT_TESTS = part;
    codes.push(await runVitest([]));
  }
  codes.push(await runBrowserTestsWhereFound());
  return codes.find((code) => code !== 0) ?? 0;
}

async function launch(args) {
  if (Number(process.versions.node.split('.')[0]) < 22) {
    say(
      `Tieout needs Node 22 or newer and this is Node ${process.versions.node}: start it with "npm start" or "npm run", which bring Node 24, or install a newer Node.`,
    );
    return EXIT_ENVIRONMENT;
  }
  if (!fs.existsSync(path.join(root, 'node_modules', 'electron-vite'))) {
    say('The packages that Tieout is made of are not installed yet: run "npm ci" in this folder first.');
    return EXIT_ENVIRONMENT;
  }
  const built = await buildWhatIsStale();
  if (built !== 0 || args[0] === '--build') return built;
  if (args[0] === '--test') return runTests(args.slice(1));
  if (args[0] === '--test-all') return runAllTests();
  if (args[0] === '--test-long') return runLongTests(args.slice(1));
  if (args[0] === '--e2e') return runBrowserTests(args.slice(1));
  const { runCli } = await import(pathToFileURL(path.join(out, 'main', 'cli.js')).href);
  return runCli(args);
}

/**
 * Ends this process when its parent does. npm starts a script through a shell, and a signal to npm may end only the shell; then this process gets
 * another parent. (The `tieout` script uses `exec`; the others must also run on Windows, which has none.)
 */
function followParent() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS).unref();
}

followParent();

try {
  process.exitCode = await launch(process.argv.slice(2));
} catch (error) {
  say(`Tieout could not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = EXIT_ENVIRONMENT;
}
