import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { BalanceType, BankAccount, BankAccountBalance, Failure } from '../../../src-shared/contract/index.ts';
import { BALANCE_TYPES } from '../../../src-shared/contract/streams/bank-account-balances.ts';
import { signedMinorOfText } from '../../../src-shared/values/amount-input.ts';
import { decimalPlacesOf } from '../../../src-shared/values/money.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { DateField } from '../../components/date-field.tsx';
import { FailureAlert } from '../../components/failure-panel.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { BALANCE_LABELS } from '../../format/balances.ts';
import { plainAmount, typedAmount } from '../../format/money.ts';

interface BalanceFormProps {
  readonly account: BankAccount;
  /** `new`, or a balance that was typed in. */
  readonly entering: BankAccountBalance | 'new';
  readonly onClose: () => void;
}

/** Enters a balance by hand, or changes or deletes one. A refusal, as in a signed month, is shown and nothing that was typed is lost. */
export function BalanceForm({ account, entering, onClose }: BalanceFormProps) {
  const balances = useOperation('bank_account_balances.list', { bank_account_id: account.id });
  const former = entering === 'new' ? null : entering;
  const places = decimalPlacesOf(former?.currency ?? account.currency ?? balances.data?.[0]?.currency ?? 'USD');
  const [date, setDate] = useState(former?.date ?? '');
  const [type, setType] = useState<BalanceType>(former?.balance_type ?? 'closing_ledger');
  const [text, setText] = useState(former === null ? '' : typedAmount(former.amount_cents, places));
  const [failure, setFailure] = useState<Failure | null>(null);
  const put = useCommand('bank_account_balances.put', setFailure);
  const remove = useCommand('bank_account_balances.remove', setFailure);
  const amount = signedMinorOfText(text, places);
  const stated = balances.data?.find((each) => each.date === date && each.balance_type === type && each.import_batch_id !== null);
  async function save(): Promise<void> {
    if (amount === null || date === '') return;
    const answer = await put.run({ bank_account_id: account.id, date, balance_type: type, amount_cents: amount });
    if (answer.ok) onClose();
  }
  async function takeOut(id: number): Promise<void> {
    if ((await remove.run({ id })).ok) onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say(former === null ? 'streams.balanceForm.title' : 'streams.balanceForm.titleChange', { name: account.name })}
      closeButtonProps={{ 'aria-label': say('streams.account.close') }}
      data-testid="balance-dialog"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          <Fields
            {...{ date, setDate, type, setType, text, setText, places }}
            isFixed={former !== null}
            isWrong={text.trim() !== '' && amount === null}
          />
          {stated !== undefined && (
            <Text size="sm" c="dimmed">
              {say('streams.balanceForm.aStatementSays', { amount: plainAmount(stated.amount_cents, places) })}
            </Text>
          )}
          <FailureAlert title={say('streams.balanceForm.wasNotKept')} failure={failure} />
          <Group justify="flex-end">
            {former !== null && (
              <WriteButton
                variant="default"
                mr="auto"
                loading={remove.isRunning}
                onClick={() => void takeOut(former.id)}
                data-testid="balance-delete"
              >
                {say('streams.balanceForm.delete')}
              </WriteButton>
            )}
            <Button variant="default" onClick={onClose}>
              {say('streams.account.cancel')}
            </Button>
            <Button type="submit" disabled={amount === null || date === ''} loading={put.isRunning} data-testid="balance-save">
              {say('streams.balanceForm.keep')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface FieldsProps {
  readonly date: string;
  readonly setDate: (date: string) => void;
  readonly type: BalanceType;
  readonly setType: (type: BalanceType) => void;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly places: number;
  /** Whether the day and the type are those of a balance that is changed. */
  readonly isFixed: boolean;
  readonly isWrong: boolean;
}

function Fields({ date, setDate, type, setType, text, setText, places, isFixed, isWrong }: FieldsProps) {
  return (
    <>
      <DateField
        label={say('streams.balanceForm.day')}
        value={date}
        onChange={setDate}
        disabled={isFixed}
        data-autofocus={!isFixed || undefined}
        data-testid="balance-date"
      />
      <Select
        label={say('streams.balanceForm.type')}
        description={say('streams.balanceForm.typeHint')}
        data={BALANCE_TYPES.map((value) => ({ value, label: BALANCE_LABELS[value] }))}
        value={type}
        allowDeselect={false}
        disabled={isFixed}
        onChange={(value) => setType((value ?? 'closing_ledger') as BalanceType)}
        data-testid="balance-type"
      />
      <TextInput
        label={say('streams.balanceForm.amount')}
        description={say('streams.balanceForm.amountHint')}
        inputMode="decimal"
        value={text}
        error={isWrong ? say('streams.balanceForm.anAmount', { places }) : null}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus={isFixed || undefined}
        data-testid="balance-amount"
      />
    </>
  );
}
