import type { SyncPlan } from '../../../src-shared/contract/index.ts';
import { FigureButton } from '../../components/figure-button.tsx';
import { countText } from '../../format/counts.ts';
import { isResource } from '../../format/sync-resources.ts';
import own from './next.module.css';
import type { PlanFigure } from './plan-drawer.tsx';
import styles from './sync.module.css';

interface CannotMoveProps {
  readonly plan: SyncPlan;
  readonly onLook: (figure: PlanFigure) => void;
}

/** What stays where it is, and why. */
export function CannotMove({ plan, onLook }: CannotMoveProps) {
  return (
    <>
      <div className={styles.head}>
        <h2>Cannot move</h2>
        <span className={styles.quiet}>nothing is lost, each stays where it is</span>
      </div>
      <table className={`${styles.table} ${own.cannot}`} data-testid="cannot-move">
        <colgroup>
          <col className={own.cannotWhat} />
          <col className={own.cannotCount} />
          <col className={own.cannotStays} />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" className={styles.num}>
              Count
            </th>
            <th scope="col">Stays</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {plan.cannot_move.map(({ resource, name, reason, count, stays }) => (
            <tr key={`${resource} ${name} ${stays}`}>
              <th scope="row" title={name}>
                {name}
              </th>
              <td className={styles.num}>
                {count > 0 && isResource(resource) && isListed(plan, { resource, count, stays }) ? (
                  <FigureButton label={`${countText(count)}, ${name}`} onClick={() => onLook({ resource, part: 'stays' })}>
                    {countText(count)}
                  </FigureButton>
                ) : (
                  <span className={styles.mid}>{count === 0 ? '–' : countText(count)}</span>
                )}
              </td>
              <td>{stays}</td>
              <td className={`${styles.mid} ${styles.wraps}`}>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Whether the lines behind a count are those that stay of its kind; what is no part of a sync is counted only. */
function isListed(
  { rows }: SyncPlan,
  { resource, count, stays }: Pick<SyncPlan['cannot_move'][number], 'resource' | 'count' | 'stays'>,
): boolean {
  return rows.some((row) => row.resource === resource && (stays === 'here' ? row.stays_here : row.stays_there) === count);
}
