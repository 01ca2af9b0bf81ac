import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprintOf } from '../../../src-main/domain/statement/columns/recipe.ts';
import type { TableRecipe } from '../../../src-main/domain/statement/model/read-options.ts';
import { isBeyondDoubt, isWorse } from '../../../src-main/imports/work/recipes.ts';
import type { ColumnRole } from '../../../src-shared/contract/index.ts';
import { runs } from '../../support/long.ts';
import { readText } from '../../support/inputs/statements.ts';

const amount = fc.integer({ min: -5_000, max: 5_000 });
const row = fc.tuple(fc.integer({ min: 1, max: 28 }), amount, fc.constantFrom('Rent', 'Tea', 'Total', 'Closing balance'));

interface Given {
  readonly rows: readonly (readonly [number, number, string])[];
  readonly hasBalance: boolean;
  readonly isNamed: boolean;
  readonly isWrong: boolean;
  readonly foot: string;
}

const given: fc.Arbitrary<Given> = fc.record({
  rows: fc.array(row, { minLength: 2, maxLength: 12 }),
  hasBalance: fc.boolean(),
  isNamed: fc.boolean(),
  isWrong: fc.boolean(),
  foot: fc.constantFrom('', 'Closing balance,,12.00\n', 'Total,,3.00\n', 'see overleaf\n'),
});

const money = (minor: number): string => (minor / 100).toFixed(2);

function textOf({ rows, hasBalance, isNamed, isWrong, foot }: Given): string {
  let balance = 10_000;
  const lines = rows.map(([day, minor, words], index) => {
    balance += isWrong && index === 1 ? minor + 7 : minor;
    return `2026-06-${String(day).padStart(2, '0')},${words},${money(minor)}${hasBalance ? `,${money(balance)}` : ''}`;
  });
  return `Date,Text,Amount${hasBalance ? `,${isNamed ? 'Balance' : 'Figure'}` : ''}\n${lines.join('\n')}\n${foot}`;
}

const change = fc.record({
  sign: fc.constantFrom('signed' as const, 'signed_inverted' as const, null),
  footer: fc.constantFrom(null, 0, 1),
  balanceAs: fc.constantFrom<ColumnRole>('balance', 'metadata', 'ignored'),
});

test('a file is not read by guessing only where guessing could not do better than its kept recipe', () => {
  let beyond = 0;
  fc.assert(
    fc.property(given, change, (file, { sign, footer, balanceAs }) => {
      const text = textOf(file);
      const guessed = readText(text);
      if (!guessed.ok || guessed.value.table === null) return;
      const { recipe: found } = guessed.value.table;
      const columns = found.columns.map((column) => (column.role === 'balance' ? { ...column, role: balanceAs } : column));
      const recipe: TableRecipe = { ...found, columns, sign_model: sign, footer_rows: footer };
      const followed = readText(text, { known: [{ id: 1, fingerprint: fingerprintOf(recipe), recipe }] });
      if (!followed.ok || !isBeyondDoubt(followed.value)) return;
      beyond += 1;
      expect(isWorse(followed.value, guessed.value)).toBe(false);
    }),
    { numRuns: runs(400, 80) },
  );
  expect(beyond).toBeGreaterThan(runs(20));
});
