import type { Reconciliation, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import { daysAfter } from '../../format/close-days.ts';
import { BankDialog } from './bank-dialog.tsx';
import { DaysDialog } from './days-dialog.tsx';
import { usePeriods } from './use-create.ts';

/** What the menu of periods asks. */
export type Asked = 'new' | 'days' | 'bank' | null;

interface PeriodDialogsProps {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly periods: readonly ReconciliationPeriod[];
  readonly asked: Asked;
  readonly onClose: () => void;
}

/** The dialogs of the menu of periods; each stays open with the reason where the service refuses. */
export function PeriodDialogs({ reconciliation, period, periods, asked, onClose }: PeriodDialogsProps) {
  const actions = usePeriods(reconciliation.id);
  async function ending(work: Promise<boolean>): Promise<void> {
    if (await work) onClose();
  }
  const common = { failure: actions.failure, isRunning: actions.isRunning, onClose };
  if (asked === 'new') {
    const days = daysAfter(periods[0] ?? period);
    return <DaysDialog {...common} title="New period" verb="Create" days={days} onAnswer={(given) => void ending(actions.create(given))} />;
  }
  if (asked === 'days') {
    const title = `Days of ${period.name}`;
    return (
      <DaysDialog {...common} title={title} verb="Save" days={period} onAnswer={(given) => void ending(actions.move(period, given))} />
    );
  }
  if (asked === 'bank') {
    const answer = (side: 'a' | 'b' | null): void => void ending(actions.nameBank(period, side));
    return <BankDialog {...common} reconciliation={reconciliation} period={period} onAnswer={answer} />;
  }
  return null;
}
