import { Skeleton } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Reconciliation, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import type { FigureKey } from '../../format/statement-rows.ts';
import { type BalanceKey, type Closing, ClosingContext } from './close-context.ts';
import styles from './close.module.css';
import { OpenItems } from './open-items.tsx';
import { CurrencySwitch } from './currency-switch.tsx';
import { PeriodMenu } from './period-menu.tsx';
import { StateBadge } from './state-badge.tsx';
import { StaleBand } from './stale-band.tsx';
import { ScreenTabs } from './screen-tabs.tsx';
import { SignOffPanel } from './sign-off-panel.tsx';
import { useDifferences } from './differences.ts';
import { FigureLines } from './figure-lines.tsx';
import { StatementView } from './statement-view.tsx';
import { StepList } from './step-list.tsx';

interface PeriodCloseProps {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly periods: readonly ReconciliationPeriod[];
}

/** One period: its steps, its statement and open items, and its sign-off beside each other. */
export function PeriodClose({ reconciliation, period, periods }: PeriodCloseProps) {
  const [currency, setCurrency] = useState<string | null>(null);
  const read = useQuery('periods.get', { id: period.id, ...(currency === null ? {} : { currency }) });
  const statement = read.value?.statement;
  return (
    <Page
      title={reconciliation.name}
      actions={
        <>
          <PeriodMenu reconciliation={reconciliation} period={read.value ?? period} periods={periods} />
          <StateBadge period={read.value ?? period} doubts={statement?.doubts} />
          {statement !== undefined && <CurrencySwitch statement={statement} onChange={setCurrency} />}
          <ScreenTabs id={reconciliation.id} />
        </>
      }
      isFlush
      testId="close-screen"
    >
      {read.failure !== undefined && read.value === undefined && (
        <div className={styles.failed}>
          <FailurePanel title={`${period.name} could not be read`} failure={read.failure} onRetry={read.refetch} />
        </div>
      )}
      {read.failure === undefined && read.value === undefined && (
        <div className={styles.waiting} aria-busy>
          <Skeleton height="100%" />
          <Skeleton height="100%" />
          <Skeleton height="100%" />
        </div>
      )}
      {read.value !== undefined && <Panes reconciliation={reconciliation} read={read.value} />}
    </Page>
  );
}

type ReadPeriod = ReconciliationPeriod & Pick<Closing, 'statement'>;

function Panes({ reconciliation, read }: { readonly reconciliation: Reconciliation; readonly read: ReadPeriod }) {
  const [looked, look] = useState<FigureKey | null>(null);
  const [entering, enter] = useState<BalanceKey | null>(null);
  const [jumped, setJumped] = useState<Closing['jumped']>(null);
  const [isShowingChanges, setShowingChanges] = useState(false);
  const differences = useDifferences(reconciliation, read.statement);
  const closing = useMemo(
    (): Closing => ({
      reconciliation,
      period: read,
      statement: read.statement,
      differences,
      isNeutral: read.statement.bank_side === null,
      isLocked: read.state === 'closed',
      looked,
      look,
      entering,
      enter,
      jumped,
      jumpTo: (recordId) => setJumped({ recordId }),
      showChanges: () => setShowingChanges(true),
    }),
    [reconciliation, read, differences, looked, entering, jumped],
  );
  return (
    <ClosingContext value={closing}>
      {read.stale && <StaleBand isOpen={isShowingChanges} onOpen={setShowingChanges} />}
      <div className={styles.frame}>
        <div className={styles.panes}>
          <StepList />
          <section className={styles.centre} aria-label={`Statement and open items of ${read.name}`}>
            <StatementView />
            <OpenItems />
          </section>
          <SignOffPanel />
        </div>
      </div>
      {looked !== null && <FigureLines figure={looked} onClose={() => look(null)} />}
    </ClosingContext>
  );
}
