import path from 'node:path';
import { isIP } from 'node:net';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { signedMinorOfText } from '../src-shared/values/amount-input.ts';
import { LOOPBACK } from '../src-shared/values/network.ts';
import type { Result } from '../src-shared/values/result.ts';
import type { WordKey } from '../src-shared/words/catalogue.ts';
import { say } from '../src-shared/words/say.ts';
import type { GivenDifference } from './commands/choose-reconciliation.ts';
import { userDataFolder } from './platform/system.ts';
import { MAKING_BOOKS } from './commands/session.ts';

/** Takes the exit code of a command. */
export type Finish = (exitCode: number) => void;

export function listOf(text: string): string[] {
  const keys = text.split(',').map((key) => key.trim());
  if (keys.includes('')) throw new InvalidArgumentError(say('commands.cli.itIsAnAccount'));
  return keys;
}

export function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError(say('commands.cli.itIsANumber'));
  return port;
}

export function signaturesOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError(say('commands.cli.itIsTheNumber'));
  return Number(text);
}

/** Least megabytes that an engine elsewhere may be given. */
const LEAST_MEMORY = 200;

export function megabytesOf(text: string): number {
  const megabytes = Number(text);
  if (!/^\d{1,7}$/.test(text) || megabytes < LEAST_MEMORY)
    throw new InvalidArgumentError(say('warehouse.cli.aNumberOfMegabytes', { least: LEAST_MEMORY }));
  return megabytes;
}

export function addressOf(text: string): string {
  const address = text === 'localhost' ? LOOPBACK : text;
  if (isIP(address) === 0) throw new InvalidArgumentError(say('commands.cli.itIsAnIp'));
  return address;
}

export function added(read: (text: string) => Result<string, string>): (text: string, before: readonly string[]) => string[] {
  return (text, before) => {
    const one = read(text);
    if (!one.ok) throw new InvalidArgumentError(one.error);
    return [...before, one.value];
  };
}

export function rateOf(text: string): number {
  const rate = Number(text);
  if (!/^\d{1,7}$/.test(text) || rate < 1 || rate > 1_000_000) throw new InvalidArgumentError(say('commands.cli.aNumberUpToAMillion'));
  return rate;
}

/** Sentences that say where a number is shown. */
type NumberWords = Extract<WordKey, `commands.cli${string}.itIsTheNumber${string}`>;

/** Returns a reader of a number that Tieout has shown; `words` say where. */
export function numberShown(words: NumberWords): (text: string) => number {
  return (text) => {
    if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(say(words));
    return Number(text);
  };
}

export function currencyOf(text: string): string {
  if (!/^[A-Za-z]{3}$/.test(text)) throw new InvalidArgumentError(say('commands.cli.itIsAThree'));
  return text.toUpperCase();
}

export function yearOf(text: string): string {
  if (!/^(?:19|20)\d{2}$/.test(text)) throw new InvalidArgumentError(say('commands.cli.itIsAYear'));
  return text;
}

/** The most decimal places that a currency has. */
const MOST_PLACES = 4;

/** Returns the text of an amount in currency units. How many decimal places it may have is known once its currency is. */
export function amountOf(text: string): string {
  if (signedMinorOfText(text, MOST_PLACES) === null) throw new InvalidArgumentError(say('commands.cli.itIsAnAmount'));
  return text;
}

/** Returns a largest difference: an amount in currency units, or a percentage of the larger amount. */
export function differenceOf(text: string): GivenDifference {
  const percent = /^\d{1,3}(?:\.\d{1,4})?(?=%$)/.exec(text)?.[0];
  const value = percent === undefined ? signedMinorOfText(text, MOST_PLACES) : Number(percent);
  if (value === null || value <= 0 || (percent !== undefined && value > 100)) {
    throw new InvalidArgumentError(say('commands.cli.itIsAnAmountOrAShare'));
  }
  return percent === undefined ? { amount: text } : { percent: value };
}

/**
 * Options that a command cannot do without. Commander would ask for its mandatory ones before it looks for unknown ones, so that of a mistyped option
 * it would say that it is missing.
 */
const NEEDED = new WeakSet<Option>();

export function needed(option: Option): Option {
  NEEDED.add(option);
  return option;
}

/** Ends a command with an error where a needed option is missing. Those of a group may precede the name of its command. */
export function checkNeeded(command: Command): void {
  const given = command.optsWithGlobals<Record<string, unknown>>();
  const missing = command.options.find((option) => NEEDED.has(option) && given[option.attributeName()] === undefined);
  if (missing !== undefined) command.error(say('commands.cli.aNeededOptionIsMissing', { flags: missing.flags }));
}

/** How a command finds its book without `--data`: the user's own, or not at all where a slip would cost too much. */
type Otherwise = 'own' | 'sample' | 'none';

/** Lets an option of the book's folder be given by `TIEOUT_DATA`. An empty variable counts as none, as for the window. */
export function fromEnvironment(option: Option): Option {
  return process.env['TIEOUT_DATA'] === '' ? option : option.env('TIEOUT_DATA');
}

/** Returns the option of the book's folder. `TIEOUT_DATA` is used where it is not given, and then the user's own book. */
export function dataOption(words: string, otherwise: Otherwise = 'own'): Option {
  const option = fromEnvironment(new Option('--data <folder>', words));
  if (otherwise === 'none') return needed(option);
  const own = otherwise === 'own';
  return option.default(
    path.join(userDataFolder(), own ? 'book' : 'sample-book'),
    say(own ? 'commands.cli.yourOwnBook' : 'commands.cli.yourSampleBook'),
  );
}

const ENVIRONMENT = ['--environment <name>', say('commands.cli.environmentOfTheBook')] as const;
export const environmentOption = (): Option => new Option(...ENVIRONMENT).choices(['live', 'test']).default('live');

/** Adds the options of every command that works on a book. */
export function onBook(command: Command, otherwise: Otherwise = 'own'): Command {
  const folder = say(MAKING_BOOKS.has(command.name()) ? 'commands.cli.aNewBookIsMade' : 'commands.cli.folderOfTheBookAnd');
  return command
    .addOption(dataOption(folder, otherwise))
    .addOption(environmentOption())
    .option('--json', say('commands.cli.printOneJsonDocument'), false);
}

export type Examples = Extract<WordKey, `commands.examples.${string}`>;

/** Adds examples, one command a line, below the help of a command. */
export function withExamples(command: Command, words: Examples): Command {
  const lines = say(words)
    .split('\n')
    .map((line) => `  $ ${line}`);
  return command.addHelpText('after', `\n${[say('commands.cli.examples'), ...lines].join('\n')}`);
}
