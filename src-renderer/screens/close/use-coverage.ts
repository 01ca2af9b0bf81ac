import { useEffect, useState } from 'react';
import { useConnection } from '../../api/connection-context.ts';
import type { SideCoverage } from '../../format/close-steps.ts';
import type { Slot } from '../../format/statement-rows.ts';
import { useClosing } from './close-context.ts';

/** From the first day to the last that the files of each side cover, near the period; null until it is known. */
export function useCoverage(): readonly SideCoverage[] | null {
  const { client } = useConnection();
  const { reconciliation, statement } = useClosing();
  const [coverage, setCoverage] = useState<readonly SideCoverage[] | null>(null);
  useEffect(() => {
    let isShown = true;
    const { from, to } = statement.period;
    const isBankA = statement.bank_side !== 'b';
    const { side_a_streams: a, side_b_streams: b } = reconciliation;
    const of = async (slot: Slot, keys: readonly string[]): Promise<SideCoverage> => {
      const answers = await Promise.all(keys.map((key) => client.call('coverage.of_stream', { key, date_from: from, date_to: to })));
      const statements = answers.flatMap((answer) => (answer.ok ? answer.value.accounts.flatMap((account) => account.statements) : []));
      const first = statements.map(({ date_start: day }) => day).toSorted()[0] ?? null;
      const last =
        statements
          .map(({ date_end: day }) => day)
          .toSorted()
          .at(-1) ?? null;
      return { slot, from: first, to: last };
    };
    const keysOf = (streams: typeof a): string[] => streams.map(({ key }) => key);
    void Promise.all([of('bank', keysOf(isBankA ? a : b)), of('books', keysOf(isBankA ? b : a))]).then((found) => {
      if (isShown) setCoverage(found);
      return found;
    });
    return () => {
      isShown = false;
    };
  }, [client, reconciliation, statement]);
  return coverage;
}
