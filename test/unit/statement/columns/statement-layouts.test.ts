import { describe, expect, it } from 'vitest';
import { statementOf, summaryOf } from '../../../support/inputs/statements.ts';

/** Forms in which statements and ledgers come, in several languages; made up here after the forms, none of them a bank's own file. */
const layouts: readonly (readonly [
  string,
  readonly string[],
  { readonly lines: readonly string[]; readonly description: string | null; readonly proof?: string },
])[] = [
  [
    'a balance in each row, newest first, with a value date',
    [
      'Bogført;Tekst;Rentedato;Beløb;Saldo',
      '30-06-2026;Butik;29-06-2026;-12,50;87,50',
      '29-06-2026;Løn;29-06-2026;20,00;100,00',
      '28-06-2026;Løn;28-06-2026;20,00;80,00',
    ],
    { lines: ['2026-06-30 -1250 DKK', '2026-06-29 2000 DKK', '2026-06-28 2000 DKK'], description: 'Butik', proof: 'proved' },
  ],
  [
    'a summary above the table, whose total is no transaction',
    [
      'Description,,Summary Amt.',
      'Beginning balance as of 06/01/2026,,"1,000.00"',
      'Total credits,,"20.00"',
      'Ending balance as of 06/30/2026,,"1,007.50"',
      '',
      'Date,Description,Amount,Running Bal.',
      '06/01/2026,Beginning balance as of 06/01/2026,,"1,000.00"',
      '06/02/2026,SHOP,"-12.50","987.50"',
      '06/15/2026,PAY,"20.00","1,007.50"',
    ],
    { lines: ['2026-06-02 -1250 DKK', '2026-06-15 2000 DKK'], description: 'SHOP', proof: 'proved' },
  ],
  [
    'compact dates and a direction in two words',
    [
      '"Datum","Naam / Omschrijving","Rekening","Code","Af Bij","Bedrag (EUR)"',
      '"20260630","WINKEL","NL00","BA","Af","12,50"',
      '"20260629","WERK","NL00","OV","Bij","1.000,00"',
    ],
    { lines: ['2026-06-30 -1250 EUR', '2026-06-29 100000 EUR'], description: 'WINKEL' },
  ],
  [
    'headers behind a hash, the currency inside the amount',
    [
      '#Data operacji;#Opis operacji;#Rachunek;#Kwota;',
      '2026-06-30;"SKLEP";"konto";-12,50 PLN;',
      '2026-06-29;"PRACA";"konto";1 020,00 PLN;',
    ],
    { lines: ['2026-06-30 -1250 PLN', '2026-06-29 102000 PLN'], description: 'SKLEP' },
  ],
  [
    'lakh groups and withdrawal and deposit amounts',
    [
      'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
      '30/06/26,SHOP,0000123,30/06/26,12.50,,"1,00,087.50"',
      '01/07/26,NEFT,0000124,01/07/26,,"2,00,000.00","3,00,087.50"',
      '02/07/26,NEFT,0000125,02/07/26,,1.00,"3,00,088.50"',
    ],
    { lines: ['2026-06-30 -1250 DKK', '2026-07-01 20000000 DKK', '2026-07-02 100 DKK'], description: 'SHOP', proof: 'proved' },
  ],
  [
    'no header, a balance and empty columns between',
    ['30 Jun 26,-12.50,,,DEBIT,CORNER SHOP,87.50', '29 Jun 26,20.00,,,CREDIT,PAY,100.00', '28 Jun 26,20.00,,,CREDIT,PAY,80.00'],
    { lines: ['2026-06-30 -1250 DKK', '2026-06-29 2000 DKK', '2026-06-28 2000 DKK'], description: 'CORNER SHOP', proof: 'proved' },
  ],
  [
    'no header, the account first and two dates',
    ['AT123;Zahlung an Laden;30.06.2026;29.06.2026;-12,50;EUR', 'AT123;Gehalt;29.06.2026;29.06.2026;1.020,00;EUR'],
    { lines: ['2026-06-30 -1250 EUR', '2026-06-29 102000 EUR'], description: 'Zahlung an Laden' },
  ],
  [
    'a general ledger with a flag column',
    [
      'Txn ID,Txn Date,GL Account,Ref,Narrative,DR/CR,Amount,CCY',
      '1001,2026-06-01,1000,INV-1,x,DR,10.00,GBP',
      '1002,2026-06-02,1000,INV-2,y,CR,20.00,GBP',
    ],
    { lines: ['2026-06-01 -1000 GBP', '2026-06-02 2000 GBP'], description: 'x' },
  ],
  [
    'dare and avere',
    [
      'Data Contabile,Data Valuta,Descrizione,Dare,Avere,Divisa',
      '30/06/2026,28/06/2026,SPESA,"12,50",,EUR',
      '29/06/2026,29/06/2026,STIPENDIO,,"1.020,00",EUR',
    ],
    { lines: ['2026-06-30 -1250 EUR', '2026-06-29 102000 EUR'], description: 'SPESA' },
  ],
  [
    'balances brought and carried forward among the rows',
    [
      'Date,Description,Debit,Credit,Balance',
      '01/06/2026,Balance brought forward,,,100.00',
      '13/06/2026,a,10.00,,90.00',
      '14/06/2026,b,,20.00,110.00',
      '30/06/2026,Balance carried forward,,,110.00',
    ],
    { lines: ['2026-06-13 -1000 DKK', '2026-06-14 2000 DKK'], description: 'a', proof: 'proved' },
  ],
  [
    'three currencies by their signs',
    ['Date,Description,Amount', '2026-06-01,a,$10.00', '2026-06-02,b,€20.00', '2026-06-03,c,£-30.00'],
    { lines: ['2026-06-01 1000 USD', '2026-06-02 2000 EUR', '2026-06-03 -3000 GBP'], description: 'a' },
  ],
];

describe('layouts', () => {
  it.each(layouts)('%s', (_name, rows, expected) => {
    const statement = statementOf(`${rows.join('\n')}\n`, { currency: 'DKK' });
    expect(summaryOf(statement)).toEqual(expected.lines);
    expect(statement).toMatchObject({ rejectedRows: 0, proof: expected.proof ?? 'unproved' });
    expect(statement.lines[0]?.description).toBe(expected.description);
  });
});
