import { Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { CorrectedCurrency, ImportBatch } from '../../../src-shared/contract/index.ts';
import { useAnswer, useCommand } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { ProofBadge } from '../../components/proof-badge.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { bytesText, countOf, countText, listText } from '../../format/counts.ts';
import { agoText, dateRangeText } from '../../format/dates.ts';
import { proofSentence } from '../../format/proofs.ts';
import { plainWords } from '../../format/words.ts';
import { askToUndoImport } from '../../state/undo-import.ts';
import { say } from '../../../src-shared/words/say.ts';

/** The imports of a stream, the newest first. */
export function BatchTable({ batches }: { readonly batches: readonly ImportBatch[] }) {
  return (
    <div className="card">
      <TableFrame least={940}>
        <FigureTable
          columns={[
            { head: say('streams.batchTable.file') },
            { head: say('streams.batchTable.dates') },
            { head: say('streams.batchTable.kept'), isFigure: true },
            { head: say('streams.batchTable.skipped'), isFigure: true },
            { head: say('streams.batchTable.rejected'), isFigure: true },
            { head: say('streams.batchTable.in'), isFigure: true },
            { head: say('streams.batchTable.out'), isFigure: true },
            { head: say('streams.batchTable.proof') },
            { label: say('streams.batchTable.actions') },
          ]}
          isWrapping
          isFitted
        >
          <tbody>
            {batches.map((batch) => (
              <Row key={batch.id} batch={batch} />
            ))}
          </tbody>
        </FigureTable>
      </TableFrame>
    </div>
  );
}

function Row({ batch }: { readonly batch: ImportBatch }) {
  const now = useNow();
  const name = batch.filename ?? plainWords(batch.source);
  return (
    <tr data-testid="batch-row">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the cell is no control, and has its text further inside */}
      <td style={{ maxWidth: '15rem' }}>
        <Stack gap={0}>
          <Text size="sm" fw={560} className="truncate" title={name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            <Instant at={batch.created_at} text={agoText(batch.created_at, now)} /> · {bytesText(batch.byte_length)}
            {batch.totals.length === 1 && ' · '}
            <CorrectCurrency batch={batch} name={name} />
          </Text>
        </Stack>
      </td>
      <td className="tabular">{dateRangeText(batch.date_range_start, batch.date_range_end) || '–'}</td>
      <td className="amount">{countText(batch.kept)}</td>
      <td className="amount">{countText(batch.skipped)}</td>
      <td className="amount">{countText(batch.rejected)}</td>
      <Sums batch={batch} member="credits" />
      <Sums batch={batch} member="debits" />
      <td>
        <ProofBadge proof={batch.proof} explanation={explanationOf(batch)} />
      </td>
      <td className="amount">
        <WriteButton
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          onClick={() => askToUndoImport(batch.id)}
          aria-label={say('streams.batchTable.undoTheImportOf', { name })}
          data-testid="undo-import"
        >
          {say('streams.batchTable.undoImport')}
        </WriteButton>
      </td>
    </tr>
  );
}

function Sums({ batch, member }: { readonly batch: ImportBatch; readonly member: 'credits' | 'debits' }) {
  const sign = member === 'debits' ? -1 : 1;
  return (
    <td>
      <Stack gap={0} align="flex-end">
        {batch.totals.map((total) => (
          <Amount key={total.currency} minor={sign * total[member]} currency={total.currency} decimalPlaces={total.decimal_places} />
        ))}
        {batch.totals.length === 0 && '–'}
      </Stack>
    </td>
  );
}

function explanationOf(batch: ImportBatch): string {
  const currency = batch.totals.length === 1 ? (batch.totals[0]?.currency ?? null) : null;
  return proofSentence({ ...batch, currency });
}

interface CorrectCurrencyProps {
  readonly batch: ImportBatch;
  readonly name: string;
}

/** Corrects the currency of an import that was read in the wrong one. */
function CorrectCurrency({ batch, name }: CorrectCurrencyProps) {
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
        aria-label={say('streams.batchTable.correctTheCurrencyOf', { name, currency: only.currency })}
        title={say('streams.batchTable.correctTheCurrency')}
        data-testid="correct-currency"
      >
        {only.currency}
      </Anchor>
      <Modal
        opened={isOpen}
        onClose={close}
        title={say('streams.batchTable.correctTheCurrencyOfThisImport')}
        closeButtonProps={{ 'aria-label': say('streams.batchTable.close') }}
      >
        <Correction batch={batch} name={name} from={only.currency} onClose={close} />
      </Modal>
    </>
  );
}

function Correction({ batch, name, from, onClose }: CorrectCurrencyProps & { readonly from: string; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const correct = useCommand('import_batches.correct_currency', (failure) =>
    notifyFailure(say('streams.batchTable.theCurrencyWasNotCorrected'), failure),
  );
  const currency = /^[A-Z]{3}$/.test(typed) && typed !== from ? typed : null;
  async function apply(): Promise<void> {
    if (currency === null) return;
    const answer = await correct.run({ id: batch.id, currency, preview: false });
    if (!answer.ok) return;
    onClose();
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
          label={say('streams.batchTable.currency')}
          description={say('streams.batchTable.wasReadInThree', { name, from })}
          value={typed}
          maxLength={3}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value.toUpperCase().trim())}
          data-testid="corrected-currency"
        />
        {currency !== null && <Outlook key={currency} batchId={batch.id} currency={currency} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('streams.batchTable.leaveIt')}
          </Button>
          <Button type="submit" loading={correct.isRunning} disabled={currency === null} data-testid="correct-currency-confirm">
            {say('streams.batchTable.correctTheCurrency')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Shows what the correction would change, or why it is not possible. */
function Outlook({ batchId, currency }: { readonly batchId: number; readonly currency: string }) {
  const preview = useAnswer('import_batches.correct_currency', { id: batchId, currency, preview: true });
  if (preview.error !== null) return <FailurePanel title={say('streams.batchTable.thisCannotBeCorrected')} failure={preview.error} />;
  if (preview.data === undefined) return null;
  return (
    <Text size="sm" data-testid="correct-currency-preview">
      {outlookSentence(preview.data)}
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
    countOf(records, 'count.lines'),
    ...(balances === 0 ? [] : [countOf(balances, 'count.balances')]),
    ...(stream ? [say('streams.batchTable.theStream')] : []),
    ...(account ? [say('streams.batchTable.itsBankAccount')] : []),
  ]);
  const dropped = proposals === 0 ? '' : say('streams.batchTable.proposalsOfItsLines', { proposals });
  return say('streams.batchTable.willBeInWithTheAmounts', { all, to, dropped });
}
