import { useConnection } from '../../api/connection-context.ts';
import type { OpenItemNote, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { useUndo } from '../../components/use-undo.ts';
import { type PeriodMark, signedMark } from '../../state/undo-stack.ts';
import { type BalanceKey, useClosing } from './close-context.ts';

export type NoteChange = Partial<Pick<OpenItemNote, 'status' | 'owner' | 'comment' | 'expected_on'>>;

export function markOf(period: ReconciliationPeriod): PeriodMark {
  return { id: period.id, reconciliationId: period.reconciliation_id, signed: signedMark(period) };
}

/** What a person writes in a period; each change can be undone until somebody signs. */
export function useCloseEdits() {
  const { client } = useConnection();
  const { remember } = useUndo();
  const { period, reconciliation, statement } = useClosing();
  const mark = markOf(period);

  /** Writes on an open item, beside what is there. */
  async function writeItem(recordId: number, change: NoteChange, label: string): Promise<boolean> {
    const named = { id: reconciliation.id, record_id: recordId };
    // Asked at this moment: a note is written as a whole.
    const before = await client.call('open_items.get', named);
    if (!before.ok) {
      notifyFailure('This was not written', before.error);
      return false;
    }
    const { status, owner, comment, expected_on: expected } = before.value;
    const old = { status, owner, comment, expected_on: expected };
    const input = { record_id: recordId, ...old, ...change };
    const answer = await client.call('open_items.put', { ...named, ...input });
    if (!answer.ok) {
      notifyFailure('This was not written', answer.error);
      return false;
    }
    const again = { kind: 'write_item', targetId: reconciliation.id, input } as const;
    remember({ kind: 'write_item', targetId: reconciliation.id, input: { record_id: recordId, ...old }, label, again, period: mark });
    return true;
  }

  /** Enters a balance; null takes away what was entered. */
  async function enterBalance({ slot, which }: BalanceKey, minor: number | null, label: string): Promise<boolean> {
    const { currency } = statement;
    const entered = period.balances.find((balance) => balance.side === slot && balance.currency === currency);
    const inputOf = (value: number | null) => ({ balances: [{ side: slot, currency, [which]: value }] });
    const answer = await client.call('periods.update', { id: period.id, ...inputOf(minor) });
    if (!answer.ok) {
      notifyFailure('The balance was not entered', answer.error);
      return false;
    }
    const again = { kind: 'change_period', targetId: period.id, input: inputOf(minor) } as const;
    remember({ kind: 'change_period', targetId: period.id, input: inputOf(entered?.[which] ?? null), label, again, period: mark });
    return true;
  }

  return { writeItem, enterBalance };
}
