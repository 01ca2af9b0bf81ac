import { describe, expect, it } from 'vitest';
import { bytesText, counted, countText, listText, percentOf } from '../../../../src-renderer/format/counts.ts';
import { agoText, dateRangeText, dateText, dayRangeText, durationText, shortDay } from '../../../../src-renderer/format/dates.ts';
import { proofSentence } from '../../../../src-renderer/format/proofs.ts';
import { fieldsOf, referenceOf } from '../../../../src-renderer/format/record-words.ts';
import {
  dateOrderText,
  delimiterText,
  keyFromName,
  originText,
  plainWords,
  runOriginText,
  runSentence,
  signEvidenceSentence,
} from '../../../../src-renderer/format/words.ts';
import type { Run } from '../../../../src-shared/contract/index.ts';

const NOW = Date.parse('2026-06-30T12:00:00.000Z');

describe('dates', () => {
  it('formats a calendar date without moving it to another zone', () => {
    expect(dateText('2026-06-01')).toBe('01/06/2026');
  });

  it('returns text that is no date unchanged', () => {
    expect(dateText('2026-02-30')).toBe('2026-02-30');
    expect(shortDay('soon')).toBe('soon');
  });

  it.each([
    ['2026-06-30T12:00:00.000Z', '2026-06-30T12:00:00.040Z', '< 0.1 s'],
    ['2026-06-30T12:00:00.000Z', '2026-06-30T12:00:00.440Z', '0.4 s'],
    ['2026-06-30T12:00:00.000Z', '2026-06-30T12:00:12.400Z', '12 s'],
    ['2026-06-30T12:00:00.000Z', '2026-06-30T12:03:00.000Z', '3 min'],
    ['2026-06-30T12:00:00.000Z', '2026-06-30T11:00:00.000Z', '–'],
    ['2026-06-30T12:00:00.000Z', null, '–'],
    [null, null, '–'],
  ])('formats the duration from %s to %s', (start, end, text) => {
    expect(durationText(start, end)).toBe(text);
  });

  it('formats a range, and nothing when an end is missing', () => {
    expect(dateRangeText('2026-06-01', '2026-06-30')).toBe('01/06/2026 to 30/06/2026');
    expect(dateRangeText('2026-06-01', '2026-06-01')).toBe('01/06/2026');
    expect(dateRangeText(null, '2026-06-30')).toBe('');
    expect(dayRangeText('2026-06-15', '2026-06-20')).toBe('15/06 – 20/06');
    expect(dayRangeText('2026-06-15', '2026-06-15')).toBe('15/06');
    expect(dayRangeText('2026-06-15', null)).toBe('');
  });

  it.each([
    ['2026-06-30T11:59:30.000Z', 'just now'],
    ['2026-06-30T11:57:00.000Z', '3 minutes ago'],
    ['2026-06-30T07:00:00.000Z', '5 hours ago'],
    ['2026-06-29T11:00:00.000Z', 'yesterday'],
    ['2026-06-30T12:00:05.000Z', 'just now'],
    ['not an instant', 'not an instant'],
  ])('formats %s as %s', (at, text) => {
    expect(agoText(at, NOW)).toBe(text);
  });

  it('returns the date of an instant long ago', () => {
    expect(agoText('2026-01-05T12:00:00.000Z', NOW)).toBe('05/01/2026');
  });
});

describe('counts', () => {
  it('have a noun', () => {
    expect(countText(1_000_000)).toBe('1,000,000');
    expect(counted(1, 'match', 'matches')).toBe('1 match');
    expect(counted(0, 'record', 'records')).toBe('0 records');
  });

  it('never reach 100 % before everything is done', () => {
    expect(percentOf(999_999, 1_000_000)).toBe(99);
    expect(percentOf(5, 5)).toBe(100);
    expect(percentOf(0, 0)).toBe(0);
  });

  it('formats sizes and lists', () => {
    expect(bytesText(812)).toBe('812 bytes');
    expect(bytesText(1_400_000)).toBe('1.4 MB');
    expect(listText([])).toBe('');
    expect(listText(['Bank', 'Card', 'Cash'])).toBe('Bank, Card and Cash');
  });
});

describe('the proof in words', () => {
  const figures = {
    proof: 'proved',
    opening_balance: 10_000,
    closing_balance: 12_000,
    total_credits: 5_000,
    total_debits: 3_000,
    currency: 'GBP',
    decimal_places: 2,
  } as const;

  it('shows the computed sum', () => {
    expect(proofSentence(figures)).toBe('Opening balance £100.00 plus £50.00 in minus £30.00 out is the closing balance £120.00.');
  });

  it('says how much a broken proof is off', () => {
    expect(proofSentence({ ...figures, proof: 'broken', closing_balance: 12_001 })).toContain(
      'is £120.00, but the file says £120.01: £0.01 apart.',
    );
  });

  it('says that a balance in between is broken when the ends agree', () => {
    expect(proofSentence({ ...figures, proof: 'broken' })).toContain('but the balances between do not follow');
  });

  it('claims nothing without balances', () => {
    expect(proofSentence({ ...figures, proof: 'unproved', opening_balance: null })).toContain('no balances');
  });
});

describe('references', () => {
  const record = {
    external_id: 'X-1',
    description: 'Card takings',
    metadata: { reference: 'INV-7', empty: '', paid: true, nested: { a: 1 } },
  };

  it.each([
    ['metadata.reference', 'INV-7'],
    ['metadata.empty', 'X-1'],
    ['metadata.missing', 'X-1'],
    ['external_id', 'X-1'],
    [null, 'X-1'],
  ])('by %s is %s', (field, reference) => {
    expect(referenceOf(record, field)).toBe(reference);
  });

  it('lists the fields with contents', () => {
    expect(fieldsOf(record)).toEqual([
      { name: 'reference', text: 'INV-7' },
      { name: 'paid', text: 'true' },
      { name: 'nested', text: '{"a":1}' },
    ]);
  });
});

describe('sentences', () => {
  const run: Run = {
    id: 1,
    reconciliation_id: 1,
    total_records: 554,
    examined_records: 554,
    processed_records: 554,
    matched_records: 458,
    matched_side_a: 229,
    matched_side_b: 229,
    rule_summary: {},
    progress: 100,
    started_at: '2026-06-30T11:56:00.000Z',
    completed_at: '2026-06-30T11:57:00.000Z',
    kind: 'batch',
    mode: 'commit',
    status: 'completed',
    trigger: 'manual',
    proposed_matches: 11,
    matches: 229,
    error_message: null,
    no_shared_currency: null,
    proposals: null,
    undone_at: null,
    started_by: null,
  };

  it('describe the last run', () => {
    expect(runSentence(run, NOW)).toBe('Last run 3 minutes ago: 229 new matches, 11 proposals.');
    expect(runSentence({ ...run, proposed_matches: 0, matches: 1 }, NOW)).toBe('Last run 3 minutes ago: 1 new match.');
    expect(runSentence({ ...run, undone_at: '2026-06-30T11:58:00.000Z' }, NOW)).toBe(
      'Last run 3 minutes ago: 229 new matches, 11 proposals; its matches were undone.',
    );
    expect(runSentence({ ...run, status: 'cancelled' }, NOW)).toContain('nothing of it was kept');
    expect(runSentence({ ...run, status: 'failed', error_message: 'The disk is full.' }, NOW)).toContain('The disk is full.');
    expect(runSentence({ ...run, mode: 'dry_run' }, NOW)).toContain('nothing stored');
    expect(runSentence({ ...run, kind: 'continuous' }, NOW)).toBe('Last run (automatic) 3 minutes ago: 229 new matches, 11 proposals.');
  });

  it('describe a run that looked for rules', () => {
    const looked = { ...run, matches: 0, proposed_matches: 0 };
    expect(runSentence({ ...looked, proposals: { rules: 3, nothing: null } }, NOW)).toBe(
      'Looked for rules 3 minutes ago: 3 rules proposed.',
    );
    expect(runSentence({ ...looked, proposals: { rules: 0, nothing: 'Why.' } }, NOW)).toBe(
      'Looked for rules 3 minutes ago: no rule found in the data.',
    );
    expect(runSentence({ ...looked, status: 'cancelled', proposals: { rules: 0, nothing: null } }, NOW)).toContain(
      'nothing of it was kept',
    );
  });

  it('name who started a run', () => {
    const triggers = ['manual', 'agent', 'record_created', 'rule_activated'] as const;
    expect(triggers.map((trigger) => runOriginText({ trigger }))).toEqual([
      'By hand',
      'By an agent',
      'Automatically, after new lines',
      'Automatically, after a change of rules',
    ]);
  });

  it('explain how the signs were found', () => {
    expect(signEvidenceSentence({ same: 0, opposite: 0, assumed: true })).toContain('assumed');
    expect(signEvidenceSentence({ same: 1, opposite: 180, assumed: false })).toContain('1 pair with the same sign, 180 with the opposite');
  });

  it('name who made a match', () => {
    expect(originText({ origin: 'manual', reconciliation_rule_id: null }, null)).toBe('By hand');
    expect(originText({ origin: 'rule', reconciliation_rule_id: 4 }, 'Reference and amount')).toBe('Reference and amount');
    expect(originText({ origin: 'rule', reconciliation_rule_id: 4 }, null)).toBe('Rule 4');
    expect(originText({ origin: 'rule', reconciliation_rule_id: null }, null)).toBe('By a rule that was deleted');
  });

  it('name codes', () => {
    expect(delimiterText('\t')).toBe('tab');
    expect(dateOrderText('DMY')).toBe('day, month, year');
    expect(plainWords('reading_records')).toBe('Reading records');
  });

  it.each([
    ['Fernlock Bank: current', 'fernlock-bank-current'],
    ['Crédit Agricole', 'credit-agricole'],
    ['  -- ', ''],
    ['2026 June', '2026-june'],
  ])('makes of %j the key %j', (name, key) => {
    expect(keyFromName(name)).toBe(key);
  });
});
