import { expect, it } from 'vitest';
import { engineRecord, engineRule, matched, SAME_AMOUNT } from '../../../support/inputs/matching-records.ts';

const RULES = [engineRule(1, [SAME_AMOUNT, { key: 'date', value: 'date', tolerance_amount: 3 }], { isDefault: true })];

const line = (id: number, on: string, amountMinor: number, direction: 'debit' | 'credit') =>
  engineRecord(id, { on, amountMinor, direction, description: `line ${id}`, streamKey: id < 100 ? 'a' : 'b' });

/** Each match as its ids of A and of B, with its status. */
const tiesOf = (given: Parameters<typeof matched>[0]): string[] =>
  matched({ ...given, rules: RULES }).matches.map(({ aIds, bIds, status }) => `${aIds.join('+')}|${bIds.join('+')} ${status}`);

const LEDGER = [line(1, '2026-01-05', 515_233, 'credit'), line(2, '2026-01-09', 515_233, 'debit')];
const BANK = [line(101, '2026-01-06', 515_233, 'credit'), line(102, '2026-01-10', 515_233, 'debit')];

it('a line and its return clear across where both sides booked both', () => {
  const returned = [
    { originalId: 1, returnId: 2 },
    { originalId: 101, returnId: 102 },
  ];
  expect(tiesOf({ sideA: LEDGER, sideB: BANK, returned })).toEqual(['1|101 matched', '2|102 matched']);
});

it('a line and its return are proposed together where the other side has neither, or only the line', () => {
  const returned = [{ originalId: 101, returnId: 102 }];
  expect(tiesOf({ sideA: [], sideB: BANK, returned })).toEqual(['|101+102 proposed']);
  expect(tiesOf({ sideA: LEDGER.slice(0, 1), sideB: BANK, returned })).toEqual(['|101+102 proposed']);
});

it('each line of the other side lets one line and its return clear across', () => {
  const again = [line(103, '2026-01-07', 515_233, 'credit'), line(104, '2026-01-11', 515_233, 'debit')];
  const returned = [
    { originalId: 101, returnId: 102 },
    { originalId: 103, returnId: 104 },
  ];
  const ties = tiesOf({ sideA: LEDGER, sideB: [...BANK, ...again], returned });
  expect(ties.filter((tie) => tie.endsWith('matched'))).toHaveLength(2);
  expect(ties.filter((tie) => tie.endsWith('proposed'))).toEqual(['|103+104 proposed']);
});

it('a line and its return are proposed together where the partners of the other side were not taken', () => {
  const far = [line(1, '2026-01-20', 515_233, 'credit'), line(2, '2026-01-28', 515_233, 'debit')];
  expect(tiesOf({ sideA: far, sideB: BANK, returned: [{ originalId: 101, returnId: 102 }] })).toEqual(['|101+102 proposed']);
});
