import { Box, Group, Loader, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { IconPlus, IconSparkles } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Reconciliation, Rule } from '../../../src-shared/contract/index.ts';
import type { AgentStep } from '../../../src-shared/contract/rules/proposals.ts';
import { bodyOf } from '../../../src-shared/contract/rules/rule-bodies.ts';
import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { searchLine } from '../../format/backtest-words.ts';
import { instantText } from '../../format/dates.ts';
import type { RunControl } from '../runs/use-run.ts';
import { BacktestPanel } from './backtest-panel.tsx';
import { NewRule } from './new-rule.tsx';
import { type Drag, RuleCard, type RulePanel } from './rule-card.tsx';
import { RulePreviewPanel } from './rule-preview-panel.tsx';
import styles from './rules.module.css';

/** The interval at which the steps of a running search are read. */
const LOOK_EVERY_MS = 800;

/** The state of the search for rules, the results of the last search and its steps. Renders nothing before the first search. */
function RuleSearch({ reconciliationId }: { readonly reconciliationId: number }) {
  const { data: status, refetch } = useOperation('proposals.agent_status', { id: reconciliationId });
  const nowMs = useNow();
  const isRunning = status?.status === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(refetch, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isRunning, refetch]);
  const line = status === undefined ? null : searchLine(status, nowMs);
  if (status === undefined || line === null) return null;
  return (
    <Box className="card" px="md" py={10} flex="none" data-testid="agent-status" data-status={status.status}>
      <Text
        size="sm"
        {...(status.status === 'failed' ? { c: 'red' } : {})}
        aria-live="polite"
        display="flex"
        style={{ alignItems: 'center' }}
      >
        {isRunning && <Loader size={12} mr={8} aria-hidden />}
        {line}
      </Text>
      <details>
        <summary className="quiet small">{say('rules.rulesTab.whatItLookedAtAndItsSteps')}</summary>
        {status.reasoning !== null && (
          <Text size="sm" mt={4} data-testid="agent-reasoning">
            {status.reasoning}
          </Text>
        )}
        <Steps steps={status.progress} />
      </details>
    </Box>
  );
}

function Steps({ steps }: { readonly steps: readonly AgentStep[] }) {
  return (
    <Box component="ol" className="small" m={0} pl={18} data-testid="agent-steps">
      {steps.map(({ step, message, at }) => (
        <li key={`${step} ${at} ${message}`}>
          <span>{message}</span> <time dateTime={at}>{instantText(at)}</time>
        </li>
      ))}
    </Box>
  );
}

interface RulesTabProps {
  readonly reconciliation: Reconciliation;
  /** Decimal places of the reconciliation's amounts, for tolerances. */
  readonly decimalPlaces: number;
  readonly run: RunControl;
}

/** The rules in the order in which they run, beside the preview or the back-test of one of them. */
export function RulesTab({ reconciliation, decimalPlaces, run }: RulesTabProps) {
  const { id } = reconciliation;
  const rules = useOperation('rules.list', { reconciliation_id: id });
  const order = useOrder(id, rules.data ?? []);
  const [opened, setOpened] = useState<{ readonly id: number; readonly panel: RulePanel } | null>(null);
  const [editing, setEditing] = useState<{ readonly rule: Rule; readonly isCopy: boolean } | 'new' | null>(null);
  if (rules.data === undefined) {
    return rules.error === null ? (
      <Skeleton height={160} radius="lg" />
    ) : (
      <FailurePanel title={say('rules.rulesTab.theRulesCouldNotBeRead')} failure={rules.error} onRetry={rules.refetch} />
    );
  }
  const list = rules.data;
  const shown = list.find((rule) => rule.id === opened?.id);
  const found = list.filter(({ status }) => status === 'proposed');
  const ordered = list.filter(({ status }) => status !== 'proposed');
  const card = (rule: Rule, at: number, group: readonly Rule[]) => (
    <RuleCard
      key={rule.id}
      rule={rule}
      place={at + 1}
      isLast={at === group.length - 1}
      opened={rule.id === opened?.id ? opened.panel : null}
      isMoving={order.isMoving}
      decimalPlaces={decimalPlaces}
      onMove={(by) => order.move(rule.id, group[at + by]?.id)}
      onOpen={(panel) => setOpened(rule.id === opened?.id && panel === opened.panel ? null : { id: rule.id, panel })}
      onEdit={(isCopy) => setEditing({ rule, isCopy })}
      drag={order.dragOf(rule)}
    />
  );
  return (
    <div className={styles.rules}>
      <section className={styles.list} aria-label={say('rules.rulesTab.rulesInTheOrder')}>
        <Head count={list.length} run={run} onAdd={() => setEditing('new')} />
        <NewDefault reconciliation={reconciliation} rules={list} />
        <RuleSearch reconciliationId={id} />
        {list.length === 0 && <NoRules run={run} />}
        {found.length > 0 && <h3 className="small">{say('rules.rulesTab.foundInYourLines', { count: found.length })}</h3>}
        {found.map(card)}
        {found.length > 0 && <h3 className="small">{say('rules.rulesTab.inTheOrderTheyRun', { count: ordered.length })}</h3>}
        {ordered.map(card)}
      </section>
      {shown !== undefined && opened !== null && (
        <Opened
          panel={opened.panel}
          rule={shown}
          rules={list}
          reconciliation={reconciliation}
          decimalPlaces={decimalPlaces}
          onClose={() => setOpened(null)}
        />
      )}
      {editing !== null && (
        <NewRule
          reconciliation={reconciliation}
          rules={list}
          decimalPlaces={decimalPlaces}
          from={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  );
}

/** The order of the rules, and how one of them gets another place: beside its neighbour, or where it is dragged. */
function useOrder(reconciliationId: number, list: readonly Rule[]) {
  const [dragged, setDragged] = useState<{ readonly id: number; readonly over: number | null } | null>(null);
  const reorder = useCommand('rules.reorder', (failure) => notifyFailure(say('rules.rulesTab.theOrderWasNotChanged'), failure));
  /** Gives a rule the place of another one. */
  function move(ruleId: number, to: number | undefined): void {
    const ids = list.map((rule) => rule.id);
    const place = to === undefined ? -1 : ids.indexOf(to);
    if (place < 0 || ruleId === to || reorder.isRunning) return;
    void reorder.run({ id: reconciliationId, rule_ids: ids.toSpliced(ids.indexOf(ruleId), 1).toSpliced(place, 0, ruleId) });
  }
  const dragOf = (rule: Rule): Drag => ({
    isOver: dragged !== null && dragged.over === rule.id && dragged.id !== rule.id,
    onStart: () => setDragged({ id: rule.id, over: null }),
    onOver: () => {
      if (dragged !== null && dragged.over !== rule.id) setDragged({ ...dragged, over: rule.id });
    },
    onDrop: () => {
      if (dragged !== null) move(dragged.id, rule.id);
      setDragged(null);
    },
    onEnd: () => setDragged(null),
  });
  return { move, isMoving: reorder.isRunning, dragOf };
}

interface OpenedProps {
  readonly panel: RulePanel;
  readonly rule: Rule;
  readonly rules: readonly Rule[];
  readonly reconciliation: Reconciliation;
  readonly decimalPlaces: number;
  readonly onClose: () => void;
}

/** The panel of one rule, created anew for another rule. After a run the preview is created anew as well; a back-test repeats itself. */
function Opened({ panel, rules, ...shared }: OpenedProps) {
  const { rule, reconciliation } = shared;
  const key = `${rule.id} ${JSON.stringify([rule.filters, rule.priority, rule.status])}`;
  return panel === 'preview' ? (
    <RulePreviewPanel key={`${key} ${reconciliation.last_run?.id ?? ''}`} rules={rules} {...shared} />
  ) : (
    <BacktestPanel key={key} {...shared} />
  );
}

interface HeadProps {
  readonly count: number;
  readonly run: RunControl;
  readonly onAdd: () => void;
}

/** The head of the rules: how they run, and how to add more. */
function Head({ count, run, onAdd }: HeadProps) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap" px={2}>
      <Text size="xs" c="dimmed">
        {count === 0 ? '' : say('rules.rulesTab.rulesRunFromTop')}
      </Text>
      <Group gap={6} wrap="nowrap">
        {count > 0 && <ProposeButton run={run} />}
        <WriteButton
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={onAdd}
          data-testid="add-rule"
        >
          {say('rules.rulesTab.addARule')}
        </WriteButton>
      </Group>
    </Group>
  );
}

function NoRules({ run }: { readonly run: RunControl }) {
  return (
    <Stack className="card" align="center" gap={6} p="2.5rem 1rem" data-testid="no-rules">
      <Text fw={580}>{say('rules.rulesTab.noRulesYet')}</Text>
      <Text size="sm" c="dimmed" maw={420} ta="center">
        {say('rules.rulesTab.aRuleSaysWhenTwoLines')}
      </Text>
      <ProposeButton run={run} isMain />
    </Stack>
  );
}

interface NewDefaultProps {
  readonly reconciliation: Reconciliation;
  readonly rules: readonly Rule[];
}

/** Offers the rule of evidence to a reconciliation that still matches by amount and date, and shows what would change. */
function NewDefault({ reconciliation, rules }: NewDefaultProps) {
  const { id } = reconciliation;
  const [runId, setRunId] = useState<number | null>(null);
  const rehearse = useCommand('runs.rehearse', (failure) => notifyFailure(say('rules.rulesTab.thisCouldNotBeTried'), failure));
  const take = useCommand('rules.take_preset', (failure) => notifyFailure(say('rules.rulesTab.theRulesWereNotChanged'), failure));
  const former = rules.filter(({ source, method }) => source === 'default' && method === 'conditions');
  if (former.length === 0 || rules.some(({ method }) => method === 'evidence')) return null;
  const kept = rules.filter(({ source, status, paused }) => source !== 'default' && status === 'active' && !paused);
  async function tryIt(): Promise<void> {
    const answer = await rehearse.run({ id, rules: [...kept.map(bodyOf), ...presetRules('evidence')] });
    if (answer.ok) setRunId(answer.value.id);
  }
  async function takeIt(): Promise<void> {
    const answer = await take.run({ id, preset: 'evidence' });
    if (answer.ok) notifyDone(say('rules.rulesTab.theNextRunGoesByEvidence'));
  }
  return (
    <Box className="card" px="md" py={10} flex="none" data-testid="new-default">
      <Text size="sm" fw={560}>
        {say('rules.rulesTab.matchingByEvidenceIsThere')}
      </Text>
      <Text size="sm" c="dimmed">
        {say('rules.rulesTab.itWeighsAmountsDays')}
      </Text>
      {runId !== null && <Tried id={id} runId={runId} />}
      <Group gap={6} mt={6}>
        <WriteButton
          size="compact-sm"
          variant="default"
          loading={rehearse.isRunning}
          onClick={() => void tryIt()}
          data-testid="try-new-default"
        >
          {say('rules.rulesTab.tryIt')}
        </WriteButton>
        <WriteButton size="compact-sm" loading={take.isRunning} onClick={() => void takeIt()} data-testid="take-new-default">
          {say('rules.rulesTab.takeIt')}
        </WriteButton>
      </Group>
    </Box>
  );
}

function Tried({ id, runId }: { readonly id: number; readonly runId: number }) {
  const { data: run } = useOperation('runs.get', { id, run_id: runId });
  if (run === undefined || run.status !== 'completed') {
    return (
      <Text size="sm" mt={4}>
        {run?.error_message ?? say('rules.rulesTab.trying')}
      </Text>
    );
  }
  return (
    <div data-testid="new-default-tried">
      <Text size="sm" mt={4}>
        {say('rules.rulesTab.ofWhatIsOpen', { matches: run.matches, proposedMatches: run.proposed_matches })}
      </Text>
      {Object.values(run.rule_summary).flatMap(({ evidence }) =>
        (evidence?.words ?? []).map((words) => (
          <Text key={words} size="xs" c="dimmed">
            {words}
          </Text>
        )),
      )}
    </div>
  );
}

interface ProposeButtonProps {
  readonly run: RunControl;
  /** Whether this is the first thing to do on the screen. */
  readonly isMain?: boolean;
}

/** Searches the data for rules. Its progress and its cancel button are above the tabs, as for any run. */
function ProposeButton({ run, isMain = false }: ProposeButtonProps) {
  return (
    <Tooltip label={say('rules.rulesTab.looksAtTheLines')}>
      <WriteButton
        size={isMain ? 'sm' : 'compact-sm'}
        variant={isMain ? 'filled' : 'default'}
        mt={isMain ? 'sm' : 0}
        leftSection={<IconSparkles size={14} aria-hidden />}
        onClick={run.propose}
        loading={run.isStarting}
        disabled={run.progress !== null}
        data-testid="propose-rules"
      >
        {say('rules.rulesTab.proposeRulesFromTheData')}
      </WriteButton>
    </Tooltip>
  );
}
