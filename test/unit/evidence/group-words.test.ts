import { expect, it } from 'vitest';
import { explainEvidence } from '../../../src-main/domain/evidence/explain-evidence.ts';
import { evidenceSentence } from '../../support/references/evidence-sentence.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { lineOf } from '../../support/inputs/evidence-records.ts';
import { fieldsOf } from '../../support/inputs/evidence-run.ts';

const invoices = [50_000, 40_000, 35_000].map((amountMinor, number) =>
  lineOf('a', 1 + number, {
    on: '2026-06-01',
    amountMinor,
    description: 'Harbour Lights',
    metadata: { voucher: `INV-${1_101 + 3 * number}` },
  }),
);
const paying = (amountMinor: number): EngineRecord =>
  lineOf('b', 1, { on: '2026-06-09', amountMinor, description: 'HARBOUR LIGHTS INV-1101, INV-1104, INV-1107' });

const wordsOf = (a: readonly EngineRecord[], b: readonly EngineRecord[], parts: readonly number[]): string[] =>
  explainEvidence(a, b, { logOdds: 0, parts }, { fieldsA: fieldsOf(a), fieldsB: fieldsOf(b), parameters: null }).map(evidenceSentence);

it('says what several lines come to, and which of them one line names', () => {
  expect(wordsOf(invoices, [paying(125_000)], [56, 0, 0, 8, 0])).toEqual([
    'Three lines add up to 1,250.00 exactly: +14',
    'One line names INV-1101, INV-1104 and INV-1107: +2',
  ]);
});

it('says the difference that a group leaves', () => {
  expect(wordsOf(invoices, [paying(123_750)], [-4, 0, 0, 0, 0])).toEqual(['Three lines add up to 1,250.00, 12.50 more than 1,237.50: -1']);
  expect(wordsOf(invoices.slice(1), [paying(125_000)], [-4, 0, 0, 0, 0])).toEqual([
    'Two lines add up to 750.00, 500.00 less than 1,250.00: -1',
  ]);
});

it('says when a line was taken back', () => {
  const lines = [
    lineOf('b', 1, { on: '2026-06-03', amountMinor: 4_477, direction: 'debit', description: 'Wexford Mill' }),
    lineOf('b', 2, { on: '2026-06-05', amountMinor: 4_477, direction: 'credit', description: 'Wexford Mill' }),
  ];
  expect(wordsOf([], lines, [22, 8, 24, 0, -8])).toEqual([
    '44.77 both ways, on one side: +6',
    'Returned 2 days later: +2',
    'WEXFORD MILL on both: +6',
    'Other lines that might fit, and lines that have no partner: -2',
  ]);
});
