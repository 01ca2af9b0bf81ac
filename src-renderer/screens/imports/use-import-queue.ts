import { useStore } from 'zustand';
import type { ImportResult, Job } from '../../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../../src-shared/contract/wire.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useConnection } from '../../api/connection-context.ts';
import type { Connection } from '../../api/connection.ts';
import { followJob, type JobProgress } from '../../api/follow-job.ts';
import { countOf } from '../../format/counts.ts';
import {
  cancelled,
  importQueue,
  isWithoutMovement,
  type QueueLine,
  queueOf,
  reasonToLook,
  streamOf,
  withLine,
} from '../../state/import-flow.ts';

export interface ImportQueue {
  readonly lines: readonly QueueLine[];
  readonly progress: JobProgress | null;
  readonly take: (files: readonly ChosenFile[]) => void;
  /** Cancels the current file and drops the waiting ones. Imported files stay imported. */
  readonly cancel: () => void;
  /** Marks a line whose file is opened in its own screen. */
  readonly open: (index: number) => void;
  /** Notes the import of a file that a person opened from the list. */
  readonly finish: (file: ChosenFile, result: ImportResult) => void;
  readonly clear: () => void;
}

type Ended = Pick<QueueLine, 'state' | 'words' | 'result'>;

function ended(result: ImportResult): Ended {
  const what = isWithoutMovement(result) ? countOf(result.balances.stated, 'count.balances') : countOf(result.kept, 'count.records');
  const { stream, skipped } = result;
  return { state: 'done', words: say('imports.importScreen.importedIntoWithSkipped', { what, stream, skipped }), result };
}

function failureOf(answer: Outcome<Job> | null): Ended {
  if (answer === null || (answer.ok && answer.value.status === 'cancelled')) {
    return { state: 'cancelled', words: say('imports.importScreen.cancelledNothingOfItWasStored'), result: null };
  }
  const words = answer.ok ? (answer.value.error_message ?? say('imports.importScreen.itCouldNotBeRead')) : answer.error.message;
  return { state: 'failed', words, result: null };
}

function setLines(change: (before: readonly QueueLine[]) => readonly QueueLine[]): void {
  importQueue.setState(({ lines }) => ({ lines: change(lines) }));
}

/** The number of the latest list, and the job that runs for it. A newer list ends an older one. */
const current: { turn: number; jobId: number | null } = { turn: 0, jobId: null };

/** Follows one job of the queue. Null when the queue was cancelled meanwhile. */
async function follow({ client, events }: Connection, asked: Promise<Outcome<Job>>): Promise<Outcome<Job> | null> {
  const own = current.turn;
  const started = await asked;
  if (!started.ok) return started;
  if (own !== current.turn) {
    void client.call('jobs.cancel', { id: started.value.id });
    return null;
  }
  current.jobId = started.value.id;
  const answer = await followJob(
    { client, events },
    started.value,
    (progress) => own === current.turn && importQueue.setState({ progress }),
  );
  if (own === current.turn) current.jobId = null;
  return answer;
}

async function importOne(connection: Connection, file: ChosenFile, streamKey: string | null, onImporting: () => void): Promise<Ended> {
  const { client } = connection;
  const target = streamKey === null ? {} : { stream_key: streamKey };
  const read = await follow(connection, client.call('imports.preview', { file_token: file.token, ...target }));
  const preview = read !== null && read.ok ? read.value.preview : null;
  if (preview === null) return failureOf(read);
  const reason = reasonToLook(preview, streamKey);
  const key = streamOf(preview, streamKey);
  if (reason !== null || key === null) return { state: 'look', words: '', ...reason, result: null };
  onImporting();
  const stored = await follow(
    connection,
    client.call('imports.start', { file_token: file.token, stream_key: key, keep_file: preview.suggestion.keep_file }),
  );
  const result = stored !== null && stored.ok && stored.value.status === 'completed' ? stored.value.import_result : null;
  if (result === null) return failureOf(stored);
  // The book changed between the preview and the import, for instance by another file of the same stream.
  return result.batch_id === null ? { state: 'look', words: say('imports.importScreen.itWasNotImported'), result: null } : ended(result);
}

async function work(connection: Connection, files: readonly ChosenFile[], streamKey: string | null): Promise<void> {
  current.turn += 1;
  const own = current.turn;
  importQueue.setState({ lines: queueOf(files), progress: null });
  for (const [index, file] of files.entries()) {
    if (own !== current.turn) return;
    setLines((before) => withLine(before, index, { state: 'reading' }));
    const end = await importOne(connection, file, streamKey, () => setLines((before) => withLine(before, index, { state: 'importing' })));
    // A newer list has taken the place of this one.
    if (importQueue.getState().lines[index]?.file.token !== file.token) return;
    setLines((before) => withLine(before, index, end));
  }
}

/**
 * Imports several files one after another, also while another screen is open. A file without questions is imported at once, the others wait for a
 * person, and a failure does not stop the rest.
 */
export function useImportQueue(streamKey: string | null): ImportQueue {
  const connection = useConnection();
  const { lines, progress } = useStore(importQueue);
  return {
    lines,
    progress,
    take: (files) => void work(connection, files, streamKey),
    cancel() {
      current.turn += 1;
      if (current.jobId !== null) void connection.client.call('jobs.cancel', { id: current.jobId });
      setLines(cancelled);
    },
    open: (index) => setLines((before) => withLine(before, index, { state: 'opened', words: say('imports.importScreen.openedBelow') })),
    finish(file, result) {
      if (result.batch_id === null) return;
      setLines((before) => before.map((line) => (line.file.token === file.token ? { ...line, ...ended(result) } : line)));
    },
    clear: () => setLines(() => []),
  };
}
