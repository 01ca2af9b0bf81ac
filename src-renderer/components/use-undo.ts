import { useCallback } from 'react';
import { useStore } from 'zustand';
import type { Call, Failure, ReconciliationPeriod } from '../../src-shared/contract/index.ts';
import { useConnection } from '../api/connection-context.ts';
import type { Connection } from '../api/connection.ts';
import { askToUndoImport } from '../state/undo-import.ts';
import { type PeriodMark, signedMark, type Undoable, undoStack } from '../state/undo-stack.ts';
import { notifyDone, notifyFailure } from './notify.tsx';

const OPERATIONS = {
  restore: 'matches.restore',
  restore_account: 'bank_accounts.restore',
  restore_rule: 'rules.restore',
  restore_separation: 'separations.restore',
  undo_create: 'matches.undo_create',
  undo_confirmations: 'confirmations.undo',
  change_rule: 'rules.update',
  restore_alias: 'evidence.restore_alias',
  correct_currency: 'import_batches.correct_currency',
  write_item: 'open_items.put',
  change_period: 'periods.update',
  create_period: 'periods.create',
  remove_period: 'periods.remove',
  decide_conflict: 'sync_conflicts.choose',
  settle_unsure: 'sync_unsure.settle',
} as const;

type Client = Connection['client'];

/** Calls the operation that an entry names. A period that is created has its reconciliation for a target, and no id yet. */
async function act(client: Client, { kind, targetId, input }: Pick<Undoable, 'kind' | 'targetId' | 'input'>) {
  if (kind === 'remove_import') return null;
  const given = kind === 'create_period' ? { reconciliation_id: targetId, ...input } : { id: targetId, ...input };
  return client.call(
    OPERATIONS[kind],
    given as Call<'rules.update'> &
      Call<'import_batches.correct_currency'> &
      Call<'open_items.put'> &
      Call<'periods.create'> &
      Call<'sync_conflicts.choose'> &
      Call<'sync_unsure.settle'>,
  );
}

/** A period as it stands now; undefined where the book has it no longer. */
async function periodNow(client: Client, { id, reconciliationId }: PeriodMark): Promise<ReconciliationPeriod | undefined> {
  const answer = await client.call('periods.list', { reconciliation_id: reconciliationId, limit: 100 });
  return answer.ok ? answer.value.data.find((period) => period.id === id) : undefined;
}

/** Why an entry is no longer undone or done again: somebody has signed its period since. Null where nobody has. */
async function refusedBySignOff(client: Client, { period }: Undoable): Promise<string | null> {
  if (period === undefined) return null;
  const now = await periodNow(client, period);
  if (now === undefined || signedMark(now) === period.signed) return null;
  return `${now.name} has been signed since. What was done before a sign-off stays; change it on the screen instead.`;
}

/** A service that did not answer may do so later; a refusal will stay one. */
const mayAnswerLater = (failure: Failure): boolean => failure.code === 'internal_error';

async function takeBack(client: Client, entry: Undoable): Promise<void> {
  if (entry.kind === 'remove_import') {
    askToUndoImport(entry.targetId);
    return;
  }
  const stack = undoStack.getState();
  if (!stack.take(entry)) return;
  const refusal = await refusedBySignOff(client, entry);
  if (refusal !== null) {
    notifyFailure('This is no longer undone', { message: refusal });
    return;
  }
  const answer = await act(client, entry);
  if (answer === null) return;
  if (answer.ok) {
    stack.keepUndone(entry);
    followPeriod(entry, answer.value);
    notifyDone(`Undone: ${entry.label}`);
    return;
  }
  if (mayAnswerLater(answer.error)) stack.putBack(entry);
  notifyFailure('This could not be undone', answer.error);
}

/** A period that came back is another one to all that was done in it. */
function followPeriod({ period, kind }: Pick<Undoable, 'period' | 'kind'>, value: unknown): void {
  if (kind !== 'create_period' || period === undefined || typeof value !== 'object' || value === null || !('id' in value)) return;
  undoStack.getState().renumberPeriod(period.id, Number(value.id));
}

async function doAgain(client: Client): Promise<void> {
  const stack = undoStack.getState();
  const entry = stack.takeUndone();
  if (entry?.again === undefined) return;
  const refusal = await refusedBySignOff(client, entry);
  if (refusal !== null) {
    notifyFailure('This is not done again', { message: refusal });
    return;
  }
  const answer = await act(client, entry.again);
  if (answer === null) return;
  if (answer.ok) {
    stack.putBack(entry);
    followPeriod({ ...entry.again, ...(entry.period === undefined ? {} : { period: entry.period }) }, answer.value);
    notifyDone(`Done again: ${entry.label}`);
    return;
  }
  if (mayAnswerLater(answer.error)) stack.putBackUndone(entry);
  notifyFailure('This could not be done again', answer.error);
}

/** Undoes the newest change. One that is shown but not answered yet is waited for: else the change before it would go. */
export async function takeBackNewest(client: Client, answered: Connection['answered']): Promise<void> {
  await answered();
  const entry = undoStack.getState().entries.at(-1);
  if (entry !== undefined) await takeBack(client, entry);
}

/** One after another: a key pressed twice undoes two changes, the older one after the newer one. */
let working: Promise<void> = Promise.resolve();
function inTurn(work: () => Promise<void>): void {
  working = working.then(work, work);
}

/** Remembers changes, takes them back, the newest first or the one a notification names, and does them again. */
export function useUndo() {
  const { client, answered } = useConnection();
  const newest = useStore(undoStack, (state) => state.entries.at(-1));
  const newestUndone = useStore(undoStack, (state) => state.undone.at(-1));
  const remember = useCallback(
    (entry: Undoable) => {
      undoStack.getState().push(entry);
      notifyDone(entry.label, () => inTurn(() => takeBack(client, entry)));
    },
    [client],
  );
  const undoNewest = useCallback(() => {
    inTurn(() => takeBackNewest(client, answered));
  }, [client, answered]);
  const redoNewest = useCallback(() => inTurn(() => doAgain(client)), [client]);
  return { newest, newestUndone, remember, undoNewest, redoNewest };
}
