import { useCallback } from 'react';
import type { Failure, Input, UndoEntry } from '../../src-shared/contract/index.ts';
import { type Connection, useConnection, useOperation } from '../api/use-operation.ts';
import { decisionsAnswered } from '../state/decisions.ts';
import { askToUndoImport, askWhatUndoDoes } from './undo-dialogs.tsx';
import { notifyDone, notifyFailure, notifyIdle } from './notify.tsx';
import { say } from '../../src-shared/words/say.ts';

type Client = Connection['client'];

/** What a person chose about a change since: what the question showed may be written over, but nothing that was changed after it. */
type Chosen = Partial<Input<'undo.redo'>>;

/** Asks what to do where somebody else changed since what an undo would write over. */
function askAboutChange(error: Failure, title: string, choose: (chosen: Chosen) => void): void {
  const seen = error.errors?.find(({ path }) => path === 'seen')?.code;
  const mayOverwrite = error.errors?.some(({ code }) => code === 'overwrite') === true;
  askWhatUndoDoes({
    title,
    message: error.message,
    onSkip: () => choose({ if_changed: 'skip' }),
    onOverwrite: mayOverwrite ? () => choose({ if_changed: 'overwrite', seen }) : null,
  });
}

/** Undoes a change. Asks first when lines would be deleted, and when it was changed since. */
async function takeBack(client: Client, id: number, chosen: Chosen = {}): Promise<void> {
  const answer = await client.call('undo.take_back', { id, ...chosen });
  const failed = say('common.useUndo.thisCouldNotBeUndone');
  if (!answer.ok && answer.error.code === 'changed_since') {
    askAboutChange(answer.error, failed, (answered) => inTurn(() => takeBack(client, id, answered)));
  } else if (!answer.ok) notifyFailure(failed, answer.error);
  else notifyDone(say(chosen.if_changed === 'skip' ? 'common.useUndo.skipped' : 'common.useUndo.undone', { label: answer.value.label }));
}

/** Undoes the newest change. Waits for commands without an answer first, since an earlier change would be undone otherwise. */
export async function takeBackNewest(client: Client, answered: Connection['answered']): Promise<void> {
  await decisionsAnswered();
  await answered();
  const answer = await client.call('undo.list', { limit: 1 });
  const newest = answer.ok ? answer.value.undo[0] : undefined;
  if (newest === undefined) {
    if (answer.ok) notifyIdle(say('shell.nothingToUndo'));
    return;
  }
  if (newest.import_batch_id === null) await takeBack(client, newest.id);
  else askToUndoImport(newest.import_batch_id);
}

async function doAgain(client: Client, chosen: Chosen = {}): Promise<void> {
  const listed = await client.call('undo.list', { limit: 1 });
  if (listed.ok && listed.value.redo.length === 0) {
    notifyIdle(say('shell.nothingToRedo'));
    return;
  }
  const answer = await client.call('undo.redo', chosen);
  const failed = say('common.useUndo.thisCouldNotBeDone');
  if (!answer.ok && answer.error.code === 'changed_since') {
    askAboutChange(answer.error, failed, (answered) => inTurn(() => doAgain(client, answered)));
  } else if (!answer.ok) notifyFailure(failed, answer.error);
  else notifyDone(say(chosen.if_changed === 'skip' ? 'common.useUndo.skipped' : 'common.useUndo.doneAgain', { label: answer.value.label }));
}

/** Runs commands one after another: a key pressed twice undoes two changes, the newer one first. */
let working: Promise<void> = Promise.resolve();
function inTurn(work: () => Promise<void>): void {
  working = working.then(work, work);
}

interface UndoOfWindow {
  /** The change that the next undo takes back; undefined when there is none. */
  readonly newest: UndoEntry | undefined;
  /** The change that the next redo does again; undefined when there is none. */
  readonly next: UndoEntry | undefined;
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
  return { newest: value?.undo[0], next: value?.redo[0], undoNewest, redoNewest, showDone };
}
