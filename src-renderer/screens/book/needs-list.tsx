import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconClipboardCheck,
  IconListDetails,
  IconLock,
  IconMessage,
  IconPlayerPlay,
  IconReportMoney,
  IconSignature,
  IconUserCheck,
} from '@tabler/icons-react';
import type { HomeRow } from '../../../src-shared/contract/index.ts';
import { PaneHeader } from '../../components/pane-header.tsx';
import { countText } from '../../format/counts.ts';
import { useNavigation } from '../../state/navigation.ts';
import styles from './home.module.css';
import { type Need, needsOf } from './needs.ts';

const ICONS = {
  break: IconAlertTriangle,
  run: IconPlayerPlay,
  decide: IconListDetails,
  stale: IconAlertTriangle,
  balance: IconReportMoney,
  comment: IconMessage,
  prepare: IconClipboardCheck,
  review: IconUserCheck,
  close: IconLock,
} as const satisfies Record<Need['kind'], typeof IconSignature>;

interface NeedsListProps {
  readonly rows: readonly HomeRow[];
  readonly stale: ReadonlySet<number>;
}

/** What the reconciliations on show wait for, one thing a line. */
export function NeedsList({ rows, stale }: NeedsListProps) {
  const go = useNavigation((state) => state.go);
  const needs = rows.flatMap((row) =>
    needsOf(row, row.period !== null && stale.has(row.period.id)).map((need) => ({ ...need, id: row.reconciliation_id, name: row.name })),
  );
  return (
    <section className={styles.pane} aria-labelledby="needs-heading" data-testid="needs">
      <PaneHeader title="Needs you" id="needs-heading" count={countText(needs.length)} />
      <ul className={styles.items}>
        {needs.length === 0 && <li className={styles.none}>Nothing waits for you.</li>}
        {needs.map((need) => {
          const Icon = ICONS[need.kind];
          const isBad = need.kind === 'break' || need.kind === 'stale';
          return (
            <li key={`${need.id} ${need.kind}`} className={styles.need} data-testid="need">
              <span className={isBad ? styles.bad : styles.mid}>
                <Icon size={16} stroke={1.75} aria-hidden />
              </span>
              <span className="truncate" title={need.sentence}>
                {need.sentence}
              </span>
              <span className={`truncate ${styles.of}`} title={need.name}>
                {need.name}
              </span>
              <Button
                size="xs"
                variant="default"
                aria-label={`${need.verb}: ${need.sentence}, ${need.name}`}
                onClick={() => go(need.place)}
              >
                {need.verb}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
