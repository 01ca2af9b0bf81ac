import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { tallyOf, writeMatches } from '../../../src-main/runs/work/match-writer.ts';
import type { TaskContext } from '../../../src-main/jobs/protocol.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import { MatchCollector } from '../../../src-main/domain/matching/matches/match-columns.ts';
import { CERTAINTIES } from '../../../src-main/domain/matching/model/match.ts';
import { systemClock } from '../../../src-main/platform/system.ts';
import { Database } from '../../../src-main/database/database.ts';
import { jobById } from '../../../src-main/book/store/jobs.ts';
import { present } from '../../../src-shared/values/assert.ts';

/** Writes the matches of a run on a thread of its own, as a job does; says at the end how long it took. */
export interface WritingStart {
  readonly file: string;
  readonly pairs: number;
}

/** Pairs in about the order of their records, as records of near days are. */
function pairsOf(count: number): { readonly a: number; readonly b: number }[] {
  const b = Array.from({ length: count }, (_, index) => count + index + 1);
  let seed = 7;
  for (let index = 0; index < count; index += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = Math.min(count - 1, index + (seed % 3_000));
    [b[index], b[other]] = [present(b[other], 'id'), present(b[index], 'id')];
  }
  return b.map((id, index) => ({ a: index + 1, b: id }));
}

/** Answers how long it took, in milliseconds. */
function writePairs(database: Database, pairs: ReturnType<typeof pairsOf>): number {
  const matches = new MatchCollector();
  for (const { a, b } of pairs) matches.addPair(1, 'matched', CERTAINTIES.indexOf('unique'), 0, a, b);
  const facts = { rules: [], signConvention: 'same', types: UNDECLARED, references: new Map() } as const;
  const context: TaskContext = {
    database,
    clock: systemClock,
    job: present(jobById(database, 1), 'job'),
    report: () => {},
    isCancelled: () => false,
  };
  const startedMs = performance.now();
  writeMatches(context, { runId: 1, reconciliationId: 1, actor: 'bench' }, { facts, result: { matches } }, tallyOf([1], new Map()));
  return performance.now() - startedMs;
}

function write(port: MessagePort, { file, pairs }: WritingStart): void {
  const database = new Database(file, { synchronous: 'FULL' });
  const made = pairsOf(pairs);
  port.postMessage({ writing: true });
  port.postMessage({ elapsedMs: writePairs(database, made) });
  database.close();
}

if (parentPort !== null) write(parentPort, workerData as WritingStart);
