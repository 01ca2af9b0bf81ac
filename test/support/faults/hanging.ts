import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

/** Returns the environment of a process whose other threads hang on a word. */
export function hangingOn(word: string): Readonly<Record<'NODE_OPTIONS' | 'HANGS_ON', string>> {
  const module = pathToFileURL(path.join(import.meta.dirname, 'hanging-threads.mjs')).href;
  return { NODE_OPTIONS: `--import=${module}`, HANGS_ON: word };
}

/**
 * Returns the same environment for a process whose main thread waits a tenth as long before it ends a hanging thread. A hanging thread writes to
 * stderr.
 */
export const hangingInHurry = (word: string): Readonly<Record<string, string>> => ({ ...hangingOn(word), HURRY: '10' });

/** Makes threads that this process starts hang on a word, until the test ends or the returned function is called. */
export function hangHereOn(word: string): () => void {
  const before = { NODE_OPTIONS: process.env['NODE_OPTIONS'], HANGS_ON: process.env['HANGS_ON'] };
  const set = (values: Readonly<Record<string, string | undefined>>): void => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  set(hangingOn(word));
  const end = (): void => set(before);
  onTestFinished(end);
  return end;
}
