import type { SyncLine } from '../../../src-shared/contract/index.ts';
import { ThingLink } from '../../components/thing-link.tsx';
import { keyed } from '../../format/keyed.ts';
import { ACT_WORDS } from '../../format/sync-resources.ts';
import own from './lines.module.css';
import styles from './sync.module.css';

/** Lines of a sync; reasons stand where some have one. */
export function LinesTable({ lines }: { readonly lines: readonly SyncLine[] }) {
  const hasReasons = lines.some(({ reason }) => reason !== null);
  return (
    <table className={`${styles.table} ${own.table}`} data-testid="lines-table">
      <colgroup>
        <col />
        <col className={own.act} />
        {hasReasons && <col className={own.reason} />}
      </colgroup>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">How</th>
          {hasReasons && <th scope="col">Why</th>}
        </tr>
      </thead>
      <tbody>
        {keyed(lines, ({ resource, local_id: id, name }) => `${resource} ${id ?? name}`).map(({ item: line, key }) => (
          <tr key={key}>
            <th scope="row">
              <ThingLink thing={line} name={line.name} />
            </th>
            <td className={styles.mid}>{ACT_WORDS[line.act]}</td>
            {hasReasons && <td className={styles.wraps}>{line.reason}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
