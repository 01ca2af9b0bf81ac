import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const JUNE = 'Date,Description,Amount\n2026-06-01,Rent,-900.00\n2026-06-02,Coffee,-3.50\n2026-06-02,Coffee,-3.50\n';
const IDS = 'Date,Description,Amount,Transaction ID\n2026-06-01,Rent,-900.00,A1\n2026-06-02,Coffee,-3.50,A2\n';
const FAULTY = `${JUNE}2026-06-31,Gas,-70.00\n2026-06-30,Power,many\n`;

function write(book: QuietBook, name: string, text: string): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  return file;
}

/** By date; of one date the one made first comes first. */
const records = async (book: QuietBook) =>
  (await book.client.get('records.list', { limit: 100 })).data.toSorted(
    (one, other) => one.date.localeCompare(other.date) || one.id - other.id,
  );
const decide = (action: 'import' | 'leave_out', row: number) => ({ action, row, occurrence: 1 });

test('the very same file is recognised under another name and in another stream, until its import is undone', async () => {
  const book = openQuietBook();
  expect(importHere(book, { path: write(book, 'june.csv', JUNE) }).result?.same_file).toBeNull();
  const again = importHere(book, { path: write(book, 'other name.csv', JUNE), streamKey: 'card', dryRun: true }).result;
  expect(again?.same_file).toEqual({
    import_batch_id: 1,
    filename: 'june.csv',
    data_stream_key: 'bank',
    created_at: '2026-07-01T09:00:00.000Z',
  });
  expect(again?.problems[0]).toMatchObject({
    code: 'same_file',
    severity: 'note',
    message:
      'The very same file was imported on 2026-07-01 as june.csv into the account bank. Only lines that are not in the account yet go in.',
  });
  await book.client.get('import_batches.remove', { id: 1 });
  expect(importHere(book, { path: path.join(book.folder, 'other name.csv'), dryRun: true }).result?.same_file).toBeNull();
});

test('each skipped row has its reason: the earlier import, or the same id with other content', () => {
  const book = openQuietBook();
  importHere(book, { path: write(book, 'one.csv', IDS) });
  const changed = importHere(book, { path: write(book, 'two.csv', IDS.replace('-3.50', '-4.50')) }).result;
  expect(changed?.skipped_rows).toEqual([
    {
      row: 2,
      occurrence: 1,
      code: 'already_there',
      message: 'In the account already since the import of one.csv on 2026-07-01.',
      record_id: 1,
    },
    {
      row: 3,
      occurrence: 1,
      code: 'same_id_other_content',
      message:
        'The id A2 is in the account already since the import of one.csv on 2026-07-01, with other content: 2026-06-02, -3.50 there, 2026-06-02, -4.50 here.',
      record_id: 2,
    },
  ]);
});

test('a skipped duplicate can be imported once; the file again adds nothing', async () => {
  const book = openQuietBook();
  const file = write(book, 'june.csv', JUNE);
  importHere(book, { path: file });
  const forced = importHere(book, { path: file, overrules: [decide('import', 2)] }).result;
  expect(forced).toMatchObject({ kept: 1, skipped: 2, overruled: 1 });
  expect((await records(book)).map((record) => record.description)).toEqual(['Rent', 'Rent', 'Coffee', 'Coffee']);
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: 0, skipped: 3 });
  expect(auditEntries(book.database, 'import_batch.created').map((entry) => entry.detail)).toMatchObject([
    { overrules: [] },
    { overrules: [{ action: 'import', row: 2 }] },
    { overrules: [] },
  ]);
});

test('a forced duplicate with an id keeps the id as a field: no two records of a stream share one', async () => {
  const book = openQuietBook();
  const file = write(book, 'ids.csv', IDS);
  importHere(book, { path: file });
  importHere(book, { path: file, overrules: [decide('import', 3)] });
  const twins = (await records(book)).filter((record) => record.description === 'Coffee');
  expect(twins.map((record) => [record.external_id, record.metadata])).toEqual([
    ['A2', {}],
    [null, { external_id: 'A2' }],
  ]);
});

test('a line that is left out by hand is imported with the next import of the file', async () => {
  const book = openQuietBook();
  const file = write(book, 'june.csv', JUNE);
  const left = importHere(book, { path: file, overrules: [decide('leave_out', 3)] }).result;
  expect(left).toMatchObject({ kept: 2, skipped: 1, skipped_rows: [{ row: 3, code: 'left_out', message: 'Left out by hand.' }] });
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: 1, skipped: 2 });
  expect(await records(book)).toHaveLength(3);
});

test('a corrected row is imported, and the others no longer wait for it', async () => {
  const book = openQuietBook();
  const file = write(book, 'faulty.csv', FAULTY);
  const gas = { action: 'edit', row: 5, occurrence: 1, line: { date: '2026-06-30', amount: 7_000, direction: 'debit' } } as const;
  const power = {
    action: 'edit',
    row: 6,
    occurrence: 1,
    line: { date: '2026-06-30', amount: 5, direction: 'credit', description: 'Refund' },
  } as const;
  expect(importHere(book, { path: file, overrules: [gas] }).result).toMatchObject({ kept: 0, rejected: 1, batch_id: null });
  const { result } = importHere(book, { path: file, overrules: [gas, power] });
  expect(result).toMatchObject({ kept: 5, rejected: 0, overruled: 2, total_credits: 5, total_debits: 97_700 });
  expect(result?.problems.filter((problem) => problem.code === 'row_edited').map((problem) => problem.row)).toEqual([5, 6]);
  expect((await records(book)).slice(-2).map((record) => [record.description, record.amount, record.direction])).toEqual([
    ['Gas', 7_000, 'debit'],
    ['Refund', 5, 'credit'],
  ]);
});

test.each([
  [decide('import', 99), 'Row 99 is no line of the file as it was read this time'],
  [decide('leave_out', 5), 'Row 5 is no line of the file'],
  [
    { action: 'edit', row: 2, occurrence: 1, line: { date: '2026-06-30', amount: 1, direction: 'debit' } } as const,
    'Row 2 was not rejected when the file was read this time',
  ],
])('a decision that does not fit the file is refused: %j', (overrule, sentence) => {
  const book = openQuietBook();
  const { result } = importHere(book, { path: write(book, 'faulty.csv', FAULTY), overrules: [overrule], acceptRejected: true });
  expect(result).toMatchObject({ batch_id: null, problems: [{ code: 'overrule_does_not_fit', severity: 'fatal' }] });
  expect(result?.problems[0]?.message).toContain(sentence);
});

test('in a file of one long line, the occurrence identifies the entry', async () => {
  const entry = (id: string, amount: string): string =>
    `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602<TRNAMT>${amount}<FITID>${id}<NAME>N${id}</STMTTRN>`;
  const text = `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>CAD<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${entry('a', '-1.00')}${entry('b', '-2.00')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
  const book = openQuietBook();
  const row = 3;
  importHere(book, { path: write(book, 'one.ofx', text), overrules: [{ action: 'leave_out', row, occurrence: 2 }] });
  expect((await records(book)).map((record) => record.external_id)).toEqual(['a']);
});

describe('found once: unknown import batch filter', () => {
  test('an import batch that does not exist is refused as a filter of records, never an empty sheet', async () => {
    const book = openQuietBook();
    expect(await book.client.refusal('records.list', { import_batch_id: 99 })).toMatchObject({
      code: 'unknown_reference',
      message: 'There is no import batch 99 in this environment.',
    });
  });
});
