import type { Direction } from '../../../src-shared/values/money.ts';
import { isNothing } from './amounts.ts';
import type { AmountShape } from './amounts.ts';
import type { Layout } from './columns.ts';
import { cellOf } from './rows.ts';
import type { WrittenRow } from './rows.ts';

/** How an amount gets its direction. */
export type SignModel =
  | 'signed'
  | 'signed_inverted'
  | 'direction'
  | 'direction_and_sign'
  | 'columns'
  | 'columns_with_signs'
  | 'columns_swapped';

export interface SignedShape {
  readonly shape: AmountShape;
  readonly direction: Direction;
}

/** Why a row has no amount: the column at fault and what is wrong there. */
export interface SignFault {
  readonly column: number;
  readonly code: 'unreadable_amount' | 'two_amounts' | 'unknown_direction';
}

const WORDS: Readonly<Record<SignModel, string>> = {
  signed: 'one signed amount column',
  signed_inverted: 'one signed amount column, negative is money in',
  direction: 'amount with a direction column',
  direction_and_sign: 'amount with a direction column, a minus turns it round',
  columns: 'paid in / paid out columns',
  columns_with_signs: 'paid in / paid out columns, a minus turns them round',
  columns_swapped: 'paid in / paid out columns',
};

export function wordsOfModel(model: SignModel, layout: Layout): string {
  if (model === 'columns' && layout.literalDebitCredit) return 'debit / credit columns';
  if (layout.paidIn !== null && layout.paidOut === null) return 'one paid in column';
  if (layout.paidOut !== null && layout.paidIn === null) return 'one paid out column';
  return WORDS[model];
}

/** The sign models that a file allows, the one that stands without proof first. Models that would read alike are not listed twice. */
export function modelsOf(layout: Layout, rows: readonly WrittenRow[]): readonly SignModel[] {
  if (layout.amount !== null && layout.direction !== null) return [isSignRedundant(rows) ? 'direction' : 'direction_and_sign'];
  if (layout.amount !== null) return ['signed', 'signed_inverted'];
  if (layout.guessedPair) return ['columns', 'columns_swapped'];
  const inNegative = rows.some((row) => row.paidIn?.negative === true);
  const outSigns = new Set(rows.map((row) => row.paidOut?.negative).filter((negative) => negative !== undefined));
  return inNegative || outSigns.size > 1 ? ['columns', 'columns_with_signs'] : ['columns'];
}

/** Signs beside a direction column say the same when every debit is negative, or no amount is. */
function isSignRedundant(rows: readonly WrittenRow[]): boolean {
  let negativeCredit = false;
  let negativeDebit = false;
  let positiveDebit = false;
  for (const row of rows) {
    if (row.amount === null || row.direction === null) continue;
    if (row.direction === 'credit') negativeCredit ||= row.amount.negative;
    else if (row.amount.negative) negativeDebit = true;
    else positiveDebit = true;
  }
  return !negativeCredit && !(negativeDebit && positiveDebit);
}

/** The amount of a row and its direction under a model, or what is wrong. */
export function signedShape(row: WrittenRow, model: SignModel, layout: Layout): SignedShape | SignFault {
  if (layout.amount !== null) return fromOneColumn(row, model, layout, layout.amount);
  return fromTwoColumns(row, model, layout);
}

function fromOneColumn(row: WrittenRow, model: SignModel, layout: Layout, column: number): SignedShape | SignFault {
  const shape = row.amount;
  if (shape === null) return { column, code: 'unreadable_amount' };
  if (model === 'signed' || model === 'signed_inverted') {
    return { shape, direction: shape.negative === (model === 'signed') ? 'debit' : 'credit' };
  }
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
  const plain: Direction = isOut ? 'debit' : 'credit';
  if (model === 'columns_swapped') return { shape, direction: opposite(plain) };
  return { shape, direction: model === 'columns_with_signs' && shape.negative ? opposite(plain) : plain };
}

function opposite(direction: Direction): Direction {
  return direction === 'credit' ? 'debit' : 'credit';
}

function isZero(shape: AmountShape): boolean {
  return !/[1-9]/.test(shape.body);
}
