import { decimalPlacesOf, type Direction, signedMinor } from '../../../../src-shared/values/money.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { type AmountFault, amountShape, type AmountShape, type DecimalMark, isNothing, minorOf } from '../cells/amounts.ts';
import { filledColumns } from '../columns/money-columns.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { CardSigns } from './card-signs.ts';
import { cellOf } from './sort-rows.ts';
import type { WrittenRow } from './sort-rows.ts';

/** How an amount gets its direction. */
export type SignModel =
  | 'signed'
  | 'signed_inverted'
  | 'signed_credits'
  | 'direction'
  | 'direction_and_sign'
  | 'columns'
  | 'columns_with_signs'
  | 'columns_swapped';

interface SignedShape {
  readonly shape: AmountShape;
  readonly direction: Direction;
}

/** Why a row has no amount: the faulty column and its fault. */
interface SignFault {
  readonly column: number;
  readonly code: 'unreadable_amount' | 'two_amounts' | 'unknown_direction';
}

const WORDS: Readonly<Record<SignModel, string>> = {
  signed: phrase('statement.signs.oneSignedAmountColumn'),
  signed_inverted: phrase('statement.signs.oneSignedAmountColumnNegative'),
  signed_credits: phrase('statement.signs.oneAmountColumn'),
  direction: phrase('statement.signs.amountWithADirectionColumn'),
  direction_and_sign: phrase('statement.signs.directionColumnTurnedByMinus'),
  columns: phrase('statement.signs.paidInPaidOutColumns'),
  columns_with_signs: phrase('statement.signs.twoColumnsTurnedByMinus'),
  columns_swapped: phrase('statement.signs.paidInPaidOutColumns'),
};

export function wordsOfModel(model: SignModel, layout: Layout): string {
  if (model === 'columns' && layout.literalDebitCredit) return phrase('statement.signs.debitCreditColumns');
  if (layout.paidIn !== null && layout.paidOut === null) return phrase('statement.signs.onePaidInColumn');
  if (layout.paidOut !== null && layout.paidIn === null) return phrase('statement.signs.onePaidOutColumn');
  if (layout.amount === null && model === 'signed') return phrase('statement.signs.twoColumnsMinusIsOut');
  if (layout.amount === null && model === 'signed_inverted') return phrase('statement.signs.twoColumnsMinusIsIn');
  return WORDS[model];
}

/**
 * Assumptions about signs: amounts without signs are money in; a file with mostly positive amounts is not a card's; a card's payments are negative
 * and its purchases positive; words override signs that contradict them.
 */
export type SignsAssumed = 'unsigned' | 'positive' | 'card' | 'mirrored';

/** Collects how the rows of a file show the direction of amounts. */
export class SignFacts {
  #negativeCredit = false;
  #negativeDebit = false;
  #positiveDebit = false;
  #positiveCredit = false;
  #hasSigns = false;
  /** Rows whose amounts are marked as money in, and those with no mark at all. */
  #markedIn = 0;
  #unmarked = 0;
  #isOwnNegative = false;
  /** Rows whose direction column says money in, money out, and neither. */
  readonly #said = { credit: 0, debit: 0, nothing: 0 };

  add(row: WrittenRow): void {
    if (row.amount !== null) this.#said[row.direction ?? 'nothing'] += 1;
    if (row.amount?.signed === true) this.#hasSigns = true;
    if (row.amount !== null && !isZero(row.amount)) this.#addMark(row.amount);
    if (row.amount !== null && row.direction !== null) {
      if (row.direction === 'credit' && row.amount.negative) this.#negativeCredit = true;
      else if (row.direction === 'credit') this.#positiveCredit ||= !isZero(row.amount);
      else if (row.amount.negative) this.#negativeDebit = true;
      else this.#positiveDebit = true;
    }
  }

  #addMark({ negative, signed }: AmountShape): void {
    if (negative) this.#isOwnNegative = true;
    else if (signed) this.#markedIn += 1;
    else this.#unmarked += 1;
  }

  /** A card marks payments and refunds with CR or a plus, and nothing that was spent. */
  get #isUnmarkedOut(): boolean {
    return !this.#isOwnNegative && this.#markedIn > 0 && this.#unmarked > 0;
  }

  /** Whether a separate column marks credits alone: if it marked both directions, hardly a row would lack a mark. */
  get #isCreditsOnly(): boolean {
    const { credit, debit, nothing } = this.#said;
    return !this.#isOwnNegative && credit > 0 && debit === 0 && nothing * 10 > credit + nothing;
  }

  /** Whether every credit is negative and every debit positive, as a ledger or a card writes them. */
  get #isMirrored(): boolean {
    return this.#negativeCredit && this.#positiveDebit && !this.#negativeDebit && !this.#positiveCredit;
  }

  /** Returns the assumption about signs, where no direction is stated or signs contradict words. */
  assumed(layout: Layout, card: CardSigns): SignsAssumed | null {
    if (layout.amount === null) return null;
    if (layout.direction !== null) return this.#isMirrored ? 'mirrored' : null;
    if (this.#isUnmarkedOut) return null;
    if (card.reading === 'card') return 'card';
    if (card.isMostlyPositive && layout.description !== null && layout.balance === null) return 'positive';
    return !this.#hasSigns && this.#unmarked > 0 ? 'unsigned' : null;
  }

  /**
   * Returns the sign models that a file allows; the first is the default without proof. Models that read alike are listed once. `ofColumns`: the
   * models for columns of money in and money out.
   */
  models(layout: Layout, ofColumns: readonly SignModel[], card: CardSigns): readonly SignModel[] {
    // Signs beside a direction column say the same when every debit is negative, or no amount is.
    const isSignRedundant = !this.#negativeCredit && !(this.#negativeDebit && this.#positiveDebit);
    if (layout.amount !== null && layout.direction !== null && this.#isMirrored) return ['direction', 'direction_and_sign'];
    if (layout.amount !== null && layout.direction !== null && this.#isCreditsOnly) return ['signed_credits', 'direction'];
    if (layout.amount !== null && layout.direction !== null) return isSignRedundant ? ['direction'] : ['direction_and_sign', 'direction'];
    if (layout.amount !== null && this.#isUnmarkedOut) return ['signed_credits', 'signed'];
    if (this.assumed(layout, card) === 'card') return ['signed_inverted', 'signed'];
    if (layout.amount !== null) return ['signed', 'signed_inverted'];
    if (layout.guessed === 'pair') return ['columns', 'columns_swapped'];
    return ofColumns;
  }
}

/** Returns a row's amount and direction under a model, or the fault. */
function signedShape(row: WrittenRow, model: SignModel, layout: Layout): SignedShape | SignFault {
  if (layout.amount !== null) return fromOneColumn(row, model, layout, layout.amount);
  return fromTwoColumns(row, model, layout);
}

function fromOneColumn(row: WrittenRow, model: SignModel, layout: Layout, column: number): SignedShape | SignFault {
  const shape = row.amount;
  if (shape === null) return { column: filledColumns(row, layout.currencyColumns)[0]?.column ?? column, code: 'unreadable_amount' };
  if (model === 'signed' || model === 'signed_inverted') {
    return { shape, direction: shape.negative === (model === 'signed') ? 'debit' : 'credit' };
  }
  if (model === 'signed_credits' && layout.direction !== null && (row.direction !== null || isUnsaid(row, layout))) {
    return { shape, direction: row.direction ?? 'debit' };
  }
  if (model === 'signed_credits' && layout.direction === null)
    return { shape, direction: shape.signed && !shape.negative ? 'credit' : 'debit' };
  if (row.direction === null) return { column: layout.direction ?? column, code: 'unknown_direction' };
  const turned = model === 'direction_and_sign' && shape.negative;
  return { shape, direction: turned ? opposite(row.direction) : row.direction };
}

function fromTwoColumns(row: WrittenRow, model: SignModel, layout: Layout): SignedShape | SignFault {
  const first = layout.paidIn ?? layout.paidOut ?? 0;
  for (const [column, shape] of [
    [layout.paidIn, row.paidIn],
    [layout.paidOut, row.paidOut],
  ] as const) {
    if (column !== null && shape === null && !isNothing(cellOf(row, column))) return { column, code: 'unreadable_amount' };
  }
  const isIn = row.paidIn !== null && (row.paidOut === null || !isZero(row.paidIn));
  const isOut = row.paidOut !== null && (row.paidIn === null || !isZero(row.paidOut));
  if (isIn && isOut) return { column: first, code: 'two_amounts' };
  // Nil in both columns is an amount of nil.
  const shape = isOut ? row.paidOut : row.paidIn;
  if (shape === null) return { column: first, code: 'unreadable_amount' };
  // CR and DR say the direction themselves, whatever the column.
  if (shape.flag !== undefined) return { shape, direction: shape.flag };
  const plain: Direction = isOut ? 'debit' : 'credit';
  if (model === 'columns_swapped') return { shape, direction: opposite(plain) };
  if (model === 'signed' || model === 'signed_inverted')
    return { shape, direction: shape.negative === (model === 'signed') ? 'debit' : 'credit' };
  return { shape, direction: model === 'columns_with_signs' && shape.negative ? opposite(plain) : plain };
}

function opposite(direction: Direction): Direction {
  return direction === 'credit' ? 'debit' : 'credit';
}

/** Whether the column that would say the direction says nothing in this row. */
function isUnsaid(row: WrittenRow, layout: Layout): boolean {
  return layout.direction !== null && cellOf(row, layout.direction) === '';
}

function isZero(shape: AmountShape): boolean {
  return !/[1-9]/.test(shape.body);
}

/** A row's amount under a reading, or what is wrong with it. */
export type RowValue =
  | { readonly minor: number; readonly direction: Direction }
  | { readonly column: number; readonly code: AmountFault | SignFault['code'] };

/** One way to read all amounts of a file. */
export interface Candidate {
  readonly model: SignModel;
  readonly mark: DecimalMark | null;
  /** -1: the balance counts debits up, as the books of an asset account do. */
  readonly polarity: 1 | -1;
  /** How the fee column counts: taken off the amount, or added with its sign. 0: the amount includes it. */
  readonly fee: 0 | 1 | -1;
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
