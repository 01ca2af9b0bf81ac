import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hiddenRows } from '../support/books/hidden-rows.ts';
import { copiesOf, openQuietBook, openTestDatabase, type QuietBook } from '../support/books/quiet-book.ts';
import { runCli, serveCli, spawnCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { CARDS_BATCH, fillForWipes, SIZES } from '../support/books/wiped-book.ts';
import { longTest, some } from '../support/long.ts';

/** Commands on a book that was killed: they leave nothing behind that nobody sees, although no window is opened that would clear it. */
const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const count = (book: QuietBook, what: string) => book.database.connection.prepare(`SELECT count(*) FROM ${what}`).pluck().get() as number;

function fileOf(folder: string, name: string, rows: number): string {
  const file = path.join(folder, name);
  const lines = Array.from(
    { length: rows },
    (_, at) => `2026-06-${String((at % 28) + 1).padStart(2, '0')},Line ${at},${at}.50,${name}-${at}`,
  );
  writeFileSync(file, `Date,Description,Amount,External ID\n${lines.join('\n')}\n`);
  return file;
}

const ROWS = 3_000;
/** Items of each of four bulk requests. */
const ITEMS = 250;
const ROWS_WRITTEN = [
  ['while it writes rows', 0.3 * ROWS],
  ['near its end', 0.9 * ROWS],
] as const;

for (const [when, rows] of ROWS_WRITTEN) {
  longTest(
    `an import is killed ${when}: after the next command, whatever it does, none of its rows is left`,
    { timeout: 120_000 },
    async () => {
      const folder = path.join(temporaryFolder(), 'book');
      const file = fileOf(path.dirname(folder), 'bank.csv', ROWS);
      const book = openQuietBook(folder);
      const child = spawnCli(['import', file, '--data', folder, '--stream', 'bank', '--currency', 'USD', '--json']);
      const ended = once(child, 'close');
      while (count(book, 'records') < rows && child.exitCode === null) await later(1);
      child.kill('SIGKILL');
      await ended;
      const isThere = count(book, 'import_batches WHERE writing = 0') === 1;

      const other = await runCli(
        'import',
        fileOf(path.dirname(folder), 'other.csv', 10),
        '--data',
        folder,
        '--stream',
        'other',
        '--currency',
        'USD',
        '--json',
      );
      expect([other.exitCode, other.document['kept']]).toEqual([0, 10]);
      expect(hiddenRows(book.database)).toEqual([]);
      expect(count(book, 'records')).toBe(10 + (isThere ? ROWS : 0));
      const again = await runCli('import', file, '--data', folder, '--stream', 'bank', '--currency', 'USD', '--json');
      expect([again.exitCode, again.document['kept']]).toEqual([0, isThere ? 0 : ROWS]);
      expect((await runCli('verify', '--data', folder, '--json')).document).toMatchObject({ findings: 0 });
    },
  );
}

const post = (base: string, key: string, url: string, body: unknown = {}) =>
  fetch(`${base}${url}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const filledBook = copiesOf(() => {
  const book = openQuietBook();
  fillForWipes(book.database);
  return book;
});

test.each(some([0, 15, 40, 90, 200], 1))(
  'a service is killed %s ms after it took on a run, a bulk request, a reset and a deletion: a command sees all of it through',
  { timeout: 120_000 },
  async (afterMs) => {
    const book = await filledBook();
    const { folder } = book;
    const { printed, stop } = await serveCli(folder, '--requests-per-second', '100000');
    const [base, key] = [printed.base_url, printed.api_key];
    const rule = { filters: { rules: [{ key: 'amount', value: 'amount' }] } };
    expect((await post(base, key, '/reconciliation_rules', { reconciliation_id: '1', ...rule })).status).toBe(201);
    const records = Array.from({ length: ITEMS }, (_, at) => ({
      data_stream_key: 'fill',
      date: '2026-06-10',
      amount: at + 1,
      external_id: `e${at}`,
    }));
    const bulk = await Promise.all(
      [0, 1, 2, 3].map((at) =>
        post(base, key, '/records/bulk', { records: records.map((each) => ({ ...each, external_id: `${at}-${each.external_id}` })) }),
      ),
    );
    expect(bulk.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect((await post(base, key, '/reconciliations/1/runs')).status).toBe(202);
    expect((await post(base, key, '/data_streams/bank/reset')).status).toBe(202);
    const undone = fetch(`${base}/import_batches/${CARDS_BATCH}`, { method: 'DELETE', headers: { 'x-api-key': key } }).catch(() => null);
    await later(afterMs);
    await stop('SIGKILL');
    await undone;

    const next = await runCli('reconcile', '--data', folder, '--a', 'unused', '--b', 'ledger', '--json');
    expect([next.exitCode, next.stderr]).toEqual([0, expect.any(String)]);
    expect(hiddenRows(book.database)).toEqual([]);
    expect(count(book, 'records WHERE stream_id = 2')).toBe(0);
    expect(count(book, 'records WHERE stream_id = 5')).toBe(4 * ITEMS);
    expect([0, SIZES.cards]).toContain(count(book, 'records WHERE stream_id = 3'));
    expect(count(book, "runs WHERE reconciliation_id = 1 AND status = 'completed'")).toBe(1);
    expect((await runCli('verify', '--data', folder, '--json')).document).toMatchObject({ findings: 0 });
  },
);

longTest(
  'a run that a killed service was asked for is finished first, and then the command runs its own',
  { timeout: 120_000 },
  async () => {
    const folder = path.join(temporaryFolder(), 'book');
    const book = openQuietBook(folder);
    for (const name of ['ledger', 'bank']) {
      const file = fileOf(path.dirname(folder), `${name}.csv`, ROWS);
      expect((await runCli('import', file, '--data', folder, '--stream', name, '--currency', 'USD', '--json')).exitCode).toBe(0);
    }
    const { reconciliation } = await book.client.get('reconciliations.set_up', {
      name: 'ledger / bank',
      side_a_keys: ['ledger'],
      side_b_keys: ['bank'],
      sign_convention: 'same',
    });
    const { printed, stop } = await serveCli(folder);
    expect((await post(printed.base_url, printed.api_key, `/reconciliations/${reconciliation.id}/runs`)).status).toBe(202);
    await stop('SIGKILL');

    const next = await runCli('reconcile', '--data', folder, '--a', 'ledger', '--b', 'bank', '--json');
    expect([next.exitCode, Number(next.document['matches']) + Number(next.document['proposed'])]).toEqual([0, ROWS]);
    expect(next.stderr).toContain('Run 1 of this reconciliation was left by a Tieout that was stopped');
    const runs = await book.client.get('runs.list', { id: reconciliation.id });
    expect(runs.data.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(hiddenRows(openTestDatabase(folder))).toEqual([]);
  },
);

test('a folder in use is refused with who has it and what is in progress there', { timeout: 60_000 }, async () => {
  const folder = path.join(temporaryFolder(), 'book');
  const { printed, stop } = await serveCli(folder);
  const refused = () => runCli('serve', '--data', folder, '--port', '0', '--json');
  const idle = await refused();
  expect(idle.exitCode).toBe(3);
  expect(idle.document).toMatchObject({
    error: {
      code: 'folder_in_use',
      message: expect.stringMatching(
        /^Another Tieout is using .*: close it first, .*\. It is process \d+ \(tieout serve\), since 20[^ ]+Z\.$/,
      ),
    },
  });
  expect(printed.base_url).toContain('http');
  // As a run leaves it while its worker goes on; beside the service, which knows nothing of it.
  const beside = openQuietBook(folder);
  await beside.client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  await beside.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const { reconciliation } = await beside.client.get('reconciliations.set_up', {
    name: 'June',
    side_a_keys: ['ledger'],
    side_b_keys: ['bank'],
  });
  beside.database.connection
    .prepare(
      "INSERT INTO runs(reconciliation_id, kind, mode, cause, status, created_at) VALUES (?, 'batch', 'commit', 'manual', 'running', 0)",
    )
    .run(reconciliation.id);
  expect((await refused()).document).toMatchObject({
    error: { message: expect.stringMatching(/Run 1 of “June” is in progress there\.$/) },
  });
  await stop('SIGTERM');
});
