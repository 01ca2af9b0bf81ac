import type { SyncPlan } from '../../../src-shared/contract/index.ts';
import { countText } from '../../format/counts.ts';
import { RECOGNISED_BY, RESOURCE_NAMES, RESOURCES } from '../../format/sync-resources.ts';
import own from './next.module.css';
import styles from './sync.module.css';

/** By what objects of both sides were told to be the same. */
export function Recognised({ plan }: { readonly plan: SyncPlan }) {
  const recognised = plan.recognised.toSorted((left, right) => RESOURCES.indexOf(left.resource) - RESOURCES.indexOf(right.resource));
  const total = recognised.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-labelledby="recognised-heading">
      <div className={styles.head}>
        <h2 id="recognised-heading">Recognised as the same</h2>
        <span className={styles.grow} />
        {recognised.length > 0 && <span className={`${styles.mid} ${styles.wide}`}>check before you sync</span>}
      </div>
      {recognised.length === 0 ? (
        <p className={own.none}>Nothing of one side was found on the other.</p>
      ) : (
        <table className={`${styles.table} ${own.names}`} data-testid="recognised">
          <colgroup>
            <col className={own.kind} />
            <col />
            <col className={own.count} />
          </colgroup>
          <tbody>
            {recognised.map(({ resource, by, count }, place) => (
              <tr key={`${resource} ${by}`}>
                <th scope="row">{recognised[place - 1]?.resource === resource ? '' : RESOURCE_NAMES[resource]}</th>
                <td className={styles.mid} title={RECOGNISED_BY[by]}>
                  {RECOGNISED_BY[by]}
                </td>
                <td className={styles.num}>{countText(count)}</td>
              </tr>
            ))}
            <tr className={styles.total}>
              <th scope="row" colSpan={2}>
                On both sides
              </th>
              <td className={styles.num}>{countText(total)}</td>
            </tr>
          </tbody>
        </table>
      )}
    </section>
  );
}
