/** Runs the built command line. `npm test` builds what is out of date first; a process from source would strip the types of all files each time. */
import { runCli } from '../../../out/main/cli.js';

process.exitCode = await runCli(process.argv.slice(2));
