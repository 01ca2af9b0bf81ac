import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from '@playwright/test';
import { assert } from '../../src-shared/values/assert.ts';

export const repository = path.resolve(import.meta.dirname, '../..');
/** The command line as `npm run test:e2e` has just built it: through npm each start would take half as long again, to look whether the build is stale. */
export const BUILT = path.join(repository, 'test/support/processes/built-cli.mjs');
export const BANK_SAMPLE = path.join(repository, 'resources/samples/bank-statement-june.csv');
export const LEDGER_SAMPLE = path.join(repository, 'resources/samples/ledger-june.csv');

/** What `serve --json` prints. */
export interface Served {
  readonly base_url: string;
  readonly ui_url: string;
  readonly api_key: string;
}

export interface ServedBook {
  /** The process that was started: npm's own where that was asked for. */
  readonly process: ChildProcess;
  readonly served: Served;
  readonly dataFolder: string;
  /** SIGTERM to that process; answers its exit code when it has ended. */
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

/** Runs a command of the product and answers its one JSON document. */
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

/** `tieout serve --data DIR --port 0 --json`, ready to be used; `byNpm`: the way a user does, `npm run -s tieout -- serve …`. */
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

/** A book of its own for a test, copied from one that is made once: to start the command line for each takes seconds. Answers its folder. */
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

/** The sample book, for one test. Answers its folder. */
export function sampleBook(): Promise<string> {
  return copyOfBook('sample', async (folder) => {
    const { code, stderr } = await tieout('demo', '--data', folder);
    assert(code === 0, stderr);
  });
}

/** A book that is served for each test of a file, or, with `isShared`, once for all of them, which then must not mind what others left in it. */
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
