import { useState } from 'react';
import type { Call, Failure } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';

/** A change of the local address with what came of it, for the control that asked for it. */
export function useLocalPort() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('local_port.update', setFailure);
  const change = async (input: Call<'local_port.update'>): Promise<boolean> => {
    setFailure(null);
    return (await update.run(input)).ok;
  };
  return { change, failure, isRunning: update.isRunning, forget: () => setFailure(null) };
}
