import { Button, Group, Modal, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { BankAccount, BankAccountBalance, Failure, Stream } from '../../../src-shared/contract/index.ts';
import { useAnswer, useCommand } from '../../api/use-query.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { useUndo } from '../../components/use-undo.ts';
import { balanceCounts, hangingOn, shortName } from '../../format/account-words.ts';
import { useNavigation } from '../../state/navigation.ts';

interface DeleteAccountProps {
  readonly account: BankAccount;
  readonly onClose: () => void;
}

/** Asks before a bank account is deleted, with what hangs on it as it is now. */
export function DeleteAccount({ account, onClose }: DeleteAccountProps) {
  const streams = useAnswer('streams.list', {});
  const balances = useAnswer('bank_account_balances.list', { bank_account_id: account.id });
  const accounts = useAnswer('bank_accounts.list', {});
  const failure = streams.failure ?? balances.failure ?? accounts.failure;
  return (
    <Modal
      opened
      onClose={onClose}
      title="Delete this bank account?"
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="delete-account-dialog"
    >
      {failure !== undefined ? (
        <FailurePanel title="What depends on it could not be read" failure={failure} />
      ) : streams.value === undefined || balances.value === undefined || accounts.value === undefined ? (
        <Skeleton height={120} />
      ) : (
        <Question
          account={account}
          streams={streams.value.filter((stream) => stream.bank_account_id === account.id)}
          balances={balances.value}
          others={accounts.value.filter(({ id }) => id !== account.id)}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface QuestionProps extends DeleteAccountProps {
  readonly streams: readonly Stream[];
  readonly balances: readonly BankAccountBalance[];
  readonly others: readonly BankAccount[];
}

/** Stands for no other account. */
const NONE = 'none';

function Question({ account, streams, balances, others, onClose }: QuestionProps) {
  const [to, setTo] = useState(NONE);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { remember } = useUndo();
  const go = useNavigation((state) => state.go);
  const remove = useCommand('bank_accounts.remove', setFailure);
  async function run(): Promise<void> {
    const answer = await remove.run({ id: account.id, ...(streams.length === 0 ? {} : { streams_to: to }) });
    if (!answer.ok) return;
    onClose();
    go({ screen: 'book' });
    remember({ kind: 'restore_account', targetId: account.id, label: `Deleted the bank account ${shortName(account.name)}` });
  }
  return (
    <Stack>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>{account.name}</b> goes out of the book. This can be undone until the window is closed.
      </Text>
      <div data-testid="hanging-on">
        {hangingOn(streams, balanceCounts(balances)).map((sentence) => (
          <Text key={sentence} size="sm" mb={4} style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </Text>
        ))}
      </div>
      {streams.length > 0 && (
        <Select
          label={streams.length === 1 ? 'The stream is then linked to' : 'The streams are then linked to'}
          data={[
            { value: NONE, label: 'No bank account' },
            ...others.map(({ id, name, currency }) => ({ value: String(id), label: currency === null ? name : `${name} (${currency})` })),
          ]}
          value={to}
          allowDeselect={false}
          onChange={(value) => {
            setTo(value ?? NONE);
            setFailure(null);
          }}
          data-testid="streams-to"
        />
      )}
      <FailureAlert title="This was not deleted" failure={failure} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <Button color="red" loading={remove.isRunning} onClick={() => void run()} data-testid="delete-account-confirm">
          Delete
        </Button>
      </Group>
    </Stack>
  );
}
