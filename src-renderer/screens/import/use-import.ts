import { useCallback, useReducer, useRef, useState } from 'react';
import type { Job } from '../../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../../src-shared/contract/wire.ts';
import { useConnection } from '../../api/connection-context.ts';
import { followJob, type JobProgress } from '../../api/follow-job.ts';
import { counted } from '../../format/counts.ts';
import { advanceImport, type Consent, type ImportFlow, startOfImport, type Target } from '../../state/import-flow.ts';
import { undoStack } from '../../state/undo-stack.ts';

export interface ImportProcess {
  readonly flow: ImportFlow;
  readonly progress: JobProgress | null;
  readonly choose: (file: ChosenFile) => void;
  /** Sets where the lines go; what was understood is read again when the stream or the currency changed. */
  readonly retarget: (target: Target) => void;
  readonly consent: (consent: Consent) => void;
  readonly start: () => void;
  readonly cancel: () => void;
  readonly again: () => void;
}

function failureOf(answer: Outcome<Job>, cancelledWords: string): { readonly message: string } {
  if (!answer.ok) return answer.error;
  if (answer.value.status === 'cancelled') return { message: cancelledWords };
  return { message: answer.value.error_message ?? 'The file could not be read, and no reason was given.' };
}

/** Runs the steps of an import against the service. A newer reading overtakes an older one. */
export function useImport(streamKey: string | null): ImportProcess {
  const connection = useConnection();
  const [flow, dispatch] = useReducer(advanceImport, streamKey, startOfImport);
  const [progress, setProgress] = useState<JobProgress | null>(null);
  const job = useRef<Job | null>(null);
  const newest = useRef(0);

  const follow = useCallback(
    async (asked: Promise<Outcome<Job>>): Promise<Outcome<Job> | null> => {
      newest.current += 1;
      const own = newest.current;
      setProgress(null);
      const started = await asked;
      if (!started.ok) return own === newest.current ? started : null;
      if (own === newest.current) job.current = started.value;
      const finished = await followJob(connection, started.value, (heard) => own === newest.current && setProgress(heard));
      return own === newest.current ? finished : null;
    },
    [connection],
  );

  async function read(file: ChosenFile, target: Target): Promise<void> {
    const options = {
      ...(target.key === '' ? {} : { stream_key: target.key }),
      ...(target.currency === '' ? {} : { currency: target.currency }),
    };
    const answer = await follow(connection.client.call('imports.preview', { file_token: file.token, ...options }));
    if (answer === null) return;
    if (answer.ok && answer.value.preview !== null) dispatch({ type: 'previewed', preview: answer.value.preview });
    else dispatch({ type: 'failed', failure: failureOf(answer, 'Reading was cancelled. Choose a file to start again.') });
  }

  async function start(): Promise<void> {
    const { file, target, consent } = flow;
    if (file === null) return;
    dispatch({ type: 'import' });
    const answer = await follow(
      connection.client.call('imports.start', {
        file_token: file.token,
        stream_key: target.key,
        ...(target.mode === 'new' && target.name.trim() !== '' ? { stream_name: target.name.trim() } : {}),
        ...(target.currency === '' ? {} : { currency: target.currency }),
        accept_rejected: consent.rejected,
        accept_broken: consent.broken,
      }),
    );
    const result = answer?.ok === true ? answer.value.import_result : null;
    if (answer === null) return;
    if (result === null || !answer.ok || answer.value.status !== 'completed') {
      dispatch({ type: 'failed', failure: failureOf(answer, 'The import was cancelled; nothing of it was stored.') });
      return;
    }
    if (result.batch_id !== null) {
      undoStack.getState().push({ kind: 'remove_import', targetId: result.batch_id, label: `import of ${counted(result.kept, 'record')}` });
    }
    dispatch({ type: 'imported', result });
  }

  function retarget(target: Target): void {
    const isOther = target.key !== flow.target.key || target.currency !== flow.target.currency;
    dispatch({ type: 'target', target });
    if (!isOther || flow.file === null || (target.currency !== '' && !/^[A-Z]{3}$/.test(target.currency))) return;
    dispatch({ type: 'reread' });
    void read(flow.file, target);
  }

  return {
    flow,
    progress,
    choose(file) {
      dispatch({ type: 'file', file });
      void read(file, flow.target);
    },
    retarget,
    consent: (consent) => dispatch({ type: 'consent', consent }),
    start: () => void start(),
    cancel: () => void (job.current !== null && connection.client.call('jobs.cancel', { id: job.current.id })),
    again: () => dispatch({ type: 'again' }),
  };
}
