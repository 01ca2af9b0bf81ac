import { describe, expect, it } from 'vitest';
import { signEvidence, signEvidenceByAmount } from '../../../../src-main/domain/matching/rules/rule-shape.ts';
import { engineRecord } from '../../../support/inputs/matching-records.ts';

const NONE = { same: 0, opposite: 0 };

describe('sign evidence', () => {
  it('counts pairs whose references agree', () => {
    const sideA = [
      engineRecord(1, { reference: 'R1' }),
      engineRecord(2, { reference: 'R2', direction: 'debit' }),
      engineRecord(3, { reference: 'R3' }),
    ];
    const sideB = [
      engineRecord(101, { reference: 'R1', direction: 'debit' }),
      engineRecord(102, { reference: ' R2 ' }),
      engineRecord(103, { reference: 'R3', amountMinor: 10_000, decimalPlaces: 3 }),
    ];
    expect(signEvidence(sideA, sideB)).toEqual({ same: 1, opposite: 2 });
  });

  it('listens to no repeated reference, other magnitude, other currency, zero, or missing reference', () => {
    const b = engineRecord(101, { reference: 'R1' });
    expect(signEvidence([engineRecord(1, { reference: 'R1' }), engineRecord(2, { reference: 'R1' })], [b])).toEqual(NONE);
    expect(signEvidence([engineRecord(1, { reference: 'R1', amountMinor: 999 })], [b])).toEqual(NONE);
    expect(signEvidence([engineRecord(1, { reference: 'R1', currency: 'EUR' })], [b])).toEqual(NONE);
    expect(
      signEvidence([engineRecord(1, { reference: 'R1', amountMinor: 0 })], [engineRecord(101, { reference: 'R1', amountMinor: 0 })]),
    ).toEqual(NONE);
    expect(signEvidence([engineRecord(1, { reference: ' ' })], [engineRecord(101, { reference: '' })])).toEqual(NONE);
  });

  it('by amount: magnitudes that stand once on each side, close in time', () => {
    const near = engineRecord(101, { direction: 'debit', on: '2026-06-28' });
    expect(signEvidenceByAmount([engineRecord(1)], [near])).toEqual({ same: 0, opposite: 1 });
    expect(signEvidenceByAmount([engineRecord(1)], [engineRecord(101, { on: '2026-06-29' })])).toEqual(NONE);
    expect(signEvidenceByAmount([engineRecord(1), engineRecord(2)], [near])).toEqual(NONE);
  });
});
