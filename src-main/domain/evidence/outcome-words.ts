import type { BudgetFigures, EvidenceOutcome } from './model/link.ts';

/** Returns the result of a run in sentences: what was committed, how much of it is expected to be wrong, and what other budgets would change. */
export function outcomeWords(outcome: EvidenceOutcome): string[] {
  const { committed, atBudgets, leansOnPrior, cappedLines, lines } = outcome;
  const words = [committedWords(committed)];
  for (const other of atBudgets)
    if (other.budget !== committed.budget && other.committed + committed.committed > 0) words.push(budgetWords(other, committed));
  if (leansOnPrior) words.push(`With ${counted(lines, 'line')} this book is too small to learn from, so general experience decided.`);
  if (cappedLines > 0) {
    words.push(`Of ${counted(cappedLines, 'line')} only the best candidates were weighed one by one; the others count as a whole.`);
  }
  return words;
}

function committedWords({ budget, committed, expectedWrong, upperBound }: BudgetFigures): string {
  if (committed === 0) return 'Nothing was certain enough to be matched.';
  const most = upperBound < 0.5 ? 'none' : `no more than ${figure(Math.ceil(upperBound))}`;
  const expected = `${expectation(expectedWrong)} of them expected to be wrong, and with a chance of 95 % ${most}`;
  return `Matched ${counted(committed, 'link')}: ${expected} (budget: ${budget} in 10,000).`;
}

function budgetWords(other: BudgetFigures, own: BudgetFigures): string {
  const more = other.committed - own.committed;
  const change = more === 0 ? 'match the same links' : `match ${counted(Math.abs(more), 'link')} ${more > 0 ? 'more' : 'fewer'}`;
  return `A budget of ${other.budget} in 10,000 would ${change}, with ${expectation(other.expectedWrong)} wrong.`;
}

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const COUNT = new Intl.NumberFormat('en-GB');
const grouped = (count: number): string => COUNT.format(count);

const TENTHS = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** An expectation is given with two digits. */
function expectation(value: number): string {
  return value < 0.1 ? 'less than 0.1' : `about ${figure(value)}`;
}

function figure(value: number): string {
  return value >= 10 ? grouped(Math.round(value)) : TENTHS.format(value);
}
