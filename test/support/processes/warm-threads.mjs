import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

/**
 * Threads that have loaded the code of jobs and take one job after another, because starting a thread and loading the code takes longer than most
 * jobs of tests. `Worker` then returns such a thread for a job; it reports the end of the job as a thread reports its own.
 */
const ENTRY = new URL('warm-thread.mjs', import.meta.url);
const CODE_OF_JOBS = '/out/main/job-worker.js';

const OwnThread = threads.Worker;
const begunWith = process.env.NODE_OPTIONS;
const idle = [];

function startedThread() {
  const thread = new OwnThread(ENTRY, { execArgv: [], env: threads.SHARE_ENV });
  thread.on('error', () => undefined);
  return thread;
}

class WarmThread extends EventEmitter {
  #thread;
  #port;
  #portClosed = false;
  #done = null;
  #isOver = false;
  #onWord = (word) => this.#end(word);
  #onError = (error) => this.#end({ error });
  #onExit = () => this.#over(this.#done?.error, 1);

  constructor(entry, { workerData }) {
    super();
    const { port1, port2 } = new threads.MessageChannel();
    this.#port = port1;
    this.#thread = idle.pop() ?? startedThread();
    this.#thread.ref();
    this.#thread.on('message', this.#onWord);
    this.#thread.once('error', this.#onError);
    this.#thread.once('exit', this.#onExit);
    port1.on('message', (message) => this.emit('message', message));
    port1.once('close', () => {
      this.#portClosed = true;
      this.#look();
    });
    this.#thread.postMessage({ entry: entry.href, workerData, port: port2 }, [port2]);
  }

  postMessage(message, transferred) {
    this.#port.postMessage(message, transferred);
  }

  ref() {
    this.#thread.ref();
    this.#port.ref();
  }

  unref() {
    this.#thread.unref();
    this.#port.unref();
  }

  terminate() {
    return this.#isOver ? Promise.resolve(undefined) : this.#thread.terminate();
  }

  #end(word) {
    this.#done = word;
    this.#look();
  }

  /** Ends the job when it is done and its port has closed; all its messages have arrived by then. */
  #look() {
    if (this.#done === null || !this.#portClosed || this.#isOver) return;
    const { error } = this.#done;
    if (error === undefined) {
      this.#leave();
      this.#thread.unref();
      idle.push(this.#thread);
      this.#over(undefined, 0);
    } else void this.#thread.terminate();
  }

  #leave() {
    this.#thread.off('message', this.#onWord);
    this.#thread.off('error', this.#onError);
    this.#thread.off('exit', this.#onExit);
  }

  #over(error, exitCode) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#port.close();
    if (error !== undefined) this.emit('error', error);
    this.emit('exit', exitCode);
  }
}

/** Whether an entry may use a warm thread. Tests that watch threads start, or change what they load first, get threads of their own. */
function isWarm(entry) {
  return String(entry).endsWith(CODE_OF_JOBS) && process.env.NODE_OPTIONS === begunWith && !channel('worker_threads').hasSubscribers;
}

export function keepThreadsWarm() {
  threads.Worker = function Worker(entry, options) {
    return isWarm(entry) ? new WarmThread(entry, options) : new OwnThread(entry, options);
  };
  syncBuiltinESMExports();
}
