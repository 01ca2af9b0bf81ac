import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Output } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import { useAnswer, useCommand } from '../api/use-operation.ts';
import { undoneBalancesSentence } from '../format/balances.ts';
import { countOf } from '../format/counts.ts';
import { FailurePanel } from './failure-panel.tsx';
import { notifyDone, notifyFailure } from './notify.tsx';
import { Said } from './said.tsx';

function keptWords(lines: number): string {
  return lines === 1
    ? say('imports.undoImportDialog.oneLineStaysSinceAnotherFileHasIt')
    : say('imports.undoImportDialog.linesStaySinceAnotherFile', { lines });
}

function close(): void {
  askToUndoImport(null);
}

/** Asks before an import is undone and lists what would be deleted. */
export function UndoImportDialog() {
  const batchId = useStore(undoImport, (state) => state.batchId);
  return (
    <Modal
      opened={batchId !== null}
      onClose={close}
      title={say('imports.undoImportDialog.undoThisImport')}
      closeButtonProps={{ 'aria-label': say('imports.undoImportDialog.close') }}
    >
      {batchId !== null && <UndoImport batchId={batchId} onClose={close} />}
    </Modal>
  );
}

interface SharedWithProps {
  readonly files: Output<'import_batches.remove'>['shared_with'];
}

/** The later files whose lines go too, since they were left out as known. */
function SharedWith({ files }: SharedWithProps) {
  return files.map(({ import_batch_id: id, filename, at_most: lines }) => (
    <Text size="sm" key={id} data-testid="undo-import-shared">
      {say('imports.undoImportDialog.otherFileHasThemToo', { lines, file: filename ?? say('imports.undoImportDialog.aLaterImport') })}
    </Text>
  ));
}

function UndoImport({ batchId, onClose }: { readonly batchId: number; readonly onClose: () => void }) {
  const batch = useAnswer('import_batches.get', { id: batchId });
  const preview = useAnswer('import_batches.remove', { id: batchId, preview: true });
  const remove = useCommand('import_batches.remove', (failure) =>
    notifyFailure(say('imports.undoImportDialog.theImportCouldNotBeUndone'), failure),
  );
  const name = batch.data?.filename ?? say('imports.undoImportDialog.thisImport');
  async function undo(): Promise<void> {
    const answer = await remove.run({ id: batchId, preview: false });
    if (!answer.ok) return;
    onClose();
    notifyDone(say('imports.undoImportDialog.undoneImportOfRecords', { name, records: answer.value.records }));
  }
  const balances = preview.data === undefined ? null : undoneBalancesSentence(preview.data.balances_removed, preview.data.balances_kept);
  if (preview.error !== null)
    return <FailurePanel title={say('imports.undoImportDialog.thisImportCannotBeUndone')} failure={preview.error} />;
  return (
    <Stack>
      {preview.data === undefined ? (
        <Skeleton height={44} />
      ) : preview.data.records === 0 ? (
        <Text size="sm" data-testid="undo-import-preview">
          {preview.data.records_kept === 0
            ? say('imports.undoImportDialog.broughtNothingThatIsStill', { name })
            : say('imports.undoImportDialog.noRecordGoesWhatSays', { kept: keptWords(preview.data.records_kept), name })}
        </Text>
      ) : (
        <Text size="sm" data-testid="undo-import-preview">
          <Said
            words="imports.undoImportDialog.ofWillGo"
            with={{
              records: <b>{countOf(preview.data.records, 'count.records')}</b>,
              name,
              matches: preview.data.matches_dissolved,
            }}
          />{' '}
          {preview.data.records_kept > 0 && `${keptWords(preview.data.records_kept)} `}
          {say('imports.undoImportDialog.toBringTheRecords')}
        </Text>
      )}
      {preview.data !== undefined && <SharedWith files={preview.data.shared_with} />}
      {balances !== null && (
        <Text size="sm" data-testid="undo-import-balances">
          {balances}
        </Text>
      )}
      {preview.data?.file_removed === true && (
        <Text size="sm" data-testid="undo-import-file">
          {say('imports.kept.goesToo')}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {say('imports.undoImportDialog.keepIt')}
        </Button>
        <Button
          color="red"
          loading={remove.isRunning}
          disabled={preview.data === undefined}
          onClick={() => void undo()}
          data-testid="undo-import-confirm"
        >
          {say('imports.undoImportDialog.undoImport')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The import that the undo dialog asks about; null when it is closed. */
export const undoImport = createStore<{ readonly batchId: number | null }>()(() => ({ batchId: null }));

export function askToUndoImport(batchId: number | null): void {
  undoImport.setState({ batchId });
}

/** What an undo would write over was changed since; `onOverwrite` is null where that would delete it. */
interface UndoQuestion {
  readonly title: string;
  readonly message: string;
  readonly onSkip: () => void;
  readonly onOverwrite: (() => void) | null;
}

const undoQuestion = createStore<{ readonly asked: UndoQuestion | null }>()(() => ({ asked: null }));

export function askWhatUndoDoes(asked: UndoQuestion | null): void {
  undoQuestion.setState({ asked });
}

/** Says what was changed since, and asks whether to write over it. */
export function UndoChangedDialog() {
  const asked = useStore(undoQuestion, (state) => state.asked);
  const answer = (chosen: (() => void) | null | undefined) => () => {
    askWhatUndoDoes(null);
    chosen?.();
  };
  return (
    <Modal
      opened={asked !== null}
      onClose={answer(null)}
      title={asked?.title}
      closeButtonProps={{ 'aria-label': say('imports.undoImportDialog.close') }}
    >
      <Stack>
        <Text size="sm" data-testid="undo-changed">
          {asked?.message}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={answer(asked?.onSkip)} data-autofocus data-testid="undo-changed-skip">
            {say('book.undo.skip')}
          </Button>
          {asked !== null && asked.onOverwrite !== null && (
            <Button color="red" onClick={answer(asked.onOverwrite)} data-testid="undo-changed-overwrite">
              {say('book.undo.overwrite')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
