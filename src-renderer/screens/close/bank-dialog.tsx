import { Button, Group, Modal, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Failure, Reconciliation, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { type BankChoice, BankChoices } from './bank-choices.tsx';
import { useFocusBack } from './use-focus-back.ts';

interface BankDialogProps {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly failure: Failure | null;
  readonly isRunning: boolean;
  readonly onAnswer: (side: 'a' | 'b' | null) => void;
  readonly onClose: () => void;
}

/** Which side is the bank, for all periods of the reconciliation. */
export function BankDialog({ reconciliation, period, failure, isRunning, onAnswer, onClose }: BankDialogProps) {
  const [choice, setChoice] = useState<BankChoice>(period.bank_side_given ? (period.bank_side ?? 'seen') : 'seen');
  useFocusBack();
  function answer(event: FormEvent): void {
    event.preventDefault();
    onAnswer(choice === 'seen' ? null : choice);
  }
  return (
    <Modal opened onClose={onClose} title="Bank side" closeButtonProps={{ 'aria-label': 'Close' }} data-testid="bank-dialog">
      <form onSubmit={answer}>
        <Stack gap="md">
          <FailureAlert title="The bank side was not changed" failure={failure} />
          <BankChoices reconciliation={reconciliation} value={choice} onChange={setChoice} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <WriteButton type="submit" loading={isRunning} data-testid="bank-save">
              Save
            </WriteButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
