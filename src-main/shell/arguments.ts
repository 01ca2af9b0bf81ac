import path from 'node:path';
import { parseArgs } from 'node:util';
import type { EnvironmentName } from '../service/handler.ts';

interface ShellArguments {
  /** Absolute folder of the book. */
  readonly dataFolder: string;
  /** Whether the folder was named by the caller, rather than being the user's own book. */
  readonly isNamed: boolean;
  readonly environment: EnvironmentName;
}

/**
 * What the application was started with: `--data DIR` goes before `TIEOUT_DATA`, which goes before `book` in the user's
 * own folder. Arguments that are not ours are Electron's.
 */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  userFolder: string,
): ShellArguments {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: 'string' }, environment: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  const named = typeof values['data'] === 'string' && values['data'] !== '' ? values['data'] : environment['TIEOUT_DATA'];
  const isNamed = named !== undefined && named !== '';
  return {
    dataFolder: isNamed ? path.resolve(named) : path.join(userFolder, 'book'),
    isNamed,
    environment: values['environment'] === 'test' ? 'test' : 'live',
  };
}
