/** The public interface of back-tests. */
export { History } from './tally.ts';
export { summaryOf } from './tally.ts';
export { type Tally, tallyOf, type Verdicts } from './tally.ts';
export { shareOf } from './tally.ts';
