import { existsSync, rmSync } from 'node:fs';
import { decimalText } from '../../src-shared/values/money.ts';
import { say } from '../../src-shared/words/say.ts';

/** Exit codes of the command line; scripts rely on them. */
export const EXIT = { fine: 0, problems: 1, usage: 2, environment: 3, asked: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a sentence for the person, a code for programs, and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  readonly code: string;
  /** Further members of the JSON document, for programs. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(exitCode: ExitCode, code: string, message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.more = more;
  }
}

export interface Output {
  readonly json: boolean;
  /** Prints the answer: one JSON document with `--json`, else the lines. Call it once. */
  readonly print: (document: unknown, lines: readonly string[]) => void;
  /** Writes a line for people to stderr. */
  readonly note: (line: string) => void;
  /** Shows how far the work is: on a terminal in one line that the next one replaces, elsewhere not at all. */
  readonly progress: (line: string) => void;
}

const CLEAR_LINE = '\r\u001B[2K';

export function createOutput(json: boolean): Output {
  const { stdout, stderr } = process;
  let isShown = false;
  const clear = (): void => {
    if (isShown) stderr.write(CLEAR_LINE);
    isShown = false;
  };
  return {
    json,
    print: (document, lines) => {
      clear();
      stdout.write(json ? `${JSON.stringify(document)}\n` : lines.map((line) => `${line}\n`).join(''));
    },
    note: (line) => {
      clear();
      stderr.write(`${line}\n`);
    },
    progress: (line) => {
      if (!stderr.isTTY) return;
      stderr.write(`${CLEAR_LINE}${line.slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`);
      isShown = true;
    },
  };
}

/** Prints the failure of a command: the sentence on stderr, and with `--json` one document on stdout. Returns the exit code. */
export function reportFailure(error: CommandError, json: boolean): ExitCode {
  process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${error.message}\n`);
  if (json) process.stdout.write(`${JSON.stringify({ error: { code: error.code, message: error.message, ...error.more } })}\n`);
  return error.exitCode;
}

const REASONS = new Map([
  ['ENOENT', 'commands.output.itsFolderDoesNotExist'],
  ['ENOTDIR', 'commands.output.aFileIsInItsPlace'],
  ['EISDIR', 'commands.output.itIsAFolder'],
  ['EACCES', 'commands.output.youMayNotWrite'],
  ['EPERM', 'commands.output.youMayNotWrite'],
  ['EROFS', 'commands.output.youMayNotWrite'],
  ['ENOSPC', 'commands.output.theDiskIsFull'],
] as const);

/** Removes what was written of a file that does not become whole. Where its folder is none, there is nothing. */
export function removePart(part: string): void {
  if (existsSync(part)) rmSync(part, { force: true });
}

/** Returns the refusal of a file that a person named and that cannot be written, with the reason in words. */
export function cannotWrite(file: string, error: unknown, code = 'cannot_write'): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  const reason = [...REASONS].find(([each]) => error instanceof Error && 'code' in error && error.code === each)?.[1];
  return new CommandError(
    EXIT.environment,
    code,
    say('commands.output.cannotBeWritten', { file, why: reason === undefined ? message : say(reason) }),
  );
}

/** Returns an amount for people, such as `1,234.50 GBP`. JSON documents have minor units. */
export function moneyText(amountMinor: number, decimalPlaces: number, currency: string | null): string {
  const [whole = '', fraction] = decimalText(amountMinor, decimalPlaces).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3}){1,6}$)/g, ',');
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`}${currency === null ? '' : ` ${currency}`}`;
}
