import { Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCheck, IconEye, IconHistory, IconTrash, IconX } from '@tabler/icons-react';
import type { Rule } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { useUndo } from '../../components/use-undo.ts';
import { WriteButton, WriteIcon } from '../../components/writing.tsx';
import { outcomeText, ruleText, SOURCE_LABELS, SOURCE_MEANINGS } from '../../format/rule-words.ts';
import { EvidenceTerms } from './evidence-terms.tsx';
import { PauseButton } from './pause-button.tsx';
import { RuleDescription } from './rule-description.tsx';
import styles from './rules.module.css';

/** What can be shown of a rule beside the list. */
export type RulePanel = 'preview' | 'backtest';

interface RuleCardProps {
  readonly rule: Rule;
  /** From 1, in the order the rules run. */
  readonly place: number;
  readonly isLast: boolean;
  /** What is open beside the list of this rule. */
  readonly opened: RulePanel | null;
  readonly isMoving: boolean;
  readonly decimalPlaces: number;
  readonly onMove: (by: -1 | 1) => void;
  readonly onOpen: (panel: RulePanel) => void;
}

/** One rule: what it compares, what becomes of its matches, and what can be done with it. */
export function RuleCard({ rule, place, isLast, opened, isMoving, decimalPlaces, onMove, onOpen }: RuleCardProps) {
  const text = ruleText(rule, decimalPlaces);
  return (
    <article
      className={`card ${styles.rule}`}
      data-proposed={rule.status === 'proposed' || undefined}
      data-previewed={opened !== null || undefined}
      data-testid="rule-card"
      aria-label={`Rule ${place}: ${text}`}
    >
      <div className={styles.place}>
        <WriteIcon
          size="sm"
          variant="subtle"
          color="gray"
          disabled={place === 1 || isMoving}
          onClick={() => onMove(-1)}
          aria-label={`Run rule ${place} earlier`}
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
          aria-label={`Run rule ${place} later`}
        >
          <IconArrowDown size={14} aria-hidden />
        </WriteIcon>
      </div>
      <div className={styles.ruleBody}>
        <Text fw={580} size="sm" className={styles.ruleText}>
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
  const sampled = rule.sample_match_rate === undefined ? '' : `, tied ${rule.sample_match_rate.replace('/', ' of ')} lines of a sample`;
  return (
    <>
      {rule.status === 'proposed' ? (
        <Badge color="violet">{`Proposed${rule.confidence === undefined ? '' : `, ${rule.confidence} confidence`}${sampled}`}</Badge>
      ) : (
        <Badge color={rule.paused ? 'gray' : 'pine'}>{rule.paused ? 'Paused' : 'Active'}</Badge>
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
  const { remember } = useUndo();
  const activate = useCommand('rules.activate', (failure) => notifyFailure('The rule was not activated', failure));
  const dismiss = useCommand('rules.dismiss', (failure) => notifyFailure('The rule was not dismissed', failure));
  const remove = useCommand('rules.remove', (failure) => notifyFailure('The rule was not deleted', failure));
  const isBusy = activate.isRunning || dismiss.isRunning || remove.isRunning;
  async function take(): Promise<void> {
    const answer = await activate.run({ id: rule.id });
    if (answer.ok) notifyDone(`Rule ${place} is active: the next run uses it`);
  }
  async function goAway(command: typeof dismiss | typeof remove, done: string): Promise<void> {
    const answer = await command.run({ id: rule.id });
    if (answer.ok) remember({ kind: 'restore_rule', targetId: rule.id, label: `${done} rule ${place}` });
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
            Activate
          </WriteButton>
          <Tooltip label="Dismiss it; nothing like it is proposed again.">
            <WriteButton
              size="compact-sm"
              variant="default"
              leftSection={<IconX size={14} aria-hidden />}
              loading={dismiss.isRunning}
              disabled={isBusy}
              onClick={() => void goAway(dismiss, 'Dismissed')}
              data-testid="dismiss-rule"
            >
              Dismiss
            </WriteButton>
          </Tooltip>
        </>
      )}
      <PanelButton label="Preview" panel="preview" Icon={IconEye} opened={opened} onOpen={onOpen} />
      <PanelButton label="Back-test" panel="backtest" Icon={IconHistory} opened={opened} onOpen={onOpen} />
      {rule.status === 'active' && <PauseButton rule={rule} place={place} />}
      {rule.status === 'active' && (
        <DeleteButton place={place} isRunning={remove.isRunning} onClick={() => void goAway(remove, 'Deleted')} />
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
    <Tooltip label="Delete this rule; its matches stay">
      <WriteIcon
        variant="subtle"
        color="gray"
        loading={isRunning}
        onClick={onClick}
        aria-label={`Delete rule ${place}`}
        data-testid="delete-rule"
      >
        <IconTrash size={16} aria-hidden />
      </WriteIcon>
    </Tooltip>
  );
}
