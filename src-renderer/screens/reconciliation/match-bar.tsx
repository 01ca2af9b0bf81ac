import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Line, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useUndo } from '../../components/use-undo.ts';
import { counted, countText } from '../../format/counts.ts';
import { differencesOf, moneyText, sumsOf } from '../../format/money.ts';
import { type Selection, selection } from '../../state/selection.ts';
import { AdjustButton } from './adjust-button.tsx';
import styles from './reconciliation.module.css';
import { SumsButton } from './sums-button.tsx';

/** What is picked on both sides, by how much it differs, and the button that matches it. */
export function MatchBar({ reconciliation, isShown }: { readonly reconciliation: Reconciliation; readonly isShown: boolean }) {
  const picked = useStore(selection);
  const { remember } = useUndo();
  const create = useCommand('matches.create', (failure) => notifyFailure('These lines were not matched', failure));
  const count = picked.a.length + picked.b.length;
  const canMatch = count >= 2 && !create.isRunning;
  const [isAsking, setAsking] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const unexplained = missingOf(picked, reconciliation.sign_convention);
  const missing = count >= 2 ? unexplained : null;
  // What was picked may balance by now.
  const isOpen = isAsking && missing !== null;
  async function match(adjusted?: { readonly reason: string }): Promise<void> {
    if (!canMatch) return;
    const ids = [...picked.a, ...picked.b].map((line) => line.id);
    const adjustment = adjusted === undefined ? {} : { create_adjustment: true, adjustment_reason: adjusted.reason };
    const answer = await create.run({ reconciliation_id: reconciliation.id, record_ids: ids, ...adjustment });
    if (!answer.ok) return;
    setAsking(false);
    selection.getState().clear();
    const done = answer.value.adjustment_record_id === null ? '' : ` with an adjustment of ${missing ?? ''}`;
    remember({ kind: 'undo_create', targetId: answer.value.id, label: `Matched ${counted(ids.length, 'line')}${done}` });
  }
  useShortcuts(
    isShown
      ? {
          m: () => void match(),
          ...(missing === null ? {} : { a: () => setAsking(true) }),
          ...(unexplained === null ? {} : { f: () => setFinding(true) }),
          Escape: () => (isOpen ? setAsking(false) : isFinding ? setFinding(false) : selection.getState().clear()),
        }
      : {},
  );
  return (
    <div className={`card ${styles.matchBar}`} data-active={count > 0 || undefined}>
      <SideSum side="A" lines={picked.a} />
      <SideSum side="B" lines={picked.b} />
      <Difference a={picked.a} b={picked.b} convention={reconciliation.sign_convention} />
      <Group gap="xs" ml="auto" wrap="nowrap">
        <Button variant="subtle" color="gray" size="sm" disabled={count === 0} onClick={() => selection.getState().clear()}>
          Clear
        </Button>
        {unexplained !== null && (
          <SumsButton reconciliationId={reconciliation.id} isShort={missing !== null} isOpen={isFinding} onOpen={setFinding} />
        )}
        {missing !== null && (
          <AdjustButton
            amount={missing}
            isOpen={isOpen}
            isRunning={create.isRunning}
            onOpen={setAsking}
            onMatch={(reason) => void match({ reason })}
          />
        )}
        <MatchButton isEnabled={count >= 2} isRunning={create.isRunning} onMatch={() => void match()} />
      </Group>
    </div>
  );
}

interface MatchButtonProps {
  readonly isEnabled: boolean;
  readonly isRunning: boolean;
  readonly onMatch: () => void;
}

function MatchButton({ isEnabled, isRunning, onMatch }: MatchButtonProps) {
  return (
    <Button
      size="sm"
      leftSection={<IconLink size={16} aria-hidden />}
      rightSection={<KeyHint keys="M" />}
      disabled={!isEnabled}
      loading={isRunning}
      onClick={onMatch}
      aria-keyshortcuts="M"
      data-testid="match-button"
    >
      Match
    </Button>
  );
}

/** What an adjustment would have to be, as people read it; null when the lines balance or are of several currencies. */
function missingOf({ a, b }: Pick<Selection, 'a' | 'b'>, convention: Reconciliation['sign_convention']): string | null {
  const [difference, ...more] = differencesOf(sumsOf(a), sumsOf(b), convention);
  if (difference === undefined || difference.net === 0 || more.length > 0) return null;
  return moneyText(Math.abs(difference.net), difference.currency, difference.decimal_places);
}

function SideSum({ side, lines }: { readonly side: string; readonly lines: readonly Line[] }) {
  const sums = sumsOf(lines).map((sum) => moneyText(sum.net, sum.currency, sum.decimal_places));
  return (
    <div className={styles.sum}>
      <Text size="xs" c="dimmed">
        Side {side}, {countText(lines.length)} selected
      </Text>
      <Text size="sm" fw={580} className="tabular">
        {sums.length === 0 ? '–' : sums.join(', ')}
      </Text>
    </div>
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
    <div className={styles.sum} aria-live="polite">
      <Text size="xs" c="dimmed">
        Difference
      </Text>
      <Text size="sm" fw={580} className="tabular" c={differences.length === 0 || isEven ? undefined : 'var(--tieout-open)'}>
        {differences.length === 0 ? '–' : differences.map((sum) => moneyText(sum.net, sum.currency, sum.decimal_places)).join(', ')}
        {isEven && a.length > 0 && b.length > 0 && <IconCheck size={15} className={styles.even} aria-label="ties out" />}
      </Text>
    </div>
  );
}
