import { contract } from '../../src-shared/contract/index.ts';
import type { Transport } from '../../src-shared/client/client.ts';

/** Changes that were asked for and are not answered yet. */
export interface ChangesUnderWay {
  /** The same transport; its changes are under way until they are answered. */
  readonly watched: (transport: Transport) => Transport;
  /** Resolves once all changes asked for so far are answered, and whoever asked has acted on the answer. */
  readonly answered: () => Promise<void>;
}

export function createChangesUnderWay(): ChangesUnderWay {
  const underWay = new Set<Promise<unknown>>();
  return {
    watched: (transport) => async (operation, input) => {
      const answer = transport(operation, input);
      if (contract[operation].permission === 'read') return answer;
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    async answered() {
      if (underWay.size === 0) return;
      await Promise.allSettled(underWay);
      // Whoever asked goes on in microtasks: a task later all of them are done.
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
  };
}
