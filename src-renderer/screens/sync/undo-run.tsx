import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { SyncRemote, SyncRun, SyncUndoPlan } from '../../../src-shared/contract/index.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { momentText } from '../../format/close-days.ts';
import { counted } from '../../format/counts.ts';

interface UndoRunProps {
  readonly run: SyncRun;
  readonly remote: SyncRemote;
}

/** The way to take back what a sync changed here; nothing where it changed nothing, or is undone. */
export function UndoRun({ run, remote }: UndoRunProps) {
  const [isOpen, open] = useState(false);
  if (run.undone_at !== null) return <p>Undone {momentText(run.undone_at)}.</p>;
  if (run.received_total === 0 || run.state === 'under_way') return null;
  return (
    <>
      <WriteButton
        variant="default"
        size="compact-sm"
        leftSection={<IconArrowBackUp size={15} aria-hidden />}
        onClick={() => open(true)}
        data-testid="undo-run"
      >
        Undo this sync…
      </WriteButton>
      {isOpen && <UndoDialog run={run} remote={remote} onClose={() => open(false)} />}
    </>
  );
}

function UndoDialog({ run, remote, onClose }: UndoRunProps & { readonly onClose: () => void }) {
  const { value: plan, failure, refetch } = useQuery('sync_runs.undo_plan', { id: run.id });
  const undo = useCommand('sync_runs.undo', (refused) => notifyFailure('Nothing was undone', refused));
  async function accept(lost: number): Promise<void> {
    const done = await undo.run({ id: run.id, also_undo: lost });
    if (!done.ok) return;
    notifyDone('The sync is undone here. The next one asks what is to become of the difference.');
    onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Undo the sync of ${momentText(run.started_at)}?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="undo-dialog"
    >
      <Stack>
        {plan === undefined && failure !== undefined && (
          <FailurePanel title="It could not be looked at" failure={failure} onRetry={refetch} />
        )}
        {plan?.can_undo === false && <Text size="sm">It cannot be undone. {plan.why_not}</Text>}
        {plan?.can_undo === true && (
          <Text size="sm">
            The book is put back to the backup that was made before it, with {counted(run.received_total, 'change')} of this sync taken
            back. {remote.name} stays as it is, and the next sync asks whether to take that again or to keep what is here. The book as it is
            now is backed up first.
          </Text>
        )}
        {plan !== undefined && plan.lost > 0 && <Lost plan={plan} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {plan?.can_undo === true ? 'Leave it as it is' : 'Close'}
          </Button>
          {plan?.can_undo === true && (
            <WriteButton color="red" onClick={() => void accept(plan.lost)} loading={undo.isRunning} data-testid="undo-accept">
              {plan.lost === 0 ? 'Undo the sync' : `Undo it, and ${counted(plan.lost, 'change')} made since`}
            </WriteButton>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** What was changed here since, and would go with it. */
function Lost({ plan }: { readonly plan: SyncUndoPlan }) {
  return (
    <>
      <Text size="sm">
        {plan.lost === 1 ? 'One change was made here since. It is' : `${plan.lost} changes were made here since. They are`} undone as well,
        and only the backup of today’s book still has {plan.lost === 1 ? 'it' : 'them'}:
      </Text>
      <List size="sm" data-testid="undo-lost">
        {plan.list.map(({ words, count, last_at: at }) => (
          <List.Item key={words}>
            {words}, {count === 1 ? 'on' : 'the last one on'} {momentText(at)}.
          </List.Item>
        ))}
      </List>
    </>
  );
}
