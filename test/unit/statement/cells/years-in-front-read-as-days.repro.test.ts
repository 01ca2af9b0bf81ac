import { describe, expect, it } from 'vitest';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const read = (...dates: readonly string[]) =>
  statementOf(['Date,Text,Amount', ...dates.map((date) => `${date},a,1.00`)].join('\n'), { currency: 'CAD' });

describe('years of two digits', () => {
  /** 26/06/05 was read as 26 June 2005, of every row another year, and nothing said so. */
  it.each(['/', '-', '.'])('in front of %s are known by rows that lie together', (mark) => {
    const dates = [
      ['26', '06', '01'],
      ['26', '06', '05'],
      ['26', '06', '30'],
    ].map((parts) => parts.join(mark));
    expect(summaryOf(read(...dates))).toEqual(['2026-06-01 100 CAD', '2026-06-05 100 CAD', '2026-06-30 100 CAD']);
  });

  it('at the end stay there', () => {
    expect(summaryOf(read('01/06/26', '05/06/26', '30/06/26'))).toEqual(['2026-06-01 100 CAD', '2026-06-05 100 CAD', '2026-06-30 100 CAD']);
    expect(summaryOf(read('06/01/26', '06/05/26', '06/30/26'))).toEqual(['2026-06-01 100 CAD', '2026-06-05 100 CAD', '2026-06-30 100 CAD']);
  });
});

/** A spreadsheet of another country takes days up to 12 for months and leaves the others as texts: a statement with months swapped in half of its rows. */
describe('dates of two notations', () => {
  it('are asked about where a spreadsheet may have swapped some', () => {
    expect(codesOf(read('2026-01-06', '2026-05-06', '13/06/2026', '30/06/2026'))).toEqual(['date_notations_mixed', 'signs_assumed']);
  });

  it('are as they are where one of them has a day that cannot be swapped', () => {
    expect(codesOf(read('2026-06-01', '2026-06-25', '13/06/2026', '30/06/2026'))).toEqual(['signs_assumed']);
    expect(codesOf(read('2026-06-01', '05/06/2026', '13/06/2026', '30/06/2026'))).toEqual(['signs_assumed']);
  });
});
