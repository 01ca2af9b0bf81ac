import { describe, expect, it } from 'vitest';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import {
  bankLines,
  bankPreamble,
  type ExpectedGroup,
  expectedGroups,
  type Figures,
  figures,
  ledgerLines,
  minorOf,
  type SampleLine,
} from '../../fixtures/sample-book.ts';

/** The sample book is what it is said to be: read here from the files alone, without the reader or the engine. */
type Pair = (bank: SampleLine, ledger: SampleLine) => boolean;

const sameReference: Pair = (bank, ledger) =>
  bank.reference !== '' && bank.reference === ledger.reference && bank.signedMinor === ledger.signedMinor;
const near: Pair = (bank, ledger) => bank.signedMinor === ledger.signedMinor && Math.abs(bank.day - ledger.day) <= 3;
const nearAndSilent: Pair = (bank, ledger) => near(bank, ledger) && (bank.reference === '' || ledger.reference === '');
const nearAndAtOdds: Pair = (bank, ledger) => near(bank, ledger) && !nearAndSilent(bank, ledger) && bank.reference !== ledger.reference;

const RULE_OF_KIND: Readonly<Record<string, { readonly rule: number; readonly holds: Pair }>> = {
  reference: { rule: 1, holds: sameReference },
  'reference-alike': { rule: 1, holds: sameReference },
  near: { rule: 2, holds: nearAndSilent },
  'near-alike': { rule: 2, holds: nearAndSilent },
  'near-best': { rule: 2, holds: nearAndSilent },
  'near-contested': { rule: 2, holds: nearAndSilent },
  disagree: { rule: 3, holds: nearAndAtOdds },
};
const SINGLE_KINDS = new Set(['reference', 'near', 'disagree']);

const sum = (lines: readonly SampleLine[]): number => lines.reduce((total, line) => total + line.signedMinor, 0);
const ofKind = (kind: string): readonly ExpectedGroup[] => expectedGroups.filter((group) => group.kind === kind);
const single = (group: ExpectedGroup): boolean => group.bank.length === 1 && group.ledger.length === 1;
const ruleOf = (group: ExpectedGroup): number => RULE_OF_KIND[group.kind]?.rule ?? 9;
/** What a person sees of a line, but the running balance. */
const seen = (line: SampleLine): string => JSON.stringify({ ...line.cells, Balance: '' });
const areAlike = (lines: readonly SampleLine[]): boolean => new Set(lines.map(seen)).size === 1;
const digitsOf = (line: SampleLine | undefined): string => [...String(Math.abs(line?.signedMinor ?? 0))].toSorted().join('');

const measured = (lines: readonly SampleLine[]) => ({
  rows: lines.length,
  creditsMinor: sum(lines.filter((line) => line.signedMinor > 0)),
  debitsMinor: -sum(lines.filter((line) => line.signedMinor < 0)),
});
const days = ({ firstOn, lastOn }: Figures) => [dayFromIso(firstOn), dayFromIso(lastOn)];
const rowsOf = (lines: readonly SampleLine[]) => lines.map((line) => line.row).toSorted((left, right) => left - right);
const noted = (words: RegExp) => expectedGroups.filter((group) => words.test(group.note));

describe('figures', () => {
  it.each([['bank', bankLines, figures.bank] as const, ['ledger', ledgerLines, figures.ledger] as const])(
    'of the %s file are those written down',
    (_name, lines, expected) => {
      expect(expected).toMatchObject(measured(lines));
      expect([lines[0]?.day, lines.at(-1)?.day]).toEqual(days(expected));
      expect(lines.filter((line) => line.signedMinor === 0)).toEqual([]);
      expect(lines.map((line) => line.day)).toEqual(lines.map((line) => line.day).toSorted((left, right) => left - right));
    },
  );

  it('open with the account and its opening balance', () => {
    expect(bankPreamble[0]?.[0]).toMatch(/^Account: /);
    expect(bankPreamble[1]?.slice(0, 2)).toEqual(['Opening balance', '01/06/2026']);
    expect(minorOf(bankPreamble[1]?.at(-1) ?? '')).toBe(figures.bank.openingMinor);
  });

  it('carry a running balance that holds to the last line', () => {
    let balanceMinor = figures.bank.openingMinor ?? 0;
    for (const line of bankLines) {
      balanceMinor += line.signedMinor;
      expect({ row: line.row, balanceMinor: line.balanceMinor }).toEqual({ row: line.row, balanceMinor });
    }
    expect(balanceMinor).toBe(figures.bank.closingMinor);
  });

  it('name one currency in the ledger', () => {
    expect(new Set(ledgerLines.map((line) => line.cells['Currency']))).toEqual(new Set([figures.ledger.currency]));
  });
});

describe('the known result', () => {
  it('speaks of every line once', () => {
    expect(rowsOf(expectedGroups.flatMap((group) => group.bank))).toEqual(rowsOf(bankLines));
    expect(rowsOf(expectedGroups.flatMap((group) => group.ledger))).toEqual(rowsOf(ledgerLines));
  });

  it('ties only lines that fit their rule', () => {
    const misfits = expectedGroups.filter((group) => {
      const holds = RULE_OF_KIND[group.kind]?.holds;
      const fits = group.bank.every((bank) => group.ledger.every((ledger) => holds?.(bank, ledger)));
      return holds !== undefined && !(fits && (single(group) || !SINGLE_KINDS.has(group.kind)));
    });
    expect(misfits).toEqual([]);
  });

  it.each([
    [1, sameReference],
    [2, nearAndSilent],
    [3, near],
  ] as const)('leaves rule %i no other pair among the lines that are free for it', (rule, fits) => {
    // A surplus line of a group stays free, so a group with more lines on one side takes part in later rules as well.
    const free = expectedGroups.filter((group) => ruleOf(group) >= rule || group.bank.length !== group.ledger.length);
    const strays = free.flatMap((group) =>
      free
        .filter((other) => other !== group || ruleOf(group) > rule)
        .flatMap((other) =>
          group.bank.flatMap((bank) => other.ledger.filter((ledger) => fits(bank, ledger)).map((ledger) => [bank, ledger])),
        ),
    );
    expect(strays).toEqual([]);
  });

  it('tells true twins from lines that only cost the same', () => {
    const twins = [...ofKind('reference-alike'), ...ofKind('near-alike')];
    expect(twins.filter((group) => !areAlike(group.bank) && !areAlike(group.ledger))).toEqual([]);
    expect(ofKind('near-contested').filter((group) => areAlike(group.bank) && areAlike(group.ledger))).toEqual([]);
    const [best] = ofKind('near-best');
    expect(best?.bank.map((line) => line.day)).toEqual(best?.ledger.map((line) => line.day));
    expect(best?.bank[0]?.day).not.toBe(best?.bank[1]?.day);
  });
});

describe('special cases', () => {
  it.each([
    [/^true (twins|triplets)/, 3],
    [/^receipt that is reversed/, 3],
    [/^reversal of a receipt/, 3],
    [/^customer refund/, 2],
    [/^card settlement/, 25],
    [/^wages/, 8],
    [/^direct debit/, 13],
    [/^cheque presented after/, 4],
    [/late by [123] days?/, 19],
    [/^no reference on either side(?! and)/, 12],
    [/^a fee of the bank/, 6],
    [/^interest/, 2],
    [/^not in the ledger/, 4],
    [/^not at the bank/, 2],
    [/not yet presented/, 5],
    [/in one deposit/, 4],
    [/in one payment run/, 1],
    [/^digits transposed/, 2],
    [/^references disagree/, 7],
    [/^no reference and \d days apart/, 2],
  ])('%s: %i', (words, count) => {
    expect(noted(words)).toHaveLength(count);
  });

  it('are late by as many days as they say', () => {
    const late = noted(/late by|presented after|days? apart/).filter(single);
    const days = late.map(({ note }) => Number(/(\d+) days?/.exec(note)?.[1]));
    expect(late.map(({ bank, ledger }) => (bank[0]?.day ?? 0) - (ledger[0]?.day ?? 0))).toEqual(days);
    expect(new Set(days)).toEqual(new Set([1, 2, 3, 4, 7, 8, 9, 18]));
  });

  it('reverse a receipt under its own reference', () => {
    const references = (words: RegExp) => noted(words).map(({ bank }) => [bank[0]?.reference, Math.abs(bank[0]?.signedMinor ?? 0)]);
    expect(references(/^reversal of/).toSorted()).toEqual(references(/^receipt that is/).toSorted());
    expect(noted(/^reversal of/).every(({ bank }) => sum(bank) < 0)).toBe(true);
  });

  it('sum up where one line stands for several', () => {
    const sums = [...ofKind('left-batch'), ...ofKind('left-split')];
    expect(sums.map(({ ledger }) => sum(ledger))).toEqual(sums.map(({ bank }) => sum(bank)));
    expect(sums.every((group) => group.bank.length + group.ledger.length > 2)).toBe(true);
  });

  it('swap digits, lose a penny, turn a sign', () => {
    for (const { bank, ledger } of ofKind('left-transposed')) {
      expect(digitsOf(bank[0])).toBe(digitsOf(ledger[0]));
      expect(sum(bank)).not.toBe(sum(ledger));
      expect(bank[0]?.reference).toBe(ledger[0]?.reference);
    }
    expect(ofKind('left-amount').map(({ bank, ledger }) => sum(bank) - sum(ledger))).toEqual([-1, -1500]);
    expect(ofKind('left-sign').map(({ bank, ledger }) => sum(bank) + sum(ledger))).toEqual([0]);
  });

  it('keep the bank its fees and interest, and the ledger its cheques', () => {
    const types = (kind: string) => new Set(ofKind(kind).flatMap(({ bank }) => bank.map((line) => line.cells['Type'])));
    expect([types('left-bank-fee'), types('left-interest'), types('left-old-cheque')]).toEqual([
      new Set(['CHG']),
      new Set(['INT']),
      new Set(['CHQ']),
    ]);
    expect(ofKind('left-unpresented').every(({ bank, ledger }) => bank.length === 0 && ledger[0]?.reference.startsWith('CHQ'))).toBe(true);
  });
});
