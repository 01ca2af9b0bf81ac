import { type FormEvent, useId, useState } from 'react';
import type { Failure, Reconciliation, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { useConnection } from '../../api/use-operation.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { dayCount, type Days, daysName } from '../../format/dates.ts';
import { useNavigation } from '../../state/navigation.ts';
import { say } from '../../../src-shared/words/say.ts';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { FailureAlert } from '../../components/failure-panel.tsx';
import { DateField } from '../../components/date-field.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { countOf } from '../../format/counts.ts';
import { Choice, Choices } from '../../components/primitives.tsx';
import { sideNames } from '../../format/side-names.ts';
import { Segments } from '../../components/segments.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import type { Place } from '../../state/places.ts';

type BankSide = 'a' | 'b' | null;

const given = (side: BankSide | undefined) => (side === undefined || side === null ? {} : { bank_side: side });

/** Creates, changes and deletes periods. Each change can be undone until the period is signed. */
export function usePeriods(reconciliationId: number) {
  const { client } = useConnection();
  const go = useNavigation((state) => state.go);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isRunning, setRunning] = useState(false);

  async function running<T>(call: Promise<Outcome<T>>): Promise<Outcome<T>> {
    setRunning(true);
    const answer = await call;
    setRunning(false);
    setFailure(answer.ok ? null : answer.error);
    return answer;
  }

  async function create(days: Days, bank?: BankSide): Promise<boolean> {
    const input = { from: days.from, to: days.to, ...given(bank) };
    const answer = await running(client.call('periods.create', { reconciliation_id: reconciliationId, ...input }));
    if (!answer.ok) return false;
    const period = answer.value;
    go({ screen: 'close', key: reconciliationId, periodId: period.id });
    return true;
  }

  async function move(period: ReconciliationPeriod, days: Days): Promise<boolean> {
    return (await running(client.call('periods.update', { id: period.id, from: days.from, to: days.to }))).ok;
  }

  async function nameBank(period: ReconciliationPeriod, side: BankSide): Promise<boolean> {
    return (await running(client.call('periods.update', { id: period.id, bank_side: side }))).ok;
  }

  async function remove(period: ReconciliationPeriod): Promise<void> {
    const answer = await client.call('periods.remove', { id: period.id });
    if (!answer.ok) {
      notifyFailure(say('close.usePeriods.wasNotDeleted', { name: period.name }), answer.error);
      return;
    }
    go({ screen: 'close', key: reconciliationId, periodId: null });
  }

  return { create, move, nameBank, remove, failure, isRunning };
}

interface DaysDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly days: Days;
  readonly failure: Failure | null;
  readonly isRunning: boolean;
  readonly onAnswer: (days: Days) => void;
  readonly onClose: () => void;
}

/** Asks for the first and the last day of a period. */
export function DaysDialog({ title, verb, days, failure, isRunning, onAnswer, onClose }: DaysDialogProps) {
  const [asked, setAsked] = useState(days);
  const count = dayCount(asked);
  function answer(event: FormEvent): void {
    event.preventDefault();
    if (count > 0) onAnswer(asked);
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': say('close.daysDialog.close') }}
      data-testid="days-dialog"
    >
      <form onSubmit={answer}>
        <Stack gap="md">
          <FailureAlert title={say('close.daysDialog.theseDaysCannotBeTaken')} failure={failure} />
          <Group grow>
            <DateField
              label={say('close.daysDialog.firstDay')}
              value={asked.from}
              onChange={(from) => setAsked({ ...asked, from })}
              data-autofocus
              data-testid="period-from"
            />
            <DateField
              label={say('close.daysDialog.lastDay')}
              value={asked.to}
              onChange={(to) => setAsked({ ...asked, to })}
              data-testid="period-to"
            />
          </Group>
          <Text size="sm" c="dimmed" aria-live="polite">
            {count === 0 ? say('close.daysDialog.theLastDayComes') : `${daysName(asked)}, ${countOf(count, 'count.days')}`}
          </Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {say('close.daysDialog.cancel')}
            </Button>
            <WriteButton type="submit" loading={isRunning} disabled={count === 0} data-testid="period-save">
              {verb}
            </WriteButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

export type BankChoice = 'a' | 'b' | 'seen';

interface BankChoicesProps {
  readonly reconciliation: Reconciliation;
  readonly value: BankChoice;
  readonly onChange: (value: BankChoice) => void;
}

/** Returns the side with a bank account when only one side has one. */
export function suggestedBank({ side_a_streams: a, side_b_streams: b }: Reconciliation): BankChoice {
  const [isA, isB] = [a, b].map((streams) => streams.some((stream) => stream.bank_account_id !== null));
  return isA === isB ? 'seen' : isA === true ? 'a' : 'b';
}

/** Chooses which side is the bank, or lets the service decide. */
export function BankChoices({ reconciliation, value, onChange }: BankChoicesProps) {
  const name = useId();
  const names = sideNames(reconciliation);
  const choices: readonly { readonly value: BankChoice; readonly label: string; readonly hint: string }[] = [
    { value: 'a', label: names.a, hint: say('close.bankChoices.sideA') },
    { value: 'b', label: names.b, hint: say('close.bankChoices.sideB') },
    { value: 'seen', label: say('close.bankChoices.asTheFilesShow'), hint: say('close.bankChoices.withoutABankTheStatement') },
  ];
  return (
    <Choices legend={say('close.bankChoices.whichSideIsTheBank')} data-testid="bank-side">
      {choices.map(({ value: each, label, hint }) => (
        <Choice key={each} label={label} hint={hint} name={name} checked={each === value} onChange={() => onChange(each)} value={each} />
      ))}
    </Choices>
  );
}

/** The tabs of a reconciliation, one of which is the close. */
export function ScreenTabs({ id }: { readonly id: number }) {
  const go = useNavigation((state) => state.go);
  const parts = [
    { label: say('close.screenTabs.match'), keys: '1', place: { screen: 'reconciliation', id } },
    { label: say('close.screenTabs.rules'), keys: '4', place: { screen: 'reconciliation', id, tab: 'rules' } },
    { label: say('close.screenTabs.runs'), keys: '5', place: { screen: 'reconciliation', id, tab: 'runs' } },
  ] as const satisfies readonly { label: string; keys: string; place: Place }[];
  useShortcuts(Object.fromEntries(parts.map(({ keys, place }) => [keys, () => go(place)])));
  return (
    <Segments
      label={say('close.screenTabs.reconciliation')}
      segments={[...parts, { label: say('close.screenTabs.close'), place: { screen: 'close', key: id, periodId: null }, isCurrent: true }]}
    />
  );
}
