import { Alert, Box, CloseButton, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { Failure, Reconciliation, Rule, RuleBody, RulePreview, SampleMatch } from '../../../src-shared/contract/index.ts';
import { bodyOf } from '../../../src-shared/contract/rules/rule-bodies.ts';
import { useConnection, useAnswer } from '../../api/use-operation.ts';
import { CertaintyBadge } from '../../components/badges.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { useSettled } from '../../components/use-settled.ts';
import { countOf, countText } from '../../format/counts.ts';
import { conditionAt, fieldText, ruleText } from '../../format/rule-words.ts';
import { SideRecords } from '../matches/group-detail.tsx';
import styles from './rules.module.css';
import { say } from '../../../src-shared/words/say.ts';

const SAMPLE = 30;
/** Beside a form, where it is computed anew with each change. */
const LIVE_SAMPLE = 5;

interface RulePreviewPanelProps {
  readonly rule: Rule;
  readonly rules: readonly Rule[];
  readonly reconciliation: Reconciliation;
  readonly decimalPlaces: number;
  readonly onClose: () => void;
}

/** The effect of a rule in a run that started now. It is computed once each time the panel opens. */
export function RulePreviewPanel({ rule, rules, reconciliation, decimalPlaces, onClose }: RulePreviewPanelProps) {
  const { data: value, error: failure } = useAnswer('rules.preview', {
    ...bodyOf(rule),
    reconciliation_id: reconciliation.id,
    replaces: rule.id,
    sample: SAMPLE,
  });
  return (
    <aside className={`card ${styles.preview}`} aria-label={say('rules.rulePreviewPanel.previewOfARule')} data-testid="rule-preview">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={0}>
          <Text size="sm" fw={620}>
            {say('rules.rulePreviewPanel.ifARunStarted')}
          </Text>
          <Text size="xs" c="dimmed">
            {ruleText(rule, decimalPlaces)}
          </Text>
        </Stack>
        <CloseButton onClick={onClose} aria-label={say('rules.rulePreviewPanel.closeThePreview')} />
      </Group>
      {failure !== null && <FailurePanel title={say('rules.rulePreviewPanel.thereIsNoPreview')} failure={failure} />}
      {value === undefined && failure === null && (
        <Group gap="xs" aria-live="polite">
          <Loader size="xs" />
          <Text size="sm" c="dimmed">
            {say('rules.rulePreviewPanel.workingOutWhatThisRuleWouldMatch')}
          </Text>
        </Group>
      )}
      {value !== undefined && (
        <Stack className="fill scrolls" gap="md" data-testid="rule-preview-result">
          <PreviewFigures preview={value} />
          <OutsideWindow count={value.outside_window} />
          <PreviewTaken preview={value} rules={rules} decimalPlaces={decimalPlaces} />
          <Incomparable preview={value} rule={rule} />
          <Sample preview={value} reconciliation={reconciliation} />
          <PlanInWords plan={value.plan} />
        </Stack>
      )}
    </aside>
  );
}

/** The number of matches that a rule would make. */
function PreviewFigures({ preview }: { readonly preview: RulePreview }) {
  const { matches, proposed, matched_a: a, matched_b: b, contested } = preview;
  if (matches === 0) {
    return (
      <Text size="sm" c="dimmed">
        {say('rules.rulePreviewPanel.itWouldMatchNothing')}
      </Text>
    );
  }
  const waiting = [
    ...(proposed === 0 ? [] : [say('rules.rulePreviewPanel.someWouldWaitForYou', { proposed: countText(proposed) })]),
    ...(contested === 0 ? [] : [say('rules.rulePreviewPanel.areContested', { contested: countText(contested), contested2: contested })]),
  ];
  return (
    <Stack gap={2}>
      <Text className="tabular" fz="xl" fw={580}>
        {countOf(matches, 'count.matches')}
      </Text>
      <Text size="sm" c="dimmed">
        {say('rules.rulePreviewPanel.linesOfSideAOfSide', { a, b: countText(b) })}
        {waiting.length === 0 ? '' : `. ${waiting.join(', ')}`}.
      </Text>
    </Stack>
  );
}

function OutsideWindow({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return <Text size="sm">{say('rules.rulePreviewPanel.outsideTheTimeWindow', { count })}</Text>;
}

interface PreviewTakenProps {
  readonly preview: RulePreview;
  /** In the order in which they run. */
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
}

/** The matches that a rule would take from the rules after it. */
function PreviewTaken({ preview, rules, decimalPlaces }: PreviewTakenProps) {
  if (preview.taken_from.length === 0) return null;
  return (
    <Stack gap={2}>
      <Text size="sm" fw={560}>
        {say('rules.rulePreviewPanel.laterRulesWouldMatch')}
      </Text>
      <Box component="ul" m={0} pl={18}>
        {preview.taken_from.map(({ rule_id: id, matches }) => {
          const place = rules.findIndex((each) => each.id === id);
          const rule = rules[place];
          const name =
            rule === undefined ? `a rule` : say('rules.rulePreviewPanel.rule', { place: place + 1, rule: ruleText(rule, decimalPlaces) });
          return <li key={id}>{say('rules.rulePreviewPanel.matchesFewerBy', { matches, name })}</li>;
        })}
      </Box>
    </Stack>
  );
}

function Incomparable({ preview, rule }: { readonly preview: RulePreview; readonly rule: Rule }) {
  if (preview.incomparable.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={say('rules.rulePreviewPanel.someValuesCannotBeCompared')}
      p="sm"
    >
      <Box component="ul" m={0} pl={18}>
        {preview.incomparable.map(({ path, count, examples }) => {
          const at = conditionAt(rule.filters, path);
          const field =
            at === null ? path : say('rules.rulePreviewPanel.onSide', { field: fieldText(at.field), side: at.side.toUpperCase() });
          const shown = examples.map(({ value }) => `“${value}”`).join(', ');
          return (
            <li key={path}>
              {say('rules.rulePreviewPanel.valuesOf', { values: count, field, shown, part: count > examples.length ? ' …' : '' })}
            </li>
          );
        })}
      </Box>
    </Alert>
  );
}

function Sample({ preview, reconciliation }: { readonly preview: RulePreview; readonly reconciliation: Reconciliation }) {
  const { sample, matches } = preview;
  if (sample.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={560}>
        {sample.length === matches
          ? say('rules.rulePreviewPanel.whatItWouldMatch')
          : say('rules.rulePreviewPanel.ofThemFromAllOver', { sample: countText(sample.length) })}
      </Text>
      {sample.map((match) => (
        <SampleCard
          key={`${match.side_a_record_ids.join()} ${match.side_b_record_ids.join()}`}
          match={match}
          reconciliation={reconciliation}
        />
      ))}
    </Stack>
  );
}

/** The number of lines of a side in a sample. A group of hundreds would hide the matches below it. */
const SHOWN_LINES = 5;

/** A match that a rule would make, with its explanation and its lines. */
export function SampleCard({ match, reconciliation }: { readonly match: SampleMatch; readonly reconciliation: Reconciliation }) {
  const shown = (['a', 'b'] as const).map((side) => ({
    side,
    records: match.records.filter((record) => record.side === side).slice(0, SHOWN_LINES),
  }));
  const more = match.record_count - shown.reduce((sum, { records }) => sum + records.length, 0);
  return (
    <Stack className="framed" gap="xs" py={10} px="md" data-testid="sample-match">
      <Group justify="space-between" wrap="nowrap">
        <CertaintyBadge certainty={match.certainty} />
        <Text size="xs" c="dimmed">
          {match.status === 'proposed' ? say('rules.rulePreviewPanel.wouldWaitForYou') : say('rules.rulePreviewPanel.wouldBeMatched')}
        </Text>
      </Group>
      <Box component="ul" m={0} pl={18}>
        {match.explanation.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </Box>
      {shown.map(({ side, records }) => (
        <SideRecords key={side} side={side} reconciliation={reconciliation} records={records} adjustmentId={null} />
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          {say('rules.rulePreviewPanel.andMoreLines', { more })}
        </Text>
      )}
    </Stack>
  );
}

function PlanInWords({ plan }: { readonly plan: readonly string[] }) {
  return (
    <details className={styles.plan}>
      <summary>{say('rules.rulePreviewPanel.howItLooksForThem')}</summary>
      {plan.join('\n')}
    </details>
  );
}

type Looked = { readonly value: RulePreview } | { readonly failure: Failure };

/** Looks at what the rule would match, whenever it has not changed for a moment. Null while there is no answer to it as it is now. */
function usePreview(reconciliationId: number, body: string, edited: Rule | null, onRefused: (failure: Failure) => void): Looked | null {
  const { client } = useConnection();
  const [found, setFound] = useState<{ readonly of: string; readonly looked: Looked } | null>(null);
  const settled = useSettled(body);
  const replaces = edited?.id;
  const onAnswer = useEffectEvent(onRefused);
  useEffect(() => {
    const rule = JSON.parse(settled) as RuleBody | null;
    if (rule === null) return undefined;
    let isCurrent = true;
    const asked = { reconciliation_id: reconciliationId, ...rule, ...(replaces === undefined ? {} : { replaces }), sample: LIVE_SAMPLE };
    void client.call('rules.preview', asked).then((answer) => {
      if (!isCurrent) return null;
      if (!answer.ok) onAnswer(answer.error);
      setFound({ of: settled, looked: answer.ok ? { value: answer.value } : { failure: answer.error } });
      return null;
    });
    return () => {
      isCurrent = false;
    };
  }, [client, reconciliationId, settled, replaces]);
  return found?.of === body ? found.looked : null;
}

interface LivePreviewProps {
  readonly reconciliation: Reconciliation;
  /** The rule as JSON, `null` while it is not complete. */
  readonly body: string;
  /** The rule in whose place it would stand. */
  readonly edited: Rule | null;
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
  readonly onRefused: (failure: Failure) => void;
  readonly children: ReactNode;
}

/** What the rule of a form would match if it ran now, as it is written. */
export function LivePreview({ reconciliation, body, edited, rules, decimalPlaces, onRefused, children }: LivePreviewProps) {
  const preview = usePreview(reconciliation.id, body, edited, onRefused);
  return (
    <Stack
      className="scrolls"
      gap="xs"
      miw={0}
      mah="64vh"
      component="section"
      tabIndex={0}
      aria-label={say('rules.newRule.ifItRanNow')}
      aria-live="polite"
      data-testid="new-rule-preview"
    >
      <Text fw={580} size="sm">
        {say('rules.newRule.ifItRanNow')}
      </Text>
      {preview === null ? (
        <Text size="sm" c="dimmed">
          {say(body === 'null' ? 'rules.newRule.notCompleteYet' : 'rules.newRule.looking')}
        </Text>
      ) : 'failure' in preview ? (
        <Text size="sm" c="dimmed">
          {preview.failure.message}
        </Text>
      ) : (
        <>
          <PreviewFigures preview={preview.value} />
          <PreviewTaken preview={preview.value} rules={rules} decimalPlaces={decimalPlaces} />
          <Sample preview={preview.value} reconciliation={reconciliation} />
        </>
      )}
      {children}
    </Stack>
  );
}
