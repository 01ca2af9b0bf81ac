import { describe, expect, it } from 'vitest';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const entry = (inside = ''): string => `<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>${inside}</Ntry>`;
const balance = (code: string, amount: string, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
const statement = (...inside: readonly string[]) =>
  statementOf(
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>A</IBAN></Id><Ccy>EUR</Ccy></Acct>${inside.join('')}</Stmt></BkToCstmrStmt></Document>`,
  );

it('gives an entry without a date the one day of its statement, and says so', () => {
  const read = statement(balance('OPBD', '1.00', '2026-06-02'), balance('CLBD', '11.00', '2026-06-02'), entry(), entry());
  expect([read.proof, ...summaryOf(read), ...codesOf(read)]).toEqual([
    'proved',
    '2026-06-02 500 EUR',
    '2026-06-02 500 EUR',
    'date_assumed',
  ]);
});

it('prefers the date of its transactions', () => {
  const dated = entry('<NtryDtls><TxDtls><RltdDts><AccptncDtTm>2026-06-01T10:00:00</AccptncDtTm></RltdDts></TxDtls></NtryDtls>');
  const read = statement('<FrToDt><FrDtTm>2026-06-02T00:00:00</FrDtTm><ToDtTm>2026-06-02T23:59:59</ToDtTm></FrToDt>', dated);
  expect([...summaryOf(read), ...codesOf(read)]).toEqual(['2026-06-01 500 EUR']);
});

it('rejects it where the statement speaks of several days', () => {
  const read = statement(balance('OPBD', '1.00', '2026-06-01'), balance('CLBD', '6.00', '2026-06-02'), entry());
  expect([read.lines.length, read.rejectedRows, ...codesOf(read)]).toEqual([0, 1, 'unreadable_date']);
});

it('notes that the bank does not book entries for information', () => {
  const dated = '<BookgDt><Dt>2026-06-02</Dt></BookgDt>';
  const info = `<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>INFO</Sts>${dated}</Ntry>`;
  const read = statement(entry(dated), info);
  expect(read.problems).toMatchObject([{ code: 'pending_rows_left_out', message: expect.stringContaining('for information alone') }]);
  expect(summaryOf(read)).toEqual(['2026-06-02 500 EUR']);
});

describe('found once: parts of camt entries lost', () => {
  /** An entry of several transactions was one line without the names, references and amounts of its parts. */

  interface Part {
    readonly amount?: string;
    readonly currency?: string;
    readonly name?: string;
    readonly reference?: string;
    readonly text?: string;
  }

  const detail = ({ amount, currency = 'EUR', name, reference, text }: Part): string =>
    `<TxDtls>${reference === undefined ? '' : `<Refs><EndToEndId>${reference}</EndToEndId></Refs>`}${
      amount === undefined ? '' : `<AmtDtls><TxAmt><Amt Ccy="${currency}">${amount}</Amt></TxAmt></AmtDtls>`
    }${name === undefined ? '' : `<RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties>`}${text === undefined ? '' : `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`}</TxDtls>`;

  const entry = (amount: string, parts: readonly Part[], rest = ''): string =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-30</Dt></BookgDt>${rest}<NtryDtls>${parts.map(detail).join('')}</NtryDtls></Ntry>`;

  const camt = (entries: string): string =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Ccy>EUR</Ccy></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`;

  const TWO: readonly Part[] = [
    { amount: '329.56', name: 'Client One', reference: 'INV-1', text: 'Invoice 1' },
    { amount: '100.00', name: 'Client Two', reference: 'INV-2', text: 'Invoice 2' },
  ];

  it('the line has the names, references, texts and amounts of its parts', () => {
    const { lines } = statementOf(camt(entry('429.56', TWO)));
    expect(lines).toMatchObject([
      {
        amountMinor: 42_956,
        description: 'Invoice 1; Invoice 2',
        metadata: {
          counterparty: 'Client One; Client Two',
          end_to_end_id: 'INV-1; INV-2',
          parts: '329.56 EUR Client One Invoice 1 INV-1; 100.00 EUR Client Two Invoice 2 INV-2',
          transactions: '2',
        },
      },
    ]);
  });

  it("the bank's text of the entry stays its text", () => {
    const { lines } = statementOf(camt(entry('429.56', TWO, '<AddtlNtryInf>SEPA batch</AddtlNtryInf>')));
    expect([lines[0]?.description, lines[0]?.metadata['parts']]).toEqual(['SEPA batch', expect.stringContaining('Client Two')]);
  });

  it('an entry of 50,000 parts is one line, shortened to the limits of a record, with a note', () => {
    const parts = Array.from({ length: 50_000 }, (_, index) => ({
      amount: '0.01',
      name: `Ärger "${index}" & Söhne`.replaceAll('&', 'und'),
      reference: `R${index}`,
    }));
    const statement = statementOf(camt(entry('500.00', parts)));
    expect([statement.lines.length, statement.rejectedRows]).toEqual([1, 0]);
    expect(statement.problems).toMatchObject([{ code: 'parts_shortened', severity: 'note' }, { code: 'batch_entries' }]);
    expect(statement.lines[0]?.metadata['parts']).toMatch(/; and 49\d{3} more$/);
    expect(statement.lines[0]?.metadata['transactions']).toBe('50000');
  });

  const parts = { batchLines: 'parts' } as const;
  const withBalances = (entries: string): string => {
    const balance = (code: string, amount: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-06-30</Dt></Dt></Bal>`;
    return camt(`${balance('OPBD', '149.87')}${balance('CLBD', '579.43')}${entries}`);
  };

  it('its parts are lines of their own where a person wants them', () => {
    const statement = statementOf(withBalances(entry('429.56', TWO, '<AcctSvcrRef>R1</AcctSvcrRef>')), parts);
    expect(statement.lines).toMatchObject([
      {
        amountMinor: 32_956,
        description: 'Invoice 1',
        externalId: 'R1 1',
        metadata: { counterparty: 'Client One', end_to_end_id: 'INV-1', batch: '1 of 2' },
      },
      {
        amountMinor: 10_000,
        description: 'Invoice 2',
        externalId: 'R1 2',
        metadata: { counterparty: 'Client Two', end_to_end_id: 'INV-2', batch: '2 of 2' },
      },
    ]);
    expect(statement.lines[0]?.metadata['parts']).toBeUndefined();
    expect(statement).toMatchObject({
      openingBalanceMinor: 14_987,
      closingBalanceMinor: 57_943,
      batches: { entries: 1, parts: 2, lines: 'parts' },
    });
  });

  it.each([
    ['do not add up', [{ amount: '329.56' }, { amount: '99.99' }]],
    ['lack an amount', [{ amount: '329.56' }, { name: 'Client Two' }]],
    ['are in another currency', [{ amount: '329.56' }, { amount: '100.00', currency: 'USD' }]],
  ])('parts that %s leave the entry one line', (_, some) => {
    const statement = statementOf(camt(entry('429.56', some)), parts);
    expect([statement.lines.length, statement.lines[0]?.amountMinor, statement.batches]).toEqual([1, 42_956, undefined]);
  });
});
