import { Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { Output, SyncConflict, SyncRemote } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { fullDay } from '../../format/close-days.ts';
import { plainAmount } from '../../format/money.ts';
import { conflictKey, type DecideGroups, undecidedOf } from '../../format/sync-conflicts.ts';
import own from './decide.module.css';
import { DetailFoot, WhichOne } from './detail-frame.tsx';
import { Outcomes } from './outcomes.tsx';
import { SideFields } from './side-fields.tsx';
import { SideLines } from './side-lines.tsx';
import styles from './sync.module.css';
import type { Decisions } from './use-decisions.ts';

interface ConflictDetailProps {
  readonly remote: SyncRemote;
  readonly conflict: SyncConflict;
  readonly groups: DecideGroups;
  readonly decisions: Decisions;
  readonly onLater: () => void;
}

/** One conflict in full: both sides, what each choice leads to, and the choice. */
export function ConflictDetail({ remote, conflict, groups, decisions, onLater }: ConflictDetailProps) {
  const { value, failure, refetch } = useQuery('sync_conflicts.get', { id: conflict.id });
  const gone = conflict.kind === 'closed_period' ? 'Not on this side' : 'Deleted';
  return (
    <section className={own.detail} aria-label="The one to decide" data-testid="conflict-detail">
      <div className={own.detailBody}>
        <Head conflict={conflict} outcomeOf={value?.outcome_of ?? null} groups={groups} />
        {value === undefined && failure !== undefined && (
          <div className={styles.failed}>
            <FailurePanel title="Both sides could not be read" failure={failure} onRetry={refetch} />
          </div>
        )}
        {value === undefined && failure === undefined && (
          <div className={styles.waiting} aria-busy>
            <Skeleton height={220} />
          </div>
        )}
        {value !== undefined && (
          <>
            <SideLines remoteName={remote.name} here={value.here} there={value.there} gone={gone} />
            <SideFields remoteName={remote.name} here={value.here} there={value.there} gone={gone} />
            <Outcomes read={value} conflict={conflict} decisions={decisions} />
            <Notes notes={value.notes} />
          </>
        )}
      </div>
      <DetailFoot remote={remote} thing={conflict} canWait={conflict.choice === null && undecidedOf(groups).length > 1} onLater={onLater} />
    </section>
  );
}

interface HeadProps extends Pick<ConflictDetailProps, 'conflict' | 'groups'> {
  readonly outcomeOf: string | null;
}

function Head({ conflict, outcomeOf, groups }: HeadProps) {
  const { words, title, date, money } = conflict;
  return (
    <div className={own.head}>
      <div>
        <h2 title={conflict.what}>{words}</h2>
        <p className={own.about}>
          <b className="truncate" title={title}>
            {title}
          </b>
          {date !== null && <span className="tabular">{fullDay(date)}</span>}
          {money !== null && (
            <b className="tabular">
              {plainAmount(money.amount, money.decimal_places)} {money.currency}
            </b>
          )}
          {outcomeOf !== null && (
            <span className="truncate" title={outcomeOf}>
              {outcomeOf}
            </span>
          )}
        </p>
      </div>
      <WhichOne itemKey={conflictKey(conflict.id)} groups={groups} />
    </div>
  );
}

function Notes({ notes }: { readonly notes: Output<'sync_conflicts.get'>['notes'] }) {
  if (notes.length === 0) return null;
  return (
    <ul className={own.notes} data-testid="conflict-notes">
      {notes.map(({ mark, words }) => (
        <li key={words} data-mark={mark}>
          {mark === 'fact' ? <IconCheck size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-label="Note" />}
          <span>{words}</span>
        </li>
      ))}
    </ul>
  );
}
