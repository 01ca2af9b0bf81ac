import { describe, expect, it } from 'vitest';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

/** Formats whose amounts have no groups: a mark alone is the decimal one. It was taken for a mark between thousands, so amounts were a hundred or a thousand times too large. */
const ofx = (...amounts: readonly string[]): string =>
  `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${amounts
    .map((amount, index) => `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602<TRNAMT>${amount}<FITID>${index}<NAME>Fund</STMTTRN>`)
    .join('\n')}</BANKTRANLIST></STMTRS></OFX>\n`;

describe('OFX', () => {
  it('keeps the decimals of a fund', () => {
    expect(statementOf(ofx('-1.234', '-2.500')).lines).toMatchObject([
      { amountMinor: 1234, decimalPlaces: 3 },
      { amountMinor: 250, decimalPlaces: 2 },
    ]);
  });

  it('takes a mark for one between thousands where others show it', () => {
    expect(summaryOf(statementOf(ofx('-1.234', '-2.500,00')))).toEqual(['2026-06-02 -123400 EUR', '2026-06-02 -250000 EUR']);
  });
});

const mt940 = (...rows: readonly string[]): string => [':20:A', ':25:1', ':60F:C260601EUR1000,00', ...rows, '-'].join('\n');

describe('MT940', () => {
  it.each([
    ['200.00', -20_000],
    ['200.5', -20_050],
    ['1.200,00', -120_000],
    [',50', -50],
    ['200,', -20_000],
  ])('%s', (amount, minor) => {
    expect(summaryOf(statementOf(mt940(`:61:260602D${amount}NMSC1`)))).toEqual([`2026-06-02 ${minor} EUR`]);
  });

  it('refuses what could be thousands or decimals', () => {
    const statement = statementOf(mt940(':61:260602D1.200NMSC1'));
    expect([statement.lines, codesOf(statement)]).toMatchObject([[], expect.arrayContaining(['unreadable_amount'])]);
  });

  it('reads balances with a point as well', () => {
    const statement = statementOf(mt940(':61:260602D200.00NMSC1', ':61:260602C50.00NMSC2', ':62F:C260602EUR850.00'));
    expect(statement).toMatchObject({ proof: 'proved', closingBalanceMinor: 85_000 });
  });
});

it('QIF says that a mark was taken for one between thousands', () => {
  const statement = statementOf('!Type:Bank\nD22.06.2026\nT-1.500\nPRent\n^\n', { currency: 'EUR' });
  expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-06-22 -150000 EUR'], ['decimal_mark_assumed']]);
});
