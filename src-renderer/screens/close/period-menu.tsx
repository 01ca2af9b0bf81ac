import { Menu } from '@mantine/core';
import { IconCalendarMonth, IconCalendarPlus, IconChevronDown, IconPencil, IconTrash, IconBuildingBank } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Reconciliation, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import { useReadOnlyReason } from '../../components/writing.tsx';
import { daysAfter, daysName } from '../../format/close-days.ts';
import { stateWords } from '../../format/close-words.ts';
import { useNavigation } from '../../state/navigation.ts';
import styles from './close.module.css';
import { type Asked, PeriodDialogs } from './period-dialogs.tsx';
import { ToneBadge } from './state-badge.tsx';
import { usePeriods } from './use-create.ts';

interface PeriodMenuProps {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly periods: readonly ReconciliationPeriod[];
}

/** The periods of a reconciliation with their states, and what can be done about the one on show. */
export function PeriodMenu(props: PeriodMenuProps) {
  const { period } = props;
  const [asked, setAsked] = useState<Asked>(null);
  return (
    <>
      <Menu position="bottom-start" width={268} shadow="md">
        <Menu.Target>
          <button type="button" className={styles.drop} data-testid="period-menu" aria-label={`Period: ${period.name}`}>
            {period.name}
            <IconChevronDown size={14} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown className={styles.menu}>
          <Periods {...props} />
          <Menu.Divider />
          <Actions {...props} onAsk={setAsked} />
        </Menu.Dropdown>
      </Menu>
      <PeriodDialogs key={asked} {...props} asked={asked} onClose={() => setAsked(null)} />
    </>
  );
}

function Periods({ reconciliation, period, periods }: PeriodMenuProps) {
  const go = useNavigation((state) => state.go);
  return periods.map((each) => (
    <Menu.Item
      key={each.id}
      leftSection={<IconCalendarMonth size={15} aria-hidden />}
      rightSection={<ToneBadge {...stateWords(each)} />}
      aria-current={each.id === period.id || undefined}
      onClick={() => go({ screen: 'close', key: reconciliation.id, periodId: each.id })}
      data-testid="period-option"
    >
      {each.name}
    </Menu.Item>
  ));
}

function Actions({ reconciliation, period, periods, onAsk }: PeriodMenuProps & { readonly onAsk: (asked: Asked) => void }) {
  const actions = usePeriods(reconciliation.id);
  const readOnly = useReadOnlyReason() !== null;
  const next = daysAfter(periods[0] ?? period);
  async function createNext(): Promise<void> {
    if (!(await actions.create(next))) onAsk('new');
  }
  const item = (label: string, icon: ReactNode, testId: string, onClick: () => void): ReactNode => (
    <Menu.Item leftSection={icon} disabled={readOnly} onClick={onClick} data-testid={testId}>
      {label}
    </Menu.Item>
  );
  const plus = <IconCalendarPlus size={15} aria-hidden />;
  return (
    <>
      {item(`Next: ${daysName(next)}`, plus, 'next-period', () => void createNext())}
      {item('Other days…', plus, 'other-days', () => onAsk('new'))}
      <Menu.Divider />
      {item('Bank side…', <IconBuildingBank size={15} aria-hidden />, 'change-bank-side', () => onAsk('bank'))}
      {period.state === 'open' && (
        <>
          {item('Change the days…', <IconPencil size={15} aria-hidden />, 'edit-days', () => onAsk('days'))}
          {item(`Delete ${period.name}`, <IconTrash size={15} aria-hidden />, 'delete-period', () => void actions.remove(period))}
        </>
      )}
    </>
  );
}
