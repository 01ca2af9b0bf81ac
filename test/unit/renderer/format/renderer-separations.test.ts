import { describe, expect, it } from 'vitest';
import { isTouched } from '../../../../src-renderer/api/use-operation.ts';
import { moreLinesText, separationNotes } from '../../../../src-renderer/format/match-words.ts';

const facts = { record_count: 3, gone_count: 0, match_id: null, records: [{ side: 'a' }, { side: 'b' }, { side: 'b' }] } as const;

describe('notes on separated lines', () => {
  it('are empty while all lines exist and are separated', () => {
    expect(separationNotes(facts)).toEqual([]);
  });

  it('count the deleted lines, since the separation has no effect then', () => {
    const rest = 'deleted, so it keeps nothing apart any more.';
    expect(separationNotes({ ...facts, gone_count: 1 })).toEqual([`1 of its 3 lines is ${rest}`]);
    expect(separationNotes({ ...facts, gone_count: 2 })).toEqual([`2 of its 3 lines are ${rest}`]);
    expect(separationNotes({ ...facts, gone_count: 3, records: [] })).toEqual([`All its lines are ${rest}`]);
  });

  it('say that a stream was removed, and that its lines are matched nevertheless', () => {
    expect(separationNotes({ ...facts, match_id: 7, records: [{ side: 'a' }, { side: null }] })).toEqual([
      'An account of these lines is no longer part of this reconciliation.',
      'They were matched again by hand. If that is undone, a run still keeps them apart.',
    ]);
  });

  it('count the existing lines that are not shown', () => {
    expect(moreLinesText(facts, 3)).toBeNull();
    expect(moreLinesText(facts, 2)).toBe('and 1 more line');
    expect(moreLinesText({ ...facts, record_count: 5_000, gone_count: 1 }, 10)).toBe('and 4,989 more lines');
  });
});

describe('the list of separations', () => {
  const touched = (area: Parameters<typeof isTouched>[1][number], reconciliationId: number | null) =>
    isTouched(['separations.list', { reconciliation_id: 1 }], [area], reconciliationId);

  it('is read again after a change of matches in its reconciliation, and when records are deleted', () => {
    expect([touched('matches', 1), touched('matches', 2), touched('rules', 1), touched('records', null)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});
