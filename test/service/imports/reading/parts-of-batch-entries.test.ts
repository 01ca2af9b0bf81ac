import { writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../../support/processes/run-cli.ts';

const part = (amount: string, text: string): string =>
  `<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
const file = (reference: string): string =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Ccy>EUR</Ccy></Acct><Ntry><Amt Ccy="EUR">429.56</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-30</Dt></BookgDt>${reference}<NtryDtls>${part('329.56', 'Client 1')}${part('100.00', 'Client 2')}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;

it.each(['', '<AcctSvcrRef>R1</AcctSvcrRef>'])(
  'an entry and its parts are never both in a stream, whichever came first (%s)',
  async (reference) => {
    const folder = temporaryFolder();
    const [book, name] = [path.join(folder, 'book'), path.join(folder, 'june.xml')];
    writeFileSync(name, file(reference));
    const take = (stream: string, ...more: string[]) => runCli('import', name, '--data', book, '--stream', stream, '--json', ...more);
    const amounts = (stream: string): unknown[] => {
      const connection = new SqliteDatabase(path.join(book, 'book.sqlite'), { readonly: true });
      const found = connection
        .prepare('SELECT r.amount FROM records r JOIN streams s ON s.id = r.stream_id WHERE s.key = ? ORDER BY r.id')
        .pluck()
        .all(stream);
      connection.close();
      return found;
    };
    const whole = await take('whole');
    expect([whole.exitCode, whole.document]).toMatchObject([0, { kept: 1, batches: { entries: 1, parts: 2, lines: 'entry' } }]);
    expect((await take('whole', '--batch-lines', 'parts')).document).toMatchObject({ kept: 0, skipped: 2 });
    expect(amounts('whole')).toEqual([42_956]);
    const parts = await take('parts', '--batch-lines', 'parts');
    expect([parts.exitCode, parts.document]).toMatchObject([0, { kept: 2, batches: { lines: 'parts' } }]);
    // The stream keeps it.
    expect((await take('parts')).document).toMatchObject({ kept: 0, skipped: 2, batches: { lines: 'parts' } });
    expect((await take('parts', '--batch-lines', 'entry')).document).toMatchObject({ kept: 0, skipped: 1 });
    expect(amounts('parts')).toEqual([32_956, 10_000]);
  },
);
