import { Button, CloseButton, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Reconciliation, Rule, RuleBacktest, Verdict } from '../../../src-shared/contract/index.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { VERDICT_SIDES, VERDICT_TITLES } from '../../format/backtest-words.ts';
import { ruleText } from '../../format/rule-words.ts';
import { SampleCard } from './rule-preview-panel.tsx';
import styles from './rules.module.css';
import { BacktestFigures, ByCertainty } from './backtest-figures.tsx';
import { useBacktest } from './use-backtest.ts';
import { say } from '../../../src-shared/words/say.ts';

const EXAMPLES = 5;

interface BacktestPanelProps {
  readonly rule: Rule;
  readonly reconciliation: Reconciliation;
  readonly decimalPlaces: number;
  readonly onClose: () => void;
}

/**
 * Compares what a rule alone would have matched with what people decided. The back-test starts when the panel opens, for another period, and again
 * for the same period when a run has ended.
 */
export function BacktestPanel({ rule, reconciliation, decimalPlaces, onClose }: BacktestPanelProps) {
  const { state, start, stop } = useBacktest(reconciliation.id);
  const { id } = rule;
  const lastRun = reconciliation.last_run?.id;
  const asked = useRef({ from: '', to: '' });
  const ask = useCallback(
    (from: string, to: string) => {
      asked.current = { from, to };
      const period = { ...(from === '' ? {} : { date_from: from }), ...(to === '' ? {} : { date_to: to }) };
      start((client) => client.call('rules.backtest', { id, examples: EXAMPLES, ...period }));
    },
    [start, id],
  );
  // An automatic run may end while the user types a period, so the form keeps its contents.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- an ended run repeats the question, which does not name it
  useEffect(() => ask(asked.current.from, asked.current.to), [ask, lastRun]);
  useShortcuts({ Escape: onClose });
  return (
    <aside className={`card ${styles.preview}`} aria-label={say('rules.backtestPanel.backTestOfARule')} data-testid="backtest">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={0}>
          <Text size="sm" fw={620}>
            {say('rules.backtestPanel.ifThisRuleHadMatchedEverything')}
          </Text>
          <Text size="xs" c="dimmed">
            {ruleText(rule, decimalPlaces)}
          </Text>
        </Stack>
        <CloseButton onClick={onClose} aria-label={say('rules.backtestPanel.closeTheBackTest')} />
      </Group>
      <Period onAsk={ask} />
      {state.kind === 'running' && <Running onStop={stop} />}
      {state.kind === 'stopped' && (
        <Text size="sm" c="dimmed" aria-live="polite">
          {say('rules.backtestPanel.stoppedNothingWasChanged')}
        </Text>
      )}
      {state.kind === 'failed' && <FailurePanel title={say('rules.backtestPanel.thereIsNoBack')} failure={state.failure} />}
      {state.kind === 'done' && (
        <div className={styles.previewBody} data-testid="backtest-result">
          <BacktestFigures found={state.value} />
          <ByCertainty found={state.value} />
          <Examples found={state.value} reconciliation={reconciliation} />
        </div>
      )}
    </aside>
  );
}

/** Says that a back-test is running and offers to stop it. */
export function Running({ onStop }: { readonly onStop: () => void }) {
  return (
    <Group gap="xs" justify="space-between" wrap="nowrap" aria-live="polite">
      <Group gap="xs" wrap="nowrap">
        <Loader size="xs" />
        <Text size="sm" c="dimmed">
          {say('rules.backtestPanel.workingOutWhatThisRule')}
        </Text>
      </Group>
      <Button size="compact-sm" variant="default" onClick={onStop} data-testid="backtest-cancel">
        {say('rules.backtestPanel.stop')}
      </Button>
    </Group>
  );
}

interface PeriodProps {
  readonly onAsk: (from: string, to: string) => void;
}

/** The days of the back-test; empty for all. */
function Period({ onAsk }: PeriodProps) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const isBackwards = from !== '' && to !== '' && to < from;
  return (
    <form
      className={styles.period}
      onSubmit={(event) => {
        event.preventDefault();
        // The form has the latest input, which React may not have rendered yet.
        const typed = new FormData(event.currentTarget);
        const [first, last] = [String(typed.get('from') ?? ''), String(typed.get('to') ?? '')];
        if (!(first !== '' && last !== '' && last < first)) onAsk(first, last);
      }}
    >
      <TextInput
        label={say('rules.backtestPanel.from')}
        name="from"
        type="date"
        size="xs"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        data-testid="backtest-from"
      />
      <TextInput
        label={say('rules.backtestPanel.to')}
        name="to"
        type="date"
        size="xs"
        value={to}
        error={isBackwards ? say('rules.backtestPanel.beforeTheFirstDay') : null}
        onChange={(event) => setTo(event.currentTarget.value)}
        data-testid="backtest-to"
      />
      <Button
        type="submit"
        size="xs"
        variant="default"
        leftSection={<IconHistory size={14} aria-hidden />}
        disabled={isBackwards}
        data-testid="backtest-again"
      >
        {say('rules.backtestPanel.backTest')}
      </Button>
    </form>
  );
}

const SIDES_IN_ORDER = ['against', 'for', 'neither'] as const;
const MARKS = { for: '✓', against: '✕', neither: '·' } as const;

function Examples({ found, reconciliation }: { readonly found: RuleBacktest; readonly reconciliation: Reconciliation }) {
  const groups = Map.groupBy(found.examples, (example): Verdict => example.verdict);
  // Matches that contradict the rule come first.
  const ordered = [...groups].toSorted(
    ([left], [right]) => SIDES_IN_ORDER.indexOf(VERDICT_SIDES[left]) - SIDES_IN_ORDER.indexOf(VERDICT_SIDES[right]),
  );
  return ordered.map(([verdict, examples]) => (
    <Stack component="section" gap="xs" key={verdict} aria-label={VERDICT_TITLES[verdict]} data-testid="backtest-examples">
      <Text size="sm" fw={560}>
        <span className={styles.mark} data-side={VERDICT_SIDES[verdict]} aria-hidden>
          {MARKS[VERDICT_SIDES[verdict]]}
        </span>
        {VERDICT_TITLES[verdict]}
      </Text>
      {examples.map((match) => (
        <SampleCard
          key={`${match.side_a_record_ids.join()} ${match.side_b_record_ids.join()}`}
          match={match}
          reconciliation={reconciliation}
        />
      ))}
    </Stack>
  ));
}
