import { Group } from '@mantine/core';
import { IconCheck, IconUnlink, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Failure, MatchGroup, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useUndo } from '../../components/use-undo.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';
import { sideNames } from '../../format/side-names.ts';
import { doneText, type Unbalanced } from '../../format/unbalanced.ts';
import type { DifferenceAnswer } from '../../state/difference-draft.ts';
import { DifferenceDialog } from './difference-dialog.tsx';
import { scaleOf } from './group-columns.ts';

interface GroupActionsProps {
  readonly group: MatchGroup;
  readonly reconciliation: Reconciliation;
  readonly isShown: boolean;
}

/** The difference of a group that would stay if it were confirmed; null where its sides balance. */
function unbalancedGroup(group: MatchGroup, reconciliation: Reconciliation): Unbalanced | null {
  const { currency, decimalPlaces } = scaleOf(group);
  const { difference } = group.match;
  if (difference === 0) return null;
  const sum = { currency, decimal_places: decimalPlaces, net: difference };
  return { lines: group.records, difference: sum, convention: reconciliation.sign_convention };
}

/** What can be done with a match: taken apart; with a proposal: confirmed or rejected. One with a difference is confirmed once it is said what becomes of that. */
export function GroupActions(props: GroupActionsProps) {
  return props.group.match.status === 'proposed' ? <Decision {...props} /> : <Unmatch {...props} />;
}

function useTakeApart({ group, isShown }: GroupActionsProps) {
  const { id, status, record_count: count } = group.match;
  const isProposed = status === 'proposed';
  const { remember } = useUndo();
  const remove = useCommand('matches.remove', (failure) =>
    notifyFailure(isProposed ? 'The proposal was not rejected' : 'The match was not taken apart', failure),
  );
  async function takeApart(): Promise<void> {
    const answer = remove.isRunning ? null : await remove.run({ id });
    const lines = counted(count, 'line');
    const label = isProposed ? `Rejected a proposal of ${lines}` : `Unmatched ${lines}`;
    if (answer?.ok === true) remember({ kind: 'restore', targetId: id, label });
  }
  useShortcuts(isShown ? { x: () => void takeApart() } : {});
  return { isRunning: remove.isRunning, takeApart: () => void takeApart() };
}

function Unmatch(props: GroupActionsProps) {
  const { isRunning, takeApart } = useTakeApart(props);
  return (
    <WriteButton
      variant="default"
      size="sm"
      leftSection={<IconUnlink size={15} aria-hidden />}
      rightSection={<KeyHint keys="X" />}
      loading={isRunning}
      onClick={takeApart}
      data-testid="unmatch-button"
    >
      Unmatch
    </WriteButton>
  );
}

function useConfirm({ group, reconciliation, isShown }: GroupActionsProps, isBusy: boolean) {
  const { id, record_count: count } = group.match;
  const { remember } = useUndo();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const confirm = useCommand('matches.confirm', (refusal) =>
    isAsking ? setFailure(refusal) : notifyFailure('The proposal was not confirmed', refusal),
  );
  const unbalanced = unbalancedGroup(group, reconciliation);
  async function accept(said?: DifferenceAnswer): Promise<void> {
    const answer = await confirm.run({ id, ...said });
    if (!answer.ok) return;
    setAsking(false);
    const label = doneText(`Confirmed a match of ${counted(count, 'line')}`, unbalanced, said);
    remember({ kind: 'undo_create', targetId: id, label });
  }
  function begin(): void {
    if (isBusy || confirm.isRunning) return;
    if (unbalanced === null) {
      void accept();
      return;
    }
    setFailure(null);
    setAsking(true);
  }
  useShortcuts(isShown ? { c: begin } : {});
  const stop = () => setAsking(false);
  return {
    isRunning: confirm.isRunning,
    unbalanced,
    isAsking,
    failure,
    begin,
    stop,
    accept: (said: DifferenceAnswer) => void accept(said),
  };
}

function Decision(props: GroupActionsProps) {
  const { group, reconciliation } = props;
  const reject = useTakeApart(props);
  const confirm = useConfirm(props, reject.isRunning);
  const { unbalanced } = confirm;
  return (
    <Group gap="xs" grow preventGrowOverflow={false}>
      <WriteButton
        size="sm"
        px="xs"
        variant={unbalanced === null ? 'filled' : 'default'}
        leftSection={<IconCheck size={15} aria-hidden />}
        rightSection={<KeyHint keys="C" />}
        loading={confirm.isRunning}
        disabled={reject.isRunning}
        onClick={confirm.begin}
        aria-haspopup={unbalanced === null ? undefined : 'dialog'}
        data-testid="confirm-button"
      >
        {unbalanced === null ? 'Confirm' : 'Confirm with difference…'}
      </WriteButton>
      <WriteButton
        size="sm"
        variant="default"
        px="xs"
        leftSection={<IconX size={15} aria-hidden />}
        rightSection={<KeyHint keys="X" />}
        loading={reject.isRunning}
        disabled={confirm.isRunning}
        onClick={reject.takeApart}
        data-testid="reject-button"
      >
        Reject
      </WriteButton>
      {confirm.isAsking && unbalanced !== null && (
        <DifferenceDialog
          unbalanced={unbalanced}
          unlisted={group.match.record_count - group.records.length}
          verb="Confirm"
          names={sideNames(reconciliation)}
          isRunning={confirm.isRunning}
          failure={confirm.failure}
          onClose={confirm.stop}
          onAnswer={confirm.accept}
        />
      )}
    </Group>
  );
}
