import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useStore } from 'zustand';
import { useAnswer, useCommand } from '../api/use-operation.ts';
import { undoneBalancesSentence } from '../format/balances.ts';
import { counted } from '../format/counts.ts';
import { askToUndoImport, undoImport } from '../state/undo-import.ts';
import { FailurePanel } from './failure-panel.tsx';
import { notifyDone, notifyFailure } from './notify.tsx';

function keptWords(lines: number): string {
  return lines === 1 ? '1 line stays, since another file has it as well.' : `${lines} lines stay, since another file has them as well.`;
}

function close(): void {
  askToUndoImport(null);
}

/** Asks before an import is undone and lists what would be deleted. */
export function UndoImportDialog() {
  const batchId = useStore(undoImport, (state) => state.batchId);
  return (
    <Modal opened={batchId !== null} onClose={close} title="Undo this import?" closeButtonProps={{ 'aria-label': 'Close' }}>
      {batchId !== null && <UndoImport batchId={batchId} onClose={close} />}
    </Modal>
  );
}

function UndoImport({ batchId, onClose }: { readonly batchId: number; readonly onClose: () => void }) {
  const batch = useAnswer('import_batches.get', { id: batchId });
  const preview = useAnswer('import_batches.remove', { id: batchId, preview: true });
  const remove = useCommand('import_batches.remove', (failure) => notifyFailure('The import could not be undone', failure));
  const name = batch.data?.filename ?? 'this import';
  async function undo(): Promise<void> {
    const answer = await remove.run({ id: batchId, preview: false });
    if (!answer.ok) return;
    onClose();
    notifyDone(`Undone: import of ${name}, ${counted(answer.value.records, 'record')} removed`);
  }
  const balances = preview.data === undefined ? null : undoneBalancesSentence(preview.data.balances_removed, preview.data.balances_kept);
  if (preview.error !== null) return <FailurePanel title="This import cannot be undone" failure={preview.error} />;
  return (
    <Stack>
      {preview.data === undefined ? (
        <Skeleton height={44} />
      ) : preview.data.records === 0 ? (
        <Text size="sm" data-testid="undo-import-preview">
          {preview.data.records_kept === 0
            ? `“${name}” brought nothing that is still in the stream: no record goes, only its entry in the list of imports.`
            : `No record goes: ${keptWords(preview.data.records_kept)} What “${name}” says of them goes, with its entry in the list of imports.`}
        </Text>
      ) : (
        <Text size="sm" data-testid="undo-import-preview">
          <b>{counted(preview.data.records, 'record')}</b> of “{name}” will go
          {preview.data.matches_dissolved === 0
            ? '. No match is touched.'
            : `, and ${counted(preview.data.matches_dissolved, 'match', 'matches')} will be taken apart; the other lines of these turn open again.`}{' '}
          {preview.data.records_kept > 0 && `${keptWords(preview.data.records_kept)} `}
          To bring the records back, import the file once more.
        </Text>
      )}
      {balances !== null && (
        <Text size="sm" data-testid="undo-import-balances">
          {balances}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <Button
          color="red"
          loading={remove.isRunning}
          disabled={preview.data === undefined}
          onClick={() => void undo()}
          data-testid="undo-import-confirm"
        >
          Undo import
        </Button>
      </Group>
    </Stack>
  );
}
