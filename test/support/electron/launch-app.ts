import { fork, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { present } from '../../../src-shared/values/assert.ts';
import type { ControlAnswers, ControlRequest, FromStandIn } from './control-messages.ts';

const repository = path.resolve(import.meta.dirname, '../../..');

export interface RunningApp {
  readonly page: Page;
  readonly control: <R extends ControlRequest>(request: R) => Promise<ControlAnswers[R['kind']]>;
  /** Returns the application's log so far, which it writes to stderr. */
  readonly log: () => string;
  /** Sends SIGTERM, as the end of a user's session does, and resolves with the exit code. */
  readonly stop: () => Promise<number | null>;
  readonly process: ChildProcess;
}

function nextMessage(child: ChildProcess, isWanted: (message: FromStandIn) => boolean): Promise<FromStandIn> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void): void => {
      child.off('message', onMessage);
      child.off('exit', onExit);
      done();
    };
    const onMessage = (message: FromStandIn): void => {
      if (isWanted(message)) settle(() => resolve(message));
    };
    const onExit = (code: number | null): void => settle(() => reject(new Error(`the application ended with ${code}`)));
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}

async function firstPage(browser: Browser): Promise<Page> {
  const context = present(browser.contexts()[0], 'the context');
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  await page.waitForURL(/^https:/);
  return page;
}

/** Starts the built out/main/main.js on a book, or with null as a person starts it without naming one, unmodified, with the stand-in for Electron, and connects a test to its window. */
export async function launchApp(
  dataFolder: string | null,
  { isPackaged = false, args = [] as readonly string[], userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-user-')) } = {},
): Promise<RunningApp> {
  const child = fork(path.join(repository, 'out/main/main.js'), [...(dataFolder === null ? [] : ['--data', dataFolder]), ...args], {
    execArgv: ['--import', path.join(import.meta.dirname, 'register.ts')],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, TIEOUT_STANDIN_PACKAGED: isPackaged ? '1' : '0', XDG_DATA_HOME: userFolder, APPDATA: userFolder },
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ready = await nextMessage(child, (message) => message.kind === 'ready').catch((error: unknown) => {
    throw new Error(`${String(error)}\n${log}`);
  });
  const port = ready.kind === 'ready' ? ready.debuggingPort : 0;
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  let lastId = 0;
  return {
    page: await firstPage(browser),
    process: child,
    log: () => log,
    control: async (request) => {
      lastId += 1;
      const id = lastId;
      const answered = nextMessage(child, (message) => message.kind !== 'ready' && message.id === id);
      child.send({ id, request });
      const message = await answered;
      if (message.kind === 'error') throw new Error(message.message);
      return (message.kind === 'answer' ? message.value : undefined) as never;
    },
    stop: async () => {
      await browser.close();
      if (child.exitCode !== null) return child.exitCode;
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      return ended;
    },
  };
}
