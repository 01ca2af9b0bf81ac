import { once } from 'node:events';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');
const ENTRY = path.join(import.meta.dirname, 'built-cli.mjs');
const HOST = path.join(import.meta.dirname, 'cli-host.mjs');

interface CliAnswer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON document of `--json`; else empty. */
  readonly document: Record<string, unknown>;
}

export function spawnCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawn(process.execPath, [ENTRY, ...args], { cwd: REPOSITORY, stdio: [stdin, 'pipe', 'pipe'], env: { ...process.env, ...env } });
}

/**
 * Runs one command line in another process. With `--json` its stdout must be exactly one JSON document. The commands share one process, because
 * starting it and loading the command line takes longer than most commands; `test/cli/each-command-alone.test.ts` starts each command in its own
 * process.
 */
export async function runCli(...args: string[]): Promise<CliAnswer> {
  return answerOf(args, isHostBusy ? await runAlone(args) : await runInHost(args));
}

/** Runs one command line in its own process, with `input` as its standard input. */
export async function runCliAlone(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input: string | null = null,
): Promise<CliAnswer> {
  return answerOf(args, await runAlone(args, env, input));
}

function answerOf(args: readonly string[], written: Written): CliAnswer {
  const document = args.includes('--json') ? (JSON.parse(written.stdout) as Record<string, unknown>) : {};
  return { ...written, document };
}

type Written = Omit<CliAnswer, 'document'>;

function runAlone(args: readonly string[], env: Readonly<Record<string, string>> = {}, input: string | null = null): Promise<Written> {
  const child = spawnCli(args, env, input === null ? 'ignore' : 'pipe');
  child.stdin?.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

let host: ChildProcess | null = null;
let isHostBusy = false;

/** Starts the shared process. It ends with the process of the tests, and does not keep that alive. */
function startedHost(): ChildProcess {
  const child = fork(HOST, { cwd: REPOSITORY, stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: ['--no-memory-protection-keys'] });
  child.unref();
  child.channel?.unref();
  child.once('exit', () => (host = null));
  return child;
}

async function runInHost(args: readonly string[]): Promise<Written> {
  isHostBusy = true;
  host ??= startedHost();
  const child = host;
  try {
    return await new Promise<Written>((resolve, reject) => {
      const died = (code: number | null) => reject(new Error(`the process of the command line ended with ${code}: ${args.join(' ')}`));
      child.once('exit', died);
      child.once('message', (written) => {
        child.off('exit', died);
        resolve(written as Written);
      });
      child.send(args);
    });
  } finally {
    isHostBusy = false;
  }
}

/** The document that `tieout serve --json` prints when it is ready. */
interface Printed {
  readonly base_url: string;
  readonly ui_url: string;
  readonly api_key: string;
}

/** Serves a book in its own process until `stop`; the end of the test kills it. */
export async function serveCli(
  folder: string,
  ...more: readonly string[]
): Promise<{ readonly printed: Printed; readonly stop: (signal: NodeJS.Signals) => Promise<number | null> }> {
  const child = spawnCli(['serve', '--data', folder, '--port', '0', '--json', ...more]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  let text = '';
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve();
    });
    child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${errors}`)));
  });
  return {
    printed: JSON.parse(text) as Printed,
    stop: async (signal) => {
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

/** Returns a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
