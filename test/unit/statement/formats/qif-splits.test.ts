import { expect, it } from 'vitest';
import { readStatement } from '../../../../src-main/domain/statement/index.ts';

const QIF = `!Type:Bank
D06/14/2026
T-100.00
PHARDWARE STORE
MTools and paint
LOffice
SOffice
EHammer
$-60.00
SRepairs
EPaint
$-40.00
^
D06/15/2026
T-7.00
PCAFE
LMeals
^
`;

const CONTROL = { onProgress: () => {}, isCancelled: () => false };

function linesOf(batchLines: 'entry' | 'parts') {
  const read = readStatement(Buffer.from(QIF), { filename: 'a.qif', currency: 'EUR', batchLines }, CONTROL);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.lines;
}

it('a line of QIF keeps the splits of its record', () => {
  expect(linesOf('entry')).toMatchObject([
    {
      amountMinor: 10_000,
      description: 'HARDWARE STORE Tools and paint',
      metadata: {
        category: 'Office; Repairs',
        parts: '-60.00 EUR HARDWARE STORE Hammer; -40.00 EUR HARDWARE STORE Paint',
        transactions: '2',
      },
    },
    { amountMinor: 700, metadata: { category: 'Meals' } },
  ]);
});

it('the splits of a QIF record are lines where a person wants them', () => {
  expect(linesOf('parts')).toMatchObject([
    {
      row: 7,
      amountMinor: 6000,
      direction: 'debit',
      description: 'HARDWARE STORE Hammer',
      metadata: { category: 'Office', batch: '1 of 2' },
    },
    {
      row: 10,
      amountMinor: 4000,
      direction: 'debit',
      description: 'HARDWARE STORE Paint',
      metadata: { category: 'Repairs', batch: '2 of 2' },
    },
    { amountMinor: 700, metadata: { category: 'Meals' } },
  ]);
});
