import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { assert } from '../../src-shared/values/assert.ts';

export const repository = path.resolve(import.meta.dirname, '../..');
/** The command line that `npm run test:e2e` has just built. Each start through npm would take half as long again, because it checks the build. */
export const BUILT = path.join(repository, 'test/support/processes/built-cli.mjs');
export const BANK_SAMPLE = path.join(repository, 'resources/samples/bank-statement-june.csv');
export const LEDGER_SAMPLE = path.join(repository, 'resources/samples/ledger-june.csv');

/** The JSON that `serve --json` prints. */
export interface Served {
  readonly base_url: string;
  readonly ui_url: string;
  readonly api_key: string;
}

export interface ServedBook {
  /** The started process, which is npm's own with `byNpm`. */
  readonly process: ChildProcess;
  readonly served: Served;
  readonly dataFolder: string;
  /** Sends SIGTERM to the process. Resolves to its exit code when it has ended. */
  readonly stop: () => Promise<number | null>;
}

/** Returns a new empty folder for a book. */
export function newBookFolder(): string {
  return path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-e2e-')), 'book');
}

/** Writes a file into a new folder. Returns its path. */
export function fileOf(name: string, text: string | Uint8Array): string {
  const folder = newBookFolder();
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

/** Runs a command of the product. Resolves to its one JSON document. */
export function tieout(...args: string[]): Promise<{ readonly code: number | null; readonly answer: unknown; readonly stderr: string }> {
  const child = spawn(process.execPath, [BUILT, ...args, '--json'], { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, answer: stdout.trim() === '' ? null : (JSON.parse(stdout) as unknown), stderr }));
  });
}

/** Makes a book of a bank's file and a cash book in pounds, and reconciles them. */
export async function reconcileNorthgate(
  folder: string,
  { bank, books }: { readonly bank: string; readonly books: string },
): Promise<void> {
  const given = ['--data', folder, '--currency', 'GBP'];
  const done = [
    await tieout('import', bank, ...given, '--stream', 'bank', '--name', 'Northgate current', '--bank-account', 'Northgate'),
    await tieout('import', books, ...given, '--stream', 'books', '--name', 'Cash book', '--no-bank-account'),
    await tieout('reconcile', '--data', folder, '--a', 'books', '--b', 'bank', '--name', 'Cash book and Northgate'),
  ];
  for (const { code, stderr } of done) expect([0, 1], stderr).toContain(code);
}

/** Starts `tieout serve --data DIR --port 0 --json` and waits until it is ready. `byNpm` starts it as a user does: `npm run -s tieout -- serve …`. */
export async function serveBook(dataFolder: string = newBookFolder(), { byNpm = false } = {}): Promise<ServedBook> {
  const args = ['serve', '--data', dataFolder, '--port', '0', '--json'];
  const [program, before] = byNpm ? ['npm', ['run', '-s', 'tieout', '--']] : [process.execPath, [BUILT]];
  const child = spawn(program, [...before, ...args], { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('\n')) resolve(stdout);
    });
    child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
  });
  return {
    process: child,
    dataFolder,
    served: JSON.parse(line) as Served,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

const templates = new Map<string, Promise<string>>();

/** Returns the folder of a book for one test, copied from one that is made once: running the command line for each test takes seconds. */
export async function copyOfBook(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  let template = templates.get(name);
  if (template === undefined) {
    const folder = newBookFolder();
    template = make(folder).then(() => folder);
    templates.set(name, template);
  }
  const folder = newBookFolder();
  fs.cpSync(await template, folder, { recursive: true });
  return folder;
}

/** Returns the folder of a copy of the sample book, for one test. */
export function sampleBook(): Promise<string> {
  return copyOfBook('sample', async (folder) => {
    const { code, stderr } = await tieout('demo', '--data', folder);
    assert(code === 0, stderr);
  });
}

/** Serves a book for each test of a file. With `isShared` one book serves all tests, which must then tolerate each other's changes. */
export function bookOfTests(open: () => Promise<ServedBook> = serveBook, { isShared = false } = {}): ServedBook {
  let current: ServedBook | undefined;
  const book = (): ServedBook => {
    assert(current !== undefined, 'the book is served while a test runs');
    return current;
  };
  const [before, after] = isShared ? [test.beforeAll, test.afterAll] : [test.beforeEach, test.afterEach];
  before(async () => {
    current = await open();
  });
  after(async () => {
    await current?.stop();
  });
  return {
    get process() {
      return book().process;
    },
    get served() {
      return book().served;
    },
    get dataFolder() {
      return book().dataFolder;
    },
    stop: () => book().stop(),
  };
}
