import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { IS_LONG } from '../support/long.ts';
import { canMount, mount, unmount } from '../support/faults/small-disk.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';

/** More than fits. */
const ROWS = IS_LONG ? 12_000 : 6_000;

// When even the end of a job could not be stored, whoever waited for it heard nothing: the command ended with exit code 13.
test.each(canMount() ? ['1300k'] : [])('a command on a full disk of %s says so and ends', async (size) => {
  const disk = temporaryFolder();
  mount(disk, `size=${size}`);
  onTestFinished(() => void unmount(disk));
  const file = path.join(temporaryFolder(), 'long.csv');
  const rows = Array.from(
    { length: ROWS },
    (_, index) => `2026-06-${String((index % 30) + 1).padStart(2, '0')},Line ${index} ${'x'.repeat(80)},${index + 1}.00`,
  );
  writeFileSync(file, `Date,Description,Amount\n${rows.join('\n')}\n`);
  const command = ['import', file, '--data', path.join(disk, 'book'), '--stream', 's', '--currency', 'USD', '--json'];
  const full = await runCli(...command);
  expect(full.exitCode).toBe(3);
  expect(full.document).toMatchObject({ error: { code: 'storage_full' } });
  mount(disk, 'remount,size=64m');
  const roomy = await runCli(...command);
  expect(roomy.document).toMatchObject({ kept: ROWS, skipped: 0, batch_id: expect.any(Number) as number });
});
