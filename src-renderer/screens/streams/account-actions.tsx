import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { BankAccount } from '../../../src-shared/contract/index.ts';
import { WriteButton } from '../../components/writing.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { EditAccount } from './edit-account.tsx';

/** What can be done with a bank account, and the dialog of what is being done. */
export function AccountActions({ account }: { readonly account: BankAccount }) {
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => setOpened(null);
  return (
    <>
      <WriteButton
        variant="default"
        leftSection={<IconPencil size={15} aria-hidden />}
        onClick={() => setOpened('edit')}
        data-testid="edit-account"
      >
        Edit
      </WriteButton>
      <WriteButton
        variant="default"
        leftSection={<IconTrash size={15} aria-hidden />}
        onClick={() => setOpened('delete')}
        data-testid="delete-account"
      >
        Delete
      </WriteButton>
      {opened === 'edit' && <EditAccount account={account} onClose={close} />}
      {opened === 'delete' && <DeleteAccount account={account} onClose={close} />}
    </>
  );
}
