import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded first (`--import`). Other threads of the process then never return from reading a text with the word that the environment names, like any
 * code with an endless loop. Where the environment says so, time on the main thread runs faster, because it waits long before it ends a thread; a
 * hanging thread then reports itself.
 */
const word = process.env.HANGS_ON ?? '';

function hangOn(text) {
  if (word === '' || !String(text).includes(word)) return;
  if (process.env.HURRY !== undefined) writeSync(2, 'A thread hangs.\n');
  for (let isSo = true; isSo;) isSo = text !== null;
}

function hanging(owner, name, textOf) {
  const own = owner[name];
  Object.defineProperty(owner, name, {
    value: function hangs(...given) {
      hangOn(textOf(this, given));
      return own.apply(this, given);
    },
    writable: true,
    configurable: true,
  });
}

if (!isMainThread) {
  hanging(String.prototype, 'normalize', (text) => text);
  hanging(JSON, 'parse', (_json, [text]) => text);
} else if (process.env.HURRY !== undefined) {
  const times = Number(process.env.HURRY);
  const now = performance.now.bind(performance);
  const repeat = globalThis.setInterval;
  performance.now = () => now() * times;
  globalThis.setInterval = (work, delay, ...given) => repeat(work, delay / times, ...given);
}
