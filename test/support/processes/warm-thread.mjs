import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import { keepThreadsWarm } from './warm-threads.mjs';

/**
 * Does one job after another. For each, the module of the job is loaded anew and finds the data and port of its own thread; the modules that it
 * imports stay loaded.
 */
const { parentPort: words } = threads;
let begun = 0;
let timers = [];

const { setInterval: ownSetInterval } = globalThis;
globalThis.setInterval = (...given) => {
  const timer = ownSetInterval(...given);
  timers.push(timer);
  return timer;
};

async function job({ entry, workerData, port }) {
  begun += 1;
  threads.workerData = workerData;
  threads.parentPort = port;
  syncBuiltinESMExports();
  const closed = new Promise((resolve) => void port.once('close', resolve));
  await import(`${entry}?${begun}`);
  // A job that listens to messages ends when the port is closed.
  if (port.listenerCount('message') > 0) await closed;
}

words.on('message', async (start) => {
  let end = {};
  try {
    await job(start);
  } catch (error) {
    end = { error };
  }
  for (const timer of timers) clearInterval(timer);
  timers = [];
  start.port.close();
  words.postMessage(end);
});
keepThreadsWarm();
