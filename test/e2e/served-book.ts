import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const repository = path.resolve(import.meta.dirname, '../..');
export const BANK_SAMPLE = path.join(repository, 'resources/samples/bank-statement-june.csv');
export const LEDGER_SAMPLE = path.join(repository, 'resources/samples/ledger-june.csv');

/** What `serve --json` prints. */
export interface Served {
  readonly base_url: string;
  readonly ui_url: string;
  readonly api_key: string;
}

export interface ServedBook {
  /** npm's own process. */
  readonly npm: ChildProcess;
  readonly served: Served;
  readonly dataFolder: string;
  /** SIGTERM to npm's own process; answers its exit code when it has ended. */
  readonly stop: () => Promise<number | null>;
}

/** A new folder for a book, beside nothing else. */
export function newBookFolder(): string {
  return path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-e2e-')), 'book');
}

/** Writes a file into a folder of its own; answers its path. */
export function fileOf(name: string, text: string | Uint8Array): string {
  const folder = newBookFolder();
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

/** Runs a command of the product the way a user does and answers its one JSON document. */
export function tieout(...args: string[]): Promise<{ readonly code: number | null; readonly answer: unknown; readonly stderr: string }> {
  const child = spawn('npm', ['run', '-s', 'tieout', '--', ...args, '--json'], { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, answer: stdout.trim() === '' ? null : (JSON.parse(stdout) as unknown), stderr }));
  });
}

/** `npm run -s tieout -- serve --data DIR --port 0 --json`, ready to be used. */
export async function serveBook(dataFolder: string = newBookFolder()): Promise<ServedBook> {
  const npm = spawn('npm', ['run', '-s', 'tieout', '--', 'serve', '--data', dataFolder, '--port', '0', '--json'], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => npm.once('close', resolve));
  let stderr = '';
  npm.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    let stdout = '';
    npm.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('\n')) resolve(stdout);
    });
    npm.once('close', (code) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
  });
  return {
    npm,
    dataFolder,
    served: JSON.parse(line) as Served,
    stop: () => {
      npm.kill('SIGTERM');
      return ended;
    },
  };
}
