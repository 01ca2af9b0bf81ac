import { useRef, useState } from 'react';
import type { ImportResult, Job } from '../../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../../src-shared/contract/wire.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useConnection } from '../../api/connection-context.ts';
import type { JobProgress } from '../../api/follow-job.ts';
import { useLatestJob } from '../../api/use-latest-job.ts';
import { countOf } from '../../format/counts.ts';
import { isWithoutMovement } from '../../state/import-flow.ts';
import { cancelled, type QueueLine, queueOf, reasonToLook, streamOf, withLine } from '../../state/import-queue.ts';

export interface ImportQueue {
  readonly lines: readonly QueueLine[];
  readonly progress: JobProgress | null;
  readonly take: (files: readonly ChosenFile[]) => void;
  /** Cancels the current file and drops the waiting ones. Imported files stay imported. */
  readonly cancel: () => void;
  /** Marks a line whose file is opened in its own screen. */
  readonly open: (index: number) => void;
  readonly clear: () => void;
}

type Ended = Pick<QueueLine, 'state' | 'words' | 'result'>;

function ended(result: ImportResult): Ended {
  const skipped = result.skipped === 0 ? '' : say('imports.importScreen.alreadyThere', { skipped: result.skipped });
  const what = isWithoutMovement(result) ? countOf(result.balances.stated, 'count.balances') : countOf(result.kept, 'count.records');
  return { state: 'done', words: say('imports.importScreen.importedIntoWithSkipped', { what, stream: result.stream, skipped }), result };
}

function failureOf(answer: Outcome<Job> | null): Ended {
  if (answer === null || (answer.ok && answer.value.status === 'cancelled')) {
    return { state: 'cancelled', words: say('imports.importScreen.cancelledNothingOfItWasStored'), result: null };
  }
  const words = answer.ok ? (answer.value.error_message ?? say('imports.importScreen.itCouldNotBeRead')) : answer.error.message;
  return { state: 'failed', words, result: null };
}

/**
 * Imports several files one after another. A file without questions is imported at once, the others wait for a person, and a failure does not stop
 * the rest.
 */
export function useImportQueue(streamKey: string | null): ImportQueue {
  const { client } = useConnection();
  const { progress, follow, cancel } = useLatestJob();
  const [lines, setLines] = useState<readonly QueueLine[]>([]);
  const turn = useRef(0);

  async function importOne(file: ChosenFile, onImporting: () => void): Promise<Ended> {
    const target = streamKey === null ? {} : { stream_key: streamKey };
    const read = await follow(client.call('imports.preview', { file_token: file.token, ...target }));
    const preview = read !== null && read.ok ? read.value.preview : null;
    if (preview === null) return failureOf(read);
    const reason = reasonToLook(preview, streamKey);
    const key = streamOf(preview, streamKey);
    if (reason !== null || key === null) return { state: 'look', words: '', ...reason, result: null };
    onImporting();
    const stored = await follow(client.call('imports.start', { file_token: file.token, stream_key: key }));
    const result = stored !== null && stored.ok && stored.value.status === 'completed' ? stored.value.import_result : null;
    if (result === null) return failureOf(stored);
    // The book changed between the preview and the import, for instance by another file of the same stream.
    return result.batch_id === null ? { state: 'look', words: say('imports.importScreen.itWasNotImported'), result: null } : ended(result);
  }

  async function work(files: readonly ChosenFile[]): Promise<void> {
    turn.current += 1;
    const own = turn.current;
    setLines(queueOf(files));
    for (const [index, file] of files.entries()) {
      if (own !== turn.current) return;
      setLines((before) => withLine(before, index, { state: 'reading' }));
      const end = await importOne(file, () => setLines((before) => withLine(before, index, { state: 'importing' })));
      setLines((before) => withLine(before, index, end));
    }
  }

  return {
    lines,
    progress,
    take: (files) => void work(files),
    cancel() {
      turn.current += 1;
      cancel();
      setLines(cancelled);
    },
    open: (index) => setLines((before) => withLine(before, index, { state: 'opened', words: say('imports.importScreen.openedBelow') })),
    clear: () => setLines([]),
  };
}
