/** Runs command lines one after another in a process that has loaded the command line once. Output and exit code of each go back as a message. */
import { setImmediate } from 'node:timers/promises';
import { runCli } from '../../../out/main/cli.js';
import { keepThreadsWarm } from './warm-threads.mjs';

keepThreadsWarm();

let told = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr']) {
  process[name].write = (chunk, encoding, done) => {
    told[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const whenWritten = typeof encoding === 'function' ? encoding : done;
    if (whenWritten !== undefined) process.nextTick(whenWritten);
    return true;
  };
}

process.on('message', async (args) => {
  told = { stdout: '', stderr: '' };
  const exitCode = await runCli(args);
  // The last output of a thread arrives one turn later.
  await setImmediate();
  process.send({ exitCode, ...told });
});
process.on('disconnect', () => process.exit());
