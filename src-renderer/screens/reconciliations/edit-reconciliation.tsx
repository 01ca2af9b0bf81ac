import { Button, Group, Modal, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Call, Failure, Reconciliation, Stream } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { holdsLines } from '../../components/holds-lines.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { SidePicker } from '../../components/side-picker.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { SIGN_LABELS, SIGN_MEANINGS } from '../../format/words.ts';

type Signs = Reconciliation['sign_convention'];
type Change = Omit<Call<'reconciliations.update'>, 'id' | 'run_type'>;

interface Draft {
  readonly name: string;
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly signs: Signs;
}

function draftOf(reconciliation: Reconciliation): Draft {
  return {
    name: reconciliation.name,
    a: reconciliation.side_a_streams.map(({ key }) => key),
    b: reconciliation.side_b_streams.map(({ key }) => key),
    signs: reconciliation.sign_convention,
  };
}

/** What differs between two drafts, as the service takes it. */
function changeBetween(before: Draft, after: Draft, streams: readonly Stream[]): Change {
  const ids = (keys: readonly string[]) => streams.filter(({ key }) => keys.includes(key)).map(({ id }) => id);
  const isOther = (one: readonly string[], two: readonly string[]) => one.toSorted().join(' ') !== two.toSorted().join(' ');
  return {
    ...(after.name.trim() === before.name ? {} : { name: after.name.trim() }),
    ...(isOther(before.a, after.a) ? { side_a_stream_ids: ids(after.a) } : {}),
    ...(isOther(before.b, after.b) ? { side_b_stream_ids: ids(after.b) } : {}),
    ...(after.signs === before.signs ? {} : { sign_convention: after.signs }),
  };
}

interface EditReconciliationProps {
  readonly reconciliation: Reconciliation;
  readonly onClose: () => void;
}

/** Changes the name, the streams of the sides and how signs are compared. What is refused stays as it was typed, with the reason. */
export function EditReconciliation({ reconciliation, onClose }: EditReconciliationProps) {
  const streams = useQuery('streams.list', {});
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title="Edit reconciliation"
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="edit-reconciliation-dialog"
    >
      {streams.failure !== undefined && streams.value === undefined ? (
        <FailurePanel title="The streams could not be read" failure={streams.failure} onRetry={streams.refetch} />
      ) : streams.value === undefined ? (
        <Skeleton height={240} />
      ) : (
        <Form reconciliation={reconciliation} streams={streams.value.filter(holdsLines)} onClose={onClose} />
      )}
    </Modal>
  );
}

/** Saves a draft; what was saved can be taken back from its notification. */
function useSave(reconciliation: Reconciliation, streams: readonly Stream[], onClose: () => void) {
  const { client } = useConnection();
  const { id } = reconciliation;
  const [before] = useState(() => draftOf(reconciliation));
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('reconciliations.update', setFailure);
  async function save(draft: Draft): Promise<void> {
    const change = changeBetween(before, draft, streams);
    if (Object.keys(change).length === 0) return onClose();
    const answer = await update.run({ id, ...change });
    if (!answer.ok) return;
    const back = async (): Promise<void> => {
      const undone = await client.call('reconciliations.update', { id, ...changeBetween(draft, before, streams) });
      if (!undone.ok) notifyFailure('This could not be undone', undone.error);
    };
    notifyDone('Reconciliation changed', () => void back());
    onClose();
  }
  return { before, failure, forgetFailure: () => setFailure(null), isSaving: update.isRunning, save };
}

function Form({ reconciliation, streams, onClose }: EditReconciliationProps & { readonly streams: readonly Stream[] }) {
  const { before, failure, forgetFailure, isSaving, save } = useSave(reconciliation, streams, onClose);
  const [draft, setDraft] = useState(before);
  const isComplete = draft.name.trim() !== '' && draft.a.length > 0 && draft.b.length > 0;
  const edit = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    forgetFailure();
  };
  const refused = (side: 'a' | 'b') => failure?.errors?.find(({ path }) => path.startsWith(`side_${side}_stream_ids`))?.message;
  const isShownAtField = refused('a') !== undefined || refused('b') !== undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) void save(draft);
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          value={draft.name}
          maxLength={255}
          onChange={(event) => edit({ name: event.currentTarget.value })}
          data-autofocus
          data-testid="edit-name"
        />
        <Group grow align="flex-start" preventGrowOverflow={false} wrap="wrap">
          <SidePicker side="a" streams={streams} keys={draft.a} taken={draft.b} error={refused('a')} onChange={(a) => edit({ a })} />
          <SidePicker side="b" streams={streams} keys={draft.b} taken={draft.a} error={refused('b')} onChange={(b) => edit({ b })} />
        </Group>
        <Select
          label="Signs"
          description={SIGN_MEANINGS[draft.signs]}
          data={Object.entries(SIGN_LABELS).map(([value, label]) => ({ value, label }))}
          value={draft.signs}
          onChange={(signs) => edit({ signs: (signs ?? draft.signs) as Signs })}
          allowDeselect={false}
          data-testid="edit-signs"
        />
        <Text size="sm" c="dimmed">
          A stream can leave while none of its lines is matched here. Its proposals go with it; the next run looks again.
        </Text>
        {!isShownAtField && <FailureAlert title="This was not changed" failure={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <WriteButton type="submit" disabled={!isComplete} loading={isSaving} data-testid="edit-save">
            Save
          </WriteButton>
        </Group>
      </Stack>
    </form>
  );
}
