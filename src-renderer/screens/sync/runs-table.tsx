import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { SyncRemote } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Pager } from '../../components/pager.tsx';
import { counted } from '../../format/counts.ts';
import own from './history.module.css';
import type { RunFigure } from './run-drawer.tsx';
import { RunRow } from './run-row.tsx';
import styles from './sync.module.css';

const PAGE = 50;

interface RunsTableProps {
  readonly remote: SyncRemote;
  readonly onLook: (figure: RunFigure) => void;
}

/** The syncs with a remote, the newest first. */
export function RunsTable({ remote, onLook }: RunsTableProps) {
  const [page, setPage] = useState(0);
  const { value, failure, refetch } = useQuery('sync_runs.list', { id: remote.id, limit: PAGE, offset: page * PAGE });
  const [unfolded, unfold] = useState<number | null>(null);
  return (
    <section className={styles.pane} aria-labelledby="runs-heading">
      <div className={styles.head}>
        <h2 id="runs-heading">Syncs</h2>
        {value !== undefined && <span className={styles.quiet}>{counted(value.total, 'sync', 'syncs')}</span>}
      </div>
      {value === undefined && failure !== undefined && (
        <div className={styles.failed}>
          <FailurePanel title="The history could not be read" failure={failure} onRetry={refetch} />
        </div>
      )}
      {value === undefined && failure === undefined && <Skeleton height={160} />}
      {value?.total === 0 && (
        <p className={own.none} data-testid="no-syncs">
          No sync yet. What each one sends and receives is listed here, line by line.
        </p>
      )}
      {value !== undefined && value.total > 0 && (
        <table className={`${styles.table} ${own.runs}`} data-testid="sync-runs">
          <colgroup>
            <col className={own.fold} />
            <col className={own.when} />
            <col />
            <col className={own.count} />
            <col className={own.count} />
            <col className={own.result} />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHidden>Unfold</VisuallyHidden>
              </th>
              <th scope="col">When</th>
              <th scope="col">Started</th>
              <th scope="col" className={styles.num}>
                Sent
              </th>
              <th scope="col" className={styles.num}>
                Received
              </th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {value.data.map((run) => (
              <RunRow
                key={run.id}
                run={run}
                remote={remote}
                isOpen={unfolded === run.id}
                onToggle={() => unfold(unfolded === run.id ? null : run.id)}
                onLook={onLook}
              />
            ))}
          </tbody>
        </table>
      )}
      {value !== undefined && value.total > PAGE && (
        <div className={own.pager}>
          <Pager what="syncs" page={page} count={value.total} size={PAGE} onPage={setPage} />
        </div>
      )}
    </section>
  );
}
