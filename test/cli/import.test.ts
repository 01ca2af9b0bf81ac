import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { workbook } from '../support/inputs/workbooks.ts';
import { type DrawnText, pdfOf, type PdfOptions } from '../support/pdf-writer.ts';
import { runCli, runCliAlone, temporaryFolder } from '../support/processes/run-cli.ts';

const STATEMENT = `Account: Test Bank 12345678
Opening balance,01/06/2026,,,,100.00
Date,Type,Details,Paid Out,Paid In,Balance
01/06/2026,BGC,RCT-0601,,"£1,820.50","1,920.50"
03/06/2026,CHG,CHG-0002,30.00,,"1,890.50"
25/06/2026,SO,DD-RENT,"2,400.00",,-509.50
`;

function fileIn(folder: string, name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('tieout import', () => {
  it('packs the columns that runs read before it ends, where it is told to', async () => {
    const folder = temporaryFolder();
    const lines = Array.from({ length: 1_200 }, (_, index) => `2026-06-10,Line ${index},${index + 1}.00`);
    const file = fileIn(folder, 'many.csv', `Date,Description,Amount\n${lines.join('\n')}\n`);
    const book = path.join(folder, 'book');
    const packed = async (...more: string[]) => {
      const { exitCode } = await runCli('import', file, '--data', book, '--stream', 'bank', '--currency', 'GBP', '--json', ...more);
      expect(exitCode).toBe(0);
      const connection = new SqliteDatabase(path.join(book, 'book.sqlite'), { readonly: true });
      const packs = connection.prepare('SELECT records, ready FROM column_packs').raw().all();
      connection.close();
      return packs;
    };
    expect(await packed()).toEqual([]);
    expect(await packed('--pack')).toEqual([[1_200, 1]]);
  });

  it('prints what came of the file, in minor units', async () => {
    const folder = temporaryFolder();
    const file = fileIn(folder, 'bank.csv', STATEMENT);
    const { exitCode, document } = await runCli('import', file, '--data', path.join(folder, 'book'), '--stream', 'bank', '--json');
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      stream: 'bank',
      format: 'csv',
      rows: 3,
      kept: 3,
      skipped: 0,
      rejected: 0,
      total_credits: 182_050,
      total_debits: 243_000,
      currency: 'GBP',
      date_range_start: '2026-06-01',
      date_range_end: '2026-06-25',
      opening_balance: 10_000,
      closing_balance: -50_950,
      proof: 'proved',
      batch_id: 1,
    });
  });

  it('adds nothing when the same file comes again, under whatever name', async () => {
    const folder = temporaryFolder();
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank', '--json'];
    await runCli('import', fileIn(folder, 'bank.csv', STATEMENT), ...book);
    const again = await runCli('import', fileIn(folder, 'other name.csv', STATEMENT), ...book);
    expect(again.exitCode).toBe(0);
    expect(again.document).toMatchObject({ rows: 3, kept: 0, skipped: 3 });
  });

  it('ends with a code of its own where a file leaves open how it is read, and takes the answer', async () => {
    const folder = temporaryFolder();
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank'];
    const file = fileIn(folder, 'bank.csv', 'Date,Description,Amount\n01/02/2026,Rent,-10.00\n02/03/2026,Fee,-5.00\n');
    const asked = await runCli('import', file, ...book, '--json');
    expect(asked.exitCode).toBe(4);
    expect(asked.document).toMatchObject({
      rows: 2,
      kept: 0,
      total_debits: 1_500,
      batch_id: null,
      currency: null,
      questions: [{ about: 'currency' }, { about: 'date_order' }],
    });
    const told = await runCli('import', file, ...book);
    expect(told.stdout).toContain('--date-order mdy: month first (01/02/2026 is 2026-01-02, 02/03/2026 is 2026-02-03)');
    expect(told.stdout).toContain(
      '? Nothing in the file names its currency. Say which currency it is.\n  --currency CODE: its three letters, such as GBP',
    );
    expect(told.stdout).toContain(
      'Nothing was imported. Correct the file, or: --currency CODE says its currency; --date-order dmy|mdy says how it is read.',
    );
    const said = await runCli('import', file, ...book, '--currency', 'GBP', '--date-order', 'mdy', '--json');
    expect([said.exitCode, said.document]).toMatchObject([0, { kept: 2, date_range_start: '2026-01-02', questions: [] }]);
  });

  it('asks which words mean money out where nobody knows them, and takes them', async () => {
    const folder = temporaryFolder();
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank', '--currency', 'GBP'];
    const file = fileIn(
      folder,
      'bank.csv',
      'Date,Details,Kind,Amount\n2026-06-01,Rent,X,950.00\n2026-06-02,Wage,Y,2100.00\n2026-06-03,Fine,Z,7.00\n',
    );
    const asked = await runCli('import', file, ...book, '--json');
    expect([asked.exitCode, asked.document]).toMatchObject([4, { kept: 0, batch_id: null, questions: [{ about: 'money_out' }] }]);
    const told = await runCli('import', file, ...book);
    expect(told.stdout).toContain(
      '  --money-out X: X, 1 row (row 2: 2026-06-01, Rent, X, 950.00)\n  --money-out Y: Y, 1 row (row 3: 2026-06-02, Wage, Y, 2100.00)\n  --money-out Z',
    );
    expect(told.stdout).toContain('--money-out WORD, for each that means money out, says how it is read; --no-money-out that none does.');
    const wrong = await runCli('import', file, ...book, '--money-out', 'Q');
    expect([wrong.exitCode, wrong.stdout]).toMatchObject([1, expect.stringContaining('No row says “Q” in the column Kind')]);
    const said = await runCli('import', file, ...book, '--money-out', 'X', '--money-out', 'z', '--remember', 'Bank', '--json');
    expect([said.exitCode, said.document]).toMatchObject([0, { kept: 3, total_credits: 210_000, total_debits: 95_700, questions: [] }]);
    const none = await runCli(
      'import',
      file,
      '--data',
      path.join(folder, 'other'),
      '--stream',
      'bank',
      '--currency',
      'GBP',
      '--no-money-out',
      '--json',
    );
    expect([none.exitCode, none.document]).toMatchObject([0, { kept: 3, total_credits: 305_700, total_debits: 0, questions: [] }]);
    const next = fileIn(folder, 'july.csv', 'Date,Details,Kind,Amount\n2026-07-01,Rent,X,950.00\n2026-07-02,Wage,Y,2100.00\n');
    const again = await runCli('import', next, ...book, '--json');
    expect([again.exitCode, again.document]).toMatchObject([0, { kept: 2, total_debits: 95_000, questions: [] }]);
  });

  it('takes the only currency of the book, and holds a file that does not fit its stream until told otherwise', async () => {
    const folder = temporaryFolder();
    const data = ['--data', path.join(folder, 'book')];
    await runCli('import', fileIn(folder, 'bank.csv', STATEMENT), ...data, '--stream', 'bank');
    const cash = fileIn(folder, 'cash.csv', 'Day,What for,Receipts,Payments\n2026-06-03,Stamps,,12.50\n2026-06-04,Sale,7.00,\n');
    const held = await runCli('import', cash, ...data, '--stream', 'bank');
    expect(held.exitCode).toBe(1);
    expect(held.stdout).toContain(
      '- The file is a table with the columns Day, What for, Receipts, Payments, but the newest file of the account',
    );
    expect(held.stdout).toContain('--accept-target imports it into “bank” anyway, if that is the right account');
    const own = await runCli('import', cash, ...data, '--stream', 'cash', '--json');
    expect([own.exitCode, own.document]).toMatchObject([0, { kept: 2, currency: 'GBP', problems: [{ code: 'currency_of_book' }] }]);
    const agreed = await runCli('import', cash, ...data, '--stream', 'bank', '--accept-target', '--json');
    expect([agreed.exitCode, agreed.document]).toMatchObject([0, { kept: 2, misfits: [{ about: 'layout' }] }]);
    const kwd = fileIn(folder, 'kwd.csv', 'Date,Description,Amount\n2026-06-03,Stamps,12.505\n2026-06-04,Sale,7.250\n');
    const asked = await runCli('import', kwd, '--data', path.join(folder, 'other'), '--stream', 'kwd', '--json');
    expect([asked.exitCode, asked.document]).toMatchObject([4, { kept: 0, questions: [{ about: 'currency' }] }]);
    const said = await runCli(
      'import',
      kwd,
      '--data',
      path.join(folder, 'other'),
      '--stream',
      'kwd',
      '--currency',
      'kwd',
      '--decimal-mark',
      '.',
      '--json',
    );
    expect([said.exitCode, said.document]).toMatchObject([0, { kept: 2, total_credits: 19_755, decimal_places: 3 }]);
  });

  it('links the stream to a bank account for the balances of the statement, and names what differs', async () => {
    const folder = temporaryFolder();
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank'];
    const unlinked = await runCli('import', fileIn(folder, 'bank.csv', STATEMENT), ...book, '--dry-run');
    expect(unlinked.stdout).toContain(
      'The statement says 2 balances; the account is linked to no bank account. --bank-account NAME links it',
    );
    const linked = await runCli('import', fileIn(folder, 'bank.csv', STATEMENT), ...book, '--bank-account', 'Current', '--json');
    expect(linked.document).toMatchObject({ balances: { bank_account: { id: 1, name: 'Current' }, stated: 2, new: 2, conflicts: 0 } });
    const other = STATEMENT.replace('30.00,,"1,890.50"', '20.00,,"1,900.50"').replace('-509.50', '-499.50');
    const differs = await runCli('import', fileIn(folder, 'other.csv', other), ...book);
    expect(differs.stdout).toContain('Balances of the bank account Current: 0 new, 1 there already, 1 with another amount, which stays.');
    expect(differs.stdout).toContain('- 2026-06-25 closing_ledger: -499.50 GBP here, -509.50 GBP there.');
  });

  it('writes the recipe, reads by one, keeps it under a name, and follows it for the next file', async () => {
    const folder = temporaryFolder();
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank', '--currency', 'GBP'];
    const recipe = path.join(folder, 'recipe.json');
    const april = fileIn(folder, 'april.csv', 'Date,Text,Amount\n03/04/2026,Rent,-9.00\n05/04/2026,Tea,-1.00\n');
    const written = await runCli('import', april, ...book, '--dry-run', '--recipe-out', recipe);
    expect(written.stdout).toContain(`The import profile was written to ${recipe}.`);
    const body = JSON.parse(readFileSync(recipe, 'utf8')) as object;
    expect(body).toMatchObject({ schema: 'tieout-import-recipe', version: 1, date_order: 'dmy', sign_model: 'signed' });
    writeFileSync(recipe, JSON.stringify({ ...body, date_order: 'mdy', bank_account: 'Current' }));
    const given = await runCli('import', april, ...book, '--recipe', recipe, '--remember', 'My bank', '--json');
    expect(given.document).toMatchObject({
      kept: 2,
      date_range_start: '2026-03-04',
      recipe: { state: 'given' },
      balances: { bank_account: { name: 'Current' } },
    });
    const may = fileIn(folder, 'may.csv', 'Date,Text,Amount\n03/05/2026,Rent,-9.00\n05/05/2026,Tea,-1.00\n');
    const followed = await runCli('import', may, ...book);
    expect(followed.stdout).toContain('Read with the import profile “My bank” that is saved for this header.');
    const june = fileIn(folder, 'june.csv', 'Date,Text,Amount\n23/06/2026,Rent,-9.00\n25/06/2026,Tea,-1.00\n');
    const doubtful = await runCli('import', june, ...book);
    expect([doubtful.exitCode, doubtful.stdout]).toEqual([1, expect.stringContaining('--kept-recipe guess without it')]);
    expect((await runCli('import', june, ...book, '--kept-recipe', 'guess', '--json')).document).toMatchObject({ kept: 2 });
    writeFileSync(recipe, JSON.stringify({ ...body, date_order: 'dmy' }));
    const replaced = await runCli('import', april, ...book, '--recipe', recipe, '--remember', 'My bank', '--accept-rejected');
    expect(replaced.stdout).toContain(
      'Saved as the import profile “My bank”, replacing its earlier version, which can be restored in the settings of the window.',
    );
  });

  it('tells lines that come again under the same id with other content, and puts them in place when told to', async () => {
    const folder = temporaryFolder();
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank', '--json'];
    const text = (amount: string) =>
      `Date,Description,Amount,Currency,Transaction ID\n2026-06-01,Fee,${amount},EUR,t1\n2026-06-02,Tea,-1.00,EUR,t2\n`;
    await runCli('import', fileIn(folder, 'one.csv', text('-2.50')), ...book);
    const again = await runCli('import', fileIn(folder, 'two.csv', text('-3.50')), ...book);
    expect(again.document).toMatchObject({ kept: 0, skipped: 2, problems: [{ code: 'same_id_other_content', row: 2 }] });
    const taken = await runCli('import', fileIn(folder, 'three.csv', text('-4.50')), ...book, '--take-new');
    expect([taken.exitCode, taken.document]).toMatchObject([
      0,
      { kept: 0, problems: [{ code: 'taken_new', row: 2 }, { code: 'same_id_other_content' }] },
    ]);
    const now = await runCli('import', fileIn(folder, 'four.csv', text('-4.50')), ...book);
    expect(now.document).toMatchObject({ kept: 0, skipped: 2 });
    expect((now.document as { problems: { code: string }[] }).problems.map(({ code }) => code)).not.toContain('same_id_other_content');
  });

  it('reads the sheet that is named, or that the recipe names, and says which ones it left out', async () => {
    const folder = temporaryFolder();
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank', '--currency', 'EUR'];
    const recipe = path.join(folder, 'recipe.json');
    const table = (text: string) => [
      ['Date', 'Text', 'Amount'],
      ['2026-06-01', text, -text.length],
    ];
    const june = fileIn(folder, 'june.xlsx', workbook({ Cover: [['My bank']], Dollar: table('dollar'), Euro: table('euro') }));
    const guessed = await runCli('import', june, ...book, '--dry-run');
    expect(guessed.stdout).toContain(
      '- The sheet "Dollar" was read; "Euro" holds transactions as well. Choose that sheet to read it instead.\n--sheet NAME reads another',
    );
    const named = await runCli('import', june, ...book, '--sheet', 'Euro', '--recipe-out', recipe, '--json');
    expect(named.document).toMatchObject({ kept: 1, recipe: { state: 'given', recipe: { sheet: 'Euro' } } });
    const next = fileIn(folder, 'next.xlsx', workbook({ Euro: table('another'), Dollar: table('dollar') }));
    expect((await runCli('import', next, ...book, '--recipe', recipe, '--json')).document).toMatchObject({
      kept: 1,
      problems: [],
      recipe: { recipe: { sheet: 'Euro' } },
    });
    const without = fileIn(folder, 'without.xlsx', workbook({ Yen: table('yen') }));
    const other = await runCli('import', without, ...book, '--recipe', recipe);
    expect([other.exitCode, other.stdout]).toEqual([
      0,
      expect.stringContaining('The sheet "Euro", which the import profile reads, is not in this workbook; "Yen" was read in its place.'),
    ]);
    const both = await runCli('import', june, ...book, '--recipe', recipe, '--sheet', 'Euro');
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('--sheet goes without --recipe')]);
    const unknown = await runCli('import', june, ...book, '--sheet', 'Pound');
    expect([unknown.exitCode, unknown.stdout]).toEqual([
      1,
      expect.stringContaining('The workbook has no sheet "Pound". Choose one of those it has: "Cover", "Dollar", "Euro".'),
    ]);
  });

  it.each([
    ['none.json', null, 'there is no such file'],
    ['text.json', 'columns', 'it is not JSON'],
    ['new.json', '{"schema":"tieout-import-recipe","version":2}', 'recipe.version must be 1'],
  ])('refuses a recipe of %s with words', async (name, content, words) => {
    const folder = temporaryFolder();
    const recipe = path.join(folder, name);
    if (content !== null) writeFileSync(recipe, content);
    const run = await runCli(
      'import',
      fileIn(folder, 'bank.csv', STATEMENT),
      '--data',
      path.join(folder, 'book'),
      '--stream',
      'bank',
      '--recipe',
      recipe,
      '--json',
    );
    expect([run.exitCode, JSON.stringify(run.document)]).toEqual([2, expect.stringContaining(words)]);
  });

  it('imports several files one after another, with an outcome each; one that fails does not stop the others', async () => {
    const folder = temporaryFolder();
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank'];
    const files = [
      fileIn(folder, 'june.csv', STATEMENT),
      path.join(folder, 'gone.csv'),
      fileIn(folder, 'same.csv', STATEMENT),
      fileIn(folder, 'empty.csv', ''),
    ];
    const run = await runCli('import', ...files, ...book, '--json');
    expect(run.exitCode).toBe(1);
    expect(run.document).toMatchObject({
      kept: 3,
      failing: 2,
      files: [
        { file: files[0], result: { kept: 3, same_file: null }, error: null },
        { file: files[1], result: null, error: { code: 'file_unreadable' } },
        { file: files[2], result: { kept: 0, skipped: 3, same_file: { filename: 'june.csv' } } },
        { file: files[3], result: { rows: 0 } },
      ],
    });
    const text = await runCli('import', ...files.slice(0, 1), ...files.slice(2, 3), ...book);
    expect([text.exitCode, text.stdout]).toEqual([0, expect.stringContaining('2 files: 0 records imported; no file needs attention.')]);
    expect(text.stdout).toContain('as june.csv into the account bank. Only lines that are not in the account yet go in.');
    expect((await runCli('import', ...files, ...book, '--recipe-out', path.join(folder, 'r.json'))).exitCode).toBe(2);
  });

  it('stores nothing on a dry run, and makes no stream', async () => {
    const folder = temporaryFolder();
    const file = fileIn(folder, 'bank.csv', STATEMENT);
    const book = ['--data', path.join(folder, 'book')];
    const dry = await runCli('import', file, ...book, '--stream', 'bank', '--dry-run', '--json');
    expect(dry.exitCode).toBe(0);
    expect(dry.document).toMatchObject({ rows: 3, kept: 3, batch_id: null });
    const none = await runCli('reconcile', ...book, '--a', 'bank', '--b', 'ledger', '--json');
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain('There is no account bank');
  });

  it('holds a file with a rejected row back until told otherwise, and names row and column', async () => {
    const folder = temporaryFolder();
    const file = fileIn(
      folder,
      'rows.csv',
      'Date,Details,Amount\n01/06/2026,One,10.00\n30/02/2026,Two,20.00\n03/06/2026,Three,abc\n04/06/2026,Four,5.00\n',
    );
    const command = ['import', file, '--data', path.join(folder, 'book'), '--stream', 's', '--currency', 'GBP', '--json'];
    const held = await runCli(...command);
    expect(held.exitCode).toBe(1);
    expect(held.document).toMatchObject({ rows: 4, rejected: 2, kept: 0, batch_id: null });
    const problems = held.document['problems'] as { row: number; column: string; severity: string }[];
    expect(problems.filter((problem) => problem.severity === 'rejected').map(({ row, column }) => [row, column])).toEqual([
      [3, 'Date'],
      [4, 'Amount'],
    ]);
    const accepted = await runCli(...command, '--accept-rejected');
    expect(accepted.exitCode).toBe(0);
    expect(accepted.document).toMatchObject({ rejected: 2, kept: 2, batch_id: 1 });
  });

  it('holds a file back whose own balances do not hold', async () => {
    const folder = temporaryFolder();
    const file = fileIn(folder, 'broken.csv', STATEMENT.replace('30.00,,"1,890.50"', '30.00,,"1,880.50"'));
    const command = ['import', file, '--data', path.join(folder, 'book'), '--stream', 's', '--json'];
    const held = await runCli(...command);
    expect(held.exitCode).toBe(1);
    expect(held.document).toMatchObject({ proof: 'broken', kept: 0, batch_id: null });
    const accepted = await runCli(...command, '--accept-broken');
    expect(accepted.exitCode).toBe(0);
    expect(accepted.document).toMatchObject({ proof: 'broken', kept: 3 });
  });

  it.each([
    ['empty', 'empty.csv', '', 'empty'],
    ['binary', 'image.csv', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), 'image.csv'],
    ['prose', 'letter.csv', 'Dear bank,\n\nplease send me my statement.\n', 'letter.csv'],
    ['headers alone', 'headers.csv', 'Date,Description,Amount\n', 'headers.csv'],
  ])('refuses a file that is %s with one sentence and stores nothing', async (_what, name, content, word) => {
    const folder = temporaryFolder();
    const file = fileIn(folder, name, content);
    const refused = await runCli('import', file, '--data', path.join(folder, 'book'), '--stream', 's', '--json');
    expect(refused.exitCode).toBe(1);
    expect(refused.document).toMatchObject({ rows: 0, kept: 0, batch_id: null });
    const [problem] = refused.document['problems'] as { message: string; severity: string }[];
    expect(problem?.severity).toBe('fatal');
    expect(problem?.message).toContain(word);
  });

  it('says that a missing file does not exist, and makes nothing of it', async () => {
    const folder = temporaryFolder();
    const missing = await runCli('import', path.join(folder, 'no.csv'), '--data', path.join(folder, 'book'), '--stream', 's', '--json');
    expect(missing.exitCode).toBe(2);
    expect(missing.document).toMatchObject({ error: { code: 'file_unreadable' } });
    expect(missing.stderr).toMatch(/no\.csv cannot be opened: it does not exist/);
    expect(existsSync(path.join(folder, 'book'))).toBe(false);
  });

  it.each([
    [['import', 'x.csv', '--data', 'd', '--json'], /--stream/],
    [['import', 'x.csv', '--data', 'd', '--stream', 's', '--currency', 'POUND', '--json'], /ISO 4217/],
    [['import', 'x.csv', '--data', 'd', '--stream', 's', '--environment', 'prod', '--json'], /live, test/],
    [['importt', '--json'], /importt/],
    [['import', 'x.csv', '--data', 'd', '--stream', 's', '--nothing', '--json'], /--nothing/],
  ])('answers wrong usage %j with exit code 2 and one sentence', async (args, sentence) => {
    const wrong = await runCli(...args);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.document).toMatchObject({ error: { code: 'usage' } });
    expect(wrong.stderr).toMatch(sentence);
    expect(wrong.stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(path.join(process.cwd(), 'd'))).toBe(false);
  });

  it('refuses a stream key that no stream can have', async () => {
    const folder = temporaryFolder();
    const file = fileIn(folder, 'bank.csv', STATEMENT);
    const wrong = await runCli('import', file, '--data', path.join(folder, 'book'), '--stream', 'Bank Account', '--json');
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('stream_key');
  });

  it('asks which account of a file with several is meant, and imports that one', async () => {
    const folder = temporaryFolder();
    const message = (account: string, amount: string) =>
      `:20:X\n:25:${account}\n:60F:C260601EUR0,\n:61:260602C${amount},NTRFNONREF\n:62F:C260602EUR${amount},\n-\n`;
    const file = fileIn(folder, 'two.sta', message('DE1', '5') + message('DE2', '7'));
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank'];
    const asked = await runCli('import', file, ...book, '--json');
    expect([asked.exitCode, asked.document]).toMatchObject([1, { batch_id: null, rows: 2, problems: [{ code: 'several_accounts' }] }]);
    const told = await runCli('import', file, ...book);
    expect(told.stdout).toContain('The file holds 2 accounts ("DE1", "DE2").');
    expect(told.stdout).toContain('--account ACCOUNT imports one account');
    const one = await runCli('import', file, ...book, '--account', 'DE2', '--json');
    expect([one.exitCode, one.document]).toMatchObject([0, { kept: 1, total_credits: 700, closing_balance: 700 }]);
    const wrong = await runCli('import', file, ...book, '--account', 'DE3', '--json');
    expect(wrong.document).toMatchObject({
      problems: [{ code: 'no_such_account', message: expect.stringContaining('It has "DE1", "DE2".') }],
    });
    const all = await runCli('import', file, '--data', path.join(folder, 'book'), '--stream', 'all', '--account', 'all', '--json');
    expect(all.document).toMatchObject({ kept: 2 });
  });

  it('keeps environments apart', async () => {
    const folder = temporaryFolder();
    const file = fileIn(folder, 'bank.csv', STATEMENT);
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank', '--json'];
    await runCli('import', file, ...book, '--environment', 'test');
    const live = await runCli('import', file, ...book);
    expect(live.document).toMatchObject({ kept: 3, skipped: 0 });
  });
});

describe('tieout import of a PDF', () => {
  const MONTH = [
    ['02/03/2026', 'Card payment Corner Bakery', '-12.50', '987.50'],
    ['05/03/2026', 'Salary Orchard Ltd', '2000.00', '2987.50'],
    ['05/03/2026', 'Rent', '-850.00', '2137.50'],
    ['20/03/2026', 'Water', '-37.50', '2100.00'],
  ] as const;

  function pdfOfMonth(options: PdfOptions = {}, hasBalances = true): Buffer {
    const row = (y: number, cells: readonly string[]): DrawnText[] =>
      cells.flatMap((text, index) =>
        text === '' ? [] : [{ y, text, ...(index < 2 ? { x: [40, 110][index] ?? 0 } : { x: [475, 550][index - 2] ?? 0, isRight: true }) }],
      );
    const balance = (text: string): string => (hasBalances ? text : '');
    const texts = [
      ...row(40, ['Statement 01/03/2026 to 31/03/2026 Currency: GBP']),
      ...row(55, ['Account number 12345678']),
      ...row(80, ['Date', 'Details', 'Amount', balance('Balance')]),
      ...(hasBalances ? row(95, ['', 'Opening balance', '', '1000.00']) : []),
      ...MONTH.flatMap(([day, text, amount, after], index) => row(110 + 15 * index, [day, text, amount, balance(after)])),
      ...(hasBalances ? row(185, ['', 'Closing balance', '', '2100.00']) : []),
    ];
    return pdfOf([texts], options);
  }
  const CSV_OF_MONTH = ['Account: 12345678', 'Date,Details,Amount,Balance', ...MONTH.map((cells) => cells.join(',')), ''].join('\n');

  it.each([
    ['PDF', 'CSV'],
    ['CSV', 'PDF'],
  ])('a month from %s and the same month from %s give the same lines', async (first, second) => {
    const folder = temporaryFolder();
    const files = new Map([
      ['PDF', fileIn(folder, 'march.pdf', pdfOfMonth())],
      ['CSV', fileIn(folder, 'march.csv', CSV_OF_MONTH)],
    ]);
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank', '--currency', 'GBP', '--json'];
    const one = await runCli('import', files.get(first) ?? '', ...book);
    expect(one.document).toMatchObject({ rows: 4, kept: 4, proof: 'proved', problems: [] });
    const other = await runCli('import', files.get(second) ?? '', ...book);
    expect(other.document).toMatchObject({ rows: 4, kept: 0, skipped: 4, questions: [], misfits: [] });
    expect(other.exitCode).toBe(0);
  });

  it.each<readonly [string, string, () => Buffer | string]>([
    ['a PDF named .csv', 'march.csv', () => pdfOfMonth()],
    ['a table named .pdf', 'march.pdf', () => CSV_OF_MONTH],
  ])('reads a file by what it holds: %s', async (_name, name, content) => {
    const folder = temporaryFolder();
    const book = ['--data', path.join(folder, 'book'), '--stream', 'bank', '--currency', 'GBP', '--json'];
    const { document } = await runCli('import', fileIn(folder, name, content()), ...book);
    expect(document).toMatchObject({ rows: 4, kept: 4, proof: 'proved', problems: [] });
  });

  it('takes lines that no balance proves only when it is told to', async () => {
    const folder = temporaryFolder();
    const command = ['import', fileIn(folder, 'march.pdf', pdfOfMonth({}, false)), '--data', path.join(folder, 'book'), '--stream', 'bank'];
    const held = await runCli(...command, '--json');
    expect([held.exitCode, held.document['proof'], held.document['batch_id']]).toEqual([1, 'unproved', null]);
    const taken = await runCli(...command, '--accept-unproved', '--json');
    expect(taken.document).toMatchObject({ kept: 4, proof: 'unproved', batch_id: 1 });
    const again = await runCli(...command, '--json');
    expect([again.exitCode, again.document]).toMatchObject([0, { kept: 0, skipped: 4, batch_id: 2 }]);
  });

  it('keeps the file where it is told to, and says that a year is not used', async () => {
    const folder = temporaryFolder();
    const command = ['import', fileIn(folder, 'march.pdf', pdfOfMonth()), '--data', path.join(folder, 'book'), '--stream', 'bank'];
    const kept = await runCli(...command, '--keep-file', '--year', '2019', '--json');
    expect(kept.document).toMatchObject({ kept: 4, problems: [expect.objectContaining({ code: 'year_not_used' })] });
    const shown = await runCli('verify', '--data', path.join(folder, 'book'), '--json');
    expect(shown.document['checks']).toContainEqual(expect.objectContaining({ id: 'kept_files', findings: [] }));
  });

  it('opens a locked file with a password from its standard input', async () => {
    const folder = temporaryFolder();
    const file = fileIn(folder, 'march.pdf', pdfOfMonth({ password: 'spec 1990', cipher: 'aes-128' }));
    const command = ['import', file, '--data', path.join(folder, 'book'), '--stream', 'bank'];
    const held = await runCli(...command);
    expect(held.exitCode).toBe(4);
    expect(held.stdout).toContain('--password-stdin opens it');
    const wrong = await runCliAlone([...command, '--password-stdin', '--json'], {}, 'spec 1991\n');
    expect(wrong.document).toMatchObject({ kept: 0, batch_id: null, problems: [expect.objectContaining({ code: 'wrong_password' })] });
    const opened = await runCliAlone([...command, '--password-stdin', '--json'], {}, 'spec 1990\r\n');
    expect(opened.document).toMatchObject({ kept: 4, proof: 'proved' });
  });

  it.each([
    [['--password', ''], '', '--password: a password has 1 to 500 characters'],
    [['--password-stdin'], `${'x'.repeat(501)}\n`, '--password-stdin: a password has 1 to 500 characters'],
    [['--password-stdin'], '', '--password-stdin found no password'],
    [['--password-stdin', '--password', 'x'], 'y\n', 'not both'],
  ])('names the option of a password that cannot be used: %j', async (options, input, words) => {
    const folder = temporaryFolder();
    const file = fileIn(folder, 'march.pdf', pdfOfMonth());
    const { exitCode, stderr } = await runCliAlone(
      ['import', file, '--data', path.join(folder, 'book'), '--stream', 'bank', ...options],
      {},
      input,
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
    expect(existsSync(path.join(folder, 'book'))).toBe(false);
  });
});
