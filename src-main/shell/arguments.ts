import path from 'node:path';
import { parseArgs } from 'node:util';
import type { EnvironmentName } from '../service/handler.ts';

interface ShellArguments {
  /** Absolute path of the book's folder. */
  readonly dataFolder: string;
  /** Whether the caller named the folder; else it is the user's own book. */
  readonly isNamed: boolean;
  readonly environment: EnvironmentName;
  /** The other arguments, among which are files and links to open. */
  readonly named: readonly string[];
}

/**
 * Returns what the application was started with. `--data DIR` overrides `TIEOUT_DATA`, which overrides `book` in the user's own folder. Unknown
 * arguments are ignored, because Electron has arguments of its own.
 */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  userFolder: string,
): ShellArguments {
  const { values, positionals } = parseArgs({
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
    named: positionals,
  };
}
