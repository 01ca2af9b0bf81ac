import { expect, test } from 'vitest';
import { gravestFirst, weightOf } from '../../../../src-renderer/format/table-words.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';

const problem = (severity: Problem['severity'], code: string, row: number | null): Problem => ({
  severity,
  code,
  row,
  column: null,
  message: `${code} in ${row}`,
});

test('the break of a file comes before unreadable rows, and those before notes', () => {
  const found = [
    problem('note', 'currency_of_book', null),
    problem('rejected', 'impossible_date', 3),
    problem('note', 'balance_broken', 9),
    problem('rejected', 'impossible_date', 5),
    problem('fatal', 'not_csv', null),
  ];
  expect(gravestFirst(found).map(({ code, row }) => `${code} ${row}`)).toEqual([
    'not_csv null',
    'balance_broken 9',
    'impossible_date 3',
    'impossible_date 5',
    'currency_of_book null',
  ]);
  expect(found.map(weightOf)).toEqual(['note', 'rejected', 'broken', 'rejected', 'fatal']);
});
