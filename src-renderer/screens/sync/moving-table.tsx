import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { StateBadge } from '../../components/state-badge.tsx';
import { countText } from '../../format/counts.ts';
import { RESOURCE_NAMES } from '../../format/sync-resources.ts';
import { shareOf } from '../../format/sync-steps.ts';
import own from './running.module.css';
import styles from './sync.module.css';

type Row = SyncActivity['rows'][number];

/** What has moved, kind by kind; lines stream by stream too. */
export function MovingTable({ activity }: { readonly activity: SyncActivity }) {
  const { rows } = activity;
  const isWaiting = activity.waits !== null;
  const total = (way: 'received' | 'sent') => sumOf(rows.filter(({ stream }) => stream === null).map((row) => row[way]));
  return (
    <table className={`${styles.table} ${own.moving}`} data-testid="moving-table">
      <colgroup>
        <col />
        <col className={own.barColumn} />
        <col className={own.countColumn} />
        <col className={own.barColumn} />
        <col className={own.countColumn} />
        <col className={own.stateColumn} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="colgroup" colSpan={2} className={styles.num}>
            <IconArrowLeft size={14} aria-hidden className={own.arrow} /> Received
          </th>
          <th scope="colgroup" colSpan={2} className={styles.num}>
            <IconArrowRight size={14} aria-hidden className={own.arrow} /> Sent
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <MovingRow key={`${row.resource} ${row.stream ?? ''}`} row={row} isWaiting={isWaiting} />
        ))}
        <tr className={styles.total}>
          <th scope="row">Total</th>
          <td className={styles.num} colSpan={2}>
            <Moved moved={total('received')} />
          </td>
          <td className={styles.num} colSpan={2}>
            <Moved moved={total('sent')} />
          </td>
          <td aria-hidden />
        </tr>
      </tbody>
    </table>
  );
}

type MovedCount = Row['sent'];

function sumOf(moved: readonly MovedCount[]): MovedCount {
  return {
    done: moved.reduce((sum, { done }) => sum + done, 0),
    total: moved.some(({ total }) => total === null) ? null : moved.reduce((sum, { total }) => sum + (total ?? 0), 0),
  };
}

function MovingRow({ row, isWaiting }: { readonly row: Row; readonly isWaiting: boolean }) {
  const name = row.stream ?? RESOURCE_NAMES[row.resource];
  return (
    <tr
      data-state={row.state}
      data-waits={isWaiting || undefined}
      data-stream={row.stream === null ? undefined : ''}
      data-testid="moving-row"
    >
      <th scope="row" title={name}>
        {name}
      </th>
      <Way moved={row.received} />
      <Way moved={row.sent} />
      <td>
        <RowState state={row.state} isWaiting={isWaiting} />
      </td>
    </tr>
  );
}

function Way({ moved }: { readonly moved: MovedCount }) {
  const share = shareOf(moved);
  const isNone = moved.done === 0 && moved.total === 0;
  return (
    <>
      <td>
        {!isNone && share !== null && (
          <span className={styles.bar} aria-hidden>
            <span style={{ width: `${share}%` }} />
          </span>
        )}
      </td>
      <td className={styles.num}>
        <Moved moved={moved} />
      </td>
    </>
  );
}

function Moved({ moved: { done, total } }: { readonly moved: MovedCount }) {
  if (done === 0 && (total === 0 || total === null)) return <span className={styles.quiet}>–</span>;
  return (
    <>
      {countText(done)}
      {total !== null && <span className={styles.quiet}> of {countText(total)}</span>}
    </>
  );
}

function RowState({ state, isWaiting }: { readonly state: Row['state']; readonly isWaiting: boolean }) {
  if (state === 'none') return <span className={styles.quiet}>none</span>;
  if (state === 'to_come')
    return (
      <StateBadge tone="none" isPlain>
        {'To come'}
      </StateBadge>
    );
  if (state === 'done')
    return (
      <StateBadge tone="done" isPlain>
        {'Done'}
      </StateBadge>
    );
  return (
    <StateBadge tone={isWaiting ? 'open' : 'under_way'} isPlain>
      {isWaiting ? 'Waits' : 'Moving'}
    </StateBadge>
  );
}
