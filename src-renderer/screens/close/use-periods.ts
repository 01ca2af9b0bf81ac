import { useState } from 'react';
import type { Failure, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { useConnection } from '../../api/connection-context.ts';
import { notifyFailure } from '../../components/notify.tsx';
import type { Days } from '../../format/dates.ts';
import { useNavigation } from '../../state/navigation.ts';
import { say } from '../../../src-shared/words/say.ts';

type BankSide = 'a' | 'b' | null;

const given = (side: BankSide | undefined) => (side === undefined || side === null ? {} : { bank_side: side });

/** Creates, changes and deletes periods. Each change can be undone until the period is signed. */
export function usePeriods(reconciliationId: number) {
  const { client } = useConnection();
  const go = useNavigation((state) => state.go);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isRunning, setRunning] = useState(false);

  async function running<T>(call: Promise<Outcome<T>>): Promise<Outcome<T>> {
    setRunning(true);
    const answer = await call;
    setRunning(false);
    setFailure(answer.ok ? null : answer.error);
    return answer;
  }

  async function create(days: Days, bank?: BankSide): Promise<boolean> {
    const input = { from: days.from, to: days.to, ...given(bank) };
    const answer = await running(client.call('periods.create', { reconciliation_id: reconciliationId, ...input }));
    if (!answer.ok) return false;
    const period = answer.value;
    go({ screen: 'close', key: reconciliationId, periodId: period.id });
    return true;
  }

  async function move(period: ReconciliationPeriod, days: Days): Promise<boolean> {
    return (await running(client.call('periods.update', { id: period.id, from: days.from, to: days.to }))).ok;
  }

  async function nameBank(period: ReconciliationPeriod, side: BankSide): Promise<boolean> {
    return (await running(client.call('periods.update', { id: period.id, bank_side: side }))).ok;
  }

  async function remove(period: ReconciliationPeriod): Promise<void> {
    const answer = await client.call('periods.remove', { id: period.id });
    if (!answer.ok) {
      notifyFailure(say('close.usePeriods.wasNotDeleted', { name: period.name }), answer.error);
      return;
    }
    go({ screen: 'close', key: reconciliationId, periodId: null });
  }

  return { create, move, nameBank, remove, failure, isRunning };
}
