import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ImportOverrule, ImportPreview } from '../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, decimalText } from '../../../src-shared/values/money.ts';
import { minorOfText } from '../../format/amount-input.ts';

type PreviewRow = ImportPreview['rows'][number];

interface CorrectRowProps {
  readonly row: PreviewRow | null;
  readonly onDone: (overrule: ImportOverrule) => void;
  readonly onClose: () => void;
}

/** A rejected row set right by hand. */
export function CorrectRow({ row, onDone, onClose }: CorrectRowProps) {
  return (
    <Modal opened={row !== null} onClose={onClose} title={`Correct row ${row?.row ?? ''}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      {row !== null && <Form key={`${row.row} ${row.occurrence}`} row={row} onDone={onDone} onClose={onClose} />}
    </Modal>
  );
}

function Form({ row, onDone, onClose }: CorrectRowProps & { readonly row: PreviewRow }) {
  const currency = row.currency ?? 'USD';
  const places = decimalPlacesOf(currency);
  const [date, setDate] = useState(row.date ?? '');
  const [amount, setAmount] = useState(row.amount === null ? '' : decimalText(row.amount, row.decimal_places));
  const [direction, setDirection] = useState<'credit' | 'debit'>(row.direction ?? 'debit');
  const [description, setDescription] = useState(row.description ?? '');
  const minor = minorOfText(amount, places);
  const isDay = dayFromIso(date) !== null;
  function submit(): void {
    if (minor === null || !isDay) return;
    const line = { date, amount: minor, direction, ...(description === '' ? {} : { description }) };
    onDone({ action: 'edit', row: row.row, occurrence: row.occurrence, line });
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <Text size="sm" c="red">
          {row.message}
        </Text>
        <TextInput
          label="Date"
          type="date"
          value={date}
          error={date !== '' && !isDay ? 'This day is not on the calendar' : null}
          onChange={(event) => setDate(event.currentTarget.value)}
          data-autofocus
          data-testid="correct-date"
        />
        <TextInput
          label={`Amount (${currency})`}
          value={amount}
          inputMode="decimal"
          error={amount !== '' && minor === null ? `Digits with up to ${places} decimals, such as 1234.50` : null}
          onChange={(event) => setAmount(event.currentTarget.value)}
          data-testid="correct-amount"
        />
        <SegmentedControl
          aria-label="Money in or out"
          value={direction}
          onChange={(value) => setDirection(value === 'credit' ? 'credit' : 'debit')}
          data={[
            { value: 'debit', label: 'Money out' },
            { value: 'credit', label: 'Money in' },
          ]}
        />
        <TextInput
          label="Description"
          value={description}
          maxLength={2_000}
          onChange={(event) => setDescription(event.currentTarget.value)}
          data-testid="correct-description"
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave it out
          </Button>
          <Button type="submit" disabled={minor === null || !isDay} data-testid="correct-done">
            Import it like this
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
