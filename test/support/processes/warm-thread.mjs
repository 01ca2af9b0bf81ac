import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import { keepThreadsWarm } from './warm-threads.mjs';

/** Does one job after another: for each the code of jobs begins anew, with what it finds in a thread of its own, while what it imports stays. */
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
  // Whoever listens to words ends when the port is closed.
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
