import { Badge, Box, Button, Flex, Group, Loader, NativeSelect, Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconLink, IconSum } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Failure, Line, Output, Reconciliation, SumSuggestion } from '../../../src-shared/contract/index.ts';
import { SUGGESTION_LIMITS } from '../../../src-shared/contract/matches/sum-suggestions.ts';
import { useAnswer, useCommand, useOperation } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure, notifyIdle } from '../../components/notify.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { differencesOf, moneyText, signedOf, sumsOf } from '../../format/money.ts';
import { sideNames } from '../../format/side-names.ts';
import { limitTexts, missingText, nothingText, suggestionTitle, unbalancedOf } from '../../format/unbalanced.ts';
import type { DifferenceAnswer } from '../../state/decisions.ts';
import { selection } from '../../state/selection.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { DifferenceDialog } from './difference-dialog.tsx';
import { focusLines, type LineActions } from './line-grid.tsx';
import sumsStyles from './sums.module.css';
import { say } from '../../../src-shared/words/say.ts';

const DAYS = [3, 7, 14, SUGGESTION_LIMITS.defaultDays, 90, SUGGESTION_LIMITS.days];

interface SumsPanelProps {
  readonly reconciliationId: number;
  readonly recordIds: readonly number[];
  readonly onPick: (suggestion: SumSuggestion) => void;
}

/** Combinations of open lines that make the difference 0. The user picks one. */
function SumsPanel({ reconciliationId, recordIds, onPick }: SumsPanelProps) {
  const [days, setDays] = useState<number>(SUGGESTION_LIMITS.defaultDays);
  return (
    <Stack gap="sm" data-testid="sums-panel">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={580} size="sm">
          {say('matches.matchBar.findWhatAddsUp')}
        </Text>
        <NativeSelect
          size="xs"
          aria-label={say('matches.matchBar.howManyDaysBefore')}
          data={DAYS.map((count) => ({ value: String(count), label: say('matches.matchBar.withinDays', { days: count }) }))}
          value={String(days)}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
          data-testid="sums-days"
        />
      </Group>
      {/* The key creates a new component for each question, so that no old answer is shown. */}
      <Answered key={days} reconciliationId={reconciliationId} recordIds={recordIds} days={days} onPick={onPick} />
    </Stack>
  );
}

function Answered({ reconciliationId, recordIds, days, onPick }: SumsPanelProps & { readonly days: number }) {
  const { data: value, error: failure } = useAnswer('matches.suggest_sums', {
    reconciliation_id: reconciliationId,
    record_ids: [...recordIds],
    days,
  });
  if (failure !== null) return <FailurePanel title={say('matches.matchBar.nothingCouldBeLooked')} failure={failure} />;
  if (value === undefined) {
    return (
      <Group gap="xs" aria-live="polite">
        <Loader size="xs" aria-hidden />
        <Text size="sm" c="dimmed">
          {say('matches.matchBar.lookingThroughTheOpen')}
        </Text>
      </Group>
    );
  }
  const limits = limitTexts(value);
  return (
    <>
      {value.suggestions.length === 0 ? (
        <Text size="sm" data-testid="sums-nothing" aria-live="polite">
          {nothingText(value, days)}
        </Text>
      ) : (
        <Suggestions answer={value} onPick={onPick} />
      )}
      {limits.map((text) => (
        <Text key={text} size="xs" c="dimmed">
          {text}
        </Text>
      ))}
    </>
  );
}

interface SuggestionsProps {
  readonly answer: Output<'matches.suggest_sums'>;
  readonly onPick: (suggestion: SumSuggestion) => void;
}

function Suggestions({ answer, onPick }: SuggestionsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector('button')?.focus(), []);
  function move(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
  }
  return (
    <>
      <Text size="xs" c="dimmed" aria-live="polite">
        {say('matches.matchBar.eachOfTheseMakes', { suggestions: answer.suggestions.length, missing: missingText(answer) })}
      </Text>
      <ul ref={list} className={`plain scrolls ${sumsStyles.suggestions}`}>
        {answer.suggestions.map((suggestion) => (
          <li key={suggestion.records.map((line) => line.id).join()}>
            <Suggestion suggestion={suggestion} answer={answer} onKeyDown={move} onPick={() => onPick(suggestion)} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface SuggestionProps {
  readonly suggestion: SumSuggestion;
  readonly answer: Output<'matches.suggest_sums'>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPick: () => void;
}

function Suggestion({ suggestion, answer, onKeyDown, onPick }: SuggestionProps) {
  return (
    <UnstyledButton className={sumsStyles.suggestion} onClick={onPick} onKeyDown={onKeyDown} data-testid="sums-suggestion">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={560} className="tabular">
          {suggestionTitle(suggestion, answer)}
        </Text>
        {suggestion.is_only && (
          <Badge color="pine" leftSection={<IconCheck size={12} aria-hidden />}>
            {say('matches.matchBar.theOnlyOne')}
          </Badge>
        )}
      </Group>
      <Flex component="span" gap={2} mt={4} fz="xs" direction="column">
        {suggestion.records.map((line) => (
          <span key={line.id} className={sumsStyles.line}>
            <Day iso={line.date} />
            <span className="truncate" title={line.description ?? ''}>
              {line.description ?? line.external_id ?? ''}
            </span>
            <Amount minor={signedOf(line)} decimalPlaces={line.decimal_places} />
          </span>
        ))}
      </Flex>
    </UnstyledButton>
  );
}

/** Props of a panel of the match bar: above its button, with the focus inside while it is open. */
const ABOVE_THE_BAR = {
  position: 'top-end',
  trapFocus: true,
  returnFocus: true,
  withArrow: true,
  shadow: 'md',
  radius: 'lg',
} as const;

interface SumsButtonProps {
  readonly reconciliationId: number;
  readonly isOpen: boolean;
  readonly onOpen: (open: boolean) => void;
}

const NAME = say('matches.matchBar.findWhatAddsUp');

/** Finds the open lines that make up the missing amount. Picking them does not make the match yet. */
function SumsButton({ reconciliationId, isOpen, onOpen }: SumsButtonProps) {
  const { a, b } = useStore(selection);
  return (
    <Popover {...ABOVE_THE_BAR} opened={isOpen} onChange={onOpen} onDismiss={() => onOpen(false)} width={520}>
      <Popover.Target>
        <Button
          size="sm"
          variant="default"
          leftSection={<IconSum size={16} aria-hidden />}
          rightSection={<KeyHint keys="F" />}
          onClick={() => onOpen(!isOpen)}
          aria-label={NAME}
          title={NAME}
          aria-keyshortcuts="F"
          data-testid="sums-button"
        >
          <Text span inherit visibleFrom="lg">
            {NAME}
          </Text>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={NAME} p="md">
        <SumsPanel
          reconciliationId={reconciliationId}
          recordIds={[...a, ...b].map((line) => line.id)}
          onPick={({ side, records }) => {
            onOpen(false);
            selection.getState().add(side, records);
            focusLines();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** A selection that still grows is not asked about. */
const CLOSER_DELAY_MS = 120;

const linesOf = ({ a, b }: { readonly a: readonly Line[]; readonly b: readonly Line[] }): Line[] => [...a, ...b];

interface MatchBarProps {
  readonly reconciliation: Reconciliation;
  readonly isShown: boolean;
  /** Receives what the bar can do, for the menu of a line. */
  readonly actions: RefObject<LineActions | null>;
}

/** Matches the selected lines, and asks first where they differ. */
function useMatching({ id, sign_convention: convention }: Reconciliation) {
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const create = useCommand('matches.create', (refusal) =>
    isAsking ? setFailure(refusal) : notifyFailure(say('matches.matchBar.theseLinesWereNotMatched'), refusal),
  );
  /** The lines whose match is not answered yet. Others can be matched meanwhile. */
  const underWay = useRef<ReadonlySet<number>>(new Set());
  async function match(matched: readonly Line[], answer?: DifferenceAnswer): Promise<void> {
    const ids = matched.map((line) => line.id);
    underWay.current = new Set([...underWay.current, ...ids]);
    const made = await create.run({ reconciliation_id: id, record_ids: ids, ...answer });
    underWay.current = new Set([...underWay.current].filter((each) => !ids.includes(each)));
    if (!made.ok) return;
    setAsking(false);
    // Somebody quick has selected the next lines already.
    if (linesOf(selection.getState().current()).some((line) => !ids.includes(line.id))) return;
    selection.getState().clear();
    focusLines();
  }
  function begin(): void {
    const selected = linesOf(selection.getState().current());
    const lines = selected.filter((line) => !underWay.current.has(line.id));
    if (lines.length < 2) {
      if (lines.length === selected.length) notifyIdle(say('matches.matchBar.selectTwoLines'));
      return;
    }
    if (unbalancedOf(lines, convention) === null) {
      void match(lines);
      return;
    }
    setFailure(null);
    setAsking(true);
  }
  return { begin, match, isAsking, failure, isRunning: create.isRunning, cancel: () => setAsking(false) };
}

/** The totals of the picked lines, their difference, and the button that matches them. A difference is asked about first. */
export function MatchBar({ reconciliation, isShown, actions }: MatchBarProps) {
  const picked = useStore(selection);
  const { begin, match, isAsking, failure, isRunning, cancel } = useMatching(reconciliation);
  const [isFinding, setFinding] = useState(false);
  const lines = useMemo(() => linesOf(picked), [picked]);
  const [settled] = useDebouncedValue(lines, CLOSER_DELAY_MS);
  const unbalanced = unbalancedOf(lines, reconciliation.sign_convention);
  useImperativeHandle(actions, () => ({ match: begin, find: () => setFinding(true) }));
  useShortcuts(
    isShown
      ? {
          m: begin,
          ...(unbalanced === null ? {} : { f: () => setFinding(true) }),
          Escape: () => (isFinding ? setFinding(false) : selection.getState().clear()),
        }
      : {},
  );
  return (
    <div className={styles.matchBar} data-active={lines.length > 0 || undefined}>
      <SideSum side="A" lines={picked.a} />
      <SideSum side="B" lines={picked.b} />
      <Difference a={picked.a} b={picked.b} convention={reconciliation.sign_convention} />
      {unbalanced !== null && settled === lines && (
        <Closer reconciliationId={reconciliation.id} recordIds={settled.map(({ id }) => id)} isShown={isShown} />
      )}
      <Group gap="xs" ml="auto" wrap="nowrap">
        <Button variant="subtle" color="gray" size="sm" disabled={lines.length === 0} onClick={() => selection.getState().clear()}>
          {say('matches.matchBar.clear')}
        </Button>
        {unbalanced !== null && <SumsButton reconciliationId={reconciliation.id} isOpen={isFinding} onOpen={setFinding} />}
        <MatchButton isEven={unbalanced === null} isEnabled={lines.length >= 2} isRunning={isRunning} onMatch={begin} />
      </Group>
      {isAsking && unbalanced !== null && (
        <DifferenceDialog
          unbalanced={unbalanced}
          verb="Match"
          names={sideNames(reconciliation)}
          isRunning={isRunning}
          failure={failure}
          onClose={() => {
            cancel();
            focusLines();
          }}
          onAnswer={(answer) => void match(lines, answer)}
        />
      )}
    </div>
  );
}

interface CloserProps {
  readonly reconciliationId: number;
  readonly recordIds: readonly number[];
  readonly isShown: boolean;
}

/** The one open line that would close the sum of the selected ones, if there is one. Adding it selects it and does not match yet. */
function Closer({ reconciliationId, recordIds, isShown }: CloserProps) {
  const { data } = useOperation('matches.suggest_sums', { reconciliation_id: reconciliationId, record_ids: [...recordIds], records: 1 });
  const suggestion = data?.suggestions[0];
  const [line] = suggestion?.records ?? [];
  function add(): void {
    if (suggestion === undefined) return;
    selection.getState().add(suggestion.side, suggestion.records);
    focusLines();
  }
  useShortcuts(isShown && line !== undefined ? { '.': add } : {});
  if (line === undefined) return null;
  const name = line.description ?? line.external_id ?? say('matches.groupDetail.noDescription');
  const amount = moneyText(signedOf(line), line.currency, line.decimal_places);
  const words = say('matches.matchBar.closesIt', { name, amount });
  return (
    <Flex
      className="row"
      maw="26rem"
      miw={0}
      py={3}
      pr={3}
      pl="sm"
      bdrs="md"
      bg="var(--open-tint)"
      c="var(--open-text)"
      data-testid="closes-it"
    >
      <Text size="sm" className="truncate" title={words} aria-live="polite">
        {words}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        rightSection={<KeyHint keys="." />}
        aria-label={say('matches.matchBar.addTheLineThatCloses')}
        aria-keyshortcuts="."
        onClick={add}
        data-testid="add-closer"
      >
        {say('matches.matchBar.add')}
      </Button>
    </Flex>
  );
}

interface MatchButtonProps {
  readonly isEven: boolean;
  readonly isEnabled: boolean;
  readonly isRunning: boolean;
  readonly onMatch: () => void;
}

function MatchButton({ isEven, isEnabled, isRunning, onMatch }: MatchButtonProps) {
  const isAsked = isEnabled && !isEven;
  return (
    <WriteButton
      size="sm"
      variant={isAsked ? 'default' : 'filled'}
      leftSection={<IconLink size={16} aria-hidden />}
      rightSection={<KeyHint keys="M" />}
      disabled={!isEnabled}
      loading={isRunning}
      onClick={onMatch}
      aria-keyshortcuts="M"
      aria-haspopup={isAsked ? 'dialog' : undefined}
      data-testid="match-button"
    >
      {isAsked ? say('matches.matchBar.matchWithDifference') : say('matches.matchBar.match')}
    </WriteButton>
  );
}

function SideSum({ side, lines }: { readonly side: string; readonly lines: readonly Line[] }) {
  const sums = sumsOf(lines).map((sum) => moneyText(sum.net, sum.currency, sum.decimal_places));
  return (
    <Box miw="7rem">
      <Text size="xs" c="dimmed">
        {say('matches.matchBar.sideSelected', { side, lines: countText(lines.length) })}
      </Text>
      <Text size="sm" fw={580} className="tabular">
        {sums.length === 0 ? '–' : sums.join(', ')}
      </Text>
    </Box>
  );
}

interface DifferenceProps {
  readonly a: readonly Line[];
  readonly b: readonly Line[];
  readonly convention: Reconciliation['sign_convention'];
}

function Difference({ a, b, convention }: DifferenceProps) {
  const differences = differencesOf(sumsOf(a), sumsOf(b), convention);
  const isEven = differences.length > 0 && differences.every((difference) => difference.net === 0);
  return (
    <Box miw="7rem" aria-live="polite">
      <Text size="xs" c="dimmed">
        {say('matches.matchBar.difference')}
      </Text>
      <Text size="sm" fw={580} className="tabular" {...(differences.length === 0 || isEven ? {} : { c: 'var(--open-text)' })}>
        {differences.length === 0 ? '–' : differences.map((sum) => moneyText(sum.net, sum.currency, sum.decimal_places)).join(', ')}
        {isEven && a.length > 0 && b.length > 0 && (
          <IconCheck
            size={15}
            color="var(--accent-text)"
            style={{ verticalAlign: -3, marginLeft: 5 }}
            aria-label={say('matches.matchBar.tiesOut')}
          />
        )}
      </Text>
    </Box>
  );
}
