import { once } from 'node:events';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const ENTRY = path.join(import.meta.dirname, 'built-cli.mjs');

interface CliAnswer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The one JSON document of `--json`. */
  readonly document: Record<string, unknown>;
}

export function spawnCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [ENTRY, ...args], { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
}

/** Runs one command line in a process of its own. With `--json` its stdout must be one JSON document and nothing else. */
export function runCli(...args: string[]): Promise<CliAnswer> {
  const child = spawnCli(args);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => {
      const document = args.includes('--json') ? (JSON.parse(stdout) as Record<string, unknown>) : {};
      resolve({ exitCode, stdout, stderr, document });
    });
  });
}

/** What `tieout serve --json` prints when it is ready. */
interface Printed {
  readonly base_url: string;
  readonly ui_url: string;
  readonly api_key: string;
}

/** Serves a book in a process of its own until `stop`; it is killed with the test. */
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

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
