import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { useState } from 'react';
import type { BankAccount, Failure, Stream } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { shortName } from '../../format/account-words.ts';

/** Stands for no account. */
const NONE = 'none';

/** Links a stream to a bank account, to another one, or to none. */
export function LinkAccount({ stream }: { readonly stream: Stream }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <WriteButton
        variant="default"
        leftSection={<IconBuildingBank size={16} aria-hidden />}
        onClick={() => setOpen(true)}
        data-testid="link-account"
      >
        Bank account
      </WriteButton>
      {isOpen && <LinkDialog stream={stream} onClose={() => setOpen(false)} />}
    </>
  );
}

interface LinkDialogProps {
  readonly stream: Stream;
  readonly onClose: () => void;
}

function LinkDialog({ stream, onClose }: LinkDialogProps) {
  const { value: accounts } = useQuery('bank_accounts.list', {});
  const [to, setTo] = useState(stream.bank_account_id === null ? NONE : String(stream.bank_account_id));
  const [failure, setFailure] = useState<Failure | null>(null);
  const { link, isRunning } = useLink(stream, setFailure);
  async function save(): Promise<void> {
    if (await link(to === NONE ? null : Number(to), accounts ?? [])) onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title="Bank account of the stream"
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="link-account-dialog"
    >
      <Stack>
        <Text size="sm">The balances that statements in this stream say are those of its bank account. Its records stay as they are.</Text>
        <Select
          label="Bank account"
          data={[
            { value: NONE, label: 'No bank account' },
            ...(accounts ?? []).map(({ id, name, currency }) => ({
              value: String(id),
              label: currency === null ? name : `${name} (${currency})`,
            })),
          ]}
          value={to}
          allowDeselect={false}
          searchable
          onChange={(value) => {
            setTo(value ?? NONE);
            setFailure(null);
          }}
          data-testid="link-account-select"
        />
        <FailureAlert title="The link was not changed" failure={failure} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isRunning} onClick={() => void save()} data-testid="link-account-save">
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Changes the link; it can be taken back from its notification. */
function useLink({ key, bank_account_id: before }: Stream, onFailure: (failure: Failure) => void) {
  const { client } = useConnection();
  const update = useCommand('streams.update', onFailure);
  async function link(to: number | null, accounts: readonly BankAccount[]): Promise<boolean> {
    if (to === before) return true;
    const answer = await update.run({ key, bank_account_id: to });
    if (!answer.ok) return false;
    const back = async (): Promise<void> => {
      const undone = await client.call('streams.update', { key, bank_account_id: before });
      if (!undone.ok) notifyFailure('This could not be undone', undone.error);
    };
    const name = accounts.find(({ id }) => id === to)?.name ?? '';
    notifyDone(to === null ? 'Linked to no bank account' : `Linked to ${shortName(name)}`, () => void back());
    return true;
  }
  return { link, isRunning: update.isRunning };
}
