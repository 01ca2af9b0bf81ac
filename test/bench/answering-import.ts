import path from 'node:path';
import { importByWindow, openWindow, type Window } from './answering.ts';
import { benchFiles } from './data/data.ts';
import { ask, quantile, rounded, run, serve, settled } from './product.ts';

const FORMER_LINES = 100_000;
const LINES = 1_000_000;
const REST_QUESTIONS = 60;

/** What a window asks while it shows a book; the stream `ledger` is the one that is imported into. */
const READS = {
  newest: '/records?limit=100',
  stream: '/records?data_stream_key=ledger&limit=100',
  stream_by_day: '/records?data_stream_key=ledger&sort=-date&limit=100',
  open_of_stream: '/records?data_stream_key=ledger&status=unreconciled&direction=debit&limit=100',
  other_stream: '/records?data_stream_key=bank&sort=date&limit=100',
  by_amount: '/records?sort=-amount&limit=100',
  count: '/data_streams',
  matches: '/reconciliation_matches?reconciliation_id=1&limit=100',
  summary: '/reconciliations/1/summary',
} as const;
type Read = keyof typeof READS;
type Times = Record<Read, number[]>;

/** Asks all of it by turns until `isOver`; answers each question's milliseconds. */
async function asked({ origin, headers }: Window, isOver: (turn: number) => Promise<boolean> | boolean): Promise<Times> {
  const times = Object.fromEntries(Object.keys(READS).map((name) => [name, [] as number[]])) as Times;
  for (let turn = 0; !(await isOver(turn)); turn += 1) {
    for (const [name, url] of Object.entries(READS)) {
      const startedMs = performance.now();
      const answer = await fetch(`${origin}/app${url}`, { headers });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
      times[name as Read].push(performance.now() - startedMs);
    }
  }
  return times;
}

function figures(times: Times): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(times).map(([name, each]) => [
      name,
      {
        questions: each.length,
        p50_ms: rounded(quantile(each, 0.5)),
        p99_ms: rounded(quantile(each, 0.99)),
        max_ms: rounded(Math.max(...each)),
      },
    ]),
  );
}

/** Lists, counts and summaries of a book of 100,000 records a side while a million lines are imported into one of its streams, beside the same at rest. */
export async function answeringDuringImport(): Promise<Record<string, unknown>> {
  const former = benchFiles(FORMER_LINES);
  const book = path.join(former.folder, 'book');
  await run(['import', former.ledger, '--data', book, '--stream', 'ledger']);
  await run(['import', former.bank, '--data', book, '--stream', 'bank']);
  // Of later days, so that nothing of it stands behind what people see.
  const large = benchFiles(LINES, 11, '2026-01-01');
  const served = await serve(book);
  const streams = await ask<{ id: number; key: string }[]>(served, 'GET', '/data_streams');
  const idsOf = (key: string): number[] => streams.filter((stream) => stream.key === key).map(({ id }) => id);
  const set = {
    name: 'bench',
    run_type: 'batch',
    sign_convention: 'same',
    side_a_stream_ids: idsOf('ledger'),
    side_b_stream_ids: idsOf('bank'),
  };
  await ask(served, 'POST', '/reconciliations', set);
  await settled(served);
  const window = openWindow(served);
  const rest = await asked(window, (turn) => turn >= REST_QUESTIONS);
  const startedMs = performance.now();
  // The external ids are those of the former bank file, which the ledger has not: all of it is new.
  const isDone = await importByWindow(window, large.bank, 'ledger');
  const during = await asked(window, isDone);
  const importMs = performance.now() - startedMs;
  await served.stop();
  return {
    bench: 'answering-import',
    lines: LINES,
    import_ms: rounded(importMs),
    p99_target_ms: 100,
    at_rest: figures(rest),
    during_import: figures(during),
  };
}
