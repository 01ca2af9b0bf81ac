import { useState } from 'react';
import type { Call, Failure } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';

/** A change of the local address with what came of it, for the control that asked for it. */
export function useLocalPort() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('local_port.update', setFailure);
  const change = async (input: Call<'local_port.update'>): Promise<boolean> => {
    setFailure(null);
    return (await update.run(input)).ok;
  };
  // The control may be gone by then, or show another value.
  const restore = useCommand('local_port.update', (failed) => notifyFailure('This could not be undone', failed));
  return {
    change,
    failure,
    isRunning: update.isRunning,
    forget: () => setFailure(null),
    /** Tells what was done, with the way back to what was before. */
    done: (title: string, before: Call<'local_port.update'>) => notifyDone(title, () => void restore.run(before)),
  };
}
