import { readFileSync } from 'node:fs';
import path from 'node:path';
import Papa from 'papaparse';
import { dayFromIso } from '../../src-shared/values/civil-date.ts';
import { openBook } from '../../src-main/book/store/book.ts';
import { insertRecord } from '../../src-main/records/store/records.ts';
import { insertStream } from '../../src-main/streams/store/streams.ts';
import { benchFiles } from './data/data.ts';
import { rounded, run } from './product.ts';

const LINES = 100_000;
const CHUNK = 2_000;

/** Papaparse and the product's own prepared insert into its own table: no detection, proof, duplicate check or audit. */
function baseline(folder: string, file: string): number {
  const startedMs = performance.now();
  const book = openBook(folder);
  if (!book.ok) throw new Error(book.error.message);
  const database = book.value;
  const rows = Papa.parse<string[]>(readFileSync(file, 'utf8'), { skipEmptyLines: true }).data.slice(1);
  const streamId = database.write((write) =>
    insertStream(write, {
      environmentId: 1,
      key: 'plain',
      name: 'Plain',
      description: null,
      type: 'csv',
      currency: null,
      referenceField: null,
      literalDebitCredit: false,
      createdAtMs: 0,
    }),
  );
  for (let start = 0; start < rows.length; start += CHUNK) {
    database.write((write) => {
      for (const row of rows.slice(start, start + CHUNK)) {
        const minor = Math.round(Number(row[1]) * 100);
        insertRecord(write, {
          environment_id: 1,
          stream_id: streamId,
          batch_id: null,
          day: dayFromIso(row[0] ?? '') ?? 0,
          amount: Math.abs(minor),
          direction: minor < 0 ? 0 : 1,
          currency: row[2] ?? '',
          decimal_places: 2,
          description: row[3] ?? null,
          external_id: row[4] ?? null,
          metadata: JSON.stringify({ reference: row[5] }),
          dedupe_key: `x:${row[4] ?? ''}`,
          created_at: 0,
          value_day: null,
        });
      }
    });
  }
  database.close();
  return performance.now() - startedMs;
}

export async function importing(): Promise<Record<string, unknown>> {
  const files = benchFiles(LINES);
  const book = path.join(files.folder, 'book');
  const plainMs = baseline(path.join(files.folder, 'plain'), files.ledger);
  const first = await run(['import', files.ledger, '--data', book, '--stream', 'ledger']);
  const second = await run(['import', files.ledger, '--data', book, '--stream', 'ledger']);
  const again = second.document as { kept: number; skipped: number };
  return {
    bench: 'import',
    lines: LINES,
    baseline_ms: rounded(plainMs),
    first_ms: rounded(first.elapsedMs),
    second_ms: rounded(second.elapsedMs),
    second_kept: again.kept,
    first_ratio: rounded(first.elapsedMs / plainMs),
    second_to_first: rounded(second.elapsedMs / first.elapsedMs),
  };
}
