import { expect, it } from 'vitest';
import { explainEvidence } from '../../../src-main/domain/evidence/explain-evidence.ts';
import { evidenceSentence } from '../../support/references/evidence-sentence.ts';
import { fieldsOf } from '../../support/inputs/evidence-run.ts';
import { lineOf } from '../../support/inputs/evidence-records.ts';

const facts = (a: Parameters<typeof fieldsOf>[0], b: Parameters<typeof fieldsOf>[0]) => ({
  fieldsA: fieldsOf(a),
  fieldsB: fieldsOf(b),
  parameters: null,
});

it('says in sentences what a link stands on', () => {
  const a = [lineOf('a', 1, { on: '2026-06-01', amountMinor: 15_255, description: 'J SWIFT', metadata: { voucher: 'INV-26121' } })];
  const b = [lineOf('b', 1, { on: '2026-06-05', amountMinor: 15_255, description: 'J SWIFT BGC inv26121' })];
  const lines = explainEvidence(a, b, { logOdds: 900, parts: [36, 8, 57, 40, -20] }, facts(a, b));
  expect(lines.map(evidenceSentence)).toEqual([
    'Same amount, 152.55: +9',
    '4 days later: +2',
    'J SWIFT on both: +14',
    'INV-26121 on both: +10',
    'Other lines that might fit, and lines that have no partner: -5',
  ]);
});

it('says what differs', () => {
  const a = [lineOf('a', 1, { on: '2026-06-20', amountMinor: 89_100, description: 'Thornton Bakery', metadata: { voucher: 'INV-2214' } })];
  const b = [lineOf('b', 1, { on: '2026-06-20', amountMinor: 81_900, description: 'CHARGE', metadata: { voucher: 'INV-2299' } })];
  expect(explainEvidence(a, b, { logOdds: 0, parts: [16, 12, -8, -20, 0] }, facts(a, b)).map(({ level, words }) => [level, words])).toEqual(
    [
      ['two digits swapped', 'Two digits transposed, 891.00 and 819.00'],
      ['0', 'Same day'],
      ['differ', 'No words in common'],
      ['differ', 'References differ, INV-2214 and INV-2299'],
    ],
  );
});

it('does not list what differs where the difference weighs nothing', () => {
  const a = [lineOf('a', 1, { on: '2026-06-20', amountMinor: 89_100, description: 'Thornton Bakery', metadata: { voucher: 'INV-2214' } })];
  const b = [lineOf('b', 1, { on: '2026-06-20', amountMinor: 89_100, description: 'THORNTON', metadata: { voucher: 'INV-2299' } })];
  const words = explainEvidence(a, b, { logOdds: 0, parts: [16, 12, 8, -1, 0] }, facts(a, b)).map(evidenceSentence);
  expect(words.some((each) => each.startsWith('References differ'))).toBe(false);
  expect(words).toContain('Same day: +3');
});
