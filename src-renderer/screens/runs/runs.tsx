import { ActionIcon, Badge, Box, Button, Checkbox, Group, Modal, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { IconArrowBackUp, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import type { Rule, Run } from '../../../src-shared/contract/index.ts';
import { useAnswer, useConnection, useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { agoText, durationText, elapsedText, instantText } from '../../format/dates.ts';
import { ruleText } from '../../format/rule-words.ts';
import { ruleNotes } from '../../format/job-words.ts';
import { currenciesApartSentence } from '../../format/unbalanced.ts';
import { plainWords, proposalsText, runOriginText } from '../../format/words.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { RunComparison } from './run-comparison.tsx';
import { takeRunBack } from './use-run.ts';
import { say } from '../../../src-shared/words/say.ts';
import type { JobProgress } from '../../api/follow-job.ts';

const STATUS_WORDS: Readonly<Record<Run['status'], string>> = {
  pending: say('runs.statuses.pending'),
  running: say('runs.statuses.running'),
  completed: say('runs.statuses.completed'),
  failed: say('runs.statuses.failed'),
  cancelled: say('runs.statuses.cancelled'),
};

const STATUS_COLORS: Readonly<Record<Run['status'], string>> = {
  pending: 'gray',
  running: 'blue',
  completed: 'pine',
  failed: 'red',
  cancelled: 'orange',
};

interface RunsProps {
  readonly id: number;
  /** Decimal places of the reconciliation's amounts, for the words of rules. */
  readonly decimalPlaces: number;
}

/** All runs of a reconciliation, the newest first: their origin, their result, and the part of each rule. */
export function Runs({ id, decimalPlaces }: RunsProps) {
  const rules = useOperation('rules.list', { reconciliation_id: id }).data ?? [];
  const newest = useOperation('runs.list', { id });
  const { client } = useConnection();
  const [older, setOlder] = useState<{ readonly data: readonly Run[]; readonly cursor: string | null } | null>(null);
  const [marked, setMarked] = useState<readonly number[]>([]);
  const [isComparing, setComparing] = useState(false);
  if (newest.isLoadingError) {
    return <FailurePanel title={say('runs.theRunsCouldNotBeRead')} failure={newest.error} onRetry={newest.refetch} />;
  }
  if (newest.data === undefined) return <Skeleton height={200} radius="lg" />;
  const first = newest.data;
  if (first.data.length === 0) {
    return (
      <Stack className="card" p="xl" align="center">
        <Text size="sm" c="dimmed" ta="center">
          {say('runs.noRunYetPress')}
        </Text>
      </Stack>
    );
  }
  const cursor = older === null ? first.next_cursor : older.cursor;
  async function more(): Promise<void> {
    if (cursor === null) return;
    const answer = await client.call('runs.list', { id, cursor });
    if (!answer.ok) return notifyFailure(say('runs.olderRunsCouldNotBeRead'), answer.error);
    setOlder({ data: [...(older?.data ?? []), ...answer.value.data], cursor: answer.value.next_cursor });
  }
  const shown = new Map([...first.data, ...(older?.data ?? [])].map((run) => [run.id, run]));
  const [run, other] = marked.map((each) => shown.get(each)).filter((each) => each !== undefined);
  if (isComparing && run !== undefined && other !== undefined) {
    return <Compared run={run} other={other} rules={rules} decimalPlaces={decimalPlaces} onClose={() => setComparing(false)} />;
  }
  const compare = (): void => setComparing(marked.length === 2);
  // A third mark takes the place of the older one of the two.
  const mark = (runId: number): void =>
    setMarked(
      (marked.includes(runId) ? marked.filter((each) => each !== runId) : [...marked.slice(-1), runId]).toSorted((one, two) => one - two),
    );
  return (
    <List
      runs={[...shown.values()]}
      {...{ rules, decimalPlaces, marked, mark, compare }}
      onOlder={cursor === null ? null : () => void more()}
    />
  );
}

interface ListProps {
  readonly runs: readonly Run[];
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
  /** The runs that are marked to be compared. */
  readonly marked: readonly number[];
  readonly mark: (runId: number) => void;
  readonly compare: () => void;
  /** Null when all runs are listed. */
  readonly onOlder: (() => void) | null;
}

function List({ runs, rules, decimalPlaces, marked, mark, compare, onOlder }: ListProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the key is a second way to its button
    <Box
      className="card scrolls"
      mah="100%"
      onKeyDown={(event) => {
        if (event.key === '=') compare();
      }}
    >
      <Group justify="flex-end" px="md" py="xs" gap="sm">
        <Text size="sm" c="dimmed" aria-live="polite">
          {marked.length === 2 ? '' : marked.length === 1 ? say('runs.markOneMoreRun') : say('runs.markTwo')}
        </Text>
        <Button
          variant="default"
          size="xs"
          disabled={marked.length !== 2}
          aria-keyshortcuts="="
          rightSection={<KeyHint keys="=" />}
          onClick={compare}
          data-testid="compare-runs"
        >
          {say('runs.compare')}
        </Button>
      </Group>
      <TableFrame least={800}>
        <FigureTable
          columns={[
            { label: say('runs.compare'), width: 40 },
            { head: say('runs.started') },
            { head: say('runs.by') },
            { head: say('runs.ended') },
            { head: say('runs.openLinesRead'), isFigure: true },
            { head: say('runs.linesMatched'), isFigure: true },
            { head: say('runs.leftOpen'), isFigure: true },
            { head: say('runs.newMatches'), isFigure: true },
            { head: say('runs.proposals'), isFigure: true },
            { head: say('runs.took'), isFigure: true },
          ]}
          isWrapping
          isFitted
          data-testid="runs-table"
        >
          <tbody>
            {runs.map((each) => (
              <RunRow
                key={each.id}
                run={each}
                rules={rules}
                decimalPlaces={decimalPlaces}
                isMarked={marked.includes(each.id)}
                onMark={() => mark(each.id)}
              />
            ))}
          </tbody>
        </FigureTable>
      </TableFrame>
      {onOlder !== null && (
        <Group justify="center" p="xs">
          <Button variant="default" size="xs" onClick={onOlder} data-testid="older-runs">
            {say('runs.showOlderRuns')}
          </Button>
        </Group>
      )}
    </Box>
  );
}

/** The comparison in place of the list. Escape returns to the list. */
function Compared(props: ComponentProps<typeof RunComparison>) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.querySelector<HTMLElement>('button')?.focus(), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the key is a second way to its button
    <Box
      ref={frame}
      h="100%"
      mih={0}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.onClose();
      }}
    >
      <RunComparison {...props} />
    </Box>
  );
}

interface RunRowProps {
  readonly isMarked: boolean;
  readonly onMark: () => void;
  readonly run: Run;
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
}

const COLUMNS = 10;

function RunRow({ run, rules, decimalPlaces, isMarked, onMark }: RunRowProps) {
  const [isOpen, setOpen] = useState(false);
  const hasRules = run.status === 'completed' && Object.keys(run.rule_summary).length > 0;
  return (
    <>
      <tr data-testid="run-row">
        <td>
          {canCompare(run) && (
            <Checkbox
              size="xs"
              checked={isMarked}
              onChange={onMark}
              aria-label={say('runs.mark', { at: run.started_at === null ? String(run.id) : instantText(run.started_at) })}
              data-testid="mark-run"
            />
          )}
        </td>
        <Started run={run} isOpen={isOpen} onToggle={hasRules ? () => setOpen(!isOpen) : null} />
        <Origin run={run} />
        <td style={{ maxWidth: '24rem' }}>
          <Badge color={STATUS_COLORS[run.status]} size="sm">
            {STATUS_WORDS[run.status]}
          </Badge>
          {run.error_message !== null && (
            <Text size="xs" mt={2}>
              {run.error_message}
            </Text>
          )}
          {run.undone_at !== null && (
            <Text size="xs" mt={2} data-testid="run-undone">
              {say('runs.takenBack')} <Instant at={run.undone_at} />
            </Text>
          )}
          {run.no_shared_currency !== null && (
            <Text size="xs" mt={2} data-testid="run-no-shared-currency">
              {say('runs.theSidesShareNoCurrency', { currenciesApart: currenciesApartSentence(run.no_shared_currency) })}
            </Text>
          )}
        </td>
        <Figures run={run} />
        <td className="amount">{durationText(run.started_at, run.completed_at)}</td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={COLUMNS} style={{ paddingLeft: 40, background: 'var(--sunken)' }}>
            <RunRules run={run} rules={rules} decimalPlaces={decimalPlaces} />
            {canTakeBack(run) && <TakeBack run={run} />}
          </td>
        </tr>
      )}
    </>
  );
}

function canCompare({ status, proposals }: Run): boolean {
  return status === 'completed' && proposals === null;
}

function canTakeBack({ status, mode, matches, undone_at: undoneAt }: Run): boolean {
  return status === 'completed' && mode === 'commit' && matches > 0 && undoneAt === null;
}

/** Undoes the matches of a run after a warning about everything that goes with them. */
function TakeBack({ run }: { readonly run: Run }) {
  const [isAsking, setAsking] = useState(false);
  const { client } = useConnection();
  const [isRunning, setRunning] = useState(false);
  async function takeBack(): Promise<void> {
    setRunning(true);
    await takeRunBack(client, run);
    setRunning(false);
    setAsking(false);
  }
  return (
    <Group justify="flex-end" mt="xs">
      <WriteButton
        size="compact-sm"
        variant="default"
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        onClick={() => setAsking(true)}
        data-testid="undo-run"
      >
        {say('runs.takeThisRunBack')}
      </WriteButton>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={say('runs.takeThisRunBackQuestion')}
        closeButtonProps={{ 'aria-label': say('runs.close') }}
      >
        <Stack>
          {isAsking && <UndoPlan run={run} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
              {say('runs.keepIt')}
            </Button>
            <Button color="red" loading={isRunning} onClick={() => void takeBack()} data-testid="undo-run-confirm">
              {say('runs.takeItBack')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Group>
  );
}

/** What an undo of the run takes apart, and what stays. */
function UndoPlan({ run }: { readonly run: Run }) {
  const plan = useAnswer('runs.undo_plan', { id: run.reconciliation_id, run_id: run.id });
  if (plan.error !== null) return <FailurePanel title={say('runs.undoPlan.couldNotBeRead')} failure={plan.error} />;
  if (plan.data === undefined) return <Skeleton height={110} />;
  const { matches, records, closed, confirmed, proposals, gone } = plan.data;
  const stays = [
    ...(closed > 0 ? [say('runs.undoPlan.closed', { closed })] : []),
    ...(confirmed > 0 ? [say('runs.undoPlan.confirmed', { confirmed })] : []),
    ...(proposals > 0 ? [say('runs.undoPlan.proposals', { proposals })] : []),
    ...(gone > 0 ? [say('runs.undoPlan.gone', { gone })] : []),
    say('runs.undoPlan.stays'),
    ...(matches > 0 ? [say('runs.undoPlan.again')] : []),
  ];
  return (
    <Stack gap="xs" data-testid="undo-run-plan">
      <Text fw={560}>{matches === 0 ? say('runs.undoPlan.nothing') : say('runs.undoPlan.takesApart', { matches, records })}</Text>
      {stays.map((sentence) => (
        <Text key={sentence} size="sm">
          {sentence}
        </Text>
      ))}
    </Stack>
  );
}

interface StartedProps {
  readonly run: Run;
  readonly isOpen: boolean;
  /** Null when there are no details. */
  readonly onToggle: (() => void) | null;
}

function Started({ run, isOpen, onToggle }: StartedProps) {
  const now = useNow();
  return (
    <td>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          disabled={onToggle === null}
          onClick={onToggle ?? undefined}
          aria-expanded={isOpen}
          aria-label={say('runs.whatEachRuleFound')}
          data-testid="run-toggle"
        >
          {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        </ActionIcon>
        {run.started_at === null ? say('runs.notStarted') : <Instant at={run.started_at} text={agoText(run.started_at, now)} />}
      </Group>
    </td>
  );
}

function Origin({ run }: { readonly run: Run }) {
  const isDone = run.status === 'completed';
  return (
    <td>
      {runOriginText(run)}
      {run.started_by !== null && run.kind === 'batch' && (
        <Text size="xs" c="dimmed" data-testid="run-started-by">
          {say('runs.byWhom', { name: run.started_by })}
        </Text>
      )}
      {run.mode === 'dry_run' && (
        <Text span size="xs" c="dimmed">
          {' '}
          · {say('runs.nothingStored')}
        </Text>
      )}
      {run.proposals !== null && (
        <Text span size="xs" c="dimmed">
          {' '}
          · {isDone ? proposalsText(run.proposals) : say('runs.looksForRules')}
        </Text>
      )}
    </td>
  );
}

function Figures({ run }: { readonly run: Run }) {
  const isDone = run.status === 'completed';
  const figure = (count: number) => (isDone ? countText(count) : '–');
  return (
    <>
      <td className="amount">
        {figure(run.total_records)}
        {isDone && run.examined_records !== null && run.examined_records < run.total_records && (
          <Text size="xs" c="dimmed" title={say('runs.thisRunStartedBy')}>
            {say('runs.lookedAt', { examinedRecords: countText(run.examined_records) })}
          </Text>
        )}
      </td>
      <td className="amount">{figure(run.matched_records)}</td>
      <td className="amount">{figure(run.total_records - run.matched_records)}</td>
      <td className="amount">{figure(run.matches)}</td>
      <td className="amount">{figure(run.proposed_matches)}</td>
    </>
  );
}

interface RunRulesProps {
  readonly run: Run;
  /** The present rules. A rule that has been deleted is named by its number. */
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
}

/** The results of each rule in a run, in the present order of the rules, and notes on what was not computed to the end. */
function RunRules({ run, rules, decimalPlaces }: RunRulesProps) {
  const places = new Map(rules.map((rule, place) => [String(rule.id), place]));
  const placeOf = (id: string): number => places.get(id) ?? rules.length;
  const found = Object.entries(run.rule_summary).toSorted(([left], [right]) => placeOf(left) - placeOf(right));
  return (
    <FigureTable
      columns={[
        { head: say('runs.rule') },
        { head: say('runs.newMatches'), isFigure: true },
        { head: say('runs.linesMatched'), isFigure: true },
        { head: say('runs.proposals'), isFigure: true },
        { head: say('runs.took'), isFigure: true },
      ]}
      isWrapping
      isFitted
      data-testid="run-rules"
      aria-label={say('runs.whatEachRuleOfTheRunFound')}
    >
      <tbody>
        {found.map(([id, figures]) => {
          const rule = rules[placeOf(id)];
          return (
            <tr key={id}>
              <td>
                {rule === undefined ? say('runs.ruleWhichIsGone', { id }) : (rule.description ?? ruleText(rule, decimalPlaces))}
                {ruleNotes(figures).map((note) => (
                  <Text key={note} size="xs" c="dimmed">
                    {note}
                  </Text>
                ))}
              </td>
              <td className="amount">{countText(figures.matches)}</td>
              <td className="amount">{countText(figures.records)}</td>
              <td className="amount">{countText(figures.proposed)}</td>
              <td className="amount">{elapsedText(figures.elapsed_ms)}</td>
            </tr>
          );
        })}
      </tbody>
    </FigureTable>
  );
}

interface RunBandProps {
  readonly progress: JobProgress;
  /** Who or what started the run; null when it was the user. */
  readonly origin: string | null;
  readonly onCancel: () => void;
}

/** The running run: its phase, its progress, and a cancel button. */
export function RunBand({ progress, origin, onCancel }: RunBandProps) {
  const phase = progress.phase === '' ? say('runs.runBand.running') : plainWords(progress.phase);
  return (
    <div className={styles.runBand} data-testid="run-progress">
      <Text size="sm" fw={560} aria-live="polite" miw="9rem" component="div">
        {phase}
        {origin !== null && (
          <Text size="xs" c="dimmed" fw={400} data-testid="run-origin">
            {origin}
          </Text>
        )}
      </Text>
      <Progress value={Math.max(progress.progress, 1)} flex={1} miw="6rem" aria-label={say('runs.runBand.progressOfTheRun')} animated />
      <Text size="sm" c="dimmed" className="tabular">
        {progress.progress} %
        {progress.total > 0 &&
          ` · ${say('runs.runBand.of', { processed: countText(progress.processed), total: countText(progress.total) })}`}
      </Text>
      <Button variant="default" size="xs" onClick={onCancel} data-testid="run-cancel">
        {say('runs.runBand.cancel')}
      </Button>
    </div>
  );
}
