import type { Problem } from '../../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, decimalText, signedMinor } from '../../../../src-shared/values/money.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { note } from './problems.ts';
import type { Statement, StatementLine } from './statement.ts';

type Amount = Pick<StatementLine, 'amountMinor' | 'direction' | 'currency' | 'decimalPlaces'>;

/** The balances of a file, signed as its lines are, and whether they hold for all of its rows, rejected ones included. */
interface StatedEnds {
  readonly opening: number | null;
  readonly closing: number | null;
  readonly isConfirmed: boolean;
  /** Rows that the balances count and that are not stored. */
  readonly missing: number;
}

/** The sum of the lines that are stored, money in positive. Only this sum proves a file. */
export class LineArithmetic {
  readonly #currencies = new Set<string>();
  #sum = 0;
  /** True where the sum exceeds exact integers, or a line has more decimals than its currency. */
  #isInexact = false;

  add({ amountMinor, direction, currency, decimalPlaces }: Amount): void {
    this.#currencies.add(currency);
    if (decimalPlaces !== decimalPlacesOf(currency)) this.#isInexact = true;
    this.#sum += signedMinor(amountMinor, direction);
    if (!Number.isSafeInteger(this.#sum)) this.#isInexact = true;
  }

  static of(lines: Iterable<Amount>): LineArithmetic {
    const sum = new LineArithmetic();
    for (const line of lines) sum.add(line);
    return sum;
  }

  /** Whether opening balance + lines = closing balance. */
  leads(opening: number, closing: number): boolean {
    return !this.#isInexact && this.#currencies.size <= 1 && opening + this.#sum === closing;
  }

  /**
   * Whether the lines are proved: no row that the balances count is missing; where both balances are stated, the lines must lead from one to the
   * other.
   */
  proves({ opening, closing, isConfirmed, missing }: StatedEnds): boolean {
    if (!isConfirmed) return false;
    return opening === null || closing === null ? missing === 0 : this.leads(opening, closing);
  }

  /** Returns a note why balances that hold prove nothing about the stored lines. */
  shortfall({ opening, closing, missing }: Omit<StatedEnds, 'isConfirmed'>, currency: string): Problem {
    const places = decimalPlacesOf(currency);
    const money = (minor: number): string => `${decimalText(minor, places)} ${currency}`;
    const isTold = opening !== null && closing !== null && !this.#isInexact && this.#currencies.size <= 1;
    const ends = isTold
      ? phrase('statement.lineArithmetic.openingBalanceAndTheLines', {
          opening: money(opening),
          opening2: money(opening + this.#sum),
          closing: money(closing),
        })
      : this.#currencies.size > 1
        ? phrase('statement.lineArithmetic.theLinesAreInSeveral', { currencies: [...this.#currencies].toSorted().join(', ') })
        : phrase('statement.lineArithmetic.theBalancesOfTheFile');
    return note('lines_not_proved', phrase('statement.lineArithmetic.soNothingIsProvedBy', { ends, missing }));
  }
}

/** Whether a file has balances and no transaction at all, which says that nothing moved. */
export function isWithoutMovement({
  rows,
  balances,
  periods,
  problems,
}: Pick<Statement, 'rows' | 'balances' | 'periods' | 'problems'>): boolean {
  if (rows > 0 || problems.some(({ code }) => code === 'nothing_booked')) return false;
  return balances.length > 0 || periods.some(({ openingMinor, closingMinor }) => openingMinor !== null || closingMinor !== null);
}

/** Returns the statement; one without transactions gets a note that says what is stored. */
export function withNoMovementNote(statement: Statement): Statement {
  const { rows, periods, problems } = statement;
  if (rows > 0 || problems.some(({ code }) => code === 'nothing_booked')) return statement;
  if (!isWithoutMovement(statement)) {
    // Another problem already explains it.
    if (problems.length > 0) return statement;
    const message = phrase('statement.lineArithmetic.theFileHasNoTransactions');
    return { ...statement, problems: [note('no_rows', message), ...problems] };
  }
  const first = Math.min(...periods.map(({ firstDay }) => firstDay));
  const last = Math.max(...periods.map(({ lastDay }) => lastDay));
  const days = first === last ? isoFromDay(first) : `${isoFromDay(first)} to ${isoFromDay(last)}`;
  const message = phrase('statement.lineArithmetic.onlyBalancesGoIn', { days, isPeriods: periods.length === 0 ? 'yes' : 'no' });
  return { ...statement, problems: [note('no_movement', message), ...problems] };
}
