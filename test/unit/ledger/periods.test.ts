import { describe, expect, it } from 'vitest';
import {
  closedPeriodOf,
  faultOfPeriod,
  nextPeriod,
  parsePeriod,
  periodKey,
  type PeriodSpan,
  periodText,
  type SignedPeriod,
  signed,
  type SignOff,
} from '../../../src-main/domain/ledger/index.ts';
import { dayOf } from '../../support/inputs/ledger-input.ts';

const span = (from: string, to: string): PeriodSpan => ({ from: dayOf(from), to: dayOf(to) });
const MAY = span('2026-05-01', '2026-05-31');
const JUNE = span('2026-06-01', '2026-06-30');

describe('a period as people write it', () => {
  it.each([
    ['2026-06', JUNE, 'June 2026', '2026-06'],
    ['2024-02', span('2024-02-01', '2024-02-29'), 'February 2024', '2024-02'],
    ['2026-06-01..2026-06-30', JUNE, 'June 2026', '2026-06'],
    ['2026-06-15..2026-07-14', span('2026-06-15', '2026-07-14'), '15/06/2026 to 14/07/2026', '2026-06-15..2026-07-14'],
    ['2026-06-15..2026-06-15', span('2026-06-15', '2026-06-15'), '15/06/2026 to 15/06/2026', '2026-06-15..2026-06-15'],
  ])('%s', (text, expected, words, key) => {
    const parsed = parsePeriod(text);
    expect(parsed).toEqual({ ok: true, value: expected });
    expect([periodText(expected), periodKey(expected)]).toEqual([words, key]);
    expect(parsePeriod(key)).toEqual(parsed);
  });

  it.each([
    ['2026-13', 'There is no month 2026-13'],
    ['2026-02-01..2026-02-30', 'There is no day 2026-02-30'],
    ['2026-07-01..2026-06-01', 'The period ends on 01/06/2026, before it begins on 01/07/2026.'],
    ['June', '“June” is no period: write a month as 2026-06'],
    ['', '“” is no period'],
  ])('%s is refused', (text, words) => {
    const parsed = parsePeriod(text);
    expect(parsed.ok ? '' : parsed.error).toContain(words);
  });
});

describe('the order of periods', () => {
  it('the next one is the month after the last, or the rest of it', () => {
    expect(nextPeriod([], dayOf('2026-06-17'))).toEqual(JUNE);
    expect(nextPeriod([JUNE, MAY], 0)).toEqual(span('2026-07-01', '2026-07-31'));
    expect(nextPeriod([span('9999-12-01', '9999-12-31')], 0)).toBeNull();
    expect(nextPeriod([span('2026-05-01', '2026-06-14')], 0)).toEqual(span('2026-06-15', '2026-06-30'));
  });

  it('stands right after the last or right before the first', () => {
    expect(faultOfPeriod(JUNE, [])).toBeNull();
    expect(faultOfPeriod(JUNE, [MAY])).toBeNull();
    expect(faultOfPeriod(MAY, [JUNE])).toBeNull();
  });

  it.each([
    [JUNE, [MAY, JUNE], 'period_overlaps', 'The period June 2026 is there already.'],
    [
      span('2026-05-31', '2026-06-30'),
      [MAY],
      'period_overlaps',
      '31/05/2026 to 30/06/2026 overlaps the period May 2026: periods follow one another without overlaps.',
    ],
    [
      span('2026-06-03', '2026-06-30'),
      [MAY],
      'period_gap',
      '03/06/2026 to 30/06/2026 would leave a gap from 01/06/2026 to 02/06/2026: periods follow one another without gaps.',
    ],
    [
      span('2026-03-01', '2026-03-31'),
      [MAY],
      'period_gap',
      'March 2026 would leave a gap from 01/04/2026 to 30/04/2026: periods follow one another without gaps.',
    ],
    [span('2026-06-30', '2026-06-01'), [], 'period_reversed', 'The period ends on 01/06/2026, before it begins on 30/06/2026.'],
  ])('is refused otherwise', (period, others, code, message) => {
    expect(faultOfPeriod(period, others)).toEqual({ code, message });
  });

  it('a day belongs to the first closed period that ends on or after it', () => {
    const periods = [
      { ...MAY, state: 'closed' },
      { ...JUNE, state: 'closed' },
      { ...span('2026-07-01', '2026-07-31'), state: 'open' },
    ];
    expect(closedPeriodOf(dayOf('2026-04-02'), periods)).toBe(periods[0]);
    expect(closedPeriodOf(dayOf('2026-06-30'), periods)).toBe(periods[1]);
    expect(closedPeriodOf(dayOf('2026-07-01'), periods)).toBeNull();
    // What an open May holds is in the statement of a closed June.
    expect(closedPeriodOf(dayOf('2026-05-05'), periods.slice(1))).toBe(periods[1]);
  });
});

describe('who may sign', () => {
  const open: SignedPeriod = { ...JUNE, state: 'open', preparedBy: null, reviewedBy: null, isStale: false };
  const prepared: SignedPeriod = { ...open, state: 'prepared', preparedBy: 'Amira Patel' };
  const reviewed: SignedPeriod = { ...prepared, state: 'reviewed', reviewedBy: 'Tom Whitfield' };
  const closed: SignedPeriod = { ...reviewed, state: 'closed' };
  const agreed = { doubts: [] };
  const by = (kind: SignOff['kind'], name: string, reason: string | null = null): SignOff => ({ kind, by: name, reason });

  it('one prepares, another reviews and may close, and reopening leads back to open', () => {
    expect(signed(open, by('prepare', ' Amira Patel '), agreed)).toMatchObject({
      ok: true,
      value: { state: 'prepared', preparedBy: 'Amira Patel' },
    });
    expect(signed(prepared, by('review', 'Tom Whitfield'), agreed)).toMatchObject({
      ok: true,
      value: { state: 'reviewed', reviewedBy: 'Tom Whitfield' },
    });
    expect(signed(reviewed, by('close', 'Tom Whitfield'), agreed)).toMatchObject({ ok: true, value: { state: 'closed' } });
    expect(signed(closed, by('reopen', '', 'A line was missing'), agreed)).toMatchObject({
      ok: true,
      value: { state: 'open', preparedBy: null, reviewedBy: null },
    });
  });

  it('preparing again clears what is stale and takes the review back', () => {
    expect(signed({ ...reviewed, isStale: true }, by('prepare', 'Ben'), agreed)).toMatchObject({
      ok: true,
      value: { state: 'prepared', preparedBy: 'Ben', reviewedBy: null, isStale: false },
    });
  });

  it.each([
    [
      prepared,
      by('review', 'amira  PATEL'),
      agreed,
      'same_person',
      'June 2026 was prepared by Amira Patel: another person has to review it.',
    ],
    [open, by('review', 'Tom'), agreed, 'wrong_state', 'June 2026 is open: it has to be prepared first.'],
    [closed, by('review', 'Tom'), agreed, 'wrong_state', 'June 2026 is closed: it cannot be reviewed again.'],
    [prepared, by('close', 'Tom'), agreed, 'wrong_state', 'June 2026 is prepared: it has to be reviewed first.'],
    [closed, by('close', 'Tom'), agreed, 'wrong_state', 'June 2026 is closed: it cannot be closed again.'],
    [closed, by('prepare', 'Tom'), agreed, 'period_closed', 'June 2026 is closed: reopen it with a reason first.'],
    [
      { ...prepared, isStale: true },
      by('review', 'Tom'),
      agreed,
      'period_stale',
      'June 2026 has changed since it was prepared: prepare it again.',
    ],
    [
      { ...reviewed, isStale: true },
      by('close', 'Tom'),
      agreed,
      'period_stale',
      'June 2026 has changed since it was reviewed: prepare it again.',
    ],
    [
      reviewed,
      by('close', 'Tom', '  '),
      { doubts: ['1,250.00 is unexplained'] },
      'unexplained_difference',
      'June 2026 cannot be closed while 1,250.00 is unexplained, unless a reason is given.',
    ],
    [
      reviewed,
      by('close', 'Tom'),
      {
        doubts: ['lines missing from the bank’s file, or too many, come to 100.00', 'no closing balance of the books is stated'],
      },
      'unexplained_difference',
      'June 2026 cannot be closed while lines missing from the bank’s file, or too many, come to 100.00 and no closing balance of the books is stated, unless a reason is given.',
    ],
    [closed, by('reopen', 'Tom', ''), agreed, 'reason_missing', 'June 2026 is reopened with a reason only.'],
    [reviewed, by('reopen', 'Tom', 'x'), agreed, 'wrong_state', 'June 2026 is reviewed: only a closed period is reopened.'],
    [open, by('prepare', ' '), agreed, 'name_missing', 'June 2026 is signed with a name only.'],
  ])('is refused with a sentence', (period, signOff, figures, code, message) => {
    expect(signed(period, signOff, figures)).toEqual({ ok: false, error: { code, message } });
  });

  it('closes with an unexplained difference for a reason', () => {
    const figures = { doubts: ['1,250.00 is unexplained'] };
    expect(signed(reviewed, by('close', 'Tom', 'Opening items arrive in July'), figures).ok).toBe(true);
  });
});
