import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readText } from '../../support/inputs/statements.ts';
import { IS_LONG, runs } from '../../support/long.ts';

const CELL = (type: string, text: string): string => `<Cell><Data ss:Type="${type}">${text}</Data></Cell>`;

/** A sound file of each format, small enough that damage hits what matters; its name begins with the format. */
const SOUND: Readonly<Record<string, string>> = {
  mt940:
    ':20:STARTUMS\n:25:10020030/1234567\n:28C:5/1\n:60F:C260601EUR1000,00\n:61:2606020602DR800,5NSTONONREF//B-1\n:86:008?00DAUERAUFTRAG?20Miete\n:61:2606030603C300,NTRFINV 17//B-2\n:86:/NAME/Acme/REMI/Invoice/\n:62F:C260603EUR499,50\n-\n',
  'mt940 of two pages in envelopes':
    '{1:F01BANKDEFFXXXX}{2:I940BANKDEFFXXXXN}{4:\r\n:20:A\r\n:25:1/2\r\n:28C:5/1\r\n:60F:C260601EUR10,00\r\n:61:2606020602RC8,5NTRFNONREF//B-1\r\n:62M:C260602EUR1,5\r\n-}\r\n{1:F01BANKDEFFXXXX}{2:I940BANKDEFFXXXXN}{4:\r\n:20:B\r\n:25:1/2\r\n:28C:5/2\r\n:60M:C260602EUR1,5\r\n:61:260603D1,NMSC1\r\n:62F:C260603EUR0,5\r\n:64:C260603EUR0,5\r\n-}\r\n',
  'mt940 as an interim report':
    ':20:A\n:25:1\n:28C:1/1\n:34F:EUR0,\n:13D:2606021200+0100\n:61:2606020602EC5,00NMSC1\n:86:166?00X?20Y\n:61:260602D2,00NMSC2\n:90D:1EUR2,00\n:90C:1EUR5,00\n-\n',
  ofx: 'OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM>\n<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602<TRNAMT>-1.50<FITID>a<NAME>B &amp; C</STMTTRN>\n<LEDGERBAL><BALAMT>5<DTASOF>20260602</LEDGERBAL></STMTRS></OFX>\n',
  qif: "!Account\nNCash\nB3.00\n^\n!Type:Cash\nD6/ 1'26\nT1.50\nPCoffee\n^\nD2026-06-02\nT1.50\n^\n",
  camt: '<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>\n<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>\n<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-02</Dt></BookgDt></Ntry>\n</Stmt></BkToCstmrStmt></Document>\n',
  'camt with a summary and a debit of several transactions':
    '<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.06"><BkToCstmrAcctRpt><Rpt><FrToDt><FrDtTm>2026-06-01T00:00:00</FrDtTm><ToDtTm>2026-06-02T00:00:00</ToDtTm></FrToDt><Acct><Id><Othr><Id>1</Id></Othr></Id></Acct>\n<TxsSummry><TtlNtries><NbOfNtries>1</NbOfNtries></TtlNtries><TtlDbtNtries><Sum>2.5</Sum></TtlDbtNtries></TxsSummry>\n<Ntry><Amt Ccy="EUR">2.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><ValDt><DtTm>2026-06-02T10:00:00+02:00</DtTm></ValDt><NtryDtls><TxDtls><RmtInf><Ustrd>a &amp; b</Ustrd></RmtInf></TxDtls><TxDtls/></NtryDtls></Ntry>\n</Rpt></BkToCstmrAcctRpt></Document>\n',
  html: '<html><body><table><tr><th>Date</th><th>Details</th><th>Amount</th></tr>\n<tr><td>2026-06-01</td><td>Rent &amp; more</td><td>-10.00</td></tr>\n<tr><td>2026-06-02<td colspan="1">Shop<br>two</td><td>5.00</td></tr></table></body></html>\n',
  'xls in the XML of 2003': `<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table>\n<Row>${CELL('String', 'Date')}${CELL('String', 'Details')}${CELL('String', 'Amount')}</Row>\n<Row>${CELL('DateTime', '2026-06-01T00:00:00.000')}${CELL('String', 'Rent')}${CELL('Number', '-10.5')}</Row>\n<Row ss:Index="4">${CELL('DateTime', '2026-06-02T00:00:00.000')}<Cell ss:Index="3"><Data ss:Type="Number">5</Data></Cell></Row>\n</Table></Worksheet></Workbook>\n`,
  bai2: '01,B,U,260603,0800,1,80,,2/\n02,U,B,1,260602,,USD,2/\n03,0123,USD,010,1000,,/\n88,015,3750,,/\n16,142,3000,V,260603,,R,C,ACME\n88,June/\n16,475,250,S,1,2,3,,C,X/\n49,8000,5/\n98,8000,1,7/\n99,8000,1,9/\n',
  nacha: [
    '101 23138010412104288221906240000A094101Federal Reserve Bank   My Bank Name',
    '5200Name on Account                     121042882 PPDREG.SALARY      260602   1121042880000001',
    '627231380104987654321        0000005000ID-1           Jane Doe                0121042880000001',
    '82000000010023138010000000005000000000000000121042882',
  ]
    .map((line) => line.padEnd(94))
    .join('\n'),
};

/** What is wrong with an answer; nothing must be, whatever the file. */
function faultsOf(content: string): readonly string[] {
  const read = readText(content);
  if (!read.ok) return /^[A-Z].*\.$/su.test(read.error.message) ? [] : [`no sentence: ${read.error.message}`];
  const statement = read.value;
  const rejections = statement.problems.filter((problem) => problem.severity === 'rejected');
  const faults: string[] = [];
  if (statement.rows !== statement.lines.length + statement.rejectedRows) faults.push('rows do not add up');
  if (rejections.length < statement.rejectedRows) faults.push('a rejected row has no problem');
  if (statement.problems.some((problem) => !/^[A-Z"0-9].*\.$/su.test(problem.message))) faults.push('a problem is no sentence');
  for (const line of statement.lines) {
    if (!Number.isSafeInteger(line.amountMinor) || line.amountMinor < 0) faults.push(`amount ${line.amountMinor}`);
    if (!Number.isSafeInteger(line.day)) faults.push(`day ${line.day}`);
    if (!/^[A-Z]{3}$/.test(line.currency)) faults.push(`currency ${line.currency}`);
  }
  return faults;
}

const piece = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom(
    '\n',
    '<',
    '>',
    '/',
    ':61:',
    '^',
    ',',
    '88,',
    '<STMTTRN>',
    '<![CDATA[',
    '&#x10ffff;',
    '<td',
    '</table>',
    '<!DOCTYPE x [',
    '<Row ss:Index="99999999">',
    '{4:',
    ':20:',
    '-}',
    '9'.repeat(30),
    '\u0000',
    '-',
  ),
);
/** Where something is taken out, and what comes in its place. */
const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(12), insert: piece });

function damaged(text: string, changes: readonly { at: number; remove: number; insert: string }[]): string {
  return changes.reduce((current, { at, remove, insert }) => {
    const place = Math.floor(at * current.length);
    return current.slice(0, place) + insert + current.slice(place + remove);
  }, text);
}

/** Of a text so long that steps for each pair of its parts would take minutes, and in `npm test` seconds. */
const PART = IS_LONG ? 1 : 4;

describe('damaged files of a bank format', () => {
  it.each(Object.entries(SOUND))('%s is answered with a statement or a sentence', (name, sound) => {
    const whole = readText(sound);
    expect(whole).toMatchObject({ ok: true, value: { format: name.split(' ')[0], rejectedRows: 0 } });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        expect(faultsOf(damaged(sound, changes))).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(Object.entries(SOUND))('%s cut off anywhere loses no row in silence', (_, sound) => {
    fc.assert(
      fc.property(fc.nat(sound.length), (length) => void expect(faultsOf(sound.slice(0, length))).toEqual([])),
      { numRuns: runs(100) },
    );
  });

  it('never hangs on a long or deep one', () => {
    for (const long of [
      `<OFX>${'<A>'.repeat(50_000 / PART)}`,
      `<OFX><STMTRS>${'<STMTTRN><NAME>x'.repeat(20_000 / PART)}`,
      `<?xml version="1.0"?><Document xmlns="camt.053">${'<A>'.repeat(50_000 / PART)}`,
      `:20:X\n:25:1\n:61:${'9'.repeat(200_000 / PART)}\n`,
      `:20:X\n:25:1\n:60F:C260601EUR1,\n:61:260601C1,NTRF\n:86:${'?20x'.repeat(50_000 / PART)}\n`,
      `!Type:Bank\n${'D1\n'.repeat(100_000 / PART)}`,
      `<table>${'<tr><td>'.repeat(50_000 / PART)}`,
      `<table><tr>${'<td colspan="1000000">2026-06-01</td>'.repeat(2_000 / PART)}`,
      `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table>${'<Row ss:Index="1000000">'.repeat(20_000 / PART)}`,
      `${':20:A\n'.repeat(50_000 / PART)}:25:1\n:61:260601C1,NTRF\n`,
      `:20:X\n:25:1\n:60F:C260601EUR1,\n${'-\n'.repeat(50_000 / PART)}`,
      `:20:X\n:25:1\n:60F:C260601EUR1,\n${':61:260601C1,NTRF\n'.repeat(50_000 / PART)}:62F:C260601EUR50001,\n-\n`,
      `:20:X\n:25:1\n:60F:C260601EUR1,\n:61:260601C1,NTRF\n:86:x\n${'more\n'.repeat(300_000 / PART)}`,
      ...[',A,B,x\n', 'D,99999999,\n'].map(
        (text) =>
          `01,B,U,260603,0800,1,80,,2/\n02,U,B,1,260602,,USD,2/\n03,1,USD,,,,/\n16,475,250,${text}${'88,1,2,3\n'.repeat(50_000 / PART)}`,
      ),
      `01,B,U,260603,0800,1,80,,2/\n03,1,USD,${'010,1,,D,999999,'.repeat(20_000 / PART)}/`,
    ])
      expect(faultsOf(long)).toEqual([]);
  });
});
