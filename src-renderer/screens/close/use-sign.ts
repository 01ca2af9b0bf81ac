import { useState } from 'react';
import type { Failure } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { notifyDone } from '../../components/notify.tsx';
import { rememberSigner } from '../../state/signer.ts';
import { undoStack } from '../../state/undo-stack.ts';
import { useClosing } from './close-context.ts';

export type SignKind = 'prepare' | 'review' | 'close' | 'reopen';

const DONE: Readonly<Record<SignKind, string>> = {
  prepare: 'is prepared. What was done before is no longer undone.',
  review: 'is reviewed.',
  close: 'is closed.',
  reopen: 'is open again.',
};

/** Signs the period; a refusal stays where the button is. */
export function useSign(kind: SignKind) {
  const { client } = useConnection();
  const { period } = useClosing();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isRunning, setRunning] = useState(false);

  function call(by: string, reason: string) {
    const { id } = period;
    switch (kind) {
      case 'prepare':
        return client.call('periods.prepare', { id, by });
      case 'review':
        return client.call('periods.review', { id, by });
      case 'close':
        return client.call('periods.close', { id, by, ...(reason === '' ? {} : { unexplained_reason: reason }) });
      case 'reopen':
        return client.call('periods.reopen', { id, by, reason });
    }
  }

  async function sign(by: string, reason: string): Promise<boolean> {
    setRunning(true);
    const answer = await call(by, reason);
    setRunning(false);
    setFailure(answer.ok ? null : answer.error);
    if (!answer.ok) return false;
    rememberSigner(kind, by);
    if (kind !== 'reopen') undoStack.getState().seal(period.id);
    notifyDone(`${period.name} ${DONE[kind]}`);
    return true;
  }
  return { sign, failure, isRunning };
}
