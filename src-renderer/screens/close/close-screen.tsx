import { Box, Button, Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconCalendarCheck } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Reconciliation } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { FailureAlert, FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { daysName, monthOf } from '../../format/dates.ts';
import { type BankChoice, BankChoices, DaysDialog, ScreenTabs, suggestedBank, usePeriods } from './periods.tsx';
import { PeriodClose } from './period-close.tsx';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

interface CloseScreenProps {
  readonly id: number;
  /** Null means the newest period. */
  readonly periodId: number | null;
}

/** The close of a reconciliation: its periods, the statement, the open items with their explanations, and the sign-offs. */
export function CloseScreen({ id, periodId }: CloseScreenProps) {
  const reconciliation = useOperation('reconciliations.get', { id });
  const periods = useOperation('periods.list', { reconciliation_id: id, limit: 100 });
  const failed = [reconciliation, periods].find((read) => read.isLoadingError);
  if (failed?.isLoadingError) {
    return (
      <Page title={say('close.closeScreen.close')}>
        <FailurePanel title={say('close.closeScreen.theCloseCouldNotBeOpened')} failure={failed.error} onRetry={failed.refetch} />
      </Page>
    );
  }
  if (reconciliation.data === undefined || periods.data === undefined) return <CloseSkeleton />;
  const { data } = periods.data;
  const shown = data.find((period) => period.id === periodId) ?? data[0];
  if (shown === undefined) {
    return (
      <Page title={reconciliation.data.name} actions={<ScreenTabs id={id} />} isFlush testId="close-screen">
        <FirstPeriod reconciliation={reconciliation.data} />
      </Page>
    );
  }
  return <PeriodClose key={shown.id} reconciliation={reconciliation.data} period={shown} periods={data} />;
}

function CloseSkeleton() {
  return (
    <Page title={say('close.closeScreen.close')} isFlush>
      <SimpleGrid cols={3} spacing="lg" p="lg" h="100%" aria-busy>
        <Skeleton height="100%" />
        <Skeleton height="100%" />
        <Skeleton height="100%" />
      </SimpleGrid>
    </Page>
  );
}

/** Returns the month of the newest line of each side, the earlier of the two; null when neither side has lines. */
function useNewestMonth(id: number) {
  const asked = { reconciliation_id: id, status: 'all', sort: '-date', limit: 1 } as const;
  const a = useOperation('lines.window', { ...asked, side: 'a' });
  const b = useOperation('lines.window', { ...asked, side: 'b' });
  const days = [a, b].flatMap(({ data }) => data?.data[0]?.date ?? []);
  const [newest] = days.toSorted();
  return { isLoading: a.isPending || b.isPending, month: newest === undefined ? null : monthOf(newest) };
}

/** Explains what a period is and creates the first one. */
function FirstPeriod({ reconciliation }: { readonly reconciliation: Reconciliation }) {
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
    <Box className="fill scrolls" pt={48} px="xl" pb="xl" data-testid="first-period">
      <Box component="form" maw={460} mx="auto" onSubmit={create}>
        <Stack gap="md">
          <IconCalendarCheck size={28} aria-hidden color="var(--accent-text)" />
          <h2 className="plain">{say('close.closeScreen.closeAMonth')}</h2>
          <p className="plain">{say('close.closeScreen.aPeriodIsTheDays')}</p>
          {!isLoading && month === null && (
            <p className="plain">
              <Said
                words="close.closeScreen.neitherSideHasALineYet"
                // oxlint-disable-next-line react/no-unstable-nested-components -- it is called for a text, not rendered as a component
                with={{ link: (inner) => <PlaceLink place={{ screen: 'import', streamKey: null }}>{inner}</PlaceLink> }}
              />
            </p>
          )}
          <BankChoices reconciliation={reconciliation} value={bank} onChange={setBank} />
          <FailureAlert title={say('close.closeScreen.thePeriodWasNotCreated')} failure={isAsking ? null : actions.failure} />
          {isLoading ? (
            <Skeleton height={36} />
          ) : (
            <Group gap="sm">
              <WriteButton type="submit" loading={actions.isRunning} data-testid="create-period">
                {say('close.closeScreen.closeDays', { daysName: daysName(days) })}
              </WriteButton>
              <Button variant="default" onClick={() => setAsking(true)} data-testid="other-days">
                {say('close.closeScreen.otherDays')}
              </Button>
            </Group>
          )}
        </Stack>
      </Box>
      {isAsking && (
        <DaysDialog
          title={say('close.closeScreen.newPeriod')}
          verb="Create"
          days={days}
          {...actions}
          onAnswer={(asked) => void actions.create(asked, side)}
          onClose={() => setAsking(false)}
        />
      )}
    </Box>
  );
}
