import {
  ActionIcon,
  Badge,
  Box,
  Button,
  Group,
  Loader,
  NumberInput,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconEye,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconSparkles,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { MaxDifferenceInput, Reconciliation, Rule } from '../../../src-shared/contract/index.ts';
import type { AgentStep } from '../../../src-shared/contract/rules/proposals.ts';
import { bodyOf } from '../../../src-shared/contract/rules/rule-bodies.ts';
import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton, WriteIcon } from '../../components/writing.tsx';
import { instantText } from '../../format/dates.ts';
import { searchLine } from '../../format/backtest-words.ts';
import type { RunControl } from '../runs/use-run.ts';
import { BacktestPanel } from './backtest-panel.tsx';
import { NewRule } from './new-rule.tsx';
import { RulePreviewPanel } from './rule-preview-panel.tsx';
import styles from './rules.module.css';
import { say } from '../../../src-shared/words/say.ts';
import { SyncWhy } from '../../components/sync-why.tsx';
import { outcomeText, ruleText, SOURCE_LABELS, SOURCE_MEANINGS } from '../../format/rule-words.ts';

type Kind = 'none' | 'minor' | 'percent';

const KINDS = [
  { value: 'none', label: say('rules.ruleCard.never') },
  { value: 'minor', label: say('rules.ruleCard.upToAnAmount') },
  { value: 'percent', label: say('rules.ruleCard.upToAPercentage') },
] as const;
/** The default of each kind of limit. */
const FIRST: Readonly<Record<Kind, MaxDifferenceInput | null>> = { none: null, minor: { minor: 50 }, percent: { percent: 1 } };

function kindOf(difference: MaxDifferenceInput | null): Kind {
  if (difference === null) return 'none';
  return 'minor' in difference ? 'minor' : 'percent';
}

/** Edits the accepted wrong links of a rule of evidence, and the difference that it may leave. Each change is stored at once and can be undone. */
function EvidenceTerms({ rule, decimalPlaces }: { readonly rule: Rule; readonly decimalPlaces: number }) {
  const update = useCommand('rules.update', (failure) => notifyFailure(say('rules.ruleCard.theRuleWasNotChanged'), failure));
  return (
    <Group gap="4px 16px" mt={6} data-testid="evidence-terms">
      <Group gap={6} wrap="nowrap">
        <Text size="xs" c="dimmed" title={say('rules.ruleCard.whatTheErrorBudgetMeans')}>
          {say('rules.ruleCard.wrongLinksAcceptedIn10000')}
        </Text>
        <Whole
          key={rule.budget}
          value={rule.budget ?? 10}
          least={1}
          most={1_000}
          label={say('rules.ruleCard.wrongLinksAcceptedIn10000')}
          onCommit={(budget) => void update.run({ id: rule.id, budget })}
        />
      </Group>
      <Difference
        key={JSON.stringify(rule.max_difference)}
        rule={rule}
        decimalPlaces={decimalPlaces}
        onChange={(terms) => void update.run({ id: rule.id, ...terms })}
      />
    </Group>
  );
}

interface DifferenceProps {
  readonly rule: Rule;
  readonly decimalPlaces: number;
  readonly onChange: (terms: Pick<Rule, 'max_difference'>) => void;
}

function Difference({ rule, decimalPlaces, onChange }: DifferenceProps) {
  const { max_difference: difference } = rule;
  const kind = kindOf(difference);
  const store = (chosen: MaxDifferenceInput | null): void => onChange({ max_difference: chosen });
  const scale = 10 ** decimalPlaces;
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="xs" c="dimmed">
        {say('rules.ruleCard.matchWhatLeavesADifference')}
      </Text>
      <Select
        size="xs"
        w={150}
        data={[...KINDS]}
        value={kind}
        onChange={(chosen) => store(FIRST[(chosen ?? 'none') as Kind])}
        allowDeselect={false}
        aria-label={say('rules.ruleCard.matchWhatLeavesADifference')}
        data-testid="difference-kind"
      />
      {difference !== null && 'minor' in difference && (
        <Whole
          value={difference.minor / scale}
          least={1 / scale}
          most={Number.MAX_SAFE_INTEGER / scale}
          decimals={decimalPlaces}
          label={say('rules.ruleCard.largestDifference')}
          onCommit={(amount) => store({ minor: Math.round(amount * scale) })}
        />
      )}
      {difference !== null && 'percent' in difference && (
        <Whole
          value={difference.percent}
          least={0.01}
          most={100}
          decimals={2}
          label={say('rules.ruleCard.largestDifferenceInPercent')}
          onCommit={(percent) => store({ percent })}
        />
      )}
    </Group>
  );
}

interface WholeProps {
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly decimals?: number;
  readonly label: string;
  readonly onCommit: (value: number) => void;
}

/** A number field that stores its value on Enter or when it loses focus. */
function Whole({ value, least, most, decimals = 0, label, onCommit }: WholeProps) {
  const [draft, setDraft] = useState<number | string>(value);
  function commit(): void {
    const typed = Number(draft);
    if (draft === '' || !Number.isFinite(typed) || typed < least || typed > most) setDraft(value);
    else if (typed !== value) onCommit(typed);
  }
  return (
    <NumberInput
      size="xs"
      w={92}
      value={draft}
      min={least}
      max={most}
      decimalScale={decimals}
      hideControls
      clampBehavior="none"
      onChange={setDraft}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') setDraft(value);
      }}
      aria-label={label}
    />
  );
}

/** The panels of a rule beside the list. */
type RulePanel = 'preview' | 'backtest';

interface RuleCardProps {
  readonly rule: Rule;
  /** Position from 1, in the order in which the rules run. */
  readonly place: number;
  readonly isLast: boolean;
  /** The panel of this rule that is open beside the list. */
  readonly opened: RulePanel | null;
  readonly isMoving: boolean;
  readonly decimalPlaces: number;
  readonly onMove: (by: -1 | 1) => void;
  readonly onOpen: (panel: RulePanel) => void;
}

/** One rule: its comparison, what happens to its matches, and its actions. */
function RuleCard({ rule, place, isLast, opened, isMoving, decimalPlaces, onMove, onOpen }: RuleCardProps) {
  const text = ruleText(rule, decimalPlaces);
  return (
    <article
      className={`card ${styles.rule}`}
      data-proposed={rule.status === 'proposed' || undefined}
      data-previewed={opened !== null || undefined}
      data-testid="rule-card"
      aria-label={say('rules.ruleCard.rule', { place, text })}
    >
      <div className={styles.place}>
        <WriteIcon
          size="sm"
          variant="subtle"
          color="gray"
          disabled={place === 1 || isMoving}
          onClick={() => onMove(-1)}
          aria-label={say('rules.ruleCard.runRuleEarlier', { place })}
        >
          <IconArrowUp size={14} aria-hidden />
        </WriteIcon>
        <Text size="sm" fw={620} className="tabular">
          {place}
        </Text>
        <WriteIcon
          size="sm"
          variant="subtle"
          color="gray"
          disabled={isLast || isMoving}
          onClick={() => onMove(1)}
          aria-label={say('rules.ruleCard.runRuleLater', { place })}
        >
          <IconArrowDown size={14} aria-hidden />
        </WriteIcon>
      </div>
      <div className={styles.ruleBody}>
        <Text fw={580} size="sm" className="wrap">
          {text}
        </Text>
        <RuleDescription rule={rule} />
        {rule.method === 'evidence' && <EvidenceTerms rule={rule} decimalPlaces={decimalPlaces} />}
        <Group gap="4px 8px" mt={4}>
          <Status rule={rule} />
          <Text size="xs" c="dimmed">
            {outcomeText(rule)}
          </Text>
        </Group>
        <SyncWhy resource="rules" id={rule.id} />
      </div>
      <Actions rule={rule} place={place} opened={opened} onOpen={onOpen} />
    </article>
  );
}

function Status({ rule }: { readonly rule: Rule }) {
  const proposed = [
    say('rules.ruleCard.proposed'),
    ...(rule.confidence === undefined ? [] : [say('rules.ruleCard.confidence', { confidence: rule.confidence })]),
    ...(rule.sample_match_rate === undefined
      ? []
      : [say('rules.ruleCard.tiedLinesOfASample', { replace: rule.sample_match_rate.replace('/', ' of ') })]),
  ].join(', ');
  return (
    <>
      {rule.status === 'proposed' ? (
        <Badge color="violet">{proposed}</Badge>
      ) : (
        <Badge color={rule.paused ? 'gray' : 'pine'}>{rule.paused ? say('rules.ruleCard.paused') : say('rules.ruleCard.active')}</Badge>
      )}
      <Tooltip label={SOURCE_MEANINGS[rule.source]}>
        <Badge color="gray" tabIndex={0} style={{ cursor: 'help' }}>
          {SOURCE_LABELS[rule.source]}
        </Badge>
      </Tooltip>
    </>
  );
}

interface ActionsProps {
  readonly rule: Rule;
  readonly place: number;
  readonly opened: RulePanel | null;
  readonly onOpen: (panel: RulePanel) => void;
}

function Actions({ rule, place, opened, onOpen }: ActionsProps) {
  const activate = useCommand('rules.activate', (failure) => notifyFailure(say('rules.ruleCard.theRuleWasNotActivated'), failure));
  const dismiss = useCommand('rules.dismiss', (failure) => notifyFailure(say('rules.ruleCard.theRuleWasNotDismissed'), failure));
  const remove = useCommand('rules.remove', (failure) => notifyFailure(say('rules.ruleCard.theRuleWasNotDeleted'), failure));
  const isBusy = activate.isRunning || dismiss.isRunning || remove.isRunning;
  async function take(): Promise<void> {
    const answer = await activate.run({ id: rule.id });
    if (answer.ok) notifyDone(say('rules.ruleCard.ruleIsActiveTheNext', { place }));
  }
  return (
    <Group gap={6} wrap="nowrap" className={styles.actions}>
      {rule.status === 'proposed' && (
        <>
          <WriteButton
            size="compact-sm"
            leftSection={<IconCheck size={14} aria-hidden />}
            loading={activate.isRunning}
            disabled={isBusy}
            onClick={() => void take()}
            data-testid="activate-rule"
          >
            {say('rules.ruleCard.activate')}
          </WriteButton>
          <Tooltip label={say('rules.ruleCard.dismissItNothingLike')}>
            <WriteButton
              size="compact-sm"
              variant="default"
              leftSection={<IconX size={14} aria-hidden />}
              loading={dismiss.isRunning}
              disabled={isBusy}
              onClick={() => void dismiss.run({ id: rule.id })}
              data-testid="dismiss-rule"
            >
              {say('rules.ruleCard.dismiss')}
            </WriteButton>
          </Tooltip>
        </>
      )}
      <PanelButton label={say('rules.ruleCard.preview')} panel="preview" Icon={IconEye} opened={opened} onOpen={onOpen} />
      <PanelButton label={say('rules.ruleCard.backTest')} panel="backtest" Icon={IconHistory} opened={opened} onOpen={onOpen} />
      {rule.status === 'active' && <PauseButton rule={rule} place={place} />}
      {rule.status === 'active' && (
        <DeleteButton place={place} isRunning={remove.isRunning} onClick={() => void remove.run({ id: rule.id })} />
      )}
    </Group>
  );
}

interface PanelButtonProps extends Pick<ActionsProps, 'opened' | 'onOpen'> {
  readonly label: string;
  readonly panel: RulePanel;
  readonly Icon: typeof IconEye;
}

function PanelButton({ label, panel, Icon, opened, onOpen }: PanelButtonProps) {
  return (
    <Button
      size="compact-sm"
      variant={opened === panel ? 'light' : 'default'}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={() => onOpen(panel)}
      aria-pressed={opened === panel}
      data-testid={`${panel}-rule`}
    >
      {label}
    </Button>
  );
}

function DeleteButton({
  place,
  isRunning,
  onClick,
}: {
  readonly place: number;
  readonly isRunning: boolean;
  readonly onClick: () => void;
}) {
  return (
    <Tooltip label={say('rules.ruleCard.deleteThisRuleItsMatchesStay')}>
      <WriteIcon
        variant="subtle"
        color="gray"
        loading={isRunning}
        onClick={onClick}
        aria-label={say('rules.ruleCard.deleteRule', { place })}
        data-testid="delete-rule"
      >
        <IconTrash size={16} aria-hidden />
      </WriteIcon>
    </Tooltip>
  );
}

/** Pauses and resumes a rule. */
function PauseButton({ rule, place }: { readonly rule: Rule; readonly place: number }) {
  const update = useCommand('rules.update', (failure) => notifyFailure(say('rules.ruleCard.theRuleWasNotChanged'), failure));
  const Icon = rule.paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Tooltip
      label={rule.paused ? (rule.paused_reason ?? say('rules.ruleCard.useThisRuleAgain')) : say('rules.ruleCard.keepThisRuleButDoNotUseIt')}
    >
      <WriteIcon
        variant="subtle"
        color="gray"
        loading={update.isRunning}
        onClick={() => void update.run({ id: rule.id, paused: !rule.paused })}
        aria-label={rule.paused ? say('rules.ruleCard.resumeRule', { place }) : say('rules.ruleCard.pauseRule', { place })}
        data-testid="pause-rule"
      >
        <Icon size={16} aria-hidden />
      </WriteIcon>
    </Tooltip>
  );
}

/** Focuses a field that the user has just opened. */
function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

/** The description of a rule. A click or Enter edits it, Escape discards the edit. */
function RuleDescription({ rule }: { readonly rule: Rule }) {
  const [draft, setDraft] = useState<string | null>(null);
  const update = useCommand('rules.update', (failure) => notifyFailure(say('rules.ruleCard.theDescriptionWasNotChanged'), failure));
  async function save(): Promise<void> {
    if (draft === null || update.isRunning) return;
    const description = draft.trim() === '' ? null : draft.trim();
    // The text stays in the field when the service refuses it.
    if (description === rule.description || (await update.run({ id: rule.id, description })).ok) setDraft(null);
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') void save();
    if (event.key === 'Escape') setDraft(null);
  }
  if (draft === null) {
    return (
      <UnstyledButton
        className="row quiet"
        onClick={() => setDraft(rule.description ?? '')}
        aria-label={say('rules.ruleCard.editTheDescription')}
      >
        <Text size="xs" c="dimmed" span>
          {rule.description ?? say('rules.ruleCard.addADescription')}
        </Text>
        <IconPencil size={12} aria-hidden />
      </UnstyledButton>
    );
  }
  return (
    <Group gap={6} wrap="nowrap">
      <TextInput
        flex={1}
        size="xs"
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={onKey}
        maxLength={2_000}
        aria-label={say('rules.ruleCard.descriptionOfTheRule')}
        ref={takeFocus}
      />
      <ActionIcon
        size="md"
        variant="default"
        loading={update.isRunning}
        onClick={() => void save()}
        aria-label={say('rules.ruleCard.saveTheDescription')}
      >
        <IconCheck size={14} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

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
  const [opened, setOpened] = useState<{ readonly id: number; readonly panel: RulePanel } | null>(null);
  const [isAdding, setAdding] = useState(false);
  const reorder = useCommand('rules.reorder', (failure) => notifyFailure(say('rules.rulesTab.theOrderWasNotChanged'), failure));
  if (rules.data === undefined) {
    return rules.error === null ? (
      <Skeleton height={160} radius="lg" />
    ) : (
      <FailurePanel title={say('rules.rulesTab.theRulesCouldNotBeRead')} failure={rules.error} onRetry={rules.refetch} />
    );
  }
  const list = rules.data;
  const shown = list.find((rule) => rule.id === opened?.id);
  function move(rule: Rule, by: -1 | 1): void {
    const ids = list.map((each) => each.id);
    const place = ids.indexOf(rule.id);
    ids.splice(place, 1);
    ids.splice(place + by, 0, rule.id);
    void reorder.run({ id, rule_ids: ids });
  }
  return (
    <div className={styles.rules}>
      <section className={styles.list} aria-label={say('rules.rulesTab.rulesInTheOrder')}>
        <Head count={list.length} run={run} onAdd={() => setAdding(true)} />
        <NewDefault reconciliation={reconciliation} rules={list} />
        <RuleSearch reconciliationId={id} />
        {list.length === 0 && <NoRules run={run} />}
        {list.map((rule, place) => (
          <RuleCard
            key={rule.id}
            rule={rule}
            place={place + 1}
            isLast={place === list.length - 1}
            opened={rule.id === opened?.id ? opened.panel : null}
            isMoving={reorder.isRunning}
            decimalPlaces={decimalPlaces}
            onMove={(by) => move(rule, by)}
            onOpen={(panel) => setOpened(rule.id === opened?.id && panel === opened.panel ? null : { id: rule.id, panel })}
          />
        ))}
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
      {isAdding && <NewRule reconciliationId={id} rules={list} decimalPlaces={decimalPlaces} onClose={() => setAdding(false)} />}
    </div>
  );
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
