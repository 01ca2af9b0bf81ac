import { useRef, useState } from 'react';
import type { Output } from '../../../src-shared/contract/index.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useNavigation } from '../../state/navigation.ts';
import styles from './home.module.css';
import { Row } from './home-row.tsx';
import { MonthLetters, monthName } from './months.tsx';

interface HomeTableProps {
  readonly home: Output<'book.home'>;
  readonly stale: ReadonlySet<number>;
}

/** A row a reconciliation. The arrow keys and J and K go from row to row, Enter opens one, C opens its close. */
export function HomeTable({ home: { rows, month }, stale }: HomeTableProps) {
  const table = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState(0);
  const go = useNavigation((state) => state.go);
  const at = Math.min(current, rows.length - 1);
  function move(by: number): void {
    const elements = [...(table.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const focused = elements.findIndex((element) => element.contains(document.activeElement));
    elements[focused === -1 ? at : Math.max(0, Math.min(rows.length - 1, focused + by))]?.focus();
  }
  useShortcuts({
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    j: () => move(1),
    k: () => move(-1),
    c: () => {
      const row = rows[at];
      if (row !== undefined) go({ screen: 'close', key: row.reconciliation_id, periodId: row.period?.id ?? null });
    },
  });
  const months = rows[0]?.months.map((each) => each.month) ?? [];
  return (
    <table ref={table} className={styles.table} data-testid="home-table">
      <colgroup>
        <col />
        <col className={styles.monthsColumn} />
        <col className={styles.periodColumn} />
        <col className={styles.shareColumn} />
        <col className={styles.openColumn} />
        <col className={styles.balanceColumn} />
        <col className={styles.runColumn} />
        <col className={styles.nextColumn} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Reconciliation</th>
          <th scope="col" className={styles.wide}>
            <MonthLetters months={months} />
          </th>
          <th scope="col">{monthName(month)}</th>
          <th scope="col" className={styles.wide}>
            Matched
          </th>
          <th scope="col">Open items by age</th>
          <th scope="col" className={styles.middle}>
            Balance
          </th>
          <th scope="col" className={styles.widest}>
            Last run
          </th>
          <th scope="col">Next</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <Row
            key={row.reconciliation_id}
            row={row}
            month={month}
            stale={stale}
            isCurrent={place === at}
            onCurrent={() => setCurrent(place)}
          />
        ))}
      </tbody>
    </table>
  );
}
