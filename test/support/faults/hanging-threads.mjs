import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before everything else (`--import`): the other threads of the process then never come back from reading a text in which the word stands
 * that the environment names. It stands for any code that goes on for ever.
 */
const word = process.env.HANGS_ON ?? '';

function hangOn(text) {
  for (let isSo = word !== '' && String(text).includes(word); isSo;) isSo = text !== null;
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
}
