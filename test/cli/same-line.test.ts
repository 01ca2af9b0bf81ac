import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';

const LINES = [
  ['2026-06-01', '-950.00', 'RENT OFFICE MARKET STREET'],
  ['2026-06-04', '1200.00', 'TRANSFER FROM ACME GMBH INVOICE 2214'],
  ['2026-06-10', '-2.50', 'QUARTERLY FEE'],
] as const;
const CSV = `Date,Description,Amount,Currency\n${LINES.map(([day, amount, text]) => `${day},${text},${amount},EUR`).join('\n')}\n`;
const QIF = `!Type:Bank\n${LINES.map(([day, amount, text]) => `D${day}\nT${amount}\nP${text.slice(0, 6)}\n^\n`).join('')}`;

test('a month in another format waits for a word about its lines, goes in once with it, and asks no more', async () => {
  const folder = temporaryFolder();
  const importing = async (name: string, text: string, ...more: string[]) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    const given = ['--data', path.join(folder, 'book'), '--stream', 'bank', '--currency', 'EUR', '--json'];
    const { exitCode, document } = await runCli('import', file, ...given, ...more);
    return { exitCode, kept: document['kept'] };
  };
  expect(await importing('june.csv', CSV)).toEqual({ exitCode: 0, kept: 3 });
  expect(await importing('june.qif', QIF)).toMatchObject({ exitCode: 4 });
  expect(await importing('june.qif', QIF, '--overlap', 'same')).toEqual({ exitCode: 0, kept: 0 });
  expect(await importing('june.qif', QIF)).toEqual({ exitCode: 0, kept: 0 });
});

test('a month exported again asks about a line that moved, and says which lines it lacks', async () => {
  const folder = temporaryFolder();
  const importing = async (name: string, text: string, ...more: string[]) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return runCli('import', file, '--data', path.join(folder, 'book'), '--stream', 'bank', '--currency', 'EUR', ...more);
  };
  expect(await importing('june.csv', CSV)).toMatchObject({ exitCode: 0 });
  const moved = await importing('moved.csv', `${CSV.replace('2026-06-04', '2026-06-05')}2026-06-12,Taxi,-9.00,EUR\n`);
  expect(moved).toMatchObject({ exitCode: 4 });
  expect(moved.stdout).toContain('is like a line of the account that the file lacks');
  const lacking = await importing('lacking.csv', `${CSV.replace(/2026-06-04.*\n/, '')}2026-06-12,Taxi,-9.00,EUR\n`);
  expect(lacking).toMatchObject({ exitCode: 0 });
  expect(lacking.stdout).toContain(
    '1 line of the account between 2026-06-01 and 2026-06-12 is not in this file: 2026-06-04, “TRANSFER FROM ACME',
  );
});
