import { describe, expect, it, test } from 'vitest';
import { balanceCounts, hangingOn, otherCurrencyNotes, shortName } from '../../../../src-renderer/format/balances.ts';

const NOTHING = { given: 0, stated: 0 };
const streams = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `S${index + 1}` }));

test('balances are counted by their source', () => {
  expect(balanceCounts([{ import_batch_id: null }, { import_batch_id: 3 }, { import_batch_id: 4 }])).toEqual({ given: 1, stated: 2 });
});

describe('things that depend on an account', () => {
  it('are an empty list when there are none', () => {
    expect(hangingOn([], NOTHING)).toEqual([]);
  });

  it('are named in singular or plural', () => {
    expect(hangingOn(streams(1), { given: 1, stated: 1 })).toEqual([
      'The account “S1” is linked to it. Its records stay.',
      '1 balance that statements state stays with the imports, and shows where their account is linked.',
      '1 balance entered by hand or by a program goes with it.',
    ]);
    expect(hangingOn(streams(7), { given: 2, stated: 1_200 })).toEqual([
      'The accounts “S1”, “S2”, “S3”, “S4”, “S5” and 2 more are linked to it. Their records stay.',
      '1,200 balances that statements state stay with the imports, and show where their account is linked.',
      '2 balances entered by hand or by a program go with it.',
    ]);
  });
});

test.each([
  ['EUR', 'EUR', { given: 3, stated: 3 }, []],
  ['EUR', 'USD', NOTHING, []],
  ['EUR', 'USD', { given: 1, stated: 0 }, ['1 balance entered by hand or by a program is then taken to be in USD.']],
  [
    'EUR',
    'JPY',
    { given: 2, stated: 1 },
    [
      '2 balances entered by hand or by a program are then taken to be in JPY.',
      'JPY has 0 decimals where EUR has 2: their decimal point moves.',
      'Of the balances that statements state, those in JPY alone are shown.',
    ],
  ],
  ['EUR', null, { given: 0, stated: 4 }, []],
] as const)('from %s to %s: what becomes of the balances (%#)', (before, after, counts, notes) => {
  expect(otherCurrencyNotes(before, after, counts)).toEqual(notes);
});

it('shortens a name that is too long for a notification', () => {
  expect([shortName('Current'), shortName('x'.repeat(90)).length]).toEqual(['Current', 60]);
});
