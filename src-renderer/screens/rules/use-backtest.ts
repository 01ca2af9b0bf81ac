import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure, RuleBacktest } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import type { Connection } from '../../api/connection.ts';
import { useConnection } from '../../api/connection-context.ts';

type BacktestState =
  | { readonly kind: 'idle' | 'running' | 'stopped' }
  | { readonly kind: 'done'; readonly value: RuleBacktest }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface Backtest {
  readonly state: BacktestState;
  /** Starts a back-test and stops the previous one. */
  readonly start: (ask: (client: Connection['client']) => Promise<Outcome<RuleBacktest>>) => void;
  readonly stop: () => void;
}

/** Runs a back-test, which is stopped when the component unmounts. */
export function useBacktest(reconciliationId: number): Backtest {
  const { client } = useConnection();
  const [state, setState] = useState<BacktestState>({ kind: 'idle' });
  /** The number of the latest question, and of the one that the component waits for; 0 for none. */
  const waited = useRef({ asked: 0, current: 0 });
  /** Resolves when earlier stops are done, so that no stop can reach a later question. */
  const stopping = useRef<Promise<unknown>>(Promise.resolve());
  const cancel = useCallback(async () => {
    waited.current.asked += 1;
    if (waited.current.current !== 0) {
      waited.current.current = 0;
      stopping.current = client.call('rules.cancel_backtests', { id: reconciliationId });
    }
    await stopping.current;
  }, [client, reconciliationId]);
  useEffect(() => () => void cancel(), [cancel]);
  const start: Backtest['start'] = useCallback(
    (ask) => {
      const run = async (): Promise<void> => {
        const stopped = cancel();
        const question = waited.current.asked;
        await stopped;
        // Another question or a stop came in the meantime.
        if (waited.current.asked !== question) return;
        waited.current.current = question;
        setState({ kind: 'running' });
        const answer = await ask(client);
        if (waited.current.current !== question) return;
        waited.current.current = 0;
        setState(answer.ok ? { kind: 'done', value: answer.value } : { kind: 'failed', failure: answer.error });
      };
      void run();
    },
    [cancel, client],
  );
  const stop = useCallback(() => {
    setState({ kind: 'stopped' });
    void cancel();
  }, [cancel]);
  return { state, start, stop };
}
