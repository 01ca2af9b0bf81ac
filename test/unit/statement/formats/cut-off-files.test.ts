import { describe, expect, it } from 'vitest';
import { lines, readText } from '../../../support/inputs/statements.ts';

const padded = (...text: readonly string[]): string => lines(...text.map((line) => line.padEnd(94)));

const message = (number: string, opening: string, closing: string): string[] => [
  `:20:REF${number}`,
  ':25:10020030/1234567',
  `:28C:${number}/1`,
  `:60F:C260601EUR${opening}`,
  ':61:2606020602DR800,50NSTONONREF//B-1',
  ':86:Rent',
  ':61:2606030603C300,25NTRFINV 17//B-2',
  ':86:Invoice 17',
  `:62F:C260603EUR${closing}`,
  '-',
];
const entry = (day: string, amount: string): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-${day}</Dt></BookgDt></Ntry>`;
const transaction = (day: string, amount: string): string =>
  `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>202606${day}<TRNAMT>${amount}<FITID>${day}<NAME>Shop</STMTTRN>`;

/**
 * Whole files, and from how many characters on what is left of each is a whole statement by the rules of its format. `ofFirst`: how many are those of
 * the first of two files, which says nothing of the second.
 */
const WHOLE: Readonly<Record<string, { readonly text: string; readonly wholeFrom: (text: string) => number; readonly ofFirst?: number }>> =
  {
    'MT940 of one message': {
      text: lines(...message('5', '1000,00', '499,75')),
      wholeFrom: (text) => text.indexOf('499,75') + '499,75'.length,
    },
    'MT940 in envelopes': {
      text: lines('{1:F01BANKDEFFXXXX}{2:I940BANKDEFFXXXXN}{4:', ...message('5', '1000,00', '499,75').slice(0, -1), '-}'),
      wholeFrom: (text) => text.lastIndexOf('-') + 1,
    },
    'MT940 in two pages': {
      text: lines(
        ...message('5', '1000,00', '499,75').map((line) => line.replace(':62F:', ':62M:')),
        ...message('5', '499,75', '-')
          .map((line) => line.replace(':60F:', ':60M:').replace('EUR-', 'DEUR0,50'))
          .slice(0, -2),
        ':62F:D260603EUR0,50',
        '-',
      ),
      wholeFrom: (text) => text.lastIndexOf('0,50') + '0,5'.length,
    },
    MT942: {
      text: lines(
        ':20:A',
        ':25:1',
        ':28C:1/1',
        ':34F:EUR0,',
        ':61:2606020602C500,25NMSC1',
        ':61:260602D200,50NMSC2',
        ':90D:1EUR200,50',
        ':90C:1EUR500,25',
      ),
      wholeFrom: (text) => text.lastIndexOf('500,25') + '500,25'.length,
    },
    'CAMT.053': {
      text: lines(
        '<?xml version="1.0"?>',
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE1</IBAN></Id></Acct>',
        entry('02', '10.50'),
        entry('03', '20.50'),
        '</Stmt></BkToCstmrStmt>',
        '</Document>',
      ),
      wholeFrom: (text) => text.lastIndexOf('>') + 1,
    },
    'OFX 1': {
      text: lines(
        'OFXHEADER:100',
        '',
        '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>',
        transaction('02', '-10.50'),
        transaction('03', '-20.50'),
        '</BANKTRANLIST><LEDGERBAL><BALAMT>500.00<DTASOF>20260603</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>',
      ),
      wholeFrom: (text) => text.lastIndexOf('>') + 1,
    },
    BAI2: {
      text: lines(
        '01,B,U,260603,0800,1,80,,2/',
        '02,U,B,1,260602,,USD,2/',
        '03,0123,USD,010,1000,,/',
        '88,015,3750,,/',
        '16,142,3000,,R,C,ACME',
        '88,June/',
        '16,475,250,,C,X/',
        '49,8000,6/',
        '98,8000,1,8/',
        '99,8000,1,10/',
      ),
      wholeFrom: (text) => text.lastIndexOf('10/') + 2,
    },
    'two files of BAI2 in one': {
      text: ['1', '2']
        .map((number) =>
          lines(
            `01,B,U,260603,0800,${number},80,,2/`,
            '02,U,B,1,260602,,USD,2/',
            `03,0123${number},USD,,,,/`,
            '16,142,3000,,R,C,ACME/',
            '49,3000,3/',
            '98,3000,1,5/',
            '99,3000,1,7/',
          ),
        )
        .join(''),
      wholeFrom: (text) => text.lastIndexOf('7/') + 1,
      ofFirst: 130,
    },
    NACHA: {
      text: padded(
        '101 23138010412104288221906240000A094101Federal Reserve Bank   My Bank Name',
        '5200Name on Account                     121042882 PPDREG.SALARY      260602   1121042880000001',
        '627231380104987654321        0000005000ID-1           Jane Doe                0121042880000001',
        '622231380104987654321        0000000700ID-2           John Roe                0121042880000002',
        '82000000020046276020000000005000000000000700121042882',
        '9000001000001000000020046276020000000005000000000000700',
        '9'.repeat(94),
      ),
      wholeFrom: (text) => text.indexOf('\n9000001') + 1 + 55,
    },
  };

/** What is wrong with how a file is read that was cut off behind some of its characters. */
function faultOf(text: string): string | null {
  const read = readText(text);
  if (!read.ok) return /^[A-Z].*\.$/su.test(read.error.message) ? null : `no sentence: ${read.error.message}`;
  if (read.value.proof !== 'broken') return read.value.proof;
  const why = read.value.problems.find(({ code }) => ['file_cut_off', 'balance_broken', 'control_broken'].includes(code));
  return why?.row === null || why === undefined ? 'names no place' : null;
}

describe.each(Object.entries(WHOLE))('%s', (_, { text, wholeFrom, ofFirst = 0 }) => {
  it('is read as it is', () => {
    const read = readText(text);
    expect(read).toMatchObject({ ok: true, value: { rejectedRows: 0 } });
    expect(read.ok && read.value.proof).not.toBe('broken');
  });

  it('is never called complete where it is cut off', () => {
    const taken: string[] = [];
    for (let length = 1; length < wholeFrom(text); length += 1) {
      const fault = faultOf(text.slice(0, length));
      const isFirstAlone = length <= ofFirst && length > ofFirst - '7/\n'.length;
      if (fault !== null && !isFirstAlone) taken.push(`${length} ${JSON.stringify(text.slice(0, length).slice(-24))}: ${fault}`);
    }
    expect(taken).toEqual([]);
  });

  it('is complete with all parts that its format requires', () => {
    for (let length = wholeFrom(text); length < text.length; length += 1)
      expect([length, faultOf(text.slice(0, length))]).not.toEqual([length, null]);
  });
});

it('a transaction that is cut off is never imported, whatever a person accepts', () => {
  const torn = (name: string, until: string): unknown => {
    const { text } = WHOLE[name] ?? { text: '' };
    const read = readText(text.slice(0, text.indexOf(until) + until.length));
    return read.ok ? [read.value.lines.length, read.value.rejected.map(({ problems }) => problems[0]?.code)] : read.error.code;
  };
  expect(torn('MT940 of one message', '0603C300')).toEqual([1, ['cut_off_row']]);
  expect(torn('MT940 of one message', ':86:Invo')).toEqual([1, ['cut_off_row']]);
  expect(torn('OFX 1', '<TRNAMT>-20')).toEqual([1, ['cut_off_row']]);
  expect(torn('BAI2', '16,475,25')).toEqual([1, ['cut_off_row']]);
  expect(torn('NACHA', '\n622231380104987654321        0000000700')).toEqual([1, ['cut_off_row']]);
});

describe('QIF', () => {
  const text = '!Type:Bank\nD2026-06-01\nT-10.00\nPRent\n^\nD2026-06-02\nT-12.50\nPShop\n^\n';

  it('is complete after each of its records, and cut off inside one', () => {
    for (let length = text.indexOf('D'); length < text.length; length += 1) {
      const left = text.slice(0, length);
      const read = readText(left);
      if (!read.ok) continue;
      const codes = new Set(read.value.problems.map(({ code }) => code));
      const isWhole = /\^\n?$/.test(left) || left.endsWith('\n');
      expect([length, read.value.proof]).toEqual([length, isWhole ? 'unproved' : 'broken']);
      expect([length, codes.has('file_cut_off'), codes.has('record_unended')]).toEqual([length, !isWhole, !/\^\n?$/.test(left) && isWhole]);
    }
    const torn = readText(text.slice(0, text.indexOf('-12') + 3));
    expect(torn).toMatchObject({
      ok: true,
      value: { lines: [{ amountMinor: 1000 }], rejected: [{ row: 6, problems: [{ code: 'cut_off_row' }] }] },
    });
  });
});

it('a page of a CAMT statement that is not the last one says so, unless the next one is there', () => {
  const page = (number: number, isLast: boolean): string =>
    `<Stmt><StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${isLast}</LastPgInd></StmtPgntn><Acct><Id><IBAN>DE1</IBAN></Id></Acct>${entry(`0${number}`, '10.50')}</Stmt>`;
  const file = (...pages: readonly string[]): unknown => {
    const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>\n${pages.join('\n')}</BkToCstmrStmt></Document>`;
    const read = readText(text);
    return read.ok ? read.value.problems.map(({ code, row }) => [code, row]) : read.error;
  };
  expect(file(page(1, false))).toEqual([['page_not_last', 2]]);
  expect(file(page(1, false), page(2, true))).toEqual([]);
  expect(file(page(1, true))).toEqual([]);
});
