import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { present } from '../../src-shared/values/assert.ts';
import { longTest } from '../support/long.ts';
import { EXTENSION, extensionOf } from '../support/make-extension.ts';
import { officeProgram } from '../support/office.ts';
import { runCli, serveCli, temporaryFolder } from '../support/processes/run-cli.ts';

test('the extension that is shipped is made of its parts', () => {
  expect(Buffer.from(readFileSync(EXTENSION)).equals(Buffer.from(extensionOf()))).toBe(true);
});

/** Returns a Python that can drive LibreOffice; null where none is installed. */
function drivingPython(): string | null {
  const works = (python: string): boolean => {
    try {
      execFileSync(python, ['-c', 'import uno'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  return ['/usr/bin/python3', 'python3'].find(works) ?? null;
}

type Rows = readonly (readonly (string | number)[])[];

/** Starts Calc with a profile of its own. `ask` runs one command of `calc.py`. */
function startCalc(office: string, python: string) {
  const folder = temporaryFolder();
  const profile = pathToFileURL(path.join(folder, 'profile')).href;
  const driver = path.join(import.meta.dirname, '..', 'support', 'calc.py');
  const child = spawn(python, [driver, office, profile, path.basename(folder)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  onTestFinished(async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'close');
  });
  const ask = async (...command: readonly unknown[]): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    const answer = await answers.next();
    if (answer.done === true) throw new Error('LibreOffice ended');
    return JSON.parse(answer.value) as unknown;
  };
  const read = async (place: string) => (await ask('read', place)) as Rows;
  const cell = async (place: string) => (await read(place))[0]?.[0];
  return { folder, ask, read, cell };
}

const BANK = 'Date,Description,Amount\n2026-06-01,Rent,-950.00\n2026-06-02,0012345,12.50\n';
const BOOKS = 'Date,Description,Amount\n2026-06-01,Rent,-950.00\n2026-06-03,Tea,-4.25\n';

for (const office of [officeProgram()].filter((each) => each !== null)) {
  longTest('LibreOffice shows the figures of a running Tieout, again after a change, and no old number of a closed one', async () => {
    const calc = startCalc(office, present(drivingPython(), 'a Python that can drive LibreOffice'));
    const data = path.join(calc.folder, 'book');
    const imported = async (stream: string, name: string, text: string) => {
      const file = path.join(calc.folder, name);
      writeFileSync(file, text);
      const run = await runCli('import', file, '--data', data, '--stream', stream, '--currency', 'GBP', '--json');
      expect(run.exitCode).toBe(0);
    };
    await imported('bank', 'bank.csv', BANK);
    await imported('books', 'books.csv', BOOKS);
    await runCli('reconcile', '--data', data, '--a', 'books', '--b', 'bank', '--name', 'June', '--json');
    const link = await runCli('keys', 'link', '--data', data, '--reconciliation', 'June', '--name', 'Workpaper', '--json');
    const served = await serveCli(data);
    const base = served.printed.base_url.replace(/\/v1$/, '');
    const address = `${base}${String(link.document['path'])}`;

    expect(await calc.ask('install', pathToFileURL(EXTENSION).href)).toBe('org.tieout.spreadsheets');
    await calc.ask('write', {
      A1: address,
      A2: '=TIEOUT.OPEN(A1)',
      A3: '=TIEOUT.OPEN(A1;DATE(2026;6;2);"count")',
      A4: '=TIEOUT.BALANCE(A1;"absent")',
      A5: '=TIEOUT.OPEN("http://127.0.0.1:1/sheet/x")',
      A6: '=TIEOUT.OPEN("June")',
      A7: `=TIEOUT.OPEN("${base}/sheet/revoked")`,
      A8: '=IFERROR(NUMBERVALUE(WEBSERVICE(A1&"/open");".");WEBSERVICE(A1&"/open"))',
      A9: '=TIEOUT.OPEN(A1;;"read_at")',
      'C1:J3': '=TIEOUT.ITEMS(A1;DATE(2026;6;30))',
    });
    expect(await calc.ask('shown', 'A2')).toBe('=TIEOUT.OPEN(A1)');
    expect(await calc.cell('A2')).toBe(8.25);
    expect(await calc.cell('A3')).toBe(1);
    expect(await calc.cell('A4')).toBe('#TIEOUT! No account of this reconciliation is called absent.');
    expect(await calc.cell('A5')).toBe('#TIEOUT! not running');
    expect(await calc.cell('A6')).toBe('#TIEOUT! this is no sheet link');
    expect(await calc.cell('A7')).toBe('#TIEOUT! this link was revoked or is mistyped');
    expect(await calc.cell('A8')).toBe(8.25);
    expect(await calc.cell('A9')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(await calc.read('C1:J3')).toEqual([
      ['Date', 'Account', 'Reference', 'Description', 'Amount', 'Currency', 'Age in days', 'Status'],
      [46_175, 'Bank', '', '0012345', 12.5, 'GBP', 28, 'Open'],
      [46_176, 'Books', '', 'Tea', -4.25, 'GBP', 27, 'Open'],
    ]);

    const added = await fetch(`${served.printed.base_url}/records`, {
      method: 'POST',
      headers: { 'x-api-key': served.printed.api_key, 'content-type': 'application/json' },
      body: JSON.stringify({ data_stream_key: 'bank', date: '2026-06-04', amount: 1_000, currency: 'GBP' }),
    });
    expect(added.status).toBe(201);
    await calc.ask('refresh');
    expect(await calc.cell('A2')).toBe(18.25);

    await served.stop('SIGTERM');
    await calc.ask('refresh');
    expect(await calc.cell('A2')).toBe('#TIEOUT! not running');
    expect((await calc.read('C1:C1'))[0]?.[0]).toBe('#TIEOUT! not running');
  });

  longTest('a workbook that is opened while Tieout is closed shows no old number', async () => {
    const calc = startCalc(office, present(drivingPython(), 'a Python that can drive LibreOffice'));
    const data = path.join(calc.folder, 'book');
    await runCli('demo', '--data', data, '--json');
    const link = await runCli('keys', 'link', '--data', data, '--reconciliation', '1', '--name', 'Workpaper', '--json');
    const served = await serveCli(data);
    await calc.ask('install', pathToFileURL(EXTENSION).href);
    const address = `${served.printed.base_url.replace(/\/v1$/, '')}${String(link.document['path'])}`;
    await calc.ask('write', { A1: address, A2: '=TIEOUT.OPEN(A1)' });
    expect(await calc.cell('A2')).toBeTypeOf('number');
    await served.stop('SIGTERM');
    await calc.ask('reopen', pathToFileURL(path.join(calc.folder, 'paper.ods')).href);
    expect(await calc.cell('A2')).toBe('#TIEOUT! not running');
  });

  longTest('the ready workbook of a link shows its figures, and none when the link is revoked or Tieout is closed', async () => {
    const calc = startCalc(office, present(drivingPython(), 'a Python that can drive LibreOffice'));
    const data = path.join(calc.folder, 'book');
    await runCli('demo', '--data', data, '--json');
    const link = await runCli('keys', 'link', '--data', data, '--reconciliation', '1', '--name', 'Workpaper', '--json');
    const served = await serveCli(data);
    const address = `${served.printed.base_url.replace(/\/v1$/, '')}${String(link.document['path'])}`;
    const file = path.join(calc.folder, 'figures.xlsx');
    writeFileSync(file, Buffer.from(await (await fetch(`${address}/workbook`)).arrayBuffer()));
    const sheets = await calc.ask('load', pathToFileURL(file).href);
    expect(sheets).toEqual(['Figures', 'Open items', 'Open by age', 'Matched', 'Balances', 'Accounts', 'Statement']);
    expect(await calc.cell('B6')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    const count = await calc.cell('B7');
    expect(count).toBe(Number(await (await fetch(`${address}/open?measure=count`)).text()));
    await calc.ask('write', { B3: '=DATE(2026;6;30)' });
    const pinned = await (await fetch(`${address}/open?measure=count&as_of=2026-06-30`)).text();
    expect(await calc.cell('B7')).toBe(Number(pinned));
    await runCli('keys', 'revoke', String(link.document['id']), '--data', data, '--json');
    // Calc reads an address again when a workbook is opened; until then the figure stands beside the time of its reading.
    await calc.ask('load', pathToFileURL(file).href);
    expect(await calc.cell('B7')).toBe('#TIEOUT! this link was revoked or is mistyped');
    await served.stop('SIGTERM');
    await calc.ask('load', pathToFileURL(file).href);
    expect((await calc.read('B6:B17')).flat()).toEqual(Array.from({ length: 12 }, () => '#TIEOUT! not running'));
  });
}
