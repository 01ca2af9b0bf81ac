import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconLink } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Failure, Line, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useUndo } from '../../components/use-undo.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted, countText } from '../../format/counts.ts';
import { sideNames } from '../../format/side-names.ts';
import { differencesOf, moneyText, sumsOf } from '../../format/money.ts';
import { doneText, unbalancedOf } from '../../format/unbalanced.ts';
import type { DifferenceAnswer } from '../../state/difference-draft.ts';
import { selection } from '../../state/selection.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { DifferenceDialog } from './difference-dialog.tsx';
import { SumsButton } from './sums-button.tsx';

const linesOf = ({ a, b }: { readonly a: readonly Line[]; readonly b: readonly Line[] }): Line[] => [...a, ...b];

/** What is picked on both sides, by how much it differs, and the button that matches it: with a difference only once it is said what becomes of that. */
export function MatchBar({ reconciliation, isShown }: { readonly reconciliation: Reconciliation; readonly isShown: boolean }) {
  const picked = useStore(selection);
  const { remember } = useUndo();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const create = useCommand('matches.create', (refusal) =>
    isAsking ? setFailure(refusal) : notifyFailure('These lines were not matched', refusal),
  );
  const [isFinding, setFinding] = useState(false);
  const lines = useMemo(() => linesOf(picked), [picked]);
  const unbalanced = unbalancedOf(lines, reconciliation.sign_convention);
  async function match(matched: readonly Line[], answer?: DifferenceAnswer): Promise<void> {
    const made = await create.run({ reconciliation_id: reconciliation.id, record_ids: matched.map((line) => line.id), ...answer });
    if (!made.ok) return;
    setAsking(false);
    selection.getState().clear();
    remember({
      kind: 'undo_create',
      targetId: made.value.id,
      label: doneText(`Matched ${counted(matched.length, 'line')}`, unbalancedOf(matched, reconciliation.sign_convention), answer),
    });
  }
  function begin(): void {
    const now = linesOf(selection.getState().current());
    if (now.length < 2 || create.isRunning) return;
    if (unbalancedOf(now, reconciliation.sign_convention) === null) {
      void match(now);
      return;
    }
    setFailure(null);
    setAsking(true);
  }
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
      <Group gap="xs" ml="auto" wrap="nowrap">
        <Button variant="subtle" color="gray" size="sm" disabled={lines.length === 0} onClick={() => selection.getState().clear()}>
          Clear
        </Button>
        {unbalanced !== null && <SumsButton reconciliationId={reconciliation.id} isOpen={isFinding} onOpen={setFinding} />}
        <MatchButton isEven={unbalanced === null} isEnabled={lines.length >= 2} isRunning={create.isRunning} onMatch={begin} />
      </Group>
      {isAsking && unbalanced !== null && (
        <DifferenceDialog
          unbalanced={unbalanced}
          verb="Match"
          names={sideNames(reconciliation)}
          isRunning={create.isRunning}
          failure={failure}
          onClose={() => setAsking(false)}
          onAnswer={(answer) => void match(lines, answer)}
        />
      )}
    </div>
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
      {isAsked ? 'Match with difference…' : 'Match'}
    </WriteButton>
  );
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
      <Text size="sm" fw={580} className="tabular" c={differences.length === 0 || isEven ? undefined : 'var(--open-text)'}>
        {differences.length === 0 ? '–' : differences.map((sum) => moneyText(sum.net, sum.currency, sum.decimal_places)).join(', ')}
        {isEven && a.length > 0 && b.length > 0 && <IconCheck size={15} className={styles.even} aria-label="ties out" />}
      </Text>
    </div>
  );
}
