import { Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CorrectedCurrency, ImportBatch } from '../../../src-shared/contract/index.ts';
import { useAnswer, useCommand } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useUndo } from '../../components/use-undo.ts';
import { counted, listText } from '../../format/counts.ts';

interface CorrectCurrencyProps {
  readonly batch: ImportBatch;
  readonly name: string;
}

/** Gives the lines of an import another currency, where it was read in the wrong one. */
export function CorrectCurrency({ batch, name }: CorrectCurrencyProps) {
  const [isOpen, setOpen] = useState(false);
  const [only, ...others] = batch.totals;
  if (only === undefined || others.length > 0) return null;
  const close = (): void => setOpen(false);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        inherit
        onClick={() => setOpen(true)}
        aria-label={`Correct the currency of ${name}, ${only.currency}`}
        title="Correct the currency"
        data-testid="correct-currency"
      >
        {only.currency}
      </Anchor>
      <Modal opened={isOpen} onClose={close} title="Correct the currency of this import" closeButtonProps={{ 'aria-label': 'Close' }}>
        <Correction batch={batch} name={name} from={only.currency} onClose={close} />
      </Modal>
    </>
  );
}

function Correction({ batch, name, from, onClose }: CorrectCurrencyProps & { readonly from: string; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const correct = useCommand('import_batches.correct_currency', (failure) => notifyFailure('The currency was not corrected', failure));
  const { remember } = useUndo();
  const currency = /^[A-Z]{3}$/.test(typed) && typed !== from ? typed : null;
  async function apply(): Promise<void> {
    if (currency === null) return;
    const answer = await correct.run({ id: batch.id, currency, preview: false });
    if (!answer.ok) return;
    onClose();
    const label = `${name} is in ${currency} now, not ${from}`;
    remember({ kind: 'correct_currency', targetId: batch.id, input: { currency: from }, label });
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
    >
      <Stack>
        <TextInput
          label="Currency"
          description={`“${name}” was read in ${from}. Three letters, such as GBP.`}
          value={typed}
          maxLength={3}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value.toUpperCase().trim())}
          data-testid="corrected-currency"
        />
        {currency !== null && <Outlook key={currency} batchId={batch.id} currency={currency} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" loading={correct.isRunning} disabled={currency === null} data-testid="correct-currency-confirm">
            Correct the currency
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What would change, or why it cannot. */
function Outlook({ batchId, currency }: { readonly batchId: number; readonly currency: string }) {
  const preview = useAnswer('import_batches.correct_currency', { id: batchId, currency, preview: true });
  if (preview.failure !== undefined) return <FailurePanel title="This cannot be corrected" failure={preview.failure} />;
  if (preview.value === undefined) return null;
  return (
    <Text size="sm" data-testid="correct-currency-preview">
      {outlookSentence(preview.value)}
    </Text>
  );
}

function outlookSentence({
  records,
  proposals_dropped: proposals,
  balances,
  stream,
  bank_account: account,
  to,
}: CorrectedCurrency): string {
  const all = listText([
    counted(records, 'line'),
    ...(balances === 0 ? [] : [counted(balances, 'balance')]),
    ...(stream ? ['the stream'] : []),
    ...(account ? ['its bank account'] : []),
  ]);
  const dropped =
    proposals === 0 ? '' : ` ${counted(proposals, 'proposal')} of its lines will be dropped; the next run works them out anew.`;
  return `${all} will be in ${to}, with the amounts as they stand in the file.${dropped}`;
}
