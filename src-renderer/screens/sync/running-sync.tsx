import { Box, Button, Flex, Progress as Bar, Text } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconCircleCheck, IconWifiOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { Band, Mark, Pane, PaneHeader, Panes, StateBadge, Step, Steps } from '../../components/primitives.tsx';
import { Said } from '../../components/said.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { dateText } from '../../format/dates.ts';
import { countText, percentOf } from '../../format/counts.ts';
import { RESOURCE_NAMES } from '../../format/sync-resources.ts';
import { movedText, secondText, type Seen, shareOf, stepsOf, timeLeftText } from '../../format/sync-words.ts';
import { CANCEL_KEYS } from './plan-view.tsx';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';

/** The shapes of the marks that the service names. */
const TONES = { done: 'done', under_way: 'under_way', waits: 'open', failed: 'broken' } as const;

const STATES = { done: say('sync.states.done'), now: say('sync.states.now'), to_come: say('sync.states.toCome') } as const;

/** The steps of the sync: finished, current and coming. */
function SyncSteps({ activity, title }: { readonly activity: SyncActivity; readonly title: string }) {
  return (
    <Steps
      title={`${title}, ${dateText(activity.started_at.slice(0, 10))}`}
      aria-label={say('sync.runningSync.steps')}
      data-testid="sync-steps"
    >
      {stepsOf(activity).map(({ name, state, words }, place) => (
        <Step key={name} number={place + 1} title={name} state={state} said={`: ${STATES[state]}`} isWaiting={activity.waits !== null}>
          {words.map((line) => (
            <p key={line} title={line}>
              {line}
            </p>
          ))}
        </Step>
      ))}
    </Steps>
  );
}

interface RunningSyncProps {
  readonly control: SyncControl;
  readonly activity: SyncActivity;
}

export function RunningSync({ control, activity }: RunningSyncProps) {
  const isFirst = control.remote.last_synced_at === null;
  const title =
    activity.what === 'repair'
      ? say('sync.runningSync.repair')
      : isFirst
        ? say('sync.runningSync.firstSync')
        : say('sync.runningSync.sync');
  useShortcuts({ 'mod+.': control.cancel });
  return (
    <Panes columns="224px 1fr 292px" wide="280px 1fr 380px" narrow="180px 1fr 232px" data-testid="sync-running">
      <SyncSteps activity={activity} title={title} />
      <Pane aria-label={say('sync.runningSync.progress')}>
        {activity.waits !== null && <WaitsBand control={control} waits={activity.waits} />}
        <Progress activity={activity} />
        {activity.rows.length > 0 && <MovingTable activity={activity} />}
      </Pane>
      {/* The events can be scrolled by keys only when their pane takes the focus. */}
      <Pane kind="aside" aria-label={say('sync.runningSync.cancelAndWhatHappened')} tabIndex={0}>
        <Calm control={control} activity={activity} />
        <Happened events={activity.happened} />
      </Pane>
    </Panes>
  );
}

const BEFORE: Readonly<Record<string, string>> = {
  backing_up: say('sync.before.backingUp'),
  connecting: say('sync.before.connecting'),
  comparing: say('sync.before.comparing'),
  verifying: say('sync.before.verifying'),
};

function Progress({ activity }: { readonly activity: SyncActivity }) {
  const share = shareOf(activity);
  const timeLeft = useTimeLeft(activity);
  const { done, total, waits, phase } = activity;
  const isMoving = phase === 'moving' || (phase === 'verifying' && total !== null && total > 0);
  return (
    <Box className="line-below" px="var(--edge)" py="md">
      <Flex gap="sm" mb="sm" align="baseline" wrap="wrap">
        <Text component="b" fz="xl" fw={620} className="tabular" data-testid="moved">
          {isMoving ? movedText(activity) : (BEFORE[phase] ?? '')}
        </Text>
        {isMoving && (
          <span className="mid">
            {say('sync.runningSync.movedPercent', { percent: total === null ? '' : `, ${percentOf(done, total)} %` })}
          </span>
        )}
        <span className="grow" />
        <span className="mid truncate" title={activity.now ?? undefined}>
          {waits === null
            ? (timeLeft ?? activity.now)
            : say('sync.runningSync.givesUpAtWhatHasMovedStays', { second: secondText(waits.gives_up_at) })}
        </span>
      </Flex>
      <Bar
        value={isMoving ? (share ?? 0) : 0}
        size={6}
        color={waits === null ? 'var(--matched)' : 'var(--open)'}
        aria-label={say('sync.runningSync.moved')}
        data-testid="sync-progress"
      />
    </Box>
  );
}

function Calm({ control, activity }: RunningSyncProps) {
  const { done, total } = activity;
  const noun = activity.what === 'repair' ? 'repair' : 'sync';
  const left = total === null ? 0 : total - done;
  return (
    <Box component="section" className="line-below" bg="var(--surface)" px="var(--edge)" py="md" aria-labelledby="calm-heading">
      <h2 id="calm-heading" className="plain row">
        <IconCircleCheck size={16} color="var(--matched)" aria-hidden /> {say('sync.runningSync.nothingIsLostIfYouCancel')}
      </h2>
      <p className="mid small">
        {say('sync.runningSync.whatHasMovedStays', {
          whatHas: left === 0 ? say('sync.runningSync.whatHasNotMoved') : say('sync.runningSync.theOtherChangesWaitHere', { left }),
        })}
      </p>
      <p className="mid small">{say('sync.runningSync.youCanGoOnWorking', { noun })}</p>
      <Button
        variant="default"
        fullWidth
        rightSection={<KeyHint keys={CANCEL_KEYS.hint} />}
        onClick={control.cancel}
        aria-keyshortcuts={CANCEL_KEYS.aria}
        data-testid="sync-cancel"
      >
        {say('sync.runningSync.cancelThe', { noun })}
      </Button>
    </Box>
  );
}

/** The events of the sync so far, the newest first. */
function Happened({ events }: { readonly events: SyncActivity['happened'] }) {
  return (
    <section aria-labelledby="happened-heading">
      <PaneHeader id="happened-heading" title={say('sync.runningSync.whatHappened')} />
      <ol className="plain small wrap" data-testid="happened">
        {events.map(({ at, mark, words }, place) => (
          <Flex component="li" key={`${at} ${words} ${events.length - place}`} gap="xs" align="baseline" px="var(--edge)" py={4}>
            <time dateTime={at} className="tabular quiet">
              {secondText(at)}
            </time>
            <Mark tone={TONES[mark]} />
            <span>{words}</span>
          </Flex>
        ))}
      </ol>
    </section>
  );
}

type Row = SyncActivity['rows'][number];

/** The column of a bar, which a narrow room leaves out. */
const BAR = { width: 92, wide: 176, narrow: 0 };

function MovingHead() {
  return (
    <thead>
      <tr>
        <th scope="col">{say('sync.runningSync.what')}</th>
        <th scope="colgroup" colSpan={2} className="amount">
          <IconArrowLeft size={14} aria-hidden style={{ verticalAlign: -2 }} /> {say('sync.runningSync.received')}
        </th>
        <th scope="colgroup" colSpan={2} className="amount">
          <IconArrowRight size={14} aria-hidden style={{ verticalAlign: -2 }} /> {say('sync.runningSync.sent')}
        </th>
        <th scope="col">{say('sync.runningSync.state')}</th>
      </tr>
    </thead>
  );
}

/** The moved objects by kind; lines also by stream. */
function MovingTable({ activity }: { readonly activity: SyncActivity }) {
  const { rows } = activity;
  const isWaiting = activity.waits !== null;
  const total = (way: 'received' | 'sent') => sumOf(rows.filter(({ stream }) => stream === null).map((row) => row[way]));
  return (
    <FigureTable
      columns={[{}, BAR, { width: 108 }, BAR, { width: 108 }, { width: 128, narrow: 108 }]}
      head={<MovingHead />}
      className={styles.moving}
      data-testid="moving-table"
    >
      <tbody>
        {rows.map((row) => (
          <MovingRow key={`${row.resource} ${row.stream ?? ''}`} row={row} isWaiting={isWaiting} />
        ))}
        <tr data-total>
          <th scope="row">{say('sync.runningSync.total')}</th>
          <td className="amount" colSpan={2}>
            <Moved moved={total('received')} />
          </td>
          <td className="amount" colSpan={2}>
            <Moved moved={total('sent')} />
          </td>
          <td aria-hidden />
        </tr>
      </tbody>
    </FigureTable>
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
      <td className="wide-cell">{!isNone && share !== null && <Bar value={share} size={6} color="var(--matched)" aria-hidden />}</td>
      <td className="amount">
        <Moved moved={moved} />
      </td>
    </>
  );
}

function Moved({ moved: { done, total } }: { readonly moved: MovedCount }) {
  if (done === 0 && (total === 0 || total === null)) return <span className="quiet">–</span>;
  return (
    <>
      {countText(done)}
      {total !== null && <span className="quiet"> {say('sync.runningSync.of', { total: countText(total) })}</span>}
    </>
  );
}

function RowState({ state, isWaiting }: { readonly state: Row['state']; readonly isWaiting: boolean }) {
  if (state === 'none') return <span className="quiet">{say('sync.runningSync.none')}</span>;
  if (state === 'to_come')
    return (
      <StateBadge tone="none" isPlain>
        {say('sync.runningSync.toCome')}
      </StateBadge>
    );
  if (state === 'done')
    return (
      <StateBadge tone="done" isPlain>
        {say('sync.runningSync.done')}
      </StateBadge>
    );
  return (
    <StateBadge tone={isWaiting ? 'open' : 'under_way'} isPlain>
      {isWaiting ? say('sync.runningSync.waits') : say('sync.runningSync.moving')}
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

/** Returns the time in milliseconds since 1970, updated every second while the component is mounted. */
function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface WaitsBandProps {
  readonly control: SyncControl;
  readonly waits: NonNullable<SyncActivity['waits']>;
}

/** Says since when and why the remote does not answer, and when the next attempt is. */
export function WaitsBand({ control, waits }: WaitsBandProps) {
  const now = useSeconds();
  const seconds = Math.max(0, Math.ceil((Date.parse(waits.next_at) - now) / 1_000));
  useShortcuts({ r: control.retry });
  const retry = (
    <Button
      size="compact-sm"
      variant="default"
      rightSection={<KeyHint keys="R" />}
      onClick={control.retry}
      aria-keyshortcuts="R"
      data-testid="sync-retry"
    >
      {say('sync.waitsBand.tryNow')}
    </Button>
  );
  return (
    <Band tone="open" icon={<IconWifiOff size={16} aria-hidden />} actions={retry} aria-live="polite" data-testid="sync-waits">
      <p>
        <Said
          words="sync.waitsBand.nextTryTryOf"
          with={{
            part: <b>{say('sync.waitsBand.hasNotAnsweredSince', { name: control.remote.name, second: secondText(waits.since) })}</b>,
            reason: waits.reason,
            second: secondText(waits.next_at),
            part2: <span aria-hidden>, {say('sync.waitsBand.inS', { seconds: countText(seconds) })}</span>,
            tries: countText(waits.tries + 1),
            of: countText(waits.of),
          }}
        />
      </p>
    </Band>
  );
}
