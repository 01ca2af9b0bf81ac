import type { SyncPlanRow, SyncRemote } from '../../../src-shared/contract/index.ts';
import { FigureButton } from '../../components/figure-button.tsx';
import { FigureLink } from '../../components/figure-link.tsx';
import { countText } from '../../format/counts.ts';
import { RESOURCE_NAMES, resourceCounted } from '../../format/sync-resources.ts';
import type { PlanFigure } from './plan-drawer.tsx';
import styles from './sync.module.css';

interface PlanRowProps {
  readonly row: SyncPlanRow;
  readonly stays: { readonly here: boolean; readonly there: boolean };
  readonly remote: SyncRemote;
  readonly onLook: (figure: PlanFigure) => void;
}

/** One kind: how many are where, and what becomes of them. */
export function PlanRow({ row, stays, remote, onLook }: PlanRowProps) {
  const figure = (count: number, part: PlanFigure['part'], words: string) => (
    <Figure
      count={count}
      label={`${resourceCounted(row.resource, count)} ${words}`}
      onClick={() => onLook({ resource: row.resource, part })}
    />
  );
  return (
    <tr data-testid="plan-row" data-resource={row.resource}>
      <th scope="row" title={RESOURCE_NAMES[row.resource]}>
        {RESOURCE_NAMES[row.resource]}
      </th>
      <Plain count={row.here} />
      {stays.here && figure(row.stays_here, 'stays', 'that stay here')}
      {figure(row.send, 'send', 'to send')}
      <Plain count={row.agree} />
      <ToDecide row={row} remote={remote} />
      {figure(row.receive, 'receive', 'to receive')}
      {stays.there && figure(row.stays_there, 'stays', `that stay at ${remote.name}`)}
      {row.there === null && row.here !== null ? (
        <td className={`${styles.num} ${styles.quiet}`}>not listed</td>
      ) : (
        <Plain count={row.there} />
      )}
    </tr>
  );
}

function Plain({ count }: { readonly count: number | null }) {
  if (count === null || count === 0) return <td className={`${styles.num} ${styles.quiet}`}>–</td>;
  return <td className={`${styles.num} ${styles.mid}`}>{countText(count)}</td>;
}

function Figure({ count, label, onClick }: { readonly count: number; readonly label: string; readonly onClick: () => void }) {
  if (count === 0) return <Plain count={0} />;
  return (
    <td className={`${styles.num} ${styles.strong}`}>
      <FigureButton label={label} onClick={onClick} testId="plan-figure">
        {countText(count)}
      </FigureButton>
    </td>
  );
}

/** Leads to the decisions, once a sync has met them. */
function ToDecide({ row, remote }: Pick<PlanRowProps, 'row' | 'remote'>) {
  if (row.to_decide === 0) return <Plain count={0} />;
  const text = countText(row.to_decide);
  return (
    <td className={`${styles.num} ${styles.open}`}>
      {remote.to_decide === 0 ? (
        text
      ) : (
        <FigureLink
          place={{ screen: 'sync', id: remote.id, tab: 'decide' }}
          label={`${resourceCounted(row.resource, row.to_decide)} to decide`}
        >
          {text}
        </FigureLink>
      )}
    </td>
  );
}
