import { Menu } from '@mantine/core';
import { IconCalendarMonth, IconCalendarPlus, IconChevronDown, IconPencil, IconTrash, IconBuildingBank } from '@tabler/icons-react';
import { useState } from 'react';
import type { Reconciliation, ReconciliationPeriod } from '../../../../src-shared/contract/index.ts';
import { useReadOnlyReason } from '../../../components/writing.tsx';
import { stateWords } from '../../../format/close/close-words.ts';
import { daysAfter, daysName } from '../../../format/close/days.ts';
import { useNavigation } from '../../../state/navigation.ts';
import styles from '../close.module.css';
import { BankDialog } from './bank-dialog.tsx';
import { DaysDialog } from './days-dialog.tsx';
import { ToneBadge } from './state-badge.tsx';
import { usePeriods } from './use-create.ts';

interface PeriodMenuProps {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly periods: readonly ReconciliationPeriod[];
}

type Asked = 'new' | 'days' | 'bank' | null;

/** The periods of a reconciliation with their states, and what can be done about the one on show. */
export function PeriodMenu({ reconciliation, period, periods }: PeriodMenuProps) {
  const go = useNavigation((state) => state.go);
  const [asked, setAsked] = useState<Asked>(null);
  const actions = usePeriods(reconciliation.id);
  const readOnly = useReadOnlyReason() !== null;
  const next = daysAfter(periods[0] ?? period);
  const isOpen = period.state === 'open';
  async function ending(work: Promise<boolean>): Promise<void> {
    if (await work) setAsked(null);
  }
  async function createNext(): Promise<void> {
    if (!(await actions.create(next))) setAsked('new');
  }
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
          {periods.map((each) => (
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
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconCalendarPlus size={15} aria-hidden />}
            disabled={readOnly}
            onClick={() => void createNext()}
            data-testid="next-period"
          >
            Next: {daysName(next)}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCalendarPlus size={15} aria-hidden />}
            disabled={readOnly}
            onClick={() => setAsked('new')}
            data-testid="other-days"
          >
            Other days…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconBuildingBank size={15} aria-hidden />}
            disabled={readOnly}
            onClick={() => setAsked('bank')}
            data-testid="change-bank-side"
          >
            Bank side…
          </Menu.Item>
          {isOpen && (
            <>
              <Menu.Item
                leftSection={<IconPencil size={15} aria-hidden />}
                disabled={readOnly}
                onClick={() => setAsked('days')}
                data-testid="edit-days"
              >
                Change the days…
              </Menu.Item>
              <Menu.Item
                leftSection={<IconTrash size={15} aria-hidden />}
                disabled={readOnly}
                onClick={() => void actions.remove(period)}
                data-testid="delete-period"
              >
                Delete {period.name}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked === 'new' && (
        <DaysDialog
          title="New period"
          verb="Create"
          days={next}
          {...actions}
          onAnswer={(days) => void ending(actions.create(days))}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'days' && (
        <DaysDialog
          title={`Days of ${period.name}`}
          verb="Save"
          days={period}
          {...actions}
          onAnswer={(days) => void ending(actions.move(period, days))}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'bank' && (
        <BankDialog
          reconciliation={reconciliation}
          period={period}
          {...actions}
          onAnswer={(side) => void ending(actions.nameBank(period, side))}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
