import { Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ImportPreview } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { NEW_ACCOUNT, type Target } from '../../state/import-flow.ts';

interface AccountLinkProps {
  readonly target: Target;
  readonly preview: ImportPreview;
  readonly onChange: (target: Target) => void;
}

/** The bank account whose balances the statement says: the stream's own, or the one that it is to be linked to. */
export function AccountLink({ target, preview, onChange }: AccountLinkProps) {
  const { value: accounts } = useQuery('bank_accounts.list', {});
  const { value: streams } = useQuery('streams.list', {});
  if (preview.result.balances.stated === 0 && target.bankAccount === '') return null;
  const linkedId = streams?.find(({ key }) => key === target.key)?.bank_account_id ?? null;
  if (linkedId !== null) {
    return (
      <Text size="sm" data-testid="linked-account">
        Balances go to the bank account “{accounts?.find(({ id }) => id === linkedId)?.name ?? linkedId}”.
      </Text>
    );
  }
  return (
    <>
      <Select
        label="Bank account"
        description="The statement's balances become those of this account."
        placeholder="None"
        data={[
          ...(accounts ?? []).map((account) => ({
            value: String(account.id),
            label: account.currency === null ? account.name : `${account.name} (${account.currency})`,
          })),
          { value: NEW_ACCOUNT, label: 'A new bank account' },
        ]}
        value={target.bankAccount === '' ? null : target.bankAccount}
        clearable
        onChange={(chosen) => onChange({ ...target, bankAccount: chosen ?? '', bankAccountName: preview.suggestion.stream_name })}
        data-testid="bank-account-select"
      />
      {target.bankAccount === NEW_ACCOUNT && <NewAccountName key={preview.file.name} target={target} onChange={onChange} />}
    </>
  );
}

function NewAccountName({ target, onChange }: Pick<AccountLinkProps, 'target' | 'onChange'>) {
  const [name, setName] = useState(target.bankAccountName);
  return (
    <TextInput
      label="Name of the bank account"
      value={name}
      maxLength={255}
      error={name.trim() === '' ? 'Name the account, or choose none above' : null}
      onChange={(event) => setName(event.currentTarget.value)}
      // The file is read again when the field is left, not at every letter.
      onBlur={() => onChange({ ...target, bankAccountName: name.trim() })}
      data-testid="bank-account-name"
    />
  );
}
