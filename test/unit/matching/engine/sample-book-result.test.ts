import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { presetRules } from '../../../../src-shared/contract/rules/rule-presets.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import { matchRecords } from '../../../../src-main/domain/matching/engine.ts';
import type { EngineMatch } from '../../../../src-main/domain/matching/model/match.ts';
import type { EngineRule } from '../../../../src-main/domain/matching/model/rule.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import { readStatement } from '../../../../src-main/domain/statement/read.ts';
import type { Statement, StatementLine } from '../../../../src-main/domain/statement/model/statement.ts';
import { assert, present } from '../../../../src-shared/values/assert.ts';
import { signedMinor } from '../../../../src-shared/values/money.ts';
import {
  BANK_FILE,
  bankLines,
  type ExpectedGroup,
  expectedGroups,
  type Figures,
  figures,
  LEDGER_FILE,
  ledgerLines,
  type SampleLine,
} from '../../../fixtures/sample-book.ts';

/** The reader and the engine make of the sample book exactly what was written down before they existed. */
const unwatched = { onProgress: () => {}, isCancelled: () => false };

function statementOf(file: string): Statement {
  const reading = readStatement(fs.readFileSync(file), { filename: file.replace(/^.*[\\/]/, ''), currency: null }, unwatched);
  assert(reading.ok, reading.ok ? '' : reading.error.message);
  return reading.value;
}

const bank = statementOf(BANK_FILE);
const ledger = statementOf(LEDGER_FILE);

const sumOf = (lines: readonly StatementLine[], direction: 'credit' | 'debit'): number =>
  lines.filter((line) => line.direction === direction).reduce((total, line) => total + line.amountMinor, 0);

describe('the reader', () => {
  it.each([['bank', bank, figures.bank, 'proved'] as const, ['ledger', ledger, figures.ledger, 'unproved'] as const])(
    'finds the figures of the %s file',
    (_name, statement, expected: Figures, proof) => {
      expect({
        rows: statement.rows,
        creditsMinor: sumOf(statement.lines, 'credit'),
        debitsMinor: sumOf(statement.lines, 'debit'),
        openingMinor: statement.openingBalanceMinor,
        closingMinor: statement.closingBalanceMinor,
        currency: statement.currency,
        proof: statement.proof,
      }).toEqual({ ...expected, proof, firstOn: undefined, lastOn: undefined });
      // That the opening balance was read as one is worth a note, not a problem.
      const faults = statement.problems.filter((problem) => problem.severity !== 'note');
      expect({ rejectedRows: statement.rejectedRows, faults }).toEqual({ rejectedRows: 0, faults: [] });
    },
  );

  it.each([['bank', bank, bankLines, 'Details'] as const, ['ledger', ledger, ledgerLines, 'Particulars'] as const])(
    'reads each line of the %s file as it stands',
    (_name, statement, lines, words) => {
      const read = statement.lines.map((line) => ({
        row: line.row,
        day: line.day,
        signedMinor: signedMinor(line.amountMinor, line.direction),
        reference: line.metadata['reference'] ?? '',
        words: line.description,
        currency: line.currency,
      }));
      expect(read).toEqual(
        lines.map(({ row, day, signedMinor: signed, reference, cells }) => ({
          row,
          day,
          signedMinor: signed,
          reference,
          words: cells[words],
          currency: 'GBP',
        })),
      );
    },
  );

  it('takes the reference column for the reference, and no column for a transaction id', () => {
    expect([bank.referenceField, ledger.referenceField]).toEqual(['metadata.reference', 'metadata.reference']);
    expect([...bank.lines, ...ledger.lines].filter((line) => line.externalId !== null)).toEqual([]);
    expect([bank.literalDebitCredit, ledger.literalDebitCredit]).toEqual([false, false]);
  });
});

const LEDGER_IDS = 10_000;

function recordsOf(statement: Statement, streamKey: string, firstId: number): EngineRecord[] {
  return statement.lines.map((line) => ({
    id: firstId + line.row,
    amountMinor: line.amountMinor,
    decimalPlaces: line.decimalPlaces,
    direction: line.direction,
    day: line.day,
    valueDay: line.valueDay,
    currency: line.currency,
    description: line.description,
    externalId: line.externalId,
    streamKey,
    reference: line.metadata['reference'] ?? null,
    metadata: line.metadata,
  }));
}

function rulesOfTheProduct(): EngineRule[] {
  return presetRules('amount_and_date').map((rule, index) => ({
    id: index + 1,
    priority: present(rule.priority, 'priority'),
    filters: rule.filters,
    outcome: rule.outcome ?? 'match',
    commitCertainty: rule.commit_certainty ?? ['unique', 'best', 'interchangeable'],
    cardinality: 'one_to_one',
    groupBy: [],
    rollup: null,
  }));
}

function run(): readonly EngineMatch[] {
  const result = matchRecords(
    {
      sideA: recordsOf(bank, 'bank', 0),
      sideB: recordsOf(ledger, 'ledger', LEDGER_IDS),
      rules: rulesOfTheProduct(),
      signConvention: 'same',
      types: UNDECLARED,
      separations: new Set(),
    },
    unwatched,
  );
  assert(result.ok, 'the run ends');
  return result.value.matches;
}

/** Rule, status and certainty that each kind has; a kind that is not here is tied by no rule. */
const OUTCOMES: Readonly<Record<string, Pick<EngineMatch, 'ruleId' | 'status' | 'certainty'>>> = {
  reference: { ruleId: 1, status: 'matched', certainty: 'unique' },
  'reference-alike': { ruleId: 1, status: 'matched', certainty: 'interchangeable' },
  near: { ruleId: 2, status: 'matched', certainty: 'unique' },
  'near-alike': { ruleId: 2, status: 'matched', certainty: 'interchangeable' },
  'near-best': { ruleId: 2, status: 'proposed', certainty: 'best' },
  'near-contested': { ruleId: 2, status: 'proposed', certainty: 'contested' },
  disagree: { ruleId: 3, status: 'proposed', certainty: 'unique' },
};

const rowsOf = (lines: readonly SampleLine[]): number[] => lines.map((line) => line.row);
const pairsOf = (group: ExpectedGroup): number =>
  OUTCOMES[group.kind] === undefined ? 0 : Math.min(group.bank.length, group.ledger.length);

/** The matches that touch a group, as rows of the files. */
function matchesIn(group: ExpectedGroup, matches: readonly EngineMatch[]) {
  const inBank = new Set(rowsOf(group.bank));
  const inLedger = new Set(rowsOf(group.ledger));
  const touched = matches
    .map((match) => ({ ...match, bankRow: match.aIds[0] ?? 0, ledgerRow: (match.bIds[0] ?? 0) - LEDGER_IDS }))
    .filter((match) => inBank.has(match.bankRow) || inLedger.has(match.ledgerRow));
  return touched.map(({ bankRow, ledgerRow, ruleId, status, certainty, differenceMinor }) => ({
    isInside: inBank.has(bankRow) && inLedger.has(ledgerRow),
    differenceMinor,
    ruleId,
    status,
    certainty,
  }));
}

describe('the engine under the default rules', () => {
  const matches = run();

  it('ties every group as it was written down, and leaves the rest', () => {
    const found = expectedGroups.map((group) => ({
      kind: group.kind,
      note: group.note,
      rows: rowsOf(group.bank),
      found: matchesIn(group, matches),
    }));
    const expected = expectedGroups.map((group) => ({
      kind: group.kind,
      note: group.note,
      rows: rowsOf(group.bank),
      found: Array.from({ length: pairsOf(group) }, () => ({ isInside: true, differenceMinor: 0, ...OUTCOMES[group.kind] })),
    }));
    expect(found).toEqual(expected);
  });

  it('ties nothing else and no line twice', () => {
    expect(matches).toHaveLength(expectedGroups.reduce((total, group) => total + pairsOf(group), 0));
    const ids = matches.flatMap((match) => [...match.aIds, ...match.bIds]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(matches.length * 2);
  });

  it('proposes the better assignment by its dates', () => {
    const best = matches.filter((match) => match.certainty === 'best').map((match) => [match.aIds[0], (match.bIds[0] ?? 0) - LEDGER_IDS]);
    const group = expectedGroups.find(({ kind }) => kind === 'near-best');
    expect(best.toSorted()).toEqual(group?.bank.map((line, index) => [line.row, group.ledger[index]?.row]).toSorted());
  });

  it('says of each match why', () => {
    expect(matches.filter((match) => match.explanation.length < 2)).toEqual([]);
  });
});
