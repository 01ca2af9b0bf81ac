import { Badge, Group, Loader, NativeSelect, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Output, SumSuggestion } from '../../../src-shared/contract/index.ts';
import { SUGGESTION_LIMITS } from '../../../src-shared/contract/matches/sum-suggestions.ts';
import { useAnswer } from '../../api/use-query.ts';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { counted } from '../../format/counts.ts';
import { signedOf } from '../../format/money.ts';
import { limitTexts, missingText, nothingText, suggestionTitle } from '../../format/sums.ts';
import styles from './sums.module.css';

const DAYS = [3, 7, 14, SUGGESTION_LIMITS.defaultDays, 90, SUGGESTION_LIMITS.days];

interface SumsPanelProps {
  readonly reconciliationId: number;
  readonly recordIds: readonly number[];
  readonly onPick: (suggestion: SumSuggestion) => void;
}

/** Combinations of open lines that make the difference 0, to pick one of. */
export function SumsPanel({ reconciliationId, recordIds, onPick }: SumsPanelProps) {
  const [days, setDays] = useState<number>(SUGGESTION_LIMITS.defaultDays);
  return (
    <Stack gap="sm" data-testid="sums-panel">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={580} size="sm">
          Find what adds up
        </Text>
        <NativeSelect
          size="xs"
          aria-label="How many days before and after are looked at"
          data={DAYS.map((count) => ({ value: String(count), label: `within ${counted(count, 'day')}` }))}
          value={String(days)}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
          data-testid="sums-days"
        />
      </Group>
      {/* Another question is another component: nothing of the old answer is shown with it. */}
      <Answered key={days} reconciliationId={reconciliationId} recordIds={recordIds} days={days} onPick={onPick} />
    </Stack>
  );
}

function Answered({ reconciliationId, recordIds, days, onPick }: SumsPanelProps & { readonly days: number }) {
  const { value, failure } = useAnswer('matches.suggest_sums', { reconciliation_id: reconciliationId, record_ids: [...recordIds], days });
  if (failure !== undefined) return <FailurePanel title="Nothing could be looked for" failure={failure} />;
  if (value === undefined) {
    return (
      <Group gap="xs" aria-live="polite">
        <Loader size="xs" aria-hidden />
        <Text size="sm" c="dimmed">
          Looking through the open lines…
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
        {answer.suggestions.length === 1 ? 'This makes' : 'Each of these makes'} up the {missingText(answer)}. Picking one selects its
        lines; then match.
      </Text>
      <ul ref={list} className={styles.suggestions}>
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
    <UnstyledButton className={styles.suggestion} onClick={onPick} onKeyDown={onKeyDown} data-testid="sums-suggestion">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={560} className="tabular">
          {suggestionTitle(suggestion, answer)}
        </Text>
        {suggestion.is_only && (
          <Badge color="pine" leftSection={<IconCheck size={12} aria-hidden />}>
            The only one
          </Badge>
        )}
      </Group>
      <span className={styles.lines}>
        {suggestion.records.map((line) => (
          <span key={line.id} className={styles.line}>
            <Day iso={line.date} />
            <span className="truncate" title={line.description ?? ''}>
              {line.description ?? line.external_id ?? ''}
            </span>
            <Amount minor={signedOf(line)} decimalPlaces={line.decimal_places} />
          </span>
        ))}
      </span>
    </UnstyledButton>
  );
}
