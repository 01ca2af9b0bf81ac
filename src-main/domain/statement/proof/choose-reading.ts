import type { Problem } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { decimalPlacesOf, decimalText, signedMinor } from '../../../../src-shared/values/money.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { amountShape, DIGITS_OF_GROUP, isNothing, MarkVotes, minorOf } from '../cells/amounts.ts';
import type { AmountShape, DecimalMark } from '../cells/amounts.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { BalanceLine } from '../rows/balance-lines.ts';
import { cellOf } from '../rows/sort-rows.ts';
import type { BalanceSides, WrittenRow } from '../rows/sort-rows.ts';
import { note, RowNumbers } from '../model/problems.ts';
import { type CardSigns, CardSignFacts } from '../rows/card-signs.ts';
import { type ColumnSigns, ColumnSignFacts } from '../rows/column-signs.ts';
import { type RowValue, signedShape, SignFacts } from '../rows/signs.ts';
import type { SignModel, SignsAssumed } from '../rows/signs.ts';
import { FileCheck } from './balance-chain.ts';
import type { Anchors, Candidate, ChosenReading, Reading } from './chain.ts';
import { groupOf } from './table-accounts.ts';

/** All readings that a file allows, and the choices still open. */
interface Candidates {
  readonly list: readonly Candidate[];
  readonly isMarkOpen: boolean;
  readonly assumedSigns: SignsAssumed | null;
  /** True where a recipe or a person sets the sign model, and no sign of the file contradicts it. */
  readonly isModelSaid: boolean;
  readonly columnSigns: ColumnSigns;
  readonly cardSigns: CardSigns;
  readonly hasFees: boolean;
  /** Rows whose amount states a refund in brackets. */
  readonly returns: RowNumbers;
}

/** Collects how amounts are written over all rows, in the order of the file. */
export class AmountFacts {
  readonly #votes = new MarkVotes();
  readonly #signs = new SignFacts();
  readonly #columnSigns = new ColumnSignFacts();
  readonly #cardSigns: CardSignFacts;
  readonly #layout: Layout;
  readonly #returns = new RowNumbers();
  #hasFees = false;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#cardSigns = new CardSignFacts(layout.headers);
  }

  add(row: WrittenRow): void {
    const { fee, amount } = this.#layout;
    this.#signs.add(row);
    if (amount === null) this.#columnSigns.add(row, this.#layout);
    else if (row.amount !== null && /[1-9]/.test(row.amount.body))
      this.#cardSigns.add(row.row, row.cells, cellOf(row, amount), row.amount.negative);
    if (fee !== null && !this.#hasFees) this.#hasFees = /[1-9]/.test(cellOf(row, fee));
    for (const shape of [row.amount, row.paidIn, row.paidOut, row.balance]) if (shape !== null) this.#votes.add(shape.body);
    if ((row.amount ?? row.paidIn ?? row.paidOut)?.hasReturn === true) this.#returns.add(row.row);
  }

  /** Returns every reading that the file allows; the first is the default without proof. `fixed` holds the choices of a recipe or a person. */
  candidates(layout: Layout, sides: BalanceSides, fixed: FixedReading, decimalPlaces: number, around: readonly string[]): Candidates {
    for (const line of [...sides.openingSide, ...sides.closingSide]) this.#votes.add(line.shape.body);
    const decided = this.#votes.decided(decimalPlaces);
    const tried: readonly (DecimalMark | null)[] =
      decided.open && decided.mark !== null ? [decided.mark, decided.mark === '.' ? ',' : '.'] : [decided.mark];
    const marks = fixed.mark === null ? tried : [fixed.mark];
    const columnSigns = this.#columnSigns.decided(layout);
    const cardSigns = this.#cardSigns.decided(around);
    const ofFile = this.#signs.models(layout, columnSigns.models, cardSigns);
    const isModelSaid = fixed.model !== null && (fixed.isModelOfPerson || !dropsSigns(fixed.model, ofFile, columnSigns));
    const models = isModelSaid && fixed.model !== null ? [fixed.model] : ofFile;
    const assumedSigns = isModelSaid ? null : this.#signs.assumed(layout, cardSigns);
    // The debt on a card rises with each purchase.
    const polarities =
      layout.literalDebitCredit || assumedSigns === 'card' || (layout.amount !== null && !isModelSaid && cardSigns.reading === 'open')
        ? ([1, -1] as const)
        : ([1] as const);
    const fees = this.#hasFees && layout.balance !== null ? ([0, -1, 1] as const) : ([0] as const);
    const list = fees.flatMap((fee) =>
      marks.flatMap((mark) => models.flatMap((model) => polarities.map((polarity) => ({ model, mark, polarity, fee })))),
    );
    return {
      list,
      hasFees: this.#hasFees,
      returns: this.#returns,
      isMarkOpen: decided.open && fixed.mark === null,
      assumedSigns,
      isModelSaid,
      columnSigns,
      cardSigns,
    };
  }
}

/** Choices already made about amounts; where one is null, all its values are tried. */
interface FixedReading {
  readonly model: SignModel | null;
  /** True where a person chose the model for this very file. */
  readonly isModelOfPerson: boolean;
  readonly mark: DecimalMark | null;
}

/** Whether a recipe from a file without minus signs would ignore the minus signs of this file. */
function dropsSigns(model: SignModel, ofFile: readonly SignModel[], { isMinusMeant }: ColumnSigns): boolean {
  return (model === 'columns' && isMinusMeant) || (model === 'direction' && ofFile[0] === 'direction_and_sign');
}

/** Checks the balances of a file under each of its readings at once, and chooses the reading for which they hold. */
export class ReadingCheck {
  readonly #layout: Layout;
  readonly #fileCurrency: string;
  readonly #checks: readonly { readonly candidate: Candidate; readonly check: FileCheck }[];
  #rows = 0;
  #hasSign = false;

  constructor(candidates: readonly Candidate[], layout: Layout, fileCurrency: string) {
    this.#layout = layout;
    this.#fileCurrency = fileCurrency;
    this.#checks = candidates.map((candidate) => ({ candidate, check: new FileCheck() }));
  }

  /** Rows in the order of the file. */
  add(row: WrittenRow, currency: string, day: number | null): void {
    if (row.unbooked !== null) return;
    this.#rows += 1;
    this.#hasSign ||= row.amount?.signed !== false;
    const group = groupOf(row, currency, this.#layout);
    for (const { candidate, check } of this.#checks) {
      const value = valueOf(row, currency, candidate, this.#layout);
      const signed = 'minor' in value ? candidate.polarity * signedMinor(value.minor, value.direction) : null;
      const balance = balanceAfter(row, currency, signed, candidate, this.#layout);
      check.add({ row: row.row, day, signed, balance, group });
    }
  }

  chosen(sides: BalanceSides, isMarkOpen: boolean): ChosenReading {
    const readings = this.#checks.map(({ candidate, check }) => ({
      ...candidate,
      isSameBalance: check.isSameBalance,
      ...check.result(anchorsOf(sides, (line) => writtenMinor(line.shape, this.#fileCurrency, candidate.mark))),
    }));
    const { opening } = anchorsOf(sides, (line) => writtenMinor(line.shape, this.#fileCurrency, readings[0]?.mark ?? null));
    const isBetween = this.#rows === 1 && opening?.firm === true;
    const judged = judge(readings, isBetween ? (this.#hasSign ? 'signed' : 'unsigned') : null);
    const isLoose = judged.proof === 'broken' && (this.#layout.isBalanceLoose || judged.reading.isSameBalance);
    const chosen = isLoose ? withoutBalances(judged.reading) : judged;
    const loose = isLoose ? [looseNote(this.#layout)] : [];
    const problems = [
      ...brokenNotes(chosen, this.#layout, this.#fileCurrency),
      ...loose,
      ...markNotes(isMarkOpen, chosen, this.#layout, this.#fileCurrency),
    ];
    return { ...chosen, problems };
  }
}

/** Returns a reading whose balances move by more than the rows: they then neither prove nor break anything. */
function withoutBalances(reading: Reading): { reading: Reading; proof: ChosenReading['proof'] } {
  const check = { ...reading.check, verified: 0, broken: 0, firstBreak: null, opening: null, closing: null };
  return { reading: { ...reading, check }, proof: 'unproved' };
}

function looseNote(layout: Layout): Problem {
  const name = layout.balance === null ? '' : (layout.names[layout.balance] ?? '');
  const message = phrase('statement.chooseReading.theColumnDoesNotRun', { name });
  return note('balance_not_running', message, null, name === '' ? null : name);
}

/**
 * Chooses among readings. `between` is set where the file is a single line, with or without a sign, after an opening balance; any balance behind it
 * then decides.
 */
function judge(readings: readonly Reading[], between: 'signed' | 'unsigned' | null): { reading: Reading; proof: ChosenReading['proof'] } {
  const standing = present(readings[0], 'the reading that stands without proof');
  const unproved = (): ChosenReading['proof'] => (standing.check.broken > 0 ? 'broken' : 'unproved');
  const passing = readings.filter((reading) => reading.check.broken === 0 && reading.check.verified > 0);
  const [first] = passing;
  if (first === undefined) return { reading: standing, proof: unproved() };
  if (passing.length > 1) return { reading: passing.includes(standing) ? standing : first, proof: 'unproved' };
  if (first.check.verified >= 2) return { reading: first, proof: 'proved' };
  // One row is too little evidence to invert the signs of a whole file, unless it has none.
  const isTurned = first.model === 'signed_inverted' && between !== 'unsigned';
  if (between !== null) return isTurned ? { reading: standing, proof: unproved() } : { reading: first, proof: 'proved' };
  return { reading: isTurned ? standing : first, proof: 'unproved' };
}

/** Returns a row's amount under a reading. */
export function valueOf(row: WrittenRow, currency: string, candidate: Candidate, layout: Layout): RowValue {
  const value = withoutFee(row, currency, candidate, layout);
  if (candidate.fee === 0 || layout.fee === null) return value;
  const fee = writtenMinor(amountShape(cellOf(row, layout.fee)), currency, candidate.mark);
  if (fee === null) return isNothing(cellOf(row, layout.fee)) ? value : { column: layout.fee, code: 'unreadable_amount' };
  const columns = [layout.amount, layout.paidIn, layout.paidOut];
  // A row may be a fee alone.
  const isFeeAlone = 'code' in value && columns.every((column) => isNothing(cellOf(row, column)));
  if ('code' in value && !isFeeAlone) return value;
  const moved = ('minor' in value ? signedMinor(value.minor, value.direction) : 0) + candidate.fee * fee;
  return { minor: Math.abs(moved), direction: moved < 0 ? 'debit' : 'credit' };
}

function withoutFee(row: WrittenRow, currency: string, { model, mark }: Candidate, layout: Layout): RowValue {
  const signed = signedShape(row, model, layout);
  if ('code' in signed) return signed;
  const minor = minorOf(signed.shape.body, mark ?? '.', decimalPlacesOf(currency));
  return typeof minor === 'number' ? { minor, direction: signed.direction } : { column: columnOf(row, signed.shape, layout), code: minor };
}

/** Returns the balance of a row after its amount; null where it states none. */
export function balanceAfter(
  row: WrittenRow,
  currency: string,
  signed: number | null,
  { mark }: Candidate,
  { isBalanceBefore }: Layout,
): number | null {
  const stated = writtenMinor(row.balance, currency, mark);
  return stated === null || !isBalanceBefore ? stated : signed === null ? null : stated + signed;
}

/** Returns the amount with its written sign in minor units, or null. */
export function writtenMinor(shape: AmountShape | null, currency: string, mark: DecimalMark | null): number | null {
  const minor = shape === null ? null : minorOf(shape.body, mark ?? '.', decimalPlacesOf(currency));
  return shape === null || typeof minor !== 'number' ? null : shape.negative ? -minor : minor;
}

function columnOf(row: WrittenRow, shape: AmountShape, layout: Layout): number {
  if (shape === row.paidIn && layout.paidIn !== null) return layout.paidIn;
  const ofCurrency = layout.currencyColumns.find(({ currency }) => currency === shape.sign)?.column;
  return (shape === row.paidOut ? layout.paidOut : (ofCurrency ?? layout.amount)) ?? 0;
}

/** Returns the balances around the transactions that are the opening and the closing one. */
export function anchorsOf({ openingSide, closingSide }: BalanceSides, minorOfLine: (line: BalanceLine) => number | null): Anchors {
  const all = [...openingSide, ...closingSide];
  const anchor = (line: BalanceLine | undefined, firm: boolean): Anchors['opening'] => {
    const minor = line === undefined ? null : minorOfLine(line);
    return line === undefined || minor === null ? null : { minor, row: line.row, firm };
  };
  const opening = all.find((line) => line.kind === 'opening');
  const closing = all.findLast((line) => line.kind === 'closing');
  const above = openingSide.find((line) => line.kind === 'current');
  const below = closingSide.findLast((line) => line.kind === 'current');
  // A balance without a word for its time is the closing one; above the rows it is the opening one when another is below.
  const foundClosing =
    anchor(closing, closing !== undefined && (closingSide.includes(closing) || opening !== undefined)) ??
    anchor(below, true) ??
    anchor(above, false);
  const foundOpening =
    anchor(opening, true) ?? (foundClosing !== null && above !== undefined && foundClosing.row !== above.row ? anchor(above, false) : null);
  return { opening: foundOpening, closing: foundClosing };
}

function brokenNotes(
  chosen: { reading: Reading; proof: ChosenReading['proof'] },
  layout: Layout,
  fileCurrency: string,
): readonly Problem[] {
  const { firstBreak: first, broken } = chosen.reading.check;
  if (chosen.proof !== 'broken' || first === null) return [];
  const places = decimalPlacesOf(fileCurrency);
  const text = (minor: number): string => `${decimalText(minor, places)} ${fileCurrency}`;
  const difference = first.found - first.expected;
  const message = phrase('statement.chooseReading.balanceInRow', {
    row: first.row,
    found: text(first.found),
    expected: text(first.expected),
    abs: text(Math.abs(difference)),
    isDifference: difference > 0 ? 'yes' : 'no',
    others: broken - 1,
  });
  const column = layout.balance === null ? null : (layout.names[layout.balance] ?? null);
  return [note('balance_broken', message, first.row, column)];
}

/** Returns a note on the assumed decimal mark; for a currency with three decimals a question replaces it. */
function markNotes(
  isMarkOpen: boolean,
  chosen: { reading: Reading; proof: ChosenReading['proof'] },
  layout: Layout,
  currency: string,
): readonly Problem[] {
  if (!isMarkOpen || chosen.proof === 'proved' || decimalPlacesOf(currency) === DIGITS_OF_GROUP) return [];
  const mark = chosen.reading.mark === ',' ? 'comma' : 'point';
  const column = layout.names[layout.amount ?? layout.paidIn ?? layout.paidOut ?? 0] ?? null;
  return [note('decimal_mark_assumed', phrase('statement.chooseReading.amountsSuchAs1234Or', { mark }), null, column)];
}
