import { Drawer, Skeleton } from '@mantine/core';
import type { Failure, SyncLine } from '../../../src-shared/contract/index.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Pager } from '../../components/pager.tsx';
import { ThingLink } from '../../components/thing-link.tsx';
import { countText } from '../../format/counts.ts';
import { keyed } from '../../format/keyed.ts';
import { ACT_WORDS } from '../../format/sync-resources.ts';
import styles from './lines.module.css';
import syncStyles from './sync.module.css';

interface LinesFrameProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** A drawer at the right above the screen. The focus returns to the figure when it closes. */
export function LinesFrame({ title, isOpen, onClose, children }: LinesFrameProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={620}
      overlayProps={{ color: 'var(--scrim)', backgroundOpacity: 1 }}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ body: styles.body ?? '', title: styles.title ?? '', header: styles.header ?? '' }}
      data-testid="sync-lines"
    >
      {children}
    </Drawer>
  );
}

export const LINES_PAGE = 100;

interface LinesPageProps {
  readonly read: {
    readonly data: { readonly total: number; readonly kept?: number; readonly data: readonly SyncLine[] } | undefined;
    readonly error: Pick<Failure, 'message'> | null;
    readonly refetch: () => void;
  };
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** One page of lines, or why there are none. */
export function LinesPage({ read: { data: value, error: failure, refetch }, page, onPage }: LinesPageProps) {
  if (value === undefined && failure !== null)
    return <FailurePanel title="The lines could not be read" failure={failure} onRetry={refetch} />;
  if (value === undefined) return <Skeleton height={200} />;
  const kept = value.kept ?? value.total;
  if (value.data.length === 0) return <p className={styles.note}>Nothing is listed here.</p>;
  return (
    <>
      <LinesTable lines={value.data} />
      {kept > LINES_PAGE && <Pager what="lines" page={page} count={kept} size={LINES_PAGE} onPage={onPage} />}
      {kept < value.total && (
        <p className={styles.note}>
          The first {countText(kept)} of {countText(value.total)} are listed.
        </p>
      )}
    </>
  );
}

/** Lines of a sync. The column of reasons appears when a line has one. */
function LinesTable({ lines }: { readonly lines: readonly SyncLine[] }) {
  const hasReasons = lines.some(({ reason }) => reason !== null);
  return (
    <table className={`${syncStyles.table} ${syncStyles.table}`} data-testid="lines-table">
      <colgroup>
        <col />
        <col className={syncStyles.act} />
        {hasReasons && <col className={syncStyles.reason} />}
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
            <td className={syncStyles.mid}>{ACT_WORDS[line.act]}</td>
            {hasReasons && <td className={syncStyles.wraps}>{line.reason}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
