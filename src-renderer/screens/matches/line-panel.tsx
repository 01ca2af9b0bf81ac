import { ActionIcon, Box, Flex, Skeleton, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconLayoutSidebarRightCollapse, IconLayoutSidebarRightExpand } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Failure, Line, LineSuggestion, Output, Reconciliation } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useConnection, useOperation } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure, notifyIdle } from '../../components/notify.tsx';
import { Letter, PaneHeader, TextButton } from '../../components/primitives.tsx';
import { useIsNarrow } from '../../components/split.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useReadOnlyReason, WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { moneyText, signedOf } from '../../format/money.ts';
import { inTurn } from '../../state/decisions.ts';
import { openLine } from '../../state/line-in-full.ts';
import { selection } from '../../state/selection.ts';
import { type LineActions, moveOnFrom } from './line-grid.tsx';
import styles from './sums.module.css';

type Answer = Output<'matches.suggest'>;

/** The suggestions that a key takes. */
const KEYS = ['1', '2', '3'] as const;
const STRENGTHS: Readonly<Record<LineSuggestion['strength'], string>> = {
  strong: say('matches.suggestions.strength.strong'),
  fair: say('matches.suggestions.strength.fair'),
  weak: say('matches.suggestions.strength.weak'),
};
/** Lines of a suggestion that are listed. */
const LISTED = 6;

/** Returns the one line that is selected on both sides together; null if there is none or there are several. */
function onlyLine({ a, b }: { readonly a: readonly Line[]; readonly b: readonly Line[] }): Line | null {
  return a.length + b.length === 1 ? (a[0] ?? b[0] ?? null) : null;
}

/** Returns `4 lines of side A`, or the words of a single line. */
function titleOf({ records }: LineSuggestion, line: Line): string {
  const [first] = records;
  if (records.length === 1 && first !== undefined)
    return first.description ?? first.external_id ?? say('matches.groupDetail.noDescription');
  const others = records.filter(({ side }) => side !== line.side);
  const own = records.length - others.length;
  const side = (line.side === 'a' ? 'b' : 'a').toUpperCase();
  if (own === 0) return say('matches.suggestions.lines', { records: others.length, side });
  return say('matches.suggestions.forOthers', { own: own + 1, ownSide: line.side.toUpperCase(), others: others.length, side });
}

interface TakingProps {
  readonly reconciliation: Reconciliation;
  readonly actions: RefObject<LineActions | null>;
}

/** Returns the function that takes a suggestion. An even one is matched in its turn, and the next line is selected at once; another is asked about. */
function useTaking({ reconciliation, actions }: TakingProps): (line: Line, suggestion: LineSuggestion) => void {
  const { client } = useConnection();
  const isReadOnly = useReadOnlyReason() !== null;
  const taken = useRef(new Set<number>());
  async function send(line: Line, { records, match_id: proposal }: LineSuggestion): Promise<Failure | null> {
    const ids = [line, ...records].map(({ id }) => id);
    const answer =
      proposal === null
        ? await client.call('matches.create', { reconciliation_id: reconciliation.id, record_ids: ids })
        : await client.call('matches.confirm', { id: proposal });
    return answer.ok ? null : answer.error;
  }
  return (line, suggestion) => {
    if (isReadOnly || taken.current.has(line.id)) return;
    const { records, difference } = suggestion;
    if (difference !== 0) {
      for (const side of ['a', 'b'] as const)
        selection.getState().add(
          side,
          records.filter((each) => each.side === side),
        );
      actions.current?.match();
      return;
    }
    const ids = [line, ...records].map(({ id }) => id);
    for (const id of ids) taken.current.add(id);
    if (!moveOnFrom(line, taken.current)) selection.getState().clear();
    void inTurn(() => send(line, suggestion)).then((failure) => {
      for (const id of ids) taken.current.delete(id);
      if (failure !== null) notifyFailure(say('matches.matchBar.theseLinesWereNotMatched'), failure);
      return null;
    });
  };
}

/** Returns whether the suggestions are on show, and the button that shows and hides them, which D presses. In a narrow window they lie over the lines. */
export function useSuggestionsToggle(isShown: boolean): { readonly isOpen: boolean; readonly toggle: ReactNode } {
  const isNarrow = useIsNarrow();
  const [isBeside, setBeside] = useLocalStorage({ key: 'tieout-line-panel', defaultValue: true, getInitialValueInEffect: false });
  const [isOver, setOver] = useState(false);
  const isOpen = isNarrow ? isOver : isBeside;
  const change = (): void => (isNarrow ? setOver(!isOver) : setBeside(!isBeside));
  useShortcuts(isShown ? { d: change } : {});
  const label = isOpen ? say('matches.suggestions.hide') : say('matches.suggestions.show');
  const toggle = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      aria-expanded={isOpen}
      aria-keyshortcuts="D"
      title={`${label} (D)`}
      onClick={change}
      data-testid="line-panel-toggle"
    >
      {isOpen ? <IconLayoutSidebarRightCollapse size={16} aria-hidden /> : <IconLayoutSidebarRightExpand size={16} aria-hidden />}
    </ActionIcon>
  );
  return { isOpen, toggle };
}

interface LinePanelProps extends TakingProps {
  readonly isShown: boolean;
  /** Stands at the end of its head. */
  readonly children: ReactNode;
}

/** What stands beside the grids of open lines: what the selected line may belong to. */
export function LinePanel({ reconciliation, actions, isShown, children }: LinePanelProps) {
  const line = useStore(selection, onlyLine);
  return (
    <aside className={styles.aside} aria-labelledby="suggestions-title" data-testid="line-panel">
      {line === null ? (
        <>
          <PaneHeader title={say('matches.suggestions.title')} id="suggestions-title">
            {children}
          </PaneHeader>
          <NothingSelected />
        </>
      ) : (
        <Suggested key={line.id} line={line} reconciliation={reconciliation} actions={actions} isShown={isShown}>
          {children}
        </Suggested>
      )}
    </aside>
  );
}

function NothingSelected() {
  const count = useStore(selection, ({ a, b }) => a.length + b.length);
  return (
    <Text size="sm" c="dimmed" p="md" data-testid="suggestions-none-selected">
      {count === 0 ? say('matches.suggestions.selectOne') : say('matches.suggestions.severalSelected')}
    </Text>
  );
}

interface SuggestedProps extends LinePanelProps {
  readonly line: Line;
}

function Suggested({ line, reconciliation, actions, isShown, children }: SuggestedProps) {
  const {
    data: answer,
    error: failure,
    refetch,
  } = useOperation('matches.suggest', { reconciliation_id: reconciliation.id, record_id: line.id });
  const take = useTaking({ reconciliation, actions });
  const suggestions = answer?.suggestions ?? [];
  function takeByKey(place: number): void {
    const suggestion = suggestions[place];
    // A grid announces a click a moment later, so the line may be another one by now.
    if (onlyLine(selection.getState().current())?.id !== line.id) notifyIdle(say('matches.suggestions.stillRead'));
    else if (suggestion !== undefined) take(line, suggestion);
    else if (answer === undefined) notifyIdle(say('matches.suggestions.stillRead'));
    else notifyIdle(say('matches.suggestions.noneOfThisNumber', { number: place + 1 }));
  }
  // They come before the tabs, whose digits they take.
  useShortcuts(isShown ? Object.fromEntries(KEYS.map((key, place) => [key, () => takeByKey(place)])) : {}, true);
  const keys = KEYS.slice(0, suggestions.length);
  return (
    <>
      <PaneHeader
        title={say('matches.suggestions.title')}
        id="suggestions-title"
        count={answer === undefined ? '' : countText(suggestions.length)}
      >
        {keys.length > 0 && (
          <span className={`row quiet small ${styles.keys}`}>
            <span>{say('matches.suggestions.takeWith')}</span>
            {keys.map((key) => (
              <KeyHint key={key} keys={key} />
            ))}
          </span>
        )}
        {children}
      </PaneHeader>
      <div className={styles.asked}>
        <Letter aria-hidden>{line.side.toUpperCase()}</Letter>
        <LineWords line={line} />
        <TextButton aria-keyshortcuts="Enter" onClick={() => openLine(line.id)} data-testid="line-show-in-full">
          {say('matches.lineMenu.showInFull')}
        </TextButton>
      </div>
      <div className="fill scrolls" aria-live="polite" aria-busy={answer === undefined}>
        {answer === undefined ? (
          <NotAnswered failure={failure} onRetry={refetch} />
        ) : (
          <SuggestionList answer={answer} line={line} onTake={(suggestion) => take(line, suggestion)} />
        )}
      </div>
    </>
  );
}

function NotAnswered({
  failure,
  onRetry,
}: {
  readonly failure: Pick<Failure, 'message'> | null;
  readonly onRetry: () => Promise<unknown>;
}) {
  if (failure !== null) return <FailurePanel title={say('matches.suggestions.notRead')} failure={failure} onRetry={onRetry} />;
  return (
    <Stack gap="xs" p="md" className={styles.waiting} data-testid="suggestions-loading">
      <Skeleton height={96} radius="md" />
      <Skeleton height={64} radius="md" />
    </Stack>
  );
}

interface SuggestionListProps {
  readonly answer: Answer;
  readonly line: Line;
  readonly onTake: (suggestion: LineSuggestion) => void;
}

function SuggestionList({ answer, line, onTake }: SuggestionListProps) {
  const { suggestions, searched } = answer;
  return (
    <>
      {suggestions.length === 0 && (
        <Text size="sm" c="dimmed" p="md" data-testid="no-suggestions">
          {say('matches.suggestions.none')}
        </Text>
      )}
      <ol className="plain">
        {suggestions.map((suggestion, place) => (
          <Card
            key={suggestion.records.map(({ id }) => id).join()}
            suggestion={suggestion}
            answer={answer}
            line={line}
            place={place}
            onTake={() => onTake(suggestion)}
          />
        ))}
      </ol>
      {searched.some(({ is_cut: isCut }) => isCut) && (
        <Text size="xs" c="dimmed" p="md">
          {say('matches.suggestions.onlyTheNearest', { candidates: countText(searched[0]?.candidates ?? 0) })}
        </Text>
      )}
    </>
  );
}

/** Day, words and amount of a line. */
function LineWords({ line }: { readonly line: Line }) {
  const words = line.description ?? line.external_id ?? say('matches.groupDetail.noDescription');
  return (
    <Flex component="span" className="row">
      <span className="quiet tabular">
        <Day iso={line.date} />
      </span>
      <span className="truncate grow quiet" title={words}>
        {words}
      </span>
      <Amount minor={signedOf(line)} decimalPlaces={line.decimal_places} />
    </Flex>
  );
}

interface CardProps {
  readonly suggestion: LineSuggestion;
  readonly answer: Answer;
  readonly line: Line;
  readonly place: number;
  readonly onTake: () => void;
}

function Card({ suggestion, answer, line, place, onTake }: CardProps) {
  const { records, reasons, difference, strength, kind } = suggestion;
  const key = KEYS[place];
  const more = records.length - LISTED;
  const even = kind === 'proposal' ? say('matches.suggestions.confirm') : say('matches.suggestions.match', { records: records.length + 1 });
  return (
    <li className={styles.card} data-strength={strength} data-testid="suggestion">
      <Flex gap="sm" align="baseline" justify="space-between">
        <Text size="sm" fw={580} className="truncate" title={titleOf(suggestion, line)}>
          {titleOf(suggestion, line)}
        </Text>
        <Text size="xs" c={strength === 'strong' ? 'var(--accent-text)' : 'dimmed'} flex="none">
          {STRENGTHS[strength]}
        </Text>
      </Flex>
      <Stack gap={2} mt={4} fz="xs">
        {records.slice(0, LISTED).map((record) => (
          <LineWords key={record.id} line={record} />
        ))}
        {more > 0 && <span>{say('matches.separations.andMoreLines', { more })}</span>}
      </Stack>
      <Box component="ul" className="plain small wrap" my="xs">
        {reasons.map((reason) => (
          <li key={`${reason.kind} ${reason.words}`} className="row">
            {reason.strength === 'against' ? (
              <IconAlertTriangle size={13} color="var(--open)" aria-label={say('matches.suggestions.against')} />
            ) : (
              <IconCheck size={13} color="var(--matched)" stroke={reason.strength === 'strong' ? 3 : 1.75} aria-hidden />
            )}
            <span>{reason.words}</span>
          </li>
        ))}
      </Box>
      <WriteButton
        size="compact-sm"
        fullWidth
        variant={place === 0 && difference === 0 && strength !== 'weak' ? 'filled' : 'default'}
        rightSection={key === undefined ? undefined : <KeyHint keys={key} />}
        aria-keyshortcuts={key}
        aria-haspopup={difference === 0 ? undefined : 'dialog'}
        onClick={onTake}
        data-testid="take-suggestion"
      >
        {difference === 0
          ? even
          : say('matches.suggestions.withDifference', {
              difference: moneyText(Math.abs(difference), answer.currency, answer.decimal_places),
            })}
      </WriteButton>
    </li>
  );
}
