import { Box, Button, CloseButton, Group, Loader, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure, Reconciliation, Rule, RuleBacktest, Verdict } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { say } from '../../../src-shared/words/say.ts';
import { type Connection, useConnection } from '../../api/use-operation.ts';
import { CertaintyBadge } from '../../components/badges.tsx';
import { dayTyped } from '../../format/dates.ts';
import { DateField } from '../../components/date-field.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { useNow } from '../../components/use-now.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { countTexts, intervalText, leftOutTexts, shareText, VERDICT_SIDES, VERDICT_TITLES } from '../../format/backtest-words.ts';
import { countText } from '../../format/counts.ts';
import { ruleText } from '../../format/rule-words.ts';
import { SampleCard } from './rule-preview-panel.tsx';
import styles from './rules.module.css';

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
        <Stack className="fill scrolls" gap="md" data-testid="backtest-result">
          <BacktestFigures found={state.value} />
          <ByCertainty found={state.value} />
          <Examples found={state.value} reconciliation={reconciliation} />
        </Stack>
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
  const nowMs = useNow();
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
        const dayIn = (name: string): string => dayTyped(String(typed.get(name) ?? ''), nowMs) ?? '';
        const [first, last] = [dayIn('from'), dayIn('to')];
        if (!(first !== '' && last !== '' && last < first)) onAsk(first, last);
      }}
    >
      <DateField
        label={say('rules.backtestPanel.from')}
        name="from"
        size="xs"
        value={from}
        onChange={setFrom}
        data-testid="backtest-from"
      />
      <DateField
        label={say('rules.backtestPanel.to')}
        name="to"
        size="xs"
        value={to}
        error={isBackwards ? say('rules.backtestPanel.beforeTheFirstDay') : null}
        onChange={setTo}
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
const MARK_COLOURS = { for: 'var(--accent-text)', against: 'var(--open-text)', neither: 'dimmed' } as const;

function Examples({ found, reconciliation }: { readonly found: RuleBacktest; readonly reconciliation: Reconciliation }) {
  const groups = Map.groupBy(found.examples, (example): Verdict => example.verdict);
  // Matches that contradict the rule come first.
  const ordered = [...groups].toSorted(
    ([left], [right]) => SIDES_IN_ORDER.indexOf(VERDICT_SIDES[left]) - SIDES_IN_ORDER.indexOf(VERDICT_SIDES[right]),
  );
  return ordered.map(([verdict, examples]) => (
    <Stack component="section" gap="xs" key={verdict} aria-label={VERDICT_TITLES[verdict]} data-testid="backtest-examples">
      <Text size="sm" fw={560}>
        <Box component="span" c={MARK_COLOURS[VERDICT_SIDES[verdict]]} pr="xs" aria-hidden>
          {MARKS[VERDICT_SIDES[verdict]]}
        </Box>
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

type BacktestState =
  | { readonly kind: 'idle' | 'running' | 'stopped' }
  | { readonly kind: 'done'; readonly value: RuleBacktest }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface Backtest {
  readonly state: BacktestState;
  /** Starts a back-test and stops the previous one. */
  readonly start: (ask: (client: Connection['client']) => Promise<Outcome<RuleBacktest>>) => void;
  readonly stop: () => void;
}

/** Runs a back-test, which is stopped when the component unmounts. */
export function useBacktest(reconciliationId: number): Backtest {
  const { client } = useConnection();
  const [state, setState] = useState<BacktestState>({ kind: 'idle' });
  /** The number of the latest question, and of the one that the component waits for; 0 for none. */
  const waited = useRef({ asked: 0, current: 0 });
  /** Resolves when earlier stops are done, so that no stop can reach a later question. */
  const stopping = useRef<Promise<unknown>>(Promise.resolve());
  const cancel = useCallback(async () => {
    waited.current.asked += 1;
    if (waited.current.current !== 0) {
      waited.current.current = 0;
      stopping.current = client.call('rules.cancel_backtests', { id: reconciliationId });
    }
    await stopping.current;
  }, [client, reconciliationId]);
  useEffect(() => () => void cancel(), [cancel]);
  const start: Backtest['start'] = useCallback(
    (ask) => {
      const run = async (): Promise<void> => {
        const stopped = cancel();
        const question = waited.current.asked;
        await stopped;
        // Another question or a stop came in the meantime.
        if (waited.current.asked !== question) return;
        waited.current.current = question;
        setState({ kind: 'running' });
        const answer = await ask(client);
        if (waited.current.current !== question) return;
        waited.current.current = 0;
        setState(answer.ok ? { kind: 'done', value: answer.value } : { kind: 'failed', failure: answer.error });
      };
      void run();
    },
    [cancel, client],
  );
  const stop = useCallback(() => {
    setState({ kind: 'stopped' });
    void cancel();
  }, [cancel]);
  return { state, start, stop };
}

type ShownShare = NonNullable<RuleBacktest['precision']>;

/** The accuracy of a rule: precision and recall, and the outcomes of its matches. */
export function BacktestFigures({ found }: { readonly found: RuleBacktest }) {
  const { precision, recall, matches, records_a: a, records_b: b } = found;
  const leftOut = leftOutTexts(found);
  return (
    <Stack gap="sm" data-testid="backtest-figures">
      {precision === null ? (
        <Text size="sm" data-testid="backtest-unjudged">
          {found.summary}
        </Text>
      ) : (
        <ShareOf name="Precision" meaning={say('rules.backtestFigures.ofItsMatchesThatPeopleJudged')} share={precision} />
      )}
      {recall !== null && <ShareOf name="Recall" meaning={say('rules.backtestFigures.ofPeopleSMatches')} share={recall} />}
      <Stack gap={2}>
        <Text size="sm" fw={560}>
          {say('rules.backtestFigures.matchesOfLinesOfSide', { matches, a, b: countText(b) })}
        </Text>
        <Box component="ul" m={0} pl={18}>
          {countTexts(found).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </Box>
        {leftOut.map((text) => (
          <Text key={text} size="xs" c="dimmed">
            {text}
          </Text>
        ))}
      </Stack>
    </Stack>
  );
}

interface ShareOfProps {
  readonly name: string;
  readonly meaning: string;
  readonly share: ShownShare;
}

/** A share with its interval, as text and as a bar from 0 to 100 %. */
function ShareOf({ name, meaning, share }: ShareOfProps) {
  const { count, of, value, low, high } = share;
  const at = (part: number): string => `${part * 100}%`;
  return (
    <Stack gap={3}>
      <Group justify="space-between" wrap="nowrap" align="baseline" gap="xs">
        <Text className="tabular" fz="lg" fw={580}>
          {name} {shareText(value)}
        </Text>
        <Text size="xs" c="dimmed" className="tabular">
          {say('rules.backtestFigures.of', { count: countText(count), of: countText(of) })}
        </Text>
      </Group>
      <Box pos="relative" h="0.625rem" bdrs="0.3125rem" bg="var(--line)" aria-hidden>
        <div className={styles.interval} style={{ left: at(low), width: at(high - low) }} />
        <div className={styles.value} style={{ left: at(value) }} />
      </Box>
      <Text size="xs" c="dimmed">
        {say('rules.backtestFigures.confidenceInterval', { interval: intervalText(share), meaning })}
      </Text>
    </Stack>
  );
}

/** The accuracy by certainty, including matches that would wait for a person. */
function ByCertainty({ found }: { readonly found: RuleBacktest }) {
  const rows = found.by_certainty.filter(({ matches }) => matches > 0);
  if (rows.length === 0) return null;
  return (
    <Stack gap={2}>
      <Text size="sm" fw={560}>
        {say('rules.backtestFigures.byCertainty')}
      </Text>
      <FigureTable
        columns={[
          { head: say('rules.backtestFigures.certainty') },
          { head: say('rules.backtestFigures.agree'), isFigure: true },
          { head: say('rules.backtestFigures.contradict'), isFigure: true },
          { head: say('rules.backtestFigures.unjudged'), isFigure: true },
          { head: say('rules.backtestFigures.wouldWait'), isFigure: true },
        ]}
        isWrapping
        isFitted
        className="flush"
      >
        <tbody>
          {rows.map((row) => (
            <tr key={row.certainty}>
              <th scope="row">
                <CertaintyBadge certainty={row.certainty} />
              </th>
              {[row.agreements, row.contradictions, row.unjudged + row.partial_agreements, row.waiting].map((count, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- columns stay where they are
                <td key={column} className="amount">
                  {countText(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </Stack>
  );
}
