import { describe, expect, it } from 'vitest';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

interface Day {
  readonly day: string;
  readonly opens: string;
  readonly closes: string;
  readonly line: string;
  readonly currency?: string;
}

const mt940 = (...days: readonly Day[]): string =>
  days
    .flatMap(({ day, opens, closes, line, currency = 'EUR' }) => [
      ':20:A',
      ':25:DE1',
      `:60F:C${day}${currency}${opens}`,
      `:61:${day}${line}NMSC//${day}${currency}`,
      `:62F:C${day}${currency}${closes}`,
      '-',
    ])
    .join('\n');
const first: Day = { day: '260601', opens: '10,00', closes: '15,00', line: 'C5,00' };
const second: Day = { day: '260602', opens: '15,00', closes: '12,00', line: 'D3,00' };

describe('statements of one account in one file', () => {
  it('are proved where each opens with what the one before closed with', () => {
    expect(statementOf(mt940(first, second))).toMatchObject({ proof: 'proved', openingBalanceMinor: 1000, closingBalanceMinor: 1200 });
  });

  it('are ordered by their days, whichever comes first in the file', () => {
    expect(statementOf(mt940(second, first))).toMatchObject({ proof: 'proved', openingBalanceMinor: 1000, closingBalanceMinor: 1200 });
  });

  it('are broken where one is missing between them', () => {
    const later: Day = { day: '260605', opens: '40,00', closes: '37,00', line: 'D3,00' };
    const statement = statementOf(mt940(first, later));
    expect(statement.proof).toBe('broken');
    expect(statement.problems).toMatchObject([
      {
        code: 'balance_broken',
        row: 9,
        message:
          'The opening balance of account DE1 in row 9 is 40.00 EUR, but the statement before it closes with 15.00 EUR (row 5): 25.00 EUR too much. Look for a missing or doubled statement there.',
      },
    ]);
  });

  it('are broken where one occurs twice', () => {
    expect(statementOf(mt940(first, first)).proof).toBe('broken');
  });
});

it('an account in two currencies is two accounts, and has no balance of its own', () => {
  const file = mt940(first, second, { ...first, currency: 'USD', opens: '1,00', closes: '6,00' });
  const statement = statementOf(file);
  expect(statement.accounts.map(({ account, currency, rows }) => [account, currency, rows])).toEqual([
    ['DE1 EUR', 'EUR', 2],
    ['DE1 USD', 'USD', 1],
  ]);
  expect(statement).toMatchObject({ proof: 'proved', openingBalanceMinor: null, closingBalanceMinor: null });
  expect(summaryOf(statementOf(file, { account: 'DE1 USD' }))).toEqual(['2026-06-01 500 USD']);
});

const camt = (content: string, section = 'Stmt', message = 'BkToCstmrStmt'): string =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><${message}><${section}><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>${content}</${section}></${message}></Document>`;
const balance = (code: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-06-02</Dt></Dt></Bal>`;
const entry = (amount: string, currency = 'EUR', direction = '<CdtDbtInd>CRDT</CdtDbtInd>'): string =>
  `<Ntry><Amt Ccy="${currency}">${amount}</Amt>${direction}<Sts>BOOK</Sts><BookgDt><Dt>2026-06-02</Dt></BookgDt></Ntry>`;

describe('amounts that cannot be added up prove nothing and break nothing', () => {
  it('an entry in another currency', () => {
    const statement = statementOf(camt(balance('OPBD', '1.00') + balance('CLBD', '6.00') + entry('5.00') + entry('9.00', 'USD')));
    expect([statement.proof, summaryOf(statement)]).toEqual(['unproved', ['2026-06-02 500 EUR', '2026-06-02 900 USD']]);
  });

  it('an entry that says neither credit nor debit', () => {
    const statement = statementOf(camt(balance('OPBD', '1.00') + balance('CLBD', '6.00') + entry('5.00', 'EUR', '')));
    expect([statement.proof, codesOf(statement), statement.rejected[0]?.direction]).toEqual(['unproved', ['unknown_direction'], null]);
  });

  it('the balance of a day that has not ended', () => {
    const report = (interim: string): string =>
      camt(balance('OPBD', '1.00') + balance('ITBD', interim) + entry('5.00') + entry('2.00'), 'Rpt', 'BkToCstmrAcctRpt');
    expect([statementOf(report('8.00')).proof, statementOf(report('6.00')).proof]).toEqual(['proved', 'unproved']);
  });
});
