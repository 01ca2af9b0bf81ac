/** The public interface of back-tests. */
export { History } from './history.ts';
export { summaryOf } from './summary.ts';
export { type Tally, tallyOf, type Verdicts } from './tally.ts';
export { shareOf } from './wilson.ts';
