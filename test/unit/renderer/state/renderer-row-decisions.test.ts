import { describe, expect, it } from 'vitest';
import { decisionsAgain, listedRow, withDecision, withoutDecision } from '../../../../src-renderer/state/import-flow.ts';
import type { ImportOverrule, ImportRow } from '../../../../src-shared/contract/index.ts';

const row: ImportRow = {
  row: 7,
  occurrence: 1,
  outcome: 'skipped',
  code: 'already_there',
  message: 'In the account already.',
  date: '2026-06-01',
  value_date: '2026-06-02',
  amount: 100,
  direction: 'debit',
  currency: 'EUR',
  decimal_places: 2,
  description: 'Tea',
  external_id: null,
  record_id: 3,
};
const at = (place: number, action: 'import' | 'leave_out'): ImportOverrule => ({ row: place, occurrence: 1, action });
const edit: ImportOverrule = {
  row: 7,
  occurrence: 1,
  action: 'edit',
  line: { date: '2026-06-02', amount: 250, direction: 'credit', description: 'Milk' },
};

describe('a row that was not imported', () => {
  it('is a duplicate, left out by hand, or unreadable', () => {
    expect(listedRow(row, [])).toMatchObject({ outcome: 'duplicate', is_overruled: false, message: 'In the account already.' });
    expect(listedRow({ ...row, code: 'left_out' }, [])).toMatchObject({ outcome: 'left_out', is_overruled: true });
    expect(listedRow({ ...row, outcome: 'rejected', code: 'unreadable_date', date: null }, [])).toMatchObject({ outcome: 'rejected' });
  });

  it('follows its decision, and stays as read when another row of its line was decided', () => {
    expect(listedRow(row, [at(7, 'import')])).toMatchObject({ outcome: 'new', is_overruled: true, message: null, amount: 100 });
    expect(listedRow({ ...row, outcome: 'rejected' }, [edit])).toMatchObject({
      outcome: 'new',
      date: '2026-06-02',
      amount: 250,
      direction: 'credit',
      description: 'Milk',
    });
    expect(listedRow(row, [{ ...at(7, 'import'), occurrence: 2 }])).toMatchObject({ outcome: 'duplicate', is_overruled: false });
  });
});

it('the last of several decisions about a row counts', () => {
  const decided = withDecision(withDecision([at(3, 'import')], at(7, 'import')), edit);
  expect(decided).toEqual([at(3, 'import'), edit]);
  expect(withoutDecision(decided, { row: 7, occurrence: 1 })).toEqual([at(3, 'import')]);
});

it('the next import of a file has the new decisions; rows that were left out by hand stay out otherwise', () => {
  const earlier = [at(2, 'leave_out'), at(3, 'import'), at(4, 'leave_out')];
  expect(decisionsAgain(earlier, [at(9, 'import'), edit])).toEqual([at(2, 'leave_out'), at(4, 'leave_out'), at(9, 'import'), edit]);
  expect(decisionsAgain(earlier, [at(4, 'import')])).toEqual([at(2, 'leave_out'), at(4, 'import')]);
});
