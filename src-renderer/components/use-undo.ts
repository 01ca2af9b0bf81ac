import { useCallback } from 'react';
import { useStore } from 'zustand';
import type { Call } from '../../src-shared/contract/index.ts';
import { useConnection } from '../api/connection-context.ts';
import type { Connection } from '../api/connection.ts';
import { askToUndoImport } from '../state/import/undo-import.ts';
import { type Undoable, undoStack } from '../state/undo-stack.ts';
import { notifyDone, notifyFailure } from './failures/notify.tsx';

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
} as const;

async function takeBack(client: Connection['client'], entry: Undoable): Promise<void> {
  if (entry.kind === 'remove_import') {
    askToUndoImport(entry.targetId);
    return;
  }
  if (!undoStack.getState().take(entry)) return;
  const input = { id: entry.targetId, ...entry.input };
  const answer = await client.call(OPERATIONS[entry.kind], input as Call<'rules.update'> & Call<'import_batches.correct_currency'>);
  if (answer.ok) {
    notifyDone(`Undone: ${entry.label}`);
    return;
  }
  // A service that did not answer may do so later; a refusal will stay one.
  if (answer.error.code === 'internal_error') undoStack.getState().push(entry);
  notifyFailure('This could not be undone', answer.error);
}

/** Remembers changes and takes them back, the newest first or the one a notification names. */
export function useUndo() {
  const { client } = useConnection();
  const newest = useStore(undoStack, (state) => state.entries.at(-1));
  const remember = useCallback(
    (entry: Undoable) => {
      undoStack.getState().push(entry);
      notifyDone(entry.label, () => void takeBack(client, entry));
    },
    [client],
  );
  const undoNewest = useCallback(() => {
    const entry = undoStack.getState().entries.at(-1);
    if (entry !== undefined) void takeBack(client, entry);
  }, [client]);
  return { newest, remember, undoNewest };
}
