/** The command line as it was built: `npm test` builds what is stale first, and a process of source would strip the types of all of it anew. */
import { runCli } from '../../../out/main/cli.js';

process.exitCode = await runCli(process.argv.slice(2));
