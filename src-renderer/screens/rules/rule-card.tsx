import { ActionIcon, Badge, Button, Group, NumberInput, Select, Text, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconCopy,
  IconEye,
  IconGripVertical,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import type { MaxDifferenceInput, Rule } from '../../../src-shared/contract/index.ts';
import { notation } from '../../../src-shared/values/notation.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand } from '../../api/use-operation.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { WriteButton, WriteIcon } from '../../components/writing.tsx';
import { outcomeText, ruleText, SOURCE_LABELS, SOURCE_MEANINGS } from '../../format/rule-words.ts';
import styles from './rules.module.css';

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
          {say('rules.ruleCard.errorBudget')}
        </Text>
        <Whole
          key={rule.budget}
          value={rule.budget ?? 10}
          least={1}
          most={1_000}
          label={say('rules.ruleCard.errorBudget')}
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
      decimalSeparator={notation().decimal}
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
export type RulePanel = 'preview' | 'backtest';

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
  readonly onEdit: (isCopy: boolean) => void;
  readonly drag: Drag;
}

/** A rule on its way to another place: taken at its handle, and let go over the rule whose place it takes. */
export interface Drag {
  readonly isOver: boolean;
  readonly onStart: () => void;
  readonly onOver: () => void;
  readonly onDrop: () => void;
  readonly onEnd: () => void;
}

const focusRule = (card: HTMLElement | undefined): void => card?.querySelector<HTMLElement>('[data-testid="rule-handle"]')?.focus();

/** Presses the button of a card that does what a key stands for. */
const pressOf = (card: HTMLElement, testId: string): void => card.querySelector<HTMLElement>(`[data-testid="${testId}"]`)?.click();

/** Arrows move between rules, with Alt the rule itself; Space pauses it, E edits, D copies, Delete deletes. */
function onRuleKey(event: KeyboardEvent<HTMLElement>, { onMove, onEdit }: Pick<RuleCardProps, 'onMove' | 'onEdit'>): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-testid="rule-card"]')];
  const at = cards.findIndex((each) => each.contains(event.currentTarget));
  const card = cards[at];
  const { key, altKey } = event;
  if (card === undefined || event.ctrlKey || event.metaKey) return;
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    if (altKey) onMove(key === 'ArrowUp' ? -1 : 1);
    else focusRule(cards[key === 'ArrowUp' ? at - 1 : at + 1]);
  } else if (key === ' ') pressOf(card, 'pause-rule');
  else if (key === 'Delete') pressOf(card, 'delete-rule');
  else if (key === 'e' || key === 'Enter') onEdit(false);
  else if (key === 'd') onEdit(true);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** One rule: its comparison, what happens to its matches, and its actions. */
export function RuleCard({ rule, place, isLast, opened, isMoving, decimalPlaces, onMove, onOpen, onEdit, drag }: RuleCardProps) {
  const text = ruleText(rule, decimalPlaces);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- what is dragged is let go over it; keys have the handle
    <article
      className={`card ${styles.rule}`}
      data-proposed={rule.status === 'proposed' || undefined}
      data-previewed={opened !== null || undefined}
      data-over={drag.isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        drag.onOver();
      }}
      onDrop={(event) => {
        event.preventDefault();
        drag.onDrop();
      }}
      data-testid="rule-card"
      aria-label={say('rules.ruleCard.rule', { place, text })}
    >
      <Order place={place} isLast={isLast} isMoving={isMoving} onMove={onMove} onEdit={onEdit} drag={drag} />
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
      <Actions rule={rule} place={place} opened={opened} onOpen={onOpen} onEdit={onEdit} />
    </article>
  );
}

type OrderProps = Pick<RuleCardProps, 'place' | 'isLast' | 'isMoving' | 'onMove' | 'onEdit' | 'drag'>;

/** The place of a rule: its handle takes the keys, and is dragged. */
function Order({ place, isLast, isMoving, onMove, onEdit, drag }: OrderProps) {
  return (
    <>
      <UnstyledButton
        className={styles.handle}
        draggable
        aria-label={say('rules.ruleCard.placeOfRule', { place })}
        title={say('rules.ruleCard.keys')}
        onKeyDown={(event) => onRuleKey(event, { onMove, onEdit })}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move';
          drag.onStart();
        }}
        onDragEnd={drag.onEnd}
        data-testid="rule-handle"
      >
        <IconGripVertical size={16} aria-hidden />
      </UnstyledButton>
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
    </>
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
  readonly onEdit: (isCopy: boolean) => void;
}

function Actions({ rule, place, opened, onOpen, onEdit }: ActionsProps) {
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
      {(['edit', 'copy'] as const).map((action) => {
        const label = say(action === 'edit' ? 'rules.ruleCard.editRule' : 'rules.ruleCard.copyRule', { place });
        const Icon = action === 'edit' ? IconPencil : IconCopy;
        return (
          <WriteIcon
            key={action}
            variant="subtle"
            color="gray"
            onClick={() => onEdit(action === 'copy')}
            aria-label={label}
            title={label}
            data-testid={`${action}-rule`}
          >
            <Icon size={16} aria-hidden />
          </WriteIcon>
        );
      })}
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
