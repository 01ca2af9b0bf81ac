import { Button, Progress as Bar, VisuallyHidden } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconCheck, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { fullDay } from '../../format/close-days.ts';
import { counted, countText, percentOf } from '../../format/counts.ts';
import { RESOURCE_NAMES } from '../../format/sync-resources.ts';
import { movedText, secondText, shareOf, stepsOf } from '../../format/sync-steps.ts';
import { type Seen, timeLeftText } from '../../format/time-left.ts';
import { CANCEL_KEYS } from './keys.ts';
import own from './running.module.css';
import styles from './sync.module.css';
import { useSeconds } from './use-seconds.ts';
import type { SyncControl } from './use-sync-control.ts';
import { WaitsBand } from './waits-band.tsx';

const STATES = { done: 'Done', now: 'Under way', to_come: 'To come' } as const;

/** The steps of the sync: finished, current and coming. */
function SyncSteps({ activity, title }: { readonly activity: SyncActivity; readonly title: string }) {
  return (
    <aside className={own.steps} aria-label="Steps" data-testid="sync-steps" data-waits={activity.waits !== null || undefined}>
      <h2>
        {title}, {fullDay(activity.started_at.slice(0, 10))}
      </h2>
      <ol>
        {stepsOf(activity).map(({ name, state, words }, place) => (
          <li key={name} className={own.step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className={own.number}>
              <VisuallyHidden>{STATES[state]}</VisuallyHidden>
              {state === 'done' ? <IconCheck size={12} stroke={2.75} aria-hidden /> : <span aria-hidden>{place + 1}</span>}
            </span>
            <div>
              <b>{name}</b>
              {words.map((line) => (
                <p key={line} title={line}>
                  {line}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ol>
    </aside>
  );
}

interface RunningSyncProps {
  readonly control: SyncControl;
  readonly activity: SyncActivity;
}

export function RunningSync({ control, activity }: RunningSyncProps) {
  const isFirst = control.remote.last_synced_at === null;
  const title = activity.what === 'repair' ? 'Repair' : isFirst ? 'First sync' : 'Sync';
  useShortcuts({ 'mod+.': control.cancel });
  return (
    <div className={own.panes} data-testid="sync-running">
      <SyncSteps activity={activity} title={title} />
      <section className={styles.pane} aria-label="Progress">
        {activity.waits !== null && <WaitsBand control={control} waits={activity.waits} />}
        <Progress activity={activity} />
        {activity.rows.length > 0 && <MovingTable activity={activity} />}
      </section>
      <aside className={`${styles.pane} ${styles.aside}`} aria-label="Cancel, and what happened">
        <Calm control={control} activity={activity} />
        <Happened events={activity.happened} />
      </aside>
    </div>
  );
}

const BEFORE: Readonly<Record<string, string>> = {
  backing_up: 'Backing up this book',
  connecting: 'Connecting',
  comparing: 'Comparing both sides',
  verifying: 'Verifying that both sides agree',
};

function Progress({ activity }: { readonly activity: SyncActivity }) {
  const share = shareOf(activity);
  const timeLeft = useTimeLeft(activity);
  const { done, total, waits, phase } = activity;
  const isMoving = phase === 'moving' || (phase === 'verifying' && total !== null && total > 0);
  return (
    <div className={own.progress}>
      <div>
        <b className="tabular" data-testid="moved">
          {isMoving ? movedText(activity) : (BEFORE[phase] ?? '')}
        </b>
        {isMoving && <span className={styles.mid}>moved{total === null ? '' : `, ${percentOf(done, total)} %`}</span>}
        <span className={styles.grow} />
        <span className={`${styles.mid} truncate`} title={activity.now ?? undefined}>
          {waits === null ? (timeLeft ?? activity.now) : `gives up at ${secondText(waits.gives_up_at)}; what has moved stays`}
        </span>
      </div>
      <Bar
        value={isMoving ? (share ?? 0) : 0}
        size={6}
        color={waits === null ? 'var(--matched)' : 'var(--open)'}
        aria-label="Moved"
        data-testid="sync-progress"
      />
    </div>
  );
}

function Calm({ control, activity }: RunningSyncProps) {
  const { done, total } = activity;
  const noun = activity.what === 'repair' ? 'repair' : 'sync';
  const left = total === null ? 0 : total - done;
  return (
    <section className={own.calm} aria-labelledby="calm-heading">
      <h2 id="calm-heading">
        <IconCircleCheck size={16} aria-hidden /> Nothing is lost if you cancel
      </h2>
      <p>
        What has moved stays moved and is not sent twice.{' '}
        {left === 0 ? 'What has not moved waits here' : `The other ${counted(left, 'change')} ${left === 1 ? 'waits' : 'wait'} here`}, and
        the next sync goes on from there.
      </p>
      <p>You can go on working, or leave this screen: the {noun} runs on.</p>
      <Button
        variant="default"
        fullWidth
        rightSection={<KeyHint keys={CANCEL_KEYS.hint} />}
        onClick={control.cancel}
        aria-keyshortcuts={CANCEL_KEYS.aria}
        data-testid="sync-cancel"
      >
        Cancel the {noun}
      </Button>
    </section>
  );
}

/** The events of the sync so far, the newest first. */
function Happened({ events }: { readonly events: SyncActivity['happened'] }) {
  return (
    <section aria-labelledby="happened-heading">
      <div className={own.logHead}>
        <h2 id="happened-heading">What happened</h2>
      </div>
      <ol className={own.log} data-testid="happened">
        {events.map(({ at, mark, words }, place) => (
          <li key={`${at} ${words} ${events.length - place}`}>
            <time dateTime={at} className="tabular">
              {secondText(at)}
            </time>
            <span className={styles.mark} data-mark={mark} aria-hidden />
            <span>{words}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

type Row = SyncActivity['rows'][number];

/** The moved objects by kind; lines also by stream. */
function MovingTable({ activity }: { readonly activity: SyncActivity }) {
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

/** Returns the remaining time, estimated from the speed since the sync first moved objects or last waited. */
function useTimeLeft({ phase, waits, done, total }: SyncActivity): string | null {
  const now: Seen = { atMs: useSeconds(), done };
  const [first, setFirst] = useState<Seen | null>(null);
  const isMoving = phase === 'moving' && waits === null;
  if (isMoving !== (first !== null)) setFirst(isMoving ? now : null);
  return first === null ? null : timeLeftText(first, now, total);
}
