import { describe, expect, it } from 'vitest';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const gbp = { currency: 'GBP' };
const amountsOf = (content: string): readonly number[] =>
  statementOf(content, gbp).lines.map((line) => (line.direction === 'credit' ? line.amountMinor : -line.amountMinor));

describe('signs', () => {
  it.each([
    ['Money Out', 'Money In'],
    ['Paid Out', 'Paid In'],
    ['Payments', 'Receipts'],
    ['Withdrawals', 'Deposits'],
    ['Debit Amount', 'Credit Amount'],
    ['Soll', 'Haben'],
    ['Outflow', 'Inflow'],
    ['Decrease', 'Increase'],
    ['Dépenses', 'Recettes'],
    ['Cargos', 'Abonos'],
    ['Uscite', 'Entrate'],
    ['Af', 'Bij'],
    ['Obciążenia', 'Uznania'],
  ])('%s and %s', (out, paidIn) => {
    expect(
      amountsOf(
        `Date,Text,${out},${paidIn}\n2026-06-01,a,1.00,\n2026-06-02,b,,2.00\n2026-06-03,c,-3.00,0.00\n2026-06-04,d,0.00,(4.00)\n2026-06-05,e,0,0\n`,
      ),
    ).toEqual([-100, 200, -300, 400, 0]);
  });

  it('rejects a row with two amounts or none', () => {
    const statement = statementOf(
      'Date,Text,Paid Out,Paid In\n2026-06-01,a,1.00,\n2026-06-02,b,1.00,2.00\n2026-06-03,c,,\n2026-06-04,d,x,2.00\n',
      gbp,
    );
    expect(statement.lines).toHaveLength(1);
    expect(statement.problems).toMatchObject([
      { row: 3, code: 'two_amounts', message: expect.stringContaining('Paid In') },
      { row: 4, code: 'unreadable_amount', message: expect.stringContaining('empty') },
      { row: 5, code: 'unreadable_amount', column: 'Paid Out' },
    ]);
  });

  it.each([
    ['direction', 'credit', 'debit'],
    ['Type', 'CR', 'DR'],
    ['Transaction Type', 'Credit', 'Debit'],
    ['Bevétel/Kiadás', 'inflow', 'outflow'],
    ['Af Bij', 'Bij', 'Af'],
    ['Soll/Haben', 'H', 'S'],
  ])('direction column %s', (header, credit, debit) => {
    const statement = statementOf(`Date,Amount,${header},Text\n2026-06-01,1.00,${credit},a\n2026-06-02,2.00,${debit},b\n`, gbp);
    expect(statement.lines.map((line) => [line.amountMinor, line.direction])).toEqual([
      [100, 'credit'],
      [200, 'debit'],
    ]);
    expect(statement.dialect.signModel).toBe('amount with a direction column');
  });

  it('reads a sign beside a direction as redundant, unless both signs occur with one word', () => {
    expect(amountsOf('Date,Amount,Direction\n2026-06-01,1.00,credit\n2026-06-02,-2.00,debit\n')).toEqual([100, -200]);
    expect(amountsOf('Date,Amount,Direction\n2026-06-01,1.00,debit\n2026-06-02,-2.00,debit\n')).toEqual([-100, 200]);
  });

  it('leaves a type column that is no direction as metadata', () => {
    const statement = statementOf('Date,Type,Amount\n2026-06-01,DEPOSIT,1.00\n2026-06-02,ATM,-2.00\n', gbp);
    expect(statement.lines[1]).toMatchObject({ direction: 'debit', metadata: { type: 'ATM' } });
  });

  it('takes debit and credit columns literally and says so', () => {
    const ledger = statementOf('Date,Account,Debit,Credit\n2026-06-01,1000,5.00,\n2026-06-02,1000,,7.00\n', gbp);
    expect(summaryOf(ledger)).toEqual(['2026-06-01 -500 GBP', '2026-06-02 700 GBP']);
    expect(ledger.literalDebitCredit).toBe(true);
    expect(statementOf('Date,Paid Out,Paid In\n2026-06-01,5.00,\n', gbp).literalDebitCredit).toBe(false);
  });
});

describe('proof by a running balance', () => {
  it('proves oldest first, newest first and sparse balances', () => {
    const oldest = statementOf('Date,Amount,Balance\n2026-06-01,1.00,11.00\n2026-06-02,-2.00,9.00\n2026-06-03,5.00,14.00\n', gbp);
    expect(oldest).toMatchObject({ proof: 'proved', openingBalanceMinor: 1000, closingBalanceMinor: 1400 });
    const newest = statementOf('Date,Amount,Balance\n2026-06-03,5.00,14.00\n2026-06-02,-2.00,9.00\n2026-06-01,1.00,11.00\n', gbp);
    expect(newest).toMatchObject({ proof: 'proved', openingBalanceMinor: 1000, closingBalanceMinor: 1400 });
    const sparse = statementOf(
      'Date,Amount,Balance\n2026-06-01,1.00,\n2026-06-01,-2.00,9.00\n2026-06-02,3.00,\n2026-06-02,2.00,14.00\n2026-06-03,1.00,\n',
      gbp,
    );
    expect(sparse).toMatchObject({ proof: 'proved', openingBalanceMinor: 1000, closingBalanceMinor: 1500 });
  });

  it('names the row where the chain breaks and by how much', () => {
    const statement = statementOf(
      'Date,Amount,Balance\n2026-06-01,1.00,11.00\n2026-06-02,-2.00,9.00\n2026-06-03,5.00,24.00\n2026-06-04,1.00,25.00\n',
      gbp,
    );
    expect(statement.proof).toBe('broken');
    expect(statement.problems).toMatchObject([
      { row: 4, column: 'Balance', code: 'balance_broken', message: expect.stringContaining('10.00 GBP too much') },
    ]);
  });

  it('turns the signs where only that makes the balance hold', () => {
    const card = statementOf('Date,Amount,Balance\n2026-06-01,1.00,9.00\n2026-06-02,2.00,7.00\n2026-06-03,-5.00,12.00\n', gbp);
    expect(card.proof).toBe('proved');
    expect(summaryOf(card)).toEqual(['2026-06-01 -100 GBP', '2026-06-02 -200 GBP', '2026-06-03 500 GBP']);
    const reversal = statementOf(
      'Date,Paid Out,Paid In,Balance\n2026-06-01,1.00,,9.00\n2026-06-02,-3.00,,12.00\n2026-06-03,2.00,,10.00\n',
      gbp,
    );
    expect(reversal.proof).toBe('proved');
    expect(summaryOf(reversal)[1]).toBe('2026-06-02 300 GBP');
  });

  it('settles the decimal mark by the balance', () => {
    const statement = statementOf('Date;Amount;Balance\n2026-06-01;1.000;1.000\n2026-06-02;2.000;3.000\n2026-06-03;500;503.000\n', {
      currency: 'KWD',
    });
    expect(statement.proof).toBe('proved');
    expect(statement.dialect.decimalMark).toBe('.');
  });

  it('knows books whose balance rises with debits', () => {
    const ledger = statementOf('Date,Debit,Credit,Balance\n2026-06-01,5.00,,15.00\n2026-06-02,,7.00,8.00\n2026-06-03,1.00,,9.00\n', gbp);
    expect(ledger).toMatchObject({ proof: 'proved', literalDebitCredit: true, openingBalanceMinor: -1000, closingBalanceMinor: -900 });
    expect(codesOf(ledger)).toEqual(['balances_turned']);
    const bank = statementOf('Date,Debit,Credit,Balance\n2026-06-01,5.00,,5.00\n2026-06-02,,7.00,12.00\n2026-06-03,1.00,,11.00\n', gbp);
    expect(bank).toMatchObject({ proof: 'proved', literalDebitCredit: false });
  });

  it('does not chain across accounts or currencies', () => {
    const statement = statementOf(
      'Account,Date,Amount,Currency,Balance\nA,2026-06-01,1.00,GBP,11.00\nB,2026-06-01,1.00,EUR,101.00\nA,2026-06-02,2.00,GBP,13.00\nB,2026-06-02,2.00,EUR,103.00\nA,2026-06-03,1.00,GBP,14.00\n',
    );
    expect(statement).toMatchObject({ proof: 'proved', openingBalanceMinor: null, closingBalanceMinor: null });
    expect(codesOf(statement)).toEqual([]);
  });

  it('does not call one confirmed row a proof', () => {
    expect(statementOf('Date,Amount,Balance\n2026-06-01,1.00,11.00\n2026-06-02,-2.00,9.00\n', gbp).proof).toBe('unproved');
    expect(statementOf('Date,Amount\n2026-06-01,1.00\n2026-06-02,2.00\n', gbp).proof).toBe('unproved');
  });

  it('starts again after a rejected row, and proves no import without that row', () => {
    const statement = statementOf(
      'Date,Amount,Balance\n2026-06-01,1.00,11.00\n2026-06-02,x,13.00\n2026-06-03,5.00,18.00\n2026-06-04,1.00,19.00\n',
      gbp,
    );
    expect(statement).toMatchObject({ proof: 'unproved', rejectedRows: 1 });
    expect(codesOf(statement)).toEqual(['lines_not_proved', 'unreadable_amount']);
  });
});

describe('proof by opening and closing balance', () => {
  const rows = 'Date,Details,Amount\n2026-06-13,a,-10.00\n2026-06-14,b,25.50\n';
  it.each([
    ['Opening balance,,100.00', 'Closing balance,,115.50'],
    ['Balance brought forward;100.00'.replace(';', ','), 'Balance carried forward,115.50'],
    ['Alter Kontostand,,100.00', 'Neuer Kontostand,,115.50'],
    ['Solde initial,,100.00', 'Solde final,,115.50'],
    ['Saldo inicial,,100.00', 'Saldo final,,115.50'],
    ['Saldo iniziale,,100.00', 'Saldo finale,,115.50'],
    ['Beginsaldo,,100.00', 'Eindsaldo,,115.50'],
  ])('%s', (opening, closing) => {
    const statement = statementOf(`${opening}\n${rows}${closing}\n`, gbp);
    expect(statement).toMatchObject({ proof: 'proved', openingBalanceMinor: 10_000, closingBalanceMinor: 11_550, rejectedRows: 0 });
    expect(statement.lines).toHaveLength(2);
  });

  it('is broken when the sum does not lead from one to the other', () => {
    const statement = statementOf(`Opening balance,,100.00\n${rows}Closing balance,,115.40\n`, gbp);
    expect(statement.proof).toBe('broken');
    expect(statement.problems).toMatchObject([{ row: 5, code: 'balance_broken', message: expect.stringContaining('0.10 GBP too little') }]);
  });

  it('reads balance rows among the transactions as balances, with a note', () => {
    const statement = statementOf(
      'Date,Details,Amount\n2026-06-01,Opening balance,100.00\n2026-06-13,a,-10.00\n2026-06-14,b,25.50\n2026-06-30,Closing balance,115.50\n',
      gbp,
    );
    expect(statement).toMatchObject({ proof: 'proved', openingBalanceMinor: 10_000, closingBalanceMinor: 11_550 });
    expect(statement.lines).toHaveLength(2);
    expect(statement.problems).toMatchObject([{ code: 'balance_rows', row: 2 }]);
  });
});
