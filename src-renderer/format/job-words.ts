import type { BookEvent, Run } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import { bytesText, countOf, countText } from './counts.ts';
import { plainWords } from './words.ts';

type Progress = Pick<Extract<BookEvent, { kind: 'job' }>, 'phase' | 'progress' | 'processed' | 'total' | 'file'>;

/**
 * Returns `45 % · Reading · 450,000 rows · 24.7 MB of 54.9 MB`. The percentage is that of the whole job. Rows appear once the reader has found them.
 */
export function progressText({ phase, progress, processed, total, file }: Progress): string {
  const parts = [`${progress} %`, plainWords(phase)];
  if (file !== null) {
    if (file.rows > 0) parts.push(countOf(file.rows, 'count.rows'));
    parts.push(say('common.job.bytesOfBytes', { bytes: bytesText(file.bytes), bytes2: bytesText(file.total_bytes) }));
  } else if (total > 0) parts.push(say('common.job.processedOfTotal', { processed: countText(processed), total: countText(total) }));
  return parts.join(' · ');
}

type JobEvent = Extract<BookEvent, { kind: 'job' }>;

const RUNNING: Readonly<Record<JobEvent['job_kind'], string>> = {
  import: say('shell.running.import'),
  import_preview: say('shell.running.importPreview'),
  run: say('shell.running.run'),
  stream_operation: say('shell.running.streamOperation'),
};

const ENDED: Readonly<Record<JobEvent['job_kind'], string>> = {
  import: say('shell.ended.import'),
  import_preview: say('shell.ended.importPreview'),
  run: say('shell.ended.run'),
  stream_operation: say('shell.ended.streamOperation'),
};

/** Returns the words for a running job. */
export function runningWords({ job_kind: kind }: JobEvent): string {
  return RUNNING[kind];
}

/** Returns the words for the end of a job. The time follows them on the screen. */
export function endedWords({ job_kind: kind, status }: JobEvent): string {
  const how = status === 'completed' ? 'finished' : status === 'cancelled' ? 'cancelled' : 'failed';
  return `${ENDED[kind]} ${how}`;
}

type RuleFigures = Run['rule_summary'][string];

/** Returns notes about a rule's part in a run beside its counts; empty when everything was computed to the end. */
export function ruleNotes({ matches, proposed, gave_up: gaveUp, exact_matches: exact, evidence }: RuleFigures): string[] {
  const notes: string[] = [...(evidence?.words ?? [])];
  const isGivenUp = gaveUp !== undefined && gaveUp > 0;
  const near = exact === undefined ? 0 : matches + proposed - exact;
  if (near > 0) {
    const share = say('runs.run.of', { near: countText(near), matches: countText(matches + proposed) });
    const pairs = isGivenUp ? say('runs.run.pairsThatLieNear') : say('runs.run.asManyPairsAsThereCanBe');
    notes.push(say('runs.run.standInGroupsToo', { share, pairs }));
  }
  if (isGivenUp) {
    const [sought, missing] = exact === undefined ? ['sums', 'combinations'] : ['partners', 'pairs'];
    notes.push(say('runs.run.theSearchForWasGivenUp', { sought, gaveUp, missing }));
  }
  return notes;
}
