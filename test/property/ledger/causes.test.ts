import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { causesOf, type LedgerInput, type LedgerRecord, statementOf } from '../../../src-main/domain/ledger/index.ts';
import { EMPTY_JUNE, line, match } from '../../support/inputs/ledger-input.ts';

const record = fc.record({
  side: fc.constantFrom('bank' as const, 'books' as const),
  // Few amounts, so that all finders have something to find.
  amount: fc.constantFrom(0, 100, -100, 1_254, 1_245, -1_245, 300, 200, 500, 600, -3_000),
  day: fc.integer({ min: -5, max: 40 }),
  reference: fc.constantFrom(null, 'INV-2214', 'INV-2215', 'DD-RENT'),
  description: fc.constantFrom(null, 'Zinsen', 'Account fee', 'Payment of INV-2214'),
});

const inputs = fc.array(record, { minLength: 2, maxLength: 30 }).chain((drafts) => {
  const records: LedgerRecord[] = drafts.map((draft, index) => line({ ...draft, id: index + 1, day: EMPTY_JUNE.period.from + draft.day }));
  const matched = fc.subarray(records.map(({ id }) => id));
  return matched.map((ids): LedgerInput => ({
    ...EMPTY_JUNE,
    records,
    matches: ids.flatMap((_, place) => (place % 2 === 0 ? [match(place + 1, ...ids.slice(place, place + 2))] : [])),
  }));
});

function told(input: LedgerInput): unknown {
  const statement = statementOf(input);
  if (!statement.ok) throw new Error(statement.error.message);
  const { of } = causesOf(input, statement.value);
  return statement.value.openItems.map((item) => [item.record.id, of(item)]);
}

it('every open item has causes, each with a sentence about other records that exist; none is told twice', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const statement = statementOf(input);
      if (!statement.ok) throw new Error(statement.error.message);
      const { of, lookedAt } = causesOf(input, statement.value);
      const known = new Set(input.records.map(({ id }) => id));
      expect(lookedAt).toMatchObject({ isAll: true, items: statement.value.openItems.length });
      for (const item of statement.value.openItems) {
        const causes = of(item);
        expect(causes.length).toBeGreaterThan(0);
        expect(new Set(causes.map(({ kind, recordIds }) => `${kind} ${recordIds.join(' ')}`)).size).toBe(causes.length);
        for (const { sentence, recordIds, amount } of causes) {
          expect(sentence).toMatch(/^\S.*\.$/);
          expect(sentence).not.toMatch(/undefined|null|NaN/);
          expect(recordIds.every((id) => known.has(id) && id !== item.record.id)).toBe(true);
          expect(Number.isSafeInteger(amount)).toBe(true);
        }
      }
    }),
  );
});

it('the order of what goes in changes no cause', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const turned = { ...input, records: input.records.toReversed(), matches: input.matches.toReversed() };
      expect(told(turned)).toEqual(told(input));
    }),
  );
});
