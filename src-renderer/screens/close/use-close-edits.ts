import { useConnection } from '../../api/use-operation.ts';
import type { OpenItemNote } from '../../../src-shared/contract/index.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { type BalanceKey, useClosing } from './close-context.ts';
import { say } from '../../../src-shared/words/say.ts';

export type NoteChange = Partial<Pick<OpenItemNote, 'status' | 'owner' | 'comment' | 'expected_on'>>;

/** Stores the user's changes of a period. Each can be undone until the period is signed. */
export function useCloseEdits() {
  const { client } = useConnection();
  const { period, reconciliation, statement } = useClosing();

  /** Changes some members of an open item's note and keeps the others. */
  async function writeItem(recordId: number, change: NoteChange): Promise<boolean> {
    const named = { id: reconciliation.id, record_id: recordId };
    // The note is read now, because it is stored as a whole.
    const before = await client.call('open_items.get', named);
    if (!before.ok) {
      notifyFailure(say('close.useCloseEdits.thisWasNotWritten'), before.error);
      return false;
    }
    const { status, owner, comment, expected_on: expected } = before.value;
    const answer = await client.call('open_items.put', { ...named, status, owner, comment, expected_on: expected, ...change });
    if (!answer.ok) notifyFailure(say('close.useCloseEdits.thisWasNotWritten'), answer.error);
    return answer.ok;
  }

  /** Stores a balance; null removes the entered one. */
  async function enterBalance({ slot, which }: BalanceKey, minor: number | null): Promise<boolean> {
    const balances = [{ side: slot, currency: statement.currency, [which]: minor }];
    const answer = await client.call('periods.update', { id: period.id, balances });
    if (!answer.ok) notifyFailure(say('close.useCloseEdits.theBalanceWasNotEntered'), answer.error);
    return answer.ok;
  }

  /** Writes the same on many open items in one step, which one undo takes back. */
  async function writeItems(recordIds: readonly number[], change: NoteChange): Promise<boolean> {
    const answer = await client.call('open_items.put_many', {
      id: reconciliation.id,
      changes: [{ record_ids: [...recordIds], ...change }],
    });
    if (!answer.ok) {
      notifyFailure(say('close.bulk.notWritten'), answer.error);
      return false;
    }
    notifyDone(say('close.bulk.written', { count: answer.value.record_count }));
    return true;
  }

  /** Says whether a status other than open explains an item, for the whole book. */
  async function letStatusExplain(isExplaining: boolean): Promise<void> {
    const answer = await client.call('book.update', { status_explains: isExplaining });
    if (!answer.ok) notifyFailure(say('close.bulk.settingNotKept'), answer.error);
  }

  return { writeItem, writeItems, letStatusExplain, enterBalance };
}
