import { decimalText } from '../../src-shared/values/money.ts';

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
  /** Writes a line for people to stderr, such as progress. */
  readonly note: (line: string) => void;
}

export function createOutput(json: boolean): Output {
  return {
    json,
    print: (document, lines) => process.stdout.write(json ? `${JSON.stringify(document)}\n` : lines.map((line) => `${line}\n`).join('')),
    note: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** Prints the failure of a command: the sentence on stderr, and with `--json` one document on stdout. Returns the exit code. */
export function reportFailure(error: CommandError, json: boolean): ExitCode {
  process.stderr.write(`${error.message}\n`);
  if (json) process.stdout.write(`${JSON.stringify({ error: { code: error.code, message: error.message, ...error.more } })}\n`);
  return error.exitCode;
}

/** Returns an amount for people, such as `1,234.50 GBP`. JSON documents have minor units. */
export function moneyText(amountMinor: number, decimalPlaces: number, currency: string | null): string {
  const [whole = '', fraction] = decimalText(amountMinor, decimalPlaces).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3}){1,6}$)/g, ',');
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`}${currency === null ? '' : ` ${currency}`}`;
}
