import { VisuallyHidden } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import type { SyncPlan } from '../../../src-shared/contract/index.ts';
import { countText } from '../../format/counts.ts';
import { RESOURCE_NAMES } from '../../format/sync-resources.ts';
import own from './next.module.css';
import styles from './sync.module.css';

/** More are counted only; the figure of the plan shows them all. */
const LISTED = 6;

/** What would be new on each side, by name. */
export function FreshNames({ plan: { fresh }, name }: { readonly plan: SyncPlan; readonly name: string }) {
  return (
    <section aria-labelledby="fresh-heading">
      <div className={styles.head}>
        <h2 id="fresh-heading">New</h2>
        <span className={styles.grow} />
        <span className={styles.mid}>lines and matches aside</span>
      </div>
      <table className={`${styles.table} ${own.fresh}`} data-testid="fresh-names">
        <colgroup>
          <col className={own.kind} />
          <col />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Kind</VisuallyHidden>
            </th>
            <th scope="col" title={name}>
              <IconArrowRight size={14} aria-hidden className={own.arrow} /> At {name}
            </th>
            <th scope="col">
              <IconArrowLeft size={14} aria-hidden className={own.arrow} /> Here
            </th>
          </tr>
        </thead>
        <tbody>
          {fresh.map(({ resource, there, here }) => (
            <tr key={resource}>
              <th scope="row">{RESOURCE_NAMES[resource]}</th>
              <Names names={there} />
              <Names names={here} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <td className={styles.quiet}>–</td>;
  const more = names.length - LISTED;
  return (
    <td className={styles.wraps} title={names.join(', ')}>
      {names.slice(0, LISTED).join(', ')}
      {more > 0 && ` and ${countText(more)} more`}
    </td>
  );
}
