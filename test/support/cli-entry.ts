import { runCli } from '../../src-main/cli.ts';

/** The command line from source, without the build that `npm run tieout` does first. */
process.exitCode = await runCli(process.argv.slice(2));
