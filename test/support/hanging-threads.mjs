import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before everything else (`--import`): the other threads of the process then never come back from reading a text in which the word stands
 * that the environment names. It stands for any code that goes on for ever.
 */
const word = process.env.HANGS_ON ?? '';

function forEver(text) {
  while (word !== '' && String(text).includes(word));
}

if (!isMainThread) {
  const { normalize } = String.prototype;
  String.prototype.normalize = function hanging(form) {
    forEver(this);
    return normalize.call(this, form);
  };
  const { parse } = JSON;
  JSON.parse = (text, reviver) => {
    forEver(text);
    return parse(text, reviver);
  };
}
