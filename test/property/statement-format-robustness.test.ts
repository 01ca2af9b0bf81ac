import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readText } from '../support/statements.ts';

/** A sound file of each format, small enough that damage hits what matters. */
const SOUND: Readonly<Record<string, string>> = {
  mt940:
    ':20:STARTUMS\n:25:10020030/1234567\n:28C:5/1\n:60F:C260601EUR1000,00\n:61:2606020602DR800,5NSTONONREF//B-1\n:86:008?00DAUERAUFTRAG?20Miete\n:61:2606030603C300,NTRFINV 17//B-2\n:86:/NAME/Acme/REMI/Invoice/\n:62F:C260603EUR499,50\n-\n',
  ofx: 'OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM>\n<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602<TRNAMT>-1.50<FITID>a<NAME>B &amp; C</STMTTRN>\n<LEDGERBAL><BALAMT>5<DTASOF>20260602</LEDGERBAL></STMTRS></OFX>\n',
  qif: "!Account\nNCash\nB3.00\n^\n!Type:Cash\nD6/ 1'26\nT1.50\nPCoffee\n^\nD2026-06-02\nT1.50\n^\n",
  camt: '<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>\n<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>\n<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-02</Dt></BookgDt></Ntry>\n</Stmt></BkToCstmrStmt></Document>\n',
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
  fc.constantFrom('\n', '<', '>', '/', ':61:', '^', ',', '88,', '<STMTTRN>', '<![CDATA[', '&#x10ffff;', '9'.repeat(30), '\u0000', '-'),
);
/** Where something is taken out, and what comes in its place. */
const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(12), insert: piece });

function damaged(text: string, changes: readonly { at: number; remove: number; insert: string }[]): string {
  return changes.reduce((current, { at, remove, insert }) => {
    const place = Math.floor(at * current.length);
    return current.slice(0, place) + insert + current.slice(place + remove);
  }, text);
}

describe('damaged files of a bank format', () => {
  it.each(Object.entries(SOUND))('%s is answered with a statement or a sentence', (format, sound) => {
    const whole = readText(sound);
    expect(whole).toMatchObject({ ok: true, value: { format, rejectedRows: 0 } });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        expect(faultsOf(damaged(sound, changes))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each(Object.entries(SOUND))('%s cut off anywhere loses no row in silence', (_, sound) => {
    fc.assert(
      fc.property(fc.nat(sound.length), (length) => void expect(faultsOf(sound.slice(0, length))).toEqual([])),
      { numRuns: 100 },
    );
  });

  it('never hangs on a long or deep one', () => {
    for (const long of [
      `<OFX>${'<A>'.repeat(50_000)}`,
      `<OFX><STMTRS>${'<STMTTRN><NAME>x'.repeat(20_000)}`,
      `<?xml version="1.0"?><Document xmlns="camt.053">${'<A>'.repeat(50_000)}`,
      `:20:X\n:25:1\n:61:${'9'.repeat(200_000)}\n`,
      `:20:X\n:25:1\n:60F:C260601EUR1,\n:61:260601C1,NTRF\n:86:${'?20x'.repeat(50_000)}\n`,
      `!Type:Bank\n${'D1\n'.repeat(100_000)}`,
      `01,B,U,260603,0800,1,80,,2/\n03,1,USD,${'010,1,,D,999999,'.repeat(20_000)}/`,
    ])
      expect(faultsOf(long)).toEqual([]);
  });
});
