import type { ReconciliationSummary, Run } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

type Apart = NonNullable<Run['no_shared_currency']>;

/** Returns the currencies of two sides that share none. Null while a side is empty or when they share one. */
export function currenciesApart({ side_a: a, side_b: b }: Pick<ReconciliationSummary, 'side_a' | 'side_b'>): Apart | null {
  const [sideA, sideB] = [a, b].map(({ totals }) => totals.map(({ currency }) => currency)) as [string[], string[]];
  const isApart = sideA.length > 0 && sideB.length > 0 && !sideA.some((currency) => sideB.includes(currency));
  return isApart ? { side_a: sideA, side_b: sideB } : null;
}

export function currenciesApartSentence({ side_a: a, side_b: b }: Apart): string {
  return say('runs.sharedCurrency.sideAIsInSide', { a: a.join(', '), b: b.join(', ') });
}
