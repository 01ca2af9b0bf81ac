import { useState } from 'react';
import type { Failure, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { useConnection } from '../../api/connection-context.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { useUndo } from '../../components/use-undo.ts';
import type { Days } from '../../format/close-days.ts';
import { useNavigation } from '../../state/navigation.ts';
import { markOf } from './use-close-edits.ts';

type BankSide = 'a' | 'b' | null;

const given = (side: BankSide | undefined) => (side === undefined || side === null ? {} : { bank_side: side });

/** What people entered in a period, as it is entered again. */
function enteredOf({ balances }: ReconciliationPeriod) {
  return balances.map(({ side, currency, opening, stated_closing: closing }) => ({ side, currency, opening, stated_closing: closing }));
}

/** Creates, changes and deletes periods; each can be undone until somebody signs. */
export function usePeriods(reconciliationId: number) {
  const { client } = useConnection();
  const { remember } = useUndo();
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
    const again = { kind: 'create_period', targetId: reconciliationId, input } as const;
    remember({ kind: 'remove_period', targetId: period.id, label: `Created ${period.name}`, again, period: markOf(period) });
    go({ screen: 'close', key: reconciliationId, periodId: period.id });
    return true;
  }

  async function move(period: ReconciliationPeriod, days: Days): Promise<boolean> {
    const answer = await running(client.call('periods.update', { id: period.id, from: days.from, to: days.to }));
    if (!answer.ok) return false;
    const again = { kind: 'change_period', targetId: period.id, input: { from: days.from, to: days.to } } as const;
    const input = { from: period.from, to: period.to };
    remember({
      kind: 'change_period',
      targetId: period.id,
      input,
      label: `Changed the days of ${period.name}`,
      again,
      period: markOf(period),
    });
    return true;
  }

  async function nameBank(period: ReconciliationPeriod, side: BankSide): Promise<boolean> {
    const answer = await running(client.call('periods.update', { id: period.id, bank_side: side }));
    if (!answer.ok) return false;
    const again = { kind: 'change_period', targetId: period.id, input: { bank_side: side } } as const;
    const input = { bank_side: period.bank_side_given ? period.bank_side : null };
    remember({ kind: 'change_period', targetId: period.id, input, label: 'Said which side is the bank', again, period: markOf(period) });
    return true;
  }

  async function remove(period: ReconciliationPeriod): Promise<void> {
    const answer = await client.call('periods.remove', { id: period.id });
    if (!answer.ok) {
      notifyFailure(`${period.name} was not deleted`, answer.error);
      return;
    }
    const input = { from: period.from, to: period.to, balances: enteredOf(period) };
    const again = { kind: 'remove_period', targetId: period.id } as const;
    remember({ kind: 'create_period', targetId: reconciliationId, input, label: `Deleted ${period.name}`, again, period: markOf(period) });
    go({ screen: 'close', key: reconciliationId, periodId: null });
  }

  return { create, move, nameBank, remove, failure, isRunning };
}
