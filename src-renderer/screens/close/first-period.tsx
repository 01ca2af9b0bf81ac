import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { IconCalendarCheck } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Reconciliation } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { daysName, monthOf } from '../../format/close-days.ts';
import { type BankChoice, BankChoices, suggestedBank } from './bank-choices.tsx';
import { DaysDialog } from './days-dialog.tsx';
import { usePeriods } from './use-create.ts';
import styles from './period.module.css';

/** The month up to which both sides have lines; null where neither has one. */
function useNewestMonth(id: number) {
  const asked = { reconciliation_id: id, status: 'all', sort: '-date', limit: 1 } as const;
  const a = useQuery('lines.window', { ...asked, side: 'a' });
  const b = useQuery('lines.window', { ...asked, side: 'b' });
  const days = [a, b].flatMap(({ value }) => value?.data[0]?.date ?? []);
  const [newest] = days.toSorted();
  return { isLoading: a.isLoading || b.isLoading, month: newest === undefined ? null : monthOf(newest) };
}

/** A reconciliation that was never closed: what a period is, and the first one. */
export function FirstPeriod({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const { month, isLoading } = useNewestMonth(reconciliation.id);
  const [bank, setBank] = useState<BankChoice>(() => suggestedBank(reconciliation));
  const [isAsking, setAsking] = useState(false);
  const actions = usePeriods(reconciliation.id);
  const side = bank === 'seen' ? null : bank;
  const today = new Date(useNow());
  const current = monthOf(`${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, '0')}-01`);
  const days = month ?? current;
  function create(event: FormEvent): void {
    event.preventDefault();
    void actions.create(days, side);
  }
  return (
    <div className={styles.first} data-testid="first-period">
      <form onSubmit={create}>
        <Stack gap="md">
          <IconCalendarCheck size={28} aria-hidden className={styles.mark} />
          <h2>Close a month</h2>
          <p>A period is the days, mostly a month, for which you prove that bank and books agree, and then sign.</p>
          {!isLoading && month === null && (
            <p className={styles.hint}>
              Neither side has a line yet. <PlaceLink place={{ screen: 'import', streamKey: null }}>Import a file</PlaceLink> first, or
              begin with the current month.
            </p>
          )}
          <BankChoices reconciliation={reconciliation} value={bank} onChange={setBank} />
          <FailureAlert title="The period was not created" failure={isAsking ? null : actions.failure} />
          {isLoading ? (
            <Skeleton height={36} />
          ) : (
            <Group gap="sm">
              <WriteButton type="submit" loading={actions.isRunning} data-testid="create-period">
                Close {daysName(days)}
              </WriteButton>
              <Button variant="default" onClick={() => setAsking(true)} data-testid="other-days">
                Other days…
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      {isAsking && (
        <DaysDialog
          title="New period"
          verb="Create"
          days={days}
          {...actions}
          onAnswer={(asked) => void actions.create(asked, side)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
