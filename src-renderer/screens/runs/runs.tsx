import { ActionIcon, Badge, Button, Group, Modal, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { IconArrowBackUp, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { Rule, Run } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countOf, countText } from '../../format/counts.ts';
import { agoText, durationText } from '../../format/dates.ts';
import { ruleText } from '../../format/rule-words.ts';
import { elapsedText, ruleNotes } from '../../format/job-words.ts';
import { currenciesApartSentence } from '../../format/unbalanced.ts';
import { plainWords, proposalsText, runOriginText } from '../../format/words.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { takeRunBack } from './use-run.ts';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';
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
  return (
    <div className={`card ${styles.runs}`}>
      <TableFrame least={760}>
        <FigureTable
          columns={[
            { head: say('runs.started') },
            { head: say('runs.by') },
            { head: say('runs.ended') },
            { head: say('runs.openLinesRead'), isFigure: true },
            { head: say('runs.linesMatched'), isFigure: true },
            { head: say('runs.newMatches'), isFigure: true },
            { head: say('runs.proposals'), isFigure: true },
            { head: say('runs.took'), isFigure: true },
          ]}
          isWrapping
          isFitted
          data-testid="runs-table"
        >
          <tbody>
            {[...shown.values()].map((run) => (
              <RunRow key={run.id} run={run} rules={rules} decimalPlaces={decimalPlaces} />
            ))}
          </tbody>
        </FigureTable>
      </TableFrame>
      {cursor !== null && (
        <Group justify="center" p="xs">
          <Button variant="default" size="xs" onClick={() => void more()} data-testid="older-runs">
            {say('runs.showOlderRuns')}
          </Button>
        </Group>
      )}
    </div>
  );
}

interface RunRowProps {
  readonly run: Run;
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
}

const COLUMNS = 8;

function RunRow({ run, rules, decimalPlaces }: RunRowProps) {
  const [isOpen, setOpen] = useState(false);
  const hasRules = run.status === 'completed' && Object.keys(run.rule_summary).length > 0;
  return (
    <>
      <tr data-testid="run-row">
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
          <Text size="sm">
            <Said words="runs.upToThatRun" with={{ matches: <b>{countOf(run.matches, 'count.matches')}</b>, id: run.id }} />
          </Text>
          <Text size="sm">{say('runs.toHaveThemBack')}</Text>
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
