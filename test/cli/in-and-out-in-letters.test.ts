import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';

it('amounts beside I and O go in as money in and money out', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'june.csv');
  writeFileSync(file, 'Date,Details,Amount,I/O\n2026-06-01,Shop,1.50,O\n2026-06-02,Wages,20.00,I\n');
  const { exitCode, document } = await runCli(
    'import',
    file,
    '--data',
    path.join(folder, 'book'),
    '--stream',
    'bank',
    '--currency',
    'GBP',
    '--json',
  );
  expect([exitCode, document]).toMatchObject([0, { kept: 2, total_credits: 2_000, total_debits: 150 }]);
});

it('a word among C and D ends with a question and exit code 4, and goes in as it is answered', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'june.csv');
  writeFileSync(file, 'Date,Details,Amount,D/C\n2026-06-01,Shop,1.50,D\n2026-06-02,Wages,20.00,C\n2026-06-03,Fee,2.00,R\n');
  const given = ['import', file, '--data', path.join(folder, 'book'), '--stream', 'bank', '--currency', 'GBP', '--json'];
  const asked = await runCli(...given);
  expect([asked.exitCode, asked.document]).toMatchObject([4, { kept: 0, questions: [{ about: 'money_out', choices: [{ value: 'R' }] }] }]);
  const said = await runCli(...given, '--money-out', 'R');
  expect([said.exitCode, said.document]).toMatchObject([0, { kept: 3, total_credits: 2_000, total_debits: 350 }]);
});
