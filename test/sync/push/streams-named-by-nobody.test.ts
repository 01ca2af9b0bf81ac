import { expect, test } from 'vitest';
import { expectEmpty, twoBooks } from '../two-books.ts';

const CSV = `Date,Reference,Description,Amount,Balance
2026-06-02,R1,Ada Ltd,452.10,1252.10
2026-06-05,R2,Electricity,-64.50,1187.60
`;

const OFX = `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>1<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260701<DTEND>20260731
<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260702<TRNAMT>452.11<FITID>F1<CHECKNUM>101<NAME>Ada Ltd</STMTTRN>
<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260705<TRNAMT>-64.51<FITID>F2<CHECKNUM>102<NAME>Electricity</STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>1187.60<DTASOF>20260731</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;

const MT940 = `:20:STMT
:25:12345678
:28C:1/1
:60F:C260801EUR800,00
:61:2608020802C452,12NMSCREF1//B1
:86:Ada Ltd
:61:2608050805D64,52NMSCREF2//B2
:86:Electricity
:62F:C260831EUR1187,60
`;

const entry = (day: string, amount: string, side: string, id: string): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>${id}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>E-${id}</EndToEndId></Refs><RmtInf><Ustrd>Text ${id}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
const CAMT = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-09-30T00:00:00</CreDtTm></GrpHdr><Stmt><Id>S1</Id><CreDtTm>2026-09-30T00:00:00</CreDtTm><Acct><Id><Othr><Id>12345678</Id></Othr></Id><Ccy>EUR</Ccy></Acct>
${entry('2026-09-02', '452.13', 'CRDT', 'C1')}
${entry('2026-09-05', '64.53', 'DBIT', 'C2')}
</Stmt></BkToCstmrStmt></Document>
`;

const FILES = { CSV, OFX, MT940, CAMT } as const;
type Format = keyof typeof FILES;
const FORMATS = Object.keys(FILES) as Format[];
const PAIRS = FORMATS.flatMap((one) => FORMATS.filter((other) => other >= one).map((other) => [one, other] as const));

async function imported(one: Format, other: Format) {
  const books = await twoBooks();
  for (const [book, format] of [
    [books.here, one],
    [books.there, other],
  ] as const) {
    await book.client.get('streams.create', { key: 'bank', name: 'bank' });
    expect(await book.importText('bank', FILES[format], { currency: 'EUR' })).toMatchObject({ status: 'completed' });
  }
  return books;
}

const saidOf = async ({ client }: Awaited<ReturnType<typeof twoBooks>>['here']) => {
  const { name, description, reference_field } = await client.get('streams.get', { key: 'bank' });
  return { name, description, reference_field };
};

test.each(PAIRS)('two computers that imported %s and %s are asked nothing about a stream that nobody named', async (one, other) => {
  const { here, there, sync } = await imported(one, other);
  const theirs = await saidOf(there);
  expect((await sync({ preview: true })).conflicts.filter(({ kind }) => kind === 'name')).toEqual([]);
  expect(await sync()).toMatchObject({ ok: true, error: null, conflicts: [] });
  expect([await saidOf(here), await saidOf(there)]).toEqual([theirs, theirs]);
  expectEmpty(await sync());
});

test('the name that a person gave a stream stands against one that is only its key, on whichever side it was given', async () => {
  const { here, there, sync } = await imported('CSV', 'OFX');
  await here.client.get('streams.update', { key: 'bank', name: 'Current account' });
  await there.client.get('streams.update', { key: 'bank', description: 'At the savings bank' });
  expect(await sync()).toMatchObject({ ok: true, conflicts: [] });
  for (const book of [here, there]) {
    expect(await saidOf(book)).toMatchObject({ name: 'Current account', description: 'At the savings bank' });
  }
  expectEmpty(await sync());
});

test('what people have said differently on both sides is asked about', async () => {
  for (const change of [{ name: 'Current' }, { reference_field: 'description' }]) {
    const { here, there, sync } = await imported('CSV', 'OFX');
    await here.client.get('streams.update', { key: 'bank', ...change });
    await there.client.get('streams.update', { key: 'bank', name: 'Savings', reference_field: 'metadata.check_number' });
    const { conflicts } = await sync();
    expect(conflicts.map(({ kind }) => kind)).toEqual(['name']);
  }
});
