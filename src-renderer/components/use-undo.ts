import { useCallback } from 'react';
import type { UndoEntry } from '../../src-shared/contract/index.ts';
import { useConnection } from '../api/connection-context.ts';
import type { Connection } from '../api/connection.ts';
import { useOperation } from '../api/use-operation.ts';
import { decisionsAnswered } from '../state/decisions.ts';
import { askToUndoImport } from './undo-import-dialog.tsx';
import { notifyDone, notifyFailure } from './notify.tsx';
import { say } from '../../src-shared/words/say.ts';

type Client = Connection['client'];

/** Undoes a change. Asks first when lines would be deleted. */
async function takeBack(client: Client, id: number): Promise<void> {
  const answer = await client.call('undo.take_back', { id });
  if (answer.ok) notifyDone(say('common.useUndo.undone', { label: answer.value.label }));
  else notifyFailure(say('common.useUndo.thisCouldNotBeUndone'), answer.error);
}

/** Undoes the newest change. Waits for commands without an answer first, since an earlier change would be undone otherwise. */
export async function takeBackNewest(client: Client, answered: Connection['answered']): Promise<void> {
  await decisionsAnswered();
  await answered();
  const answer = await client.call('undo.list', { limit: 1 });
  const newest = answer.ok ? answer.value.undo[0] : undefined;
  if (newest === undefined) return;
  if (newest.import_batch_id === null) await takeBack(client, newest.id);
  else askToUndoImport(newest.import_batch_id);
}

async function doAgain(client: Client): Promise<void> {
  const listed = await client.call('undo.list', { limit: 1 });
  if (listed.ok && listed.value.redo.length === 0) return;
  const answer = await client.call('undo.redo', {});
  if (answer.ok) notifyDone(say('common.useUndo.doneAgain', { label: answer.value.label }));
  else notifyFailure(say('common.useUndo.thisCouldNotBeDone'), answer.error);
}

/** Runs commands one after another: a key pressed twice undoes two changes, the newer one first. */
let working: Promise<void> = Promise.resolve();
function inTurn(work: () => Promise<void>): void {
  working = working.then(work, work);
}

interface UndoOfWindow {
  /** The change that the next undo takes back; undefined when there is none. */
  readonly newest: UndoEntry | undefined;
  readonly undoNewest: () => void;
  readonly redoNewest: () => void;
  /** Confirms a change and offers to undo it. */
  readonly showDone: (id: number, label: string) => void;
}

/** Undoes and redoes changes: the newest one, or the one that a notification names. The book keeps the list. */
export function useUndo(): UndoOfWindow {
  const { client, answered } = useConnection();
  const { data: value } = useOperation('undo.list', { limit: 1 });
  const showDone = useCallback((id: number, label: string) => notifyDone(label, () => inTurn(() => takeBack(client, id))), [client]);
  const undoNewest = useCallback(() => inTurn(() => takeBackNewest(client, answered)), [client, answered]);
  const redoNewest = useCallback(() => inTurn(() => doAgain(client)), [client]);
  return { newest: value?.undo[0], undoNewest, redoNewest, showDone };
}
