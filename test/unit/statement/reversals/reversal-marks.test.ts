import { expect, it } from 'vitest';
import { markOfWords, reasonInWords } from '../../../../src-main/domain/statement/reversals/originals.ts';
import { lines, statementOf } from '../../../support/inputs/statements.ts';

it.each([
  'RETURNED',
  'Returned payment 4711',
  'ACH RETURN R01',
  'STORNO',
  'Storno Gutschrift',
  'RETOURE SEPA-LASTSCHRIFT',
  'Rücklastschrift Müller',
  'RUECKLASTSCHRIFT',
  'Rejet de prélèvement EDF',
  'PRLV REJETÉ',
  'Terugboeking incasso',
  'Stornato',
  'DEVOLUCIÓN RECIBO 12',
  'ESTORNO',
  'Zwrot przelewu',
  'Chargeback 22',
  'Reversal',
  'Unpaid DD',
  '退汇 1',
])('%s marks a line that reverses another one', (text) => {
  expect(markOfWords(text)).toMatchObject({ by: 'words' });
});

it.each([
  null,
  '',
  'HMRC TAX RETURN 2026',
  'Returned goods order 5',
  'RETOURE PAKET 7',
  'Refund Amazon',
  'Retourneren BV',
  'Reversing Lights Ltd',
  'Return ticket Paris',
  'Stornoway Hotel',
  'Gutschrift',
  'Devolución de compra Zara',
  'Returns Department',
])('%s does not', (text) => {
  expect(markOfWords(text)).toBeNull();
});

it('reasons have words and codes', () => {
  expect(reasonInWords('format', 'AC04')).toBe('The account is closed (AC04)');
  expect(reasonInWords('format', 'R01')).toBe('There was not enough money (R01)');
  expect(reasonInWords('format', 'X9')).toBe('The bank marks it as a return or a reversal (X9)');
  expect(reasonInWords('format', null)).toBe('The bank marks it as a return or a reversal');
  expect(reasonInWords('words', 'STORNO')).toBe('Its text says STORNO');
});

const camt = (entry: string): string =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Ccy>EUR</Ccy></Acct><Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-02</Dt></BookgDt>${entry}</Ntry></Stmt></BkToCstmrStmt></Document>`;
const markOf = (text: string) => statementOf(text, { currency: 'USD' }).lines.map(({ reversal }) => reversal ?? null);

it('CAMT: the reversal indicator, a reason of return, and codes of returns', () => {
  const format = { by: 'format', reason: null, reference: null };
  expect(markOf(camt(''))).toEqual([null]);
  expect(markOf(camt('<RvslInd>false</RvslInd>'))).toEqual([null]);
  expect(markOf(camt('<RvslInd>true</RvslInd>'))).toEqual([format]);
  expect(
    markOf(
      camt('<NtryDtls><TxDtls><Refs><EndToEndId>E-1</EndToEndId></Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls></NtryDtls>'),
    ),
  ).toEqual([{ by: 'format', reason: 'AC04', reference: 'E-1' }]);
  const code = '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn></BkTxCd>';
  expect(markOf(camt(code))).toEqual([format]);
});

it('MT940: RC and RD, returned items, and codes of German banks as words', () => {
  const mt940 = (line: string, details: string): string =>
    lines(':20:X', ':25:1', ':28C:1/1', ':60F:C260601EUR0,00', `:61:${line}`, `:86:${details}`, ':62F:C260602EUR1,00', '-');
  expect(markOf(mt940('2606020602C1,00NTRFREF1', 'Shop'))).toEqual([null]);
  expect(markOf(mt940('2606020602RD1,00NTRFREF1', 'Shop'))).toEqual([{ by: 'format', reason: null, reference: 'REF1' }]);
  expect(markOf(mt940('2606020602C1,00NRTIREF1', 'Shop'))).toEqual([{ by: 'format', reason: null, reference: 'REF1' }]);
  expect(markOf(mt940('2606020602C1,00NTRFNONREF', '159?00RETOURE?20EREF+E-1'))).toMatchObject([
    { by: 'words', reason: 'RETOURE', reference: 'E-1' },
  ]);
});

it('BAI2: types of reversals and returned items', () => {
  const bai2 = (type: string): string =>
    lines(
      '01,A,B,260602,1200,1,80,1,2/',
      '02,B,A,1,260602,1200,USD,2/',
      '03,1,USD,010,0,,/',
      `16,${type},100,Z,BR1,CR1,Text`,
      '49,100,3/',
      '98,100,1,5/',
      '99,100,1,7/',
    );
  expect(markOf(bai2('195'))).toEqual([null]);
  expect(markOf(bai2('252'))).toEqual([{ by: 'format', reason: null, reference: 'CR1' }]);
  expect(markOf(bai2('555'))).toEqual([{ by: 'format', reason: null, reference: 'CR1' }]);
});

it('a column of kinds says it as well', () => {
  expect(
    markOf(lines('Date,Type,Details,Amount', '2026-06-01,Card,Shop,-1.00', '2026-06-02,Reversal,Shop,1.00', '2026-06-03,Card,Bus,-2.00')),
  ).toEqual([null, { by: 'words', reason: 'REVERSAL', reference: null }, null]);
});
