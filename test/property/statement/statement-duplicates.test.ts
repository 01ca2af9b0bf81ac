import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dedupeKeys } from '../../../src-main/domain/statement/duplicates/duplicates.ts';
import type { StatementLine } from '../../../src-main/domain/statement/model/statement.ts';
import { statementOf } from '../../support/inputs/statements.ts';

const line: fc.Arbitrary<StatementLine> = fc.record({
  row: fc.nat(),
  day: fc.integer({ min: 0, max: 2 }),
  valueDay: fc.constantFrom(null, 0, 1),
  amountMinor: fc.integer({ min: 0, max: 2 }),
  direction: fc.constantFrom('credit' as const, 'debit' as const),
  currency: fc.constantFrom('EUR', 'GBP'),
  decimalPlaces: fc.constant(2),
  description: fc.constantFrom(null, 'a', 'b'),
  externalId: fc.constant(null),
  metadata: fc.constantFrom<Readonly<Record<string, string>>>({}, { k: 'v' }, { k: 'w' }),
});

/** A value day is part of it where it is another day. */
function contentOf(one: StatementLine): string {
  const valueDay = one.valueDay ?? one.day;
  return JSON.stringify([one.day, valueDay, one.amountMinor, one.direction, one.currency, one.description ?? '', one.metadata]);
}

function hashOf(key: string): string {
  return key.slice(0, key.lastIndexOf(':'));
}

describe('keys of lines', () => {
  it('tell twins apart, and differ exactly where the content or the occurrence does', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const keys = dedupeKeys(lines);
        expect(new Set(keys).size).toBe(lines.length);
        const contents = lines.map(contentOf);
        for (const [index, key] of keys.entries()) {
          const earlier = contents.slice(0, index).filter((content) => content === contents[index]).length;
          expect(key.endsWith(`:${earlier + 1}`)).toBe(true);
          expect(keys.findIndex((other) => hashOf(other) === hashOf(key))).toBe(contents.indexOf(contents[index] ?? ''));
        }
      }),
    );
  });

  it('are the same for the same lines at another place, so an overlapping file adds only what is new', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 10 }), (old, added) => {
        const before = new Set(dedupeKeys(old));
        const after = dedupeKeys([...old, ...added].map((one, index) => ({ ...one, row: index + 100 })));
        expect(after.filter((key) => !before.has(key))).toHaveLength(added.length);
      }),
    );
  });

  it('use the file’s own id, and not the balance or the order of metadata', () => {
    const keys = (balance: string): string[] => dedupeKeys(statementOf(`Date,Text,Amount,Balance\n2026-06-01,a,1.00,${balance}\n`).lines);
    expect(keys('1.00')).toEqual(keys('2.00'));
    expect(dedupeKeys(statementOf('Date,Amount,Transaction ID\n2026-06-01,1.00,T-9\n').lines)).toEqual(['x:T-9']);
    const { lines } = statementOf('Date,Text,Amount,A,B\n2026-06-01,t,1.00,p,q\n');
    const turned = lines.map((one) => ({ ...one, metadata: { b: one.metadata['b'] ?? '', a: one.metadata['a'] ?? '' } }));
    expect(dedupeKeys(turned)).toEqual(dedupeKeys(lines));
  });
});
