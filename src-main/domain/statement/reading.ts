import type { Problem } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { decimalPlacesOf, decimalText, signedMinor } from '../../../src-shared/values/money.ts';
import type { Direction } from '../../../src-shared/values/money.ts';
import { decideMark, minorOf } from './amounts.ts';
import type { AmountFault, AmountShape, DecimalMark } from './amounts.ts';
import type { BalanceLine } from './balance-lines.ts';
import type { Layout } from './columns.ts';
import { checkFile } from './proof.ts';
import type { Anchors, ChainCheck, ChainStep } from './proof.ts';
import { cellOf } from './rows.ts';
import type { SortedRows, WrittenRow } from './rows.ts';
import { counted, note } from './sentences.ts';
import { modelsOf, signedShape } from './signs.ts';
import type { SignFault, SignModel } from './signs.ts';

/** A row's amount under a reading, or what is wrong with it. */
export type RowValue =
  | { readonly minor: number; readonly direction: Direction }
  | { readonly column: number; readonly code: AmountFault | SignFault['code'] };

/** One way to read all amounts of a file, and what its balances say to it. */
export interface Reading {
  readonly model: SignModel;
  readonly mark: DecimalMark | null;
  /** -1: the balance counts debits up, as the books of an asset account do. */
  readonly polarity: 1 | -1;
  readonly values: readonly RowValue[];
  readonly check: ChainCheck;
}

export interface ChosenReading {
  readonly reading: Reading;
  readonly proof: 'proved' | 'unproved' | 'broken';
  readonly problems: readonly Problem[];
}

export interface ReadingInput {
  readonly sorted: SortedRows;
  readonly layout: Layout;
  /** Currency and day of each written row. */
  readonly currencies: readonly string[];
  readonly days: readonly (number | null)[];
  readonly fileCurrency: string;
  /** What a recipe says; null is tried. */
  readonly fixed: { readonly model: SignModel | null; readonly mark: DecimalMark | null };
}

/** Tries every reading that the file allows and keeps the one for which its balances hold. */
export function chooseReading(input: ReadingInput): ChosenReading {
  const decided = decideMark(bodiesOf(input.sorted));
  const tried: readonly (DecimalMark | null)[] =
    decided.open && decided.mark !== null ? [decided.mark, decided.mark === '.' ? ',' : '.'] : [decided.mark];
  const { fixed } = input;
  const marks = fixed.mark === null ? tried : [fixed.mark];
  const models = fixed.model === null ? modelsOf(input.layout, input.sorted.written) : [fixed.model];
  const readings: Reading[] = [];
  for (const mark of marks) {
    for (const model of models) {
      const values = valuesOf(input, model, mark);
      for (const polarity of input.layout.literalDebitCredit ? ([1, -1] as const) : ([1] as const)) {
        readings.push({ model, mark, polarity, values, check: checkReading(input, values, mark, polarity) });
      }
    }
  }
  const chosen = judge(readings);
  const problems = [...brokenNotes(chosen, input), ...markNotes(decided, chosen, input)];
  return { ...chosen, problems };
}

function judge(readings: readonly Reading[]): { reading: Reading; proof: ChosenReading['proof'] } {
  const standing = present(readings[0], 'the reading that stands without proof');
  const passing = readings.filter((reading) => reading.check.breaks.length === 0 && reading.check.verified > 0);
  const [first] = passing;
  if (first === undefined) return { reading: standing, proof: standing.check.breaks.length > 0 ? 'broken' : 'unproved' };
  if (passing.length > 1) return { reading: passing.includes(standing) ? standing : first, proof: 'unproved' };
  if (first.check.verified >= 2) return { reading: first, proof: 'proved' };
  // One row says too little to turn the signs of a whole file round.
  return { reading: first.model === 'signed_inverted' ? standing : first, proof: 'unproved' };
}

function* bodiesOf(sorted: SortedRows): Generator<string> {
  for (const row of sorted.written) {
    for (const shape of [row.amount, row.paidIn, row.paidOut, row.balance]) if (shape !== null) yield shape.body;
  }
  for (const line of [...sorted.openingSide, ...sorted.closingSide]) yield line.shape.body;
}

function valuesOf(input: ReadingInput, model: SignModel, mark: DecimalMark | null): readonly RowValue[] {
  return input.sorted.written.map((row, index) => {
    const signed = signedShape(row, model, input.layout);
    if ('code' in signed) return signed;
    const minor = minorOf(signed.shape.body, mark ?? '.', decimalPlacesOf(input.currencies[index] ?? input.fileCurrency));
    return typeof minor === 'number'
      ? { minor, direction: signed.direction }
      : { column: columnOf(row, signed.shape, input.layout), code: minor };
  });
}

function columnOf(row: WrittenRow, shape: AmountShape, layout: Layout): number {
  if (shape === row.paidIn && layout.paidIn !== null) return layout.paidIn;
  return (shape === row.paidOut ? layout.paidOut : layout.amount) ?? 0;
}

function checkReading(input: ReadingInput, values: readonly RowValue[], mark: DecimalMark | null, polarity: 1 | -1): ChainCheck {
  const balanceOf = (shape: AmountShape | null, currency: string): number | null => {
    const minor = shape === null ? null : minorOf(shape.body, mark ?? '.', decimalPlacesOf(currency));
    return shape === null || typeof minor !== 'number' ? null : shape.negative ? -minor : minor;
  };
  const steps: ChainStep[] = input.sorted.written.map((row, index) => {
    const value = values[index];
    const currency = input.currencies[index] ?? input.fileCurrency;
    return {
      row: row.row,
      day: input.days[index] ?? null,
      signed: value !== undefined && 'minor' in value ? polarity * signedMinor(value.minor, value.direction) : null,
      balance: balanceOf(row.balance, currency),
      group: `${currency} ${cellOf(row, input.layout.account)}`,
    };
  });
  return checkFile(
    steps,
    anchorsOf(input, (line) => balanceOf(line.shape, input.fileCurrency)),
  );
}

function anchorsOf(input: ReadingInput, minorOfLine: (line: BalanceLine) => number | null): Anchors {
  const { openingSide, closingSide } = input.sorted;
  const all = [...openingSide, ...closingSide];
  const anchor = (line: BalanceLine | undefined, firm: boolean): Anchors['opening'] => {
    const minor = line === undefined ? null : minorOfLine(line);
    return line === undefined || minor === null ? null : { minor, row: line.row, firm };
  };
  const opening = all.find((line) => line.kind === 'opening');
  const closing = all.findLast((line) => line.kind === 'closing');
  const above = openingSide.find((line) => line.kind === 'current');
  const below = closingSide.findLast((line) => line.kind === 'current');
  // A balance without a word for its time is the closing one; above the rows it is the one before them when another stands below.
  const foundClosing =
    anchor(closing, closing !== undefined && (closingSide.includes(closing) || opening !== undefined)) ??
    anchor(below, true) ??
    anchor(above, false);
  const foundOpening =
    anchor(opening, true) ?? (foundClosing !== null && above !== undefined && foundClosing.row !== above.row ? anchor(above, false) : null);
  return { opening: foundOpening, closing: foundClosing };
}

function brokenNotes(chosen: { reading: Reading; proof: ChosenReading['proof'] }, input: ReadingInput): readonly Problem[] {
  const [first] = chosen.reading.check.breaks;
  if (chosen.proof !== 'broken' || first === undefined) return [];
  const places = decimalPlacesOf(input.fileCurrency);
  const text = (minor: number): string => `${decimalText(minor, places)} ${input.fileCurrency}`;
  const difference = first.found - first.expected;
  const others = chosen.reading.check.breaks.length - 1;
  const more = others === 0 ? '' : ` ${counted(others, 'later balance')} ${others === 1 ? 'does' : 'do'} not follow either.`;
  const message =
    `The balance in row ${first.row} is ${text(first.found)}, but the rows before it lead to ${text(first.expected)}: ` +
    `${text(Math.abs(difference))} too ${difference > 0 ? 'much' : 'little'}.${more} Look for a missing, doubled or changed row there.`;
  const column = input.layout.balance === null ? null : (input.layout.headers[input.layout.balance] ?? null);
  return [note('balance_broken', message, first.row, column)];
}

function markNotes(
  decided: { open: boolean },
  chosen: { reading: Reading; proof: ChosenReading['proof'] },
  input: ReadingInput,
): readonly Problem[] {
  if (!decided.open || chosen.proof === 'proved' || input.fixed.mark !== null) return [];
  const group = chosen.reading.mark === '.' ? ',' : '.';
  const column = input.layout.headers[input.layout.amount ?? input.layout.paidIn ?? input.layout.paidOut ?? 0] ?? null;
  return [
    note(
      'decimal_mark_assumed',
      `Amounts such as 1${group}234 could be thousands or decimals; they were read as thousands. Check one of them.`,
      null,
      column,
    ),
  ];
}
