import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

/**
 * Threads that have loaded the code of jobs: each goes on to the next job, since to start one and load the code takes longer than most jobs of tests do.
 * What Node calls `Worker` then is one of them where it is to do a job; it tells of the job's end as a thread tells of its own.
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

  /** All that the job said has come before its port closes. */
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

/** Whoever watches threads begin, or changes what they load before all else, gets threads of their own. */
function isWarm(entry) {
  return String(entry).endsWith(CODE_OF_JOBS) && process.env.NODE_OPTIONS === begunWith && !channel('worker_threads').hasSubscribers;
}

export function keepThreadsWarm() {
  threads.Worker = function Worker(entry, options) {
    return isWarm(entry) ? new WarmThread(entry, options) : new OwnThread(entry, options);
  };
  syncBuiltinESMExports();
}
