import { type Dispatch, useState } from 'react';
import type { ImportOverrule, Job } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { useConnection } from '../../api/connection-context.ts';
import type { LatestJob } from '../../api/use-latest-job.ts';
import { notifyFailure } from '../../components/notify.tsx';
import type { ImportAction, ImportFlow } from '../../state/import-flow.ts';
import { decisionsAgain } from '../../state/row-decisions.ts';
import { failureOf, importInput } from './import-input.ts';
import { rememberImport } from './remember-import.ts';

export interface Storing {
  readonly start: () => void;
  /** Imports rows that did not go in, as a person decided about them; the rest of the file stays as it is. */
  readonly importDecided: (decisions: readonly ImportOverrule[]) => Promise<void>;
  readonly isDeciding: boolean;
}

/** Stores the file of an import, and single rows of it afterwards. */
export function useStoring(flow: ImportFlow, dispatch: Dispatch<ImportAction>, follow: LatestJob['follow']): Storing {
  const { client } = useConnection();
  const [isDeciding, setDeciding] = useState(false);

  async function start(): Promise<void> {
    if (flow.file === null) return;
    dispatch({ type: 'import' });
    const answer = await follow(client.call('imports.start', importInput(flow.file, flow)));
    if (answer === null) return;
    if (!imported(answer)) dispatch({ type: 'failed', failure: failureOf(answer, 'The import was cancelled; nothing of it was stored.') });
  }

  function imported(answer: Outcome<Job>): boolean {
    const result = answer.ok && answer.value.status === 'completed' ? answer.value.import_result : null;
    if (!answer.ok || result === null) return false;
    rememberImport(result);
    dispatch({ type: 'imported', result, jobId: answer.value.id });
    return true;
  }

  async function importDecided(decisions: readonly ImportOverrule[]): Promise<void> {
    if (flow.file === null) return;
    const again = {
      ...flow,
      overrules: decisionsAgain(flow.overrules, decisions),
      consent: { ...flow.consent, rejected: true },
      remember: null,
    };
    setDeciding(true);
    const answer = await follow(client.call('imports.start', importInput(flow.file, again)));
    setDeciding(false);
    if (answer === null || imported(answer)) return;
    notifyFailure('The rows were not imported', failureOf(answer, 'The import was cancelled; nothing of it was stored.'));
  }

  return { start: () => void start(), importDecided, isDeciding };
}
