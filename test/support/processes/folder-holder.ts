/** Opens a data folder, writes one stream, prints `held`, and keeps the folder until the process is killed. */
import { startBackend } from '../../../src-main/backend/backend.ts';
import { silentLog, systemClock, systemRandom } from '../../../src-main/platform/system.ts';
import { assert } from '../../../src-shared/values/assert.ts';

const started = await startBackend({
  dataFolder: process.argv[2] ?? '',
  clock: systemClock,
  random: systemRandom,
  log: silentLog,
  version: '0.0.0-test',
});
assert(started.ok, started.ok ? '' : started.error.message);
const { dispatch, ownCaller } = started.value;
const created = await dispatch('streams.create', { key: 'held', name: 'Held' }, ownCaller('live', 'cli'));
assert(created.ok, 'the stream is made');
// Nothing refers to the backend here. Garbage collection must not release the folder.
const collect = () => (globalThis as { gc?: () => void }).gc?.();
setTimeout(() => {
  collect();
  setTimeout(() => {
    collect();
    process.stdout.write('held\n');
  }, 20);
}, 20);
setInterval(() => {}, 60_000);
