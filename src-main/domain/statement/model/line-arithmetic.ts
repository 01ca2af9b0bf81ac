import type { Problem } from '../../../../src-shared/contract/index.ts';
import { decimalPlacesOf, decimalText, signedMinor } from '../../../../src-shared/values/money.ts';
import { counted, note } from './problems.ts';
import type { StatementLine } from './statement.ts';

type Amount = Pick<StatementLine, 'amountMinor' | 'direction' | 'currency' | 'decimalPlaces'>;

/** The balances of a file, signed as its lines are, and whether they hold for all of its rows, those included that do not go in. */
interface StatedEnds {
  readonly opening: number | null;
  readonly closing: number | null;
  readonly isConfirmed: boolean;
  /** Rows that are in the balances and do not go in. */
  readonly missing: number;
}

/** The sum of the lines that go in, money in positive. A file is proved by nothing else. */
export class LineArithmetic {
  readonly #currencies = new Set<string>();
  #sum = 0;
  /** Beyond exact numbers, or written with more decimals than the currency has. */
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

  /** Whether the opening balance and the lines make the closing balance. */
  leads(opening: number, closing: number): boolean {
    return !this.#isInexact && this.#currencies.size <= 1 && opening + this.#sum === closing;
  }

  /** Whether the lines are proved: nothing that the balances hold is missing, and where both are stated, the lines lead from one to the other. */
  proves({ opening, closing, isConfirmed, missing }: StatedEnds): boolean {
    if (!isConfirmed) return false;
    return opening === null || closing === null ? missing === 0 : this.leads(opening, closing);
  }

  /** Why balances that hold prove nothing of what goes in. */
  shortfall({ opening, closing, missing }: Omit<StatedEnds, 'isConfirmed'>, currency: string): Problem {
    const rows = missing === 0 ? '' : ` ${counted(missing, 'row')} of the file ${missing === 1 ? 'does' : 'do'} not go in.`;
    const places = decimalPlacesOf(currency);
    const money = (minor: number): string => `${decimalText(minor, places)} ${currency}`;
    const isTold = opening !== null && closing !== null && !this.#isInexact && this.#currencies.size <= 1;
    const ends = isTold
      ? `The opening balance ${money(opening)} and the lines that go in make ${money(opening + this.#sum)}, and the closing balance is ${money(closing)}.`
      : this.#currencies.size > 1
        ? `The lines are in several currencies (${[...this.#currencies].toSorted().join(', ')}), which no balance adds up.`
        : 'The balances of the file hold more than the lines that go in.';
    return note('lines_not_proved', `${ends}${rows} So nothing is proved by them.`);
  }
}
