import { Box, Button, Group, Modal, Progress, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowsDiff, IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Output, SyncActivity, SyncRemote, SyncRun, SyncVerified } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { type Column, FigureTable } from '../../components/figure-table.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { Band, EmptyState, Pager, Pane, PaneHeader, Panes, StateBadge } from '../../components/primitives.tsx';
import { Segments } from '../../components/segments.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { instantText } from '../../format/dates.ts';
import { countOf, countText } from '../../format/counts.ts';
import {
  activityState,
  choiceWords,
  endingOf,
  isRepairable,
  movedText,
  QUESTION_TITLES,
  remoteState,
  rowsOf,
  shareOf,
} from '../../format/sync-words.ts';
import { useNavigation } from '../../state/navigation.ts';
import type { SyncPlace, SyncTab } from '../../state/places.ts';
import { AgreementTable } from './agreement-table.tsx';
import { DecideTab } from './decide-tab.tsx';
import { CANCEL_KEYS, PlanView, SYNC_KEYS } from './plan-view.tsx';
import { NotMovedList, RunDrawer, type RunFigure, RunRow } from './run-row.tsx';
import { RunningSync, WaitsBand } from './running-sync.tsx';
import styles from './sync.module.css';
import { type SyncControl, useSyncControl } from './use-sync-control.ts';

/** The number of newest runs that are read to find the last one. */
const LOOKED_AT = 5;

/** The result of the last sync, and the next steps. */
function LastEnding({ control, activity }: { readonly control: SyncControl; readonly activity: SyncActivity }) {
  const { remote } = control;
  const { data: runs } = useOperation('sync_runs.list', { id: remote.id, limit: LOOKED_AT });
  const run = activity.run_id === null ? undefined : runs?.data.find(({ id }) => id === activity.run_id);
  const ending = endingOf(activity, run);
  if (ending === null) return null;
  const isBroken = activity.error !== null;
  return (
    <Band tone={ending.tone} aria-live="polite" aria-label={say('sync.remoteSync.theLastSync')} data-testid="sync-ending">
      <h2>{ending.title}</h2>
      {ending.words !== '' && <p>{ending.words}</p>}
      {run !== undefined && <Doubts run={run} />}
      <Group gap="sm" mt="sm">
        {isBroken && <TryAgain control={control} what={activity.what} />}
        {remote.to_decide > 0 && (
          <PlaceLink place={{ screen: 'sync', id: remote.id, tab: 'decide' }} testId="ending-decide">
            {say('sync.remoteSync.decide', { toDecide: countText(remote.to_decide) })}
          </PlaceLink>
        )}
        {run !== undefined && (
          <PlaceLink place={{ screen: 'sync', id: remote.id, tab: 'history' }}>{say('sync.remoteSync.showItInTheHistory')}</PlaceLink>
        )}
      </Group>
    </Band>
  );
}

/** Refused records, and records that may have arrived. */
function Doubts({ run }: { readonly run: SyncRun }) {
  return (
    <>
      <NotMovedList title={say('sync.remoteSync.refused')} items={run.refused} />
      <NotMovedList title={say('sync.remoteSync.notSureWhetherItArrived')} items={run.unsure} />
    </>
  );
}

function TryAgain({ control, what }: { readonly control: SyncControl; readonly what: SyncActivity['what'] }) {
  const again = { preview: control.preview, sync: () => control.sync(null), verify: control.verify, repair: control.repair };
  return (
    <WriteButton variant="default" size="compact-sm" onClick={again[what]} loading={control.isStarting} data-testid="sync-again">
      {say('sync.remoteSync.tryAgain')}
    </WriteButton>
  );
}

interface NotComparedProps {
  readonly control: SyncControl;
  /** The last activity since Tieout started. */
  readonly activity: SyncActivity | null;
}

/** Shown while there is no plan. Before a first sync the plan is made at once, later on request. */
function NotCompared({ control, activity }: NotComparedProps) {
  const { remote, preview } = control;
  const isFirst = remote.last_synced_at === null;
  // The part above says what it waits for.
  const isWaiting = remote.state === 'asks' || remote.state === 'deletions_wait';
  const isBegun = useRef(false);
  useEffect(() => {
    if (!isFirst || activity !== null || isBegun.current) return;
    isBegun.current = true;
    preview();
  }, [isFirst, activity, preview]);
  return (
    <Pane aria-label={say('sync.remoteSync.theNextSync')}>
      {activity !== null && !isWaiting && <LastEnding control={control} activity={activity} />}
      <EmptyState title={isFirst ? say('sync.remoteSync.lookAtItBefore') : waitingWords(remote.waiting)} data-testid="not-compared">
        <p>
          {remote.last_synced_at === null
            ? say('sync.remoteSync.comparingReadsBothSides', { name: remote.name })
            : say('sync.remoteSync.syncedComparingReadsBothSides', { moment: instantText(remote.last_synced_at) })}
        </p>
        {remote.next_at !== null && <p>{say('sync.remoteSync.theNextOneStarts', { moment: instantText(remote.next_at) })}</p>}
        <WriteButton
          variant={isFirst ? 'filled' : 'default'}
          leftSection={<IconArrowsDiff size={16} aria-hidden />}
          onClick={preview}
          loading={control.isStarting}
          data-testid="compare"
        >
          {say('sync.remoteSync.compareBothSides')}
        </WriteButton>
      </EmptyState>
    </Pane>
  );
}

function waitingWords(waiting: number): string {
  return waiting === 0 ? say('sync.remoteSync.noChangeWaitsHere') : say('sync.remoteSync.changesWaitHereForTheNextSync', { waiting });
}

const PAGE = 50;

const RUN_COLUMNS: readonly Column[] = [
  { head: <VisuallyHidden>{say('sync.remoteSync.unfold')}</VisuallyHidden>, width: 48, narrow: 40 },
  { head: say('sync.remoteSync.when'), width: 138, narrow: 126 },
  { head: say('sync.remoteSync.started') },
  { head: say('sync.remoteSync.sent'), width: 76, narrow: 60, isFigure: true },
  { head: say('sync.remoteSync.received'), width: 76, narrow: 64, isFigure: true },
  { head: say('sync.remoteSync.deleted'), width: 76, narrow: 60, isFigure: true },
  { head: say('sync.remoteSync.result'), width: 150, narrow: 132 },
];

interface RunsTableProps {
  readonly remote: SyncRemote;
  readonly onLook: (figure: RunFigure) => void;
}

/** The syncs with a remote, the newest first. */
function RunsTable({ remote, onLook }: RunsTableProps) {
  const [page, setPage] = useState(0);
  const { data: value, error: failure, refetch } = useOperation('sync_runs.list', { id: remote.id, limit: PAGE, offset: page * PAGE });
  const [unfolded, unfold] = useState<number | null>(null);
  return (
    <Pane aria-labelledby="runs-heading">
      <PaneHeader
        id="runs-heading"
        title={say('sync.remoteSync.syncsTable')}
        count={value === undefined ? undefined : countOf(value.total, 'count.syncs')}
      />
      {value === undefined && failure !== null && (
        <Box p="lg">
          <FailurePanel title={say('sync.remoteSync.theHistoryCouldNotBeRead')} failure={failure} onRetry={refetch} />
        </Box>
      )}
      {value === undefined && failure === null && <Skeleton height={160} />}
      {value?.total === 0 && (
        <Box component="p" className="plain mid" pt="sm" pb="md" px="var(--edge)" data-testid="no-syncs">
          {say('sync.remoteSync.noSyncYetWhatEachOneSends')}
        </Box>
      )}
      {value !== undefined && value.total > 0 && (
        <FigureTable columns={RUN_COLUMNS} className={styles.runs} data-testid="sync-runs">
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
        </FigureTable>
      )}
      {value !== undefined && value.total > PAGE && (
        <Pager what={say('sync.remoteSync.syncs')} page={page} count={value.total} size={PAGE} onPage={setPage} />
      )}
    </Pane>
  );
}

type Question = NonNullable<SyncRemote['question']>;

/** The question or the deletions for which syncs with a remote wait. Renders nothing when none wait. */
function WaitsForYou({ control }: { readonly control: SyncControl }) {
  const { remote } = control;
  if (remote.question !== null) return <Asks key={remote.question.message} control={control} question={remote.question} />;
  return remote.state === 'deletions_wait' ? <DeletionsWait control={control} /> : null;
}

const SCHEDULE = say('sync.remoteSync.untilThenNoSync');

function isScheduled({ every_minutes: everyMinutes, when_online: whenOnline }: SyncRemote): boolean {
  return everyMinutes !== null || whenOnline;
}

function Asks({ control, question }: { readonly control: SyncControl; readonly question: Question }) {
  const { remote } = control;
  // Null until the user opens or closes the dialog. Before that a question without an answer opens it.
  const [asked, open] = useState<boolean | null>(null);
  const isOpen = asked ?? question.choice === null;
  const said = question.choice === null ? null : choiceWords(question, question.choice, remote.name);
  return (
    <Band tone="open" aria-live="polite" aria-label={say('sync.remoteSync.aQuestion')} data-testid="sync-question">
      <h2>{said === null ? QUESTION_TITLES[question.code] : say('sync.remoteSync.youSaid', { label: said.label })}</h2>
      <p>{said === null ? question.message : said.about}</p>
      {said === null && isScheduled(remote) && <p>{SCHEDULE}</p>}
      {said !== null && <p>{say('sync.remoteSync.theNextSyncGoesByThat')}</p>}
      <Group gap="sm" mt="sm">
        <WriteButton variant="default" size="compact-sm" onClick={() => open(true)} data-testid="sync-answer">
          {said === null ? say('sync.remoteSync.answer') : say('sync.remoteSync.answerOtherwise')}
        </WriteButton>
        <PlaceLink place={{ screen: 'settings' }}>{say('sync.remoteSync.changeTheAddressOrTheKey')}</PlaceLink>
      </Group>
      {isOpen && <QuestionDialog control={control} question={question} onClose={() => open(false)} />}
    </Band>
  );
}

function DeletionsWait({ control }: { readonly control: SyncControl }) {
  const { remote } = control;
  return (
    <Band tone="open" aria-live="polite" aria-label={say('sync.remoteSync.deletionsWait')} data-testid="sync-deletions-wait">
      <h2>{say('sync.remoteSync.deletionsWaitForYourWord')}</h2>
      <p>{remote.message}</p>
      <p>
        {say('sync.remoteSync.compareBothSidesTheList')} {isScheduled(remote) && SCHEDULE}
      </p>
      <Group gap="sm" mt="sm">
        <Button variant="default" size="compact-sm" onClick={control.preview} loading={control.isStarting} data-testid="compare-deletions">
          {say('sync.remoteSync.compareBothSides')}
        </Button>
      </Group>
    </Band>
  );
}

interface QuestionDialogProps {
  readonly control: SyncControl;
  readonly question: NonNullable<SyncRemote['question']>;
  readonly onClose: () => void;
}

/** Asks the question that stopped a sync. After the answer both sides are compared, so that the preview comes before the sync. */
function QuestionDialog({ control, question, onClose }: QuestionDialogProps) {
  const { remote, preview } = control;
  const go = useNavigation((state) => state.go);
  const answer = useCommand('sync_remotes.answer', (failure) => notifyFailure(say('sync.remoteSync.nothingWasAnswered'), failure));
  async function give(choice: (typeof question.choices)[number]): Promise<void> {
    const answered = await answer.run({ id: remote.id, choice });
    if (!answered.ok) return;
    onClose();
    preview();
    go({ screen: 'sync', id: remote.id, tab: 'next' });
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={QUESTION_TITLES[question.code]}
      size="lg"
      closeButtonProps={{ 'aria-label': say('sync.remoteSync.close') }}
      data-testid="question-dialog"
    >
      <Stack>
        <Text size="sm">{question.message}</Text>
        {question.choices.map((choice) => {
          const { label, about } = choiceWords(question, choice, remote.name);
          return (
            <Group key={choice} className="line-above" wrap="nowrap" pt="sm">
              <Text size="sm" className="grow">
                {about}
              </Text>
              <WriteButton variant="default" onClick={() => void give(choice)} loading={answer.isRunning} data-testid={`answer-${choice}`}>
                {label}
              </WriteButton>
            </Group>
          );
        })}
        {question.code === 'remote_is_another' && (
          <Group className="line-above" wrap="nowrap" pt="sm">
            <Text size="sm" className="grow">
              {say('sync.remoteSync.ifItIsAnotherBook')}
            </Text>
            <Button variant="default" onClick={() => go({ screen: 'settings' })} data-testid="answer-settings">
              {say('sync.remoteSync.openTheSettings')}
            </Button>
          </Group>
        )}
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {say('sync.remoteSync.afterYourAnswerBothSidesAreCompared')}
          </Text>
          <Button variant="subtle" color="gray" onClick={onClose} data-autofocus data-testid="answer-later">
            {say('sync.remoteSync.later')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  connecting: say('sync.titles.connecting'),
  comparing: say('sync.titles.comparing'),
  verifying: say('sync.titles.verifying'),
};

/** The progress of a preview or a verification, which only read. */
function Comparing({ control, activity }: { readonly control: SyncControl; readonly activity: SyncActivity }) {
  useShortcuts({ 'mod+.': control.cancel });
  const share = shareOf(activity);
  return (
    <Pane aria-label={say('sync.remoteSync.progress')}>
      {activity.waits !== null && <WaitsBand control={control} waits={activity.waits} />}
      <EmptyState title={TITLES[activity.phase] ?? say('sync.remoteSync.comparingBothSides')} data-testid="comparing">
        <p aria-live="polite">
          {activity.now ?? control.remote.name}
          {activity.done > 0 && <span className="tabular"> · {say('sync.remoteSync.read', { moved: movedText(activity) })}</span>}
        </p>
        <Progress
          value={share ?? 100}
          animated={share === null}
          w="100%"
          size="sm"
          color="var(--matched)"
          aria-label={say('sync.remoteSync.howFarItIs')}
          data-testid="comparing-progress"
        />
        <p>{say('sync.remoteSync.bothSidesAreOnlyRead')}</p>
        <Button
          variant="default"
          rightSection={<KeyHint keys={CANCEL_KEYS.hint} />}
          onClick={control.cancel}
          aria-keyshortcuts={CANCEL_KEYS.aria}
          data-testid="sync-cancel"
        >
          {say('sync.remoteSync.cancel')}
        </Button>
      </EmptyState>
    </Pane>
  );
}

interface NextTabProps {
  readonly control: SyncControl;
  readonly read: Output<'syncs.get'>;
}

/** The running activity; else the plan; else the result of the last sync and the way to the next one. */
function NextTab({ control, read: { activity, plan } }: NextTabProps) {
  const isUnderWay = activity !== null && activity.ended_at === null;
  if (isUnderWay && (activity.what === 'sync' || activity.what === 'repair')) return <RunningSync control={control} activity={activity} />;
  if (isUnderWay) return <Comparing control={control} activity={activity} />;
  if (plan !== null) return <PlanView control={control} plan={plan} />;
  return <NotCompared control={control} activity={activity} />;
}

interface AgreementPaneProps {
  readonly control: SyncControl;
  readonly read: Output<'syncs.get'>;
}

/** Whether both sides agree: counts, sums and fingerprints of each stream and reconciliation. */
function AgreementPane({ control, read: { activity, verified } }: AgreementPaneProps) {
  const running = activity !== null && activity.ended_at === null ? activity : null;
  const canRepair = verified !== null && isRepairable(verified) && running === null;
  useShortcuts({
    ...(running === null ? { v: control.verify } : {}),
    ...(canRepair ? { r: control.repair } : {}),
  });
  return (
    <Pane kind="aside" aria-labelledby="agreement-heading" data-testid="agreement">
      <PaneHeader
        id="agreement-heading"
        title={say('sync.remoteSync.doBothSidesAgree')}
        count={verified === null ? undefined : <span title={summaryOf(verified)}>{summaryOf(verified)}</span>}
      >
        <WriteButton
          variant="default"
          size="compact-sm"
          rightSection={<KeyHint keys="V" />}
          onClick={control.verify}
          disabled={running !== null || control.isStarting}
          aria-keyshortcuts="V"
          data-testid="verify"
        >
          {verified === null ? say('sync.remoteSync.verify') : say('sync.remoteSync.verifyAgain')}
        </WriteButton>
      </PaneHeader>
      {running !== null && running.waits !== null && <WaitsBand control={control} waits={running.waits} />}
      {running !== null && <Underway control={control} activity={running} />}
      {running === null &&
        activity?.error !== undefined &&
        activity.error !== null &&
        (activity.what === 'verify' || activity.what === 'repair') && <Band tone="broken">{activity.error.message}</Band>}
      {verified === null && running === null && (
        <Box component="p" className="plain mid" pt="sm" pb="md" px="var(--edge)" data-testid="never-verified">
          {say('sync.remoteSync.neverComparedYetVerifying')}
        </Box>
      )}
      {verified !== null && <Tables control={control} verified={verified} canRepair={canRepair} />}
    </Pane>
  );
}

/** Returns `12 of 14 agree, 03/07/2026 10:43`. */
function summaryOf({ rows, at }: SyncVerified): string {
  const agreeing = rows.filter(({ equal }) => equal).length;
  return say('sync.remoteSync.ofAgree', { agreeing: countText(agreeing), rows: countText(rows.length), moment: instantText(at) });
}

interface TablesProps {
  readonly control: SyncControl;
  readonly verified: SyncVerified;
  readonly canRepair: boolean;
}

function Tables({ control, verified, canRepair }: TablesProps) {
  const shared = { control, canRepair };
  return (
    <>
      <AgreementTable rows={rowsOf(verified, 'records')} kind="records" {...shared} />
      <AgreementTable rows={rowsOf(verified, 'matches')} kind="matches" {...shared} />
    </>
  );
}

const NAMES: Readonly<Record<SyncActivity['what'], string>> = {
  preview: say('sync.names.preview'),
  sync: say('sync.names.sync'),
  verify: say('sync.names.verifying'),
  repair: say('sync.names.repair'),
};

function Underway({ control, activity }: { readonly control: SyncControl; readonly activity: SyncActivity }) {
  const share = shareOf(activity);
  return (
    <Group
      className="line-above wrap"
      justify="space-between"
      gap="xs"
      px="var(--edge)"
      py="sm"
      aria-live="polite"
      data-testid="agreement-running"
    >
      <span>
        {NAMES[activity.what]}
        {activity.now === null ? '' : `: ${activity.now}`}
        {activity.done > 0 && <span className="tabular"> · {movedText(activity)}</span>}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        rightSection={<KeyHint keys={CANCEL_KEYS.hint} />}
        onClick={control.cancel}
        aria-keyshortcuts={CANCEL_KEYS.aria}
        data-testid="agreement-cancel"
      >
        {say('sync.remoteSync.cancel')}
      </Button>
      <Progress
        w="100%"
        value={share ?? 100}
        animated={share === null}
        size="sm"
        color="var(--matched)"
        aria-label={say('sync.remoteSync.howFarItIs')}
      />
    </Group>
  );
}

interface HistoryTabProps {
  readonly control: SyncControl;
  readonly read: Output<'syncs.get'>;
}

/** Past syncs, and whether both sides agree now. */
function HistoryTab({ control, read }: HistoryTabProps) {
  const [looked, look] = useState<RunFigure | null>(null);
  const isUnderWay = read.activity !== null && read.activity.ended_at === null;
  useShortcuts(isUnderWay ? { 'mod+.': control.cancel } : {});
  return (
    <Panes columns="1.12fr 1fr" data-testid="sync-history">
      <RunsTable remote={control.remote} onLook={look} />
      <AgreementPane control={control} read={read} />
      <RunDrawer figure={looked} onClose={() => look(null)} />
    </Panes>
  );
}

interface RemoteSyncProps {
  readonly remote: SyncRemote;
  /** When it is undefined, the tab that needs attention is shown. */
  readonly tab: SyncTab | undefined;
  /** The conflict to show first. */
  readonly conflict: number | null;
}

/** One remote: its state in the header, and the tabs for the next sync, decisions and history. */
function RemoteSync({ remote, tab, conflict }: RemoteSyncProps) {
  const read = useOperation('syncs.get', { id: remote.id });
  const control = useSyncControl(remote);
  // Computed once, so that deciding the last conflict does not leave the tab.
  const [first] = useState<SyncTab>(remote.to_decide > 0 && remote.state !== 'under_way' ? 'decide' : 'next');
  const shown = tab ?? first;
  const isBusy = read.data !== undefined && read.data.activity !== null && read.data.activity.ended_at === null;
  const state = activityState(read.data?.activity) ?? remoteState(remote);
  return (
    <Page
      title={say('sync.remoteSync.syncWith', { name: remote.name })}
      actions={
        <>
          <span data-testid="sync-state">
            <StateBadge tone={state.tone} title={remote.message ?? undefined}>
              {state.words}
            </StateBadge>
          </span>
          <Tabs remote={remote} shown={shown} />
          {read.data !== undefined && <SyncNow control={control} read={read.data} tab={shown} />}
        </>
      }
      isFlush
      testId="sync-screen"
    >
      {read.data === undefined && read.error !== null && (
        <Box p="lg">
          <FailurePanel title={say('sync.remoteSync.theSyncCouldNotBeRead')} failure={read.error} onRetry={read.refetch} />
        </Box>
      )}
      {read.data === undefined && read.error === null && (
        <Box p="lg" aria-busy>
          <Skeleton height={240} radius="lg" />
        </Box>
      )}
      {read.data !== undefined && (
        <>
          {!isBusy && <WaitsForYou control={control} />}
          {shown === 'next' && <NextTab control={control} read={read.data} />}
          {shown === 'decide' && <DecideTab control={control} activity={read.data.activity} first={conflict} />}
          {shown === 'history' && <HistoryTab control={control} read={read.data} />}
        </>
      )}
    </Page>
  );
}

function Tabs({ remote, shown }: { readonly remote: SyncRemote; readonly shown: SyncTab }) {
  const place = (tab: SyncTab) => ({ screen: 'sync', id: remote.id, tab }) as const;
  const count = (number: number): string | undefined => (number === 0 ? undefined : countText(number));
  const isFirst = remote.last_synced_at === null;
  return (
    <Segments
      label={say('sync.remoteSync.sync')}
      segments={[
        {
          label: isFirst ? say('sync.remoteSync.firstSync') : say('sync.remoteSync.nextSync'),
          place: place('next'),
          count: isFirst ? undefined : count(remote.waiting),
          isCurrent: shown === 'next',
          testId: 'sync-tab-next',
        },
        {
          label: say('sync.remoteSync.toDecide'),
          place: place('decide'),
          count: count(remote.to_decide),
          isCurrent: shown === 'decide',
          testId: 'sync-tab-decide',
        },
        { label: say('sync.remoteSync.history'), place: place('history'), isCurrent: shown === 'history', testId: 'sync-tab-history' },
      ]}
    />
  );
}

interface SyncNowProps {
  readonly control: SyncControl;
  readonly read: Output<'syncs.get'>;
  readonly tab: SyncTab;
}

/** The button that syncs. A visible plan has its own button, and a first sync shows its plan first. */
function SyncNow({ control, read, tab }: SyncNowProps) {
  const go = useNavigation((state) => state.go);
  const { remote } = control;
  const isBusy = read.activity !== null && read.activity.ended_at === null;
  const isOffered = !isBusy && remote.last_synced_at !== null && !(tab === 'next' && read.plan !== null);
  function begin(): void {
    control.sync(read.plan);
    if (tab !== 'next') go({ screen: 'sync', id: remote.id, tab: 'next' });
  }
  useShortcuts(isOffered ? { 'mod+Enter': begin } : {});
  if (!isOffered) return null;
  return (
    <WriteButton
      variant="default"
      leftSection={<IconRefresh size={15} aria-hidden />}
      rightSection={<KeyHint keys={SYNC_KEYS.hint} />}
      onClick={begin}
      loading={control.isStarting}
      aria-keyshortcuts={SYNC_KEYS.aria}
      data-testid="sync-now"
    >
      {say('sync.remoteSync.syncNow')}
    </WriteButton>
  );
}

/** The sync with another Tieout: the next sync, the decisions, and the history. */
export function SyncScreen({ place }: { readonly place: SyncPlace }) {
  const { data: value, error: failure, refetch } = useOperation('sync_remotes.list', {});
  if (failure !== null && value === undefined) {
    return (
      <Page title={say('sync.syncScreen.sync')}>
        <FailurePanel title={say('sync.syncScreen.theConnectionsCouldNotBeRead')} failure={failure} onRetry={refetch} />
      </Page>
    );
  }
  if (value === undefined) {
    return (
      <Page title={say('sync.syncScreen.sync')}>
        <Skeleton height={200} radius="lg" />
      </Page>
    );
  }
  const remote = place.id === null ? value.remotes[0] : value.remotes.find(({ id }) => id === place.id);
  if (remote === undefined) return <NoRemote isGone={place.id !== null} />;
  return <RemoteSync key={remote.id} remote={remote} tab={place.tab} conflict={place.conflict ?? null} />;
}

/** Explains sync when there is no remote. */
function NoRemote({ isGone }: { readonly isGone: boolean }) {
  const go = useNavigation((state) => state.go);
  return (
    <Page title={say('sync.syncScreen.sync')} isFlush testId="sync-screen">
      <EmptyState
        title={isGone ? say('sync.syncScreen.thisConnectionIsNotSetUpHere') : say('sync.syncScreen.nothingToSyncWithYet')}
        data-testid="no-remote"
      >
        <p>{say('sync.syncScreen.syncKeepsThisBook')}</p>
        <Button onClick={() => go({ screen: 'settings' })} data-testid="set-up-remote">
          {isGone ? say('sync.syncScreen.openTheSettings') : say('sync.syncScreen.setUpAConnection')}
        </Button>
      </EmptyState>
    </Page>
  );
}
