import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { BankAccount, Failure } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { balanceCounts, otherCurrencyNotes, shortName } from '../../format/account-words.ts';

interface EditAccountProps {
  readonly account: BankAccount;
  readonly onClose: () => void;
}

type Draft = Pick<BankAccount, 'name' | 'currency'>;

/** What differs between two drafts, as the service takes it. */
function changeBetween(before: Draft, after: Draft): Partial<Draft> {
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(after.currency === before.currency ? {} : { currency: after.currency }),
  };
}

/** Saves a draft; what was saved can be taken back from its notification. */
function useSave({ account, onClose }: EditAccountProps) {
  const { client } = useConnection();
  const { id, name, currency } = account;
  const [before] = useState<Draft>({ name, currency });
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('bank_accounts.update', setFailure);
  async function save(draft: Draft): Promise<void> {
    const change = changeBetween(before, draft);
    if (Object.keys(change).length === 0) return onClose();
    const answer = await update.run({ id, ...change });
    if (!answer.ok) return;
    const back = async (): Promise<void> => {
      const undone = await client.call('bank_accounts.update', { id, ...changeBetween(draft, before) });
      if (!undone.ok) notifyFailure('This could not be undone', undone.error);
    };
    notifyDone(change.name === undefined ? 'Bank account changed' : `Renamed to ${shortName(change.name)}`, () => void back());
    onClose();
  }
  return { before, failure, isSaving: update.isRunning, save };
}

/** Changes the name and the currency of a bank account. What is refused stays as it was typed, with the reason. */
export function EditAccount({ account, onClose }: EditAccountProps) {
  const { before, failure, isSaving, save } = useSave({ account, onClose });
  const [name, setName] = useState(before.name);
  const [currency, setCurrency] = useState(before.currency ?? '');
  const isCurrency = currency === '' || /^[A-Z]{3}$/.test(currency);
  const isComplete = name.trim() !== '' && isCurrency;
  return (
    <Modal
      opened
      onClose={onClose}
      title="Edit bank account"
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="edit-account-dialog"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) void save({ name: name.trim(), currency: currency === '' ? null : currency });
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            value={name}
            maxLength={255}
            error={name.trim() === '' ? 'Name the account' : null}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
            data-testid="account-name"
          />
          <TextInput
            label="Currency"
            description="Of its balances; empty where none is settled yet"
            value={currency}
            maxLength={3}
            error={isCurrency ? null : 'Three letters, such as GBP'}
            onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase().trim())}
            data-testid="account-currency"
          />
          {isCurrency && <CurrencyNotes account={account} currency={currency === '' ? null : currency} />}
          <FailureAlert title="This was not changed" failure={failure} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isComplete} loading={isSaving} data-testid="account-save">
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function CurrencyNotes({ account, currency }: { readonly account: BankAccount; readonly currency: string | null }) {
  const { value: balances } = useQuery('bank_account_balances.list', { bank_account_id: account.id });
  const notes = otherCurrencyNotes(account.currency, currency, balanceCounts(balances ?? []));
  if (notes.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" aria-live="polite" data-testid="currency-notes">
      {notes.join(' ')}
    </Text>
  );
}
