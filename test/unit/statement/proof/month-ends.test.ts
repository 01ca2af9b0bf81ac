import { describe, expect, it } from 'vitest';
import { readStatement, type Statement } from '../../../../src-main/domain/statement/index.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';

const HEADER = 'Date,Description,Amount,Balance,Currency';
const LINES = [
  '2026-05-15,One,100.00,1100.00,EUR',
  '2026-05-28,Two,-50.00,1050.00,EUR',
  '2026-05-28,Three,-50.00,1000.00,EUR',
  '2026-06-28,Four,25.00,1025.00,EUR',
  '2026-07-02,Five,-75.00,950.00,EUR',
  '2026-07-10,Six,1.00,951.00,EUR',
];
const csv = (lines: readonly string[], header = HEADER): string => `${[header, ...lines].join('\n')}\n`;

function read(text: string): Statement {
  const options = { filename: 'a.csv', currency: 'EUR' };
  const statement = readStatement(new TextEncoder().encode(text), options, { onProgress: () => undefined, isCancelled: () => false });
  if (!statement.ok) throw new Error(statement.error.message);
  return statement.value;
}

const told = (text: string): string[] => read(text).balances.map(({ type, day, minor }) => `${type} ${isoFromDay(day)} ${minor}`);
const WITHIN = ['closing_ledger 2026-05-31 100000', 'closing_ledger 2026-06-30 102500'];
const ALL = ['opening_ledger 2026-05-15 100000', ...WITHIN, 'closing_ledger 2026-07-10 95100'];

describe('a file with a running balance that goes past the end of a month', () => {
  it('keeps the balance at the end of each month, the oldest line first or the newest', () => {
    expect(told(csv(LINES))).toEqual(ALL);
    expect(told(csv(LINES.toReversed()))).toEqual(ALL);
  });

  it('keeps it where the balance stands in front of each line', () => {
    const before = [100_000, 110_000, 105_000, 100_000, 102_500, 95_000];
    const lines = LINES.map((line, at) => line.replace(/,[^,]*,EUR$/, `,${((before[at] ?? 0) / 100).toFixed(2)},EUR`));
    expect(told(csv(lines, 'Date,Description,Amount,Balance before,Currency'))).toEqual(ALL);
  });

  it('keeps it for months without a line, and across the end of a year', () => {
    const lines = ['2025-11-20,One,100.00,1100.00,EUR', '2025-11-21,Two,1.00,1101.00,EUR', '2026-02-02,Three,-1.00,1100.00,EUR'];
    expect(told(csv(lines)).slice(1, -1)).toEqual([
      'closing_ledger 2025-11-30 110100',
      'closing_ledger 2025-12-31 110100',
      'closing_ledger 2026-01-31 110100',
    ]);
  });

  it('states no balance twice where the file ends with a month', () => {
    const lines = ['2026-06-28,One,100.00,1100.00,EUR', '2026-06-30,Two,1.00,1101.00,EUR', '2026-06-30,Three,-1.00,1100.00,EUR'];
    expect(told(csv(lines))).toEqual(['opening_ledger 2026-06-28 100000', 'closing_ledger 2026-06-30 110000']);
  });

  it.each([
    ['no line of the last day states one', LINES.map((line) => line.replace(/^(2026-05-28.*),[\d.]+,EUR$/, '$1,,EUR')), [WITHIN[1]]],
    ['a balance does not follow', LINES.map((line) => line.replace('950.00', '950.01')), []],
    ['months stand among each other', [LINES[4], LINES[0], LINES[3], LINES[1], LINES[2], LINES[5]].map(String), []],
    ['lines of two currencies run in one column', [...LINES, '2026-07-11,Seven,1.00,952.00,USD'], []],
  ] as const)('keeps none where %s', (_, lines, kept) => {
    expect(told(csv(lines)).filter((balance) => /05-31|06-30/.test(balance))).toEqual(kept);
  });
});
