import * as fc from 'fast-check';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Statement, StatementBalance } from '../../../src-main/domain/statement/model/statement.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { signedMinor } from '../../../src-shared/values/money.ts';
import { drawn, runs } from '../../support/long.ts';
import { readText, statementOf } from '../../support/inputs/statements.ts';

/** Closing balances of a day that the lines up to it, by their dates, do not lead to from the first opening one; null where none is stated. */
function missed({ balances, lines }: Statement): StatementBalance[] | null {
  const byDay = (type: StatementBalance['type']) =>
    balances.filter((one) => one.type === type).toSorted((one, other) => one.day - other.day);
  const [opening] = byDay('opening_ledger');
  const closing = byDay('closing_ledger');
  if (opening === undefined || closing.length === 0) return null;
  const until = (day: number): number =>
    lines.reduce((sum, line) => (line.day <= day ? sum + signedMinor(line.amountMinor, line.direction) : sum), opening.minor);
  return closing.filter(({ day, minor }) => until(day) !== minor);
}

const FIRST = 20_606;
/** Days of a statement with the lines that were booked on each, in minor units, and how much later each counts. */
const days = fc.array(
  fc.array(
    fc.record({ minor: fc.integer({ min: -9_999, max: 9_999 }).filter((minor) => minor !== 0), later: fc.integer({ min: -3, max: 3 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  { minLength: 1, maxLength: 6 },
);
type Days = typeof days extends fc.Arbitrary<infer T> ? T : never;

const six = (day: number): string => isoFromDay(day).replaceAll('-', '').slice(2);
const comma = (minor: number): string => `${Math.floor(Math.abs(minor) / 100)},${String(Math.abs(minor) % 100).padStart(2, '0')}`;
const side = (minor: number): string => (minor < 0 ? 'D' : 'C');

/** A message for each day, opened by the balance of the day before. */
function mt940(all: Days): string {
  let balance = 100_000;
  return all
    .map((lines, index) => {
      const day = FIRST + index;
      const opening = balance;
      const entries = lines.map(({ minor, later }) => {
        balance += minor;
        return `:61:${six(day + later)}${six(day).slice(2)}${side(minor)}${comma(minor)}NTRFNONREF\n`;
      });
      const stated = (tag: string, on: number, minor: number): string => `:${tag}:${side(minor)}${six(on)}EUR${comma(minor)}\n`;
      return `:20:X\n:25:DE1\n:28C:${index + 1}\n${stated('60F', day - 1, opening)}${entries.join('')}${stated('62F', day, balance)}-\n`;
    })
    .join('');
}

const decimal = (minor: number): string => `${minor < 0 ? '-' : ''}${comma(minor).replace(',', '.')}`;

function csv(all: Days): string {
  let balance = 100_000;
  const rows = all.flatMap((lines, index) =>
    lines.map(({ minor, later }) => {
      balance += minor;
      return `${isoFromDay(FIRST + index + later)},${isoFromDay(FIRST + index)},${decimal(minor)},${decimal(balance)}\n`;
    }),
  );
  return `Value date,Booking date,Amount,Balance\n${rows.join('')}`;
}

describe('a balance of a day is the opening one with all lines whose date is not after it', () => {
  it.each([
    ['MT940', mt940],
    ['tables', csv],
  ] as const)('in %s with value dates before and behind', (_name, written) => {
    let seen = 0;
    fc.assert(
      fc.property(days, (all) => {
        const statement = statementOf(written(all), { currency: 'EUR' });
        expect(statement.lines.map(({ valueDay }) => valueDay)).toEqual(
          all.flatMap((lines, index) => lines.map(({ later }) => FIRST + index + later)),
        );
        const found = missed(statement);
        if (found !== null) seen += 1;
        expect(found ?? []).toEqual([]);
      }),
      { numRuns: runs(300, 30) },
    );
    expect(seen).toBeGreaterThan(20);
  });

  it('canary: by value dates it is not', () => {
    const statement = statementOf(mt940([[{ minor: 500, later: 2 }], [{ minor: -200, later: 0 }]]));
    const byValue = { ...statement, lines: statement.lines.map((line) => ({ ...line, day: line.valueDay ?? line.day })) };
    expect([missed(statement)?.length, missed(byValue)?.length]).toEqual([0, 2]);
  });
});

/** Real bank files beside the checkout; nothing is registered where they are not. */
const SAMPLES = path.resolve(import.meta.dirname, '../../../../shared/samples');
const LARGEST = 5_000_000;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(path.join(folder, entry.name)) : [path.join(folder, entry.name)],
  );
}

for (const folder of [SAMPLES].filter((each) => existsSync(each))) {
  it('in every real file that states balances, whose rows and balances hold', () => {
    let stated = 0;
    const files = filesIn(folder);
    const some = drawn(files, Math.ceil(files.length / 4), (file) => path.relative(folder, file));
    for (const file of some) {
      if (statSync(file).size > LARGEST) continue;
      const read = readText(readFileSync(file), { filename: path.basename(file), currency: 'EUR' });
      if (!read.ok || read.value.proof === 'broken' || read.value.rejectedRows > 0 || read.value.accounts.length > 0) continue;
      const found = missed(read.value);
      if (found === null) continue;
      stated += 1;
      expect([path.relative(folder, file), found]).toEqual([path.relative(folder, file), []]);
    }
    expect(stated).toBeGreaterThan(runs(10, 3));
  }, 120_000);
}
