import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readText, statementOf } from '../../support/inputs/statements.ts';
import { quickTest, runs } from '../../support/long.ts';

const cell = fc.oneof(
  fc.constantFrom(
    '',
    '2026-06-01',
    '31/12/2026',
    '12/31/26',
    '30.02.2026',
    '15 Jun 2026',
    '1,234.56',
    '-1.234,56',
    '(5.00)',
    '£7',
    '12.00 CR',
    '--',
    '0',
    'GBP',
    'credit',
    'DR',
  ),
  fc.constantFrom(
    'Date',
    'Datum',
    'Amount',
    'Betrag',
    'Paid In',
    'Paid Out',
    'Balance',
    'Currency',
    'Type',
    'Details',
    'Transaction ID',
    'Opening balance',
    'Total',
    'Status',
    'Pending',
  ),
  fc.constantFrom('"', '""', '"open', 'a"b', '\r', '\n', '\u0000', '\u200f', '٣', '𝟙', '__proto__', 'constructor'),
  fc.string({ maxLength: 12 }),
  fc.double().map(String),
);
const delimiter = fc.constantFrom(',', ';', '\t', '|');
const lineEnd = fc.constantFrom('\n', '\r\n', '\r', '\r\r\n');
const table = fc
  .tuple(fc.array(fc.array(cell, { maxLength: 7 }), { maxLength: 14 }), delimiter, lineEnd)
  .map(([rows, between, end]) => rows.map((cells) => cells.join(between)).join(end));

/** What is wrong with an answer; nothing must be, whatever the file. */
function faultsOf(content: string | Uint8Array): readonly string[] {
  const read = readText(content);
  if (!read.ok) return /^[A-Z].*\.$/su.test(read.error.message) ? [] : [`no sentence: ${read.error.message}`];
  const statement = read.value;
  const rejected = new Set(statement.problems.filter((problem) => problem.severity === 'rejected').map((problem) => problem.row));
  const faults: string[] = [];
  if (statement.rows !== statement.lines.length + statement.rejectedRows) faults.push('rows do not add up');
  if (rejected.size !== statement.rejectedRows) faults.push('a rejected row has no problem');
  for (const line of statement.lines) {
    if (!Number.isSafeInteger(line.amountMinor) || line.amountMinor < 0) faults.push(`amount ${line.amountMinor}`);
    if (!Number.isSafeInteger(line.day)) faults.push(`day ${line.day}`);
    if (!/^[A-Z]{3}$/.test(line.currency)) faults.push(`currency ${line.currency}`);
    if (rejected.has(line.row)) faults.push(`row ${line.row} is both a line and rejected`);
  }
  return faults;
}

describe('reading anything', () => {
  it('answers random bytes with a statement or a sentence', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void expect(faultsOf(bytes)).toEqual([])),
      { numRuns: runs(400) },
    );
  });

  it('answers tables of odd cells with a statement or a sentence', () => {
    fc.assert(
      fc.property(table, (content) => void expect(faultsOf(content)).toEqual([])),
      { numRuns: runs(1_500) },
    );
  });

  it('answers a damaged statement with a statement or a sentence', () => {
    const sound = new TextEncoder().encode(
      `Account: 1\nDate,Details,Paid Out,Paid In,Balance\n${Array.from({ length: 20 }, (_, index) => `${String(index + 1).padStart(2, '0')}/06/2026,"Line ""${index}""",,"1,000.00","${index + 1},000.00"`).join('\r\n')}\n`,
    );
    const damage = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(damage, fc.nat(sound.length), (changes, length) => {
        const bytes = sound.slice(0, Math.max(length, 60));
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
        expect(faultsOf(bytes)).toEqual([]);
      }),
      { numRuns: runs(600) },
    );
  });
});

describe('reading what was written', () => {
  const amount = fc.record({
    minor: fc.integer({ min: -99_999_999, max: 99_999_999 }).filter((minor) => minor !== 0),
    day: fc.integer({ min: 1, max: 28 }),
  });
  const written = (minor: number, mark: '.' | ','): string => {
    const digits = String(Math.abs(minor)).padStart(3, '0');
    const whole = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, mark === '.' ? ',' : '.');
    return `${minor < 0 ? '-' : ''}${whole}${mark}${digits.slice(-2)}`;
  };

  it('gives back the amounts in either decimal mark and proves them by the running balance', () => {
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 3, maxLength: 40 }),
        fc.constantFrom<'.' | ','>('.', ','),
        fc.boolean(),
        (items, mark, isNewestFirst) => {
          const sorted = items.toSorted((one, other) => one.day - other.day);
          let balance = 0;
          const rows = sorted.map((item) => {
            balance += item.minor;
            return `2026-06-${String(item.day).padStart(2, '0')};text;${written(item.minor, mark)};${written(balance, mark)}`;
          });
          const statement = statementOf(`Date;Text;Amount;Balance\n${(isNewestFirst ? rows.toReversed() : rows).join('\n')}\n`, {
            currency: 'EUR',
          });
          const read = statement.lines.map((line) => (line.direction === 'credit' ? line.amountMinor : -line.amountMinor));
          expect(isNewestFirst ? read.toReversed() : read).toEqual(sorted.map((item) => item.minor));
          expect([statement.proof, statement.closingBalanceMinor, statement.openingBalanceMinor]).toEqual(['proved', balance, 0]);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  quickTest('never hangs on a long line', () => {
    for (const long of [
      '1'.repeat(500_000),
      '1,'.repeat(400),
      '"'.repeat(100_001),
      '- '.repeat(300_000),
      'a.'.repeat(200_000),
      '2026-01-01 '.repeat(50_000),
    ]) {
      // A reader that is slow with it takes minutes here: the time that a test may take is limit enough.
      expect(() => readText(`Date,Details,Amount\n2026-06-01,${long},1.00\n2026-06-02,b,${long}\n`)).not.toThrow();
    }
  });
});
