import { useRef, useState } from 'react';
import type { ImportResult, Job } from '../../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../../src-shared/contract/wire.ts';
import { useConnection } from '../../api/connection-context.ts';
import type { JobProgress } from '../../api/follow-job.ts';
import { useLatestJob } from '../../api/use-latest-job.ts';
import { counted } from '../../format/counts.ts';
import { cancelled, type QueueLine, queueOf, reasonToLook, streamOf, withLine } from '../../state/import-queue.ts';
import { isWithoutMovement } from '../../state/import-flow.ts';
import { rememberImport } from './remember-import.ts';

export interface ImportQueue {
  readonly lines: readonly QueueLine[];
  readonly progress: JobProgress | null;
  readonly take: (files: readonly ChosenFile[]) => void;
  /** Stops the file under way and lets the rest go; what is in stays in. */
  readonly cancel: () => void;
  /** Marks a line whose file is looked at by itself. */
  readonly open: (index: number) => void;
  readonly clear: () => void;
}

type Ended = Pick<QueueLine, 'state' | 'words' | 'result'>;

function ended(result: ImportResult): Ended {
  rememberImport(result);
  const skipped = result.skipped === 0 ? '' : `, ${result.skipped} already there`;
  const what = isWithoutMovement(result) ? counted(result.balances.stated, 'balance') : counted(result.kept, 'record');
  return { state: 'done', words: `${what} imported into ${result.stream}${skipped}.`, result };
}

function failureOf(answer: Outcome<Job> | null): Ended {
  if (answer === null || (answer.ok && answer.value.status === 'cancelled')) {
    return { state: 'cancelled', words: 'Cancelled; nothing of it was stored.', result: null };
  }
  const words = answer.ok ? (answer.value.error_message ?? 'It could not be read, and no reason was given.') : answer.error.message;
  return { state: 'failed', words, result: null };
}

/** Imports several files one after another: what is sure goes in by itself, the rest waits for somebody, and no file stops another. */
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
    // Something came between the look and the import, such as another one of the same stream.
    return result.batch_id === null ? { state: 'look', words: 'It was not imported: open it to see why.', result: null } : ended(result);
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
    open: (index) => setLines((before) => withLine(before, index, { state: 'opened', words: 'Opened below.' })),
    clear: () => setLines([]),
  };
}
