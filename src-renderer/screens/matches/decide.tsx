import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, type RefObject, useState } from 'react';
import { useStore } from 'zustand';
import type { Failure, MatchGroup, Reconciliation } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useConnection, useOperation } from '../../api/use-operation.ts';
import { notifyFailure, notifyIdle } from '../../components/notify.tsx';
import { Band, TextButton } from '../../components/primitives.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useReadOnlyReason } from '../../components/writing.tsx';
import { sideNames } from '../../format/side-names.ts';
import type { Unbalanced } from '../../format/unbalanced.ts';
import {
  decide,
  decideAndAnswer,
  decisions,
  type DifferenceAnswer,
  type FailedDecision,
  forgetFailed,
  isMarked,
  type Verdict,
} from '../../state/decisions.ts';
import { DifferenceDialog } from './difference-dialog.tsx';
import { groupName, scaleOf } from './group-columns.ts';
import { type GroupDetailProps, lockOf } from './group-detail.tsx';

/** What the keys and buttons do with the list of matches. */
export interface GroupList {
  /** Returns the selected match, or null while there is none. The arrow keys and a click count at once. */
  readonly current: () => MatchGroup | null;
  /** Whether the rows on show have come in. */
  readonly isRead: () => boolean;
  /** Selects the next match that is not decided yet; behind the last one, the nearest before it. */
  readonly moveOn: () => void;
  /** Returns the matches that are selected and not decided yet; null if all that the filter finds are. */
  readonly selected: () => readonly MatchGroup[] | null;
  /** Selects a match of the list, if it is loaded. */
  readonly show: (id: number) => void;
  /** Moves the focus to the list. */
  readonly focus: () => void;
  /** Moves the focus by so many rows; into the list if it has never been there. */
  readonly step: (by: number) => void;
  /** Ends the selection. */
  readonly clear: () => void;
}

interface DecidingProps {
  /** Decides about several selected matches; with one selected it is not called. */
  readonly onTogether: (verdict: Verdict) => void;
  readonly list: RefObject<GroupList | null>;
  readonly reconciliation: Reconciliation;
  readonly status: 'proposed' | 'matched';
  readonly isShown: boolean;
}

/** The keys and buttons that decide about the selected match. The selection moves on at once. */
export function useDecisions({ list, reconciliation, status, isShown, onTogether }: DecidingProps): {
  readonly actions: Pick<GroupDetailProps, 'decide' | 'moveOn' | 'isShown'>;
  readonly dialog: ReactNode;
} {
  const { client } = useConnection();
  const isReadOnly = useReadOnlyReason() !== null;
  const { data: locks } = useOperation('periods.locks', {});
  const [asking, setAsking] = useState<MatchGroup | null>(null);
  function begin(verdict: Verdict): void {
    const selected = list.current?.selected() ?? null;
    if (!isReadOnly && status === 'proposed' && (selected === null || selected.length > 1)) {
      onTogether(verdict);
      return;
    }
    const group = isReadOnly ? null : (list.current?.current() ?? null);
    if (group === null) {
      if (!isReadOnly) notifyIdle(say(list.current?.isRead() === true ? 'matches.decisions.noneSelected' : 'matches.decisions.stillRead'));
      return;
    }
    if (isMarked(group.match)) return;
    const lock = lockOf(group, locks);
    if (lock !== undefined) {
      notifyFailure(say('matches.locked.notDecided'), { message: say('matches.locked.closed', { period: lock.name }) });
      return;
    }
    if (verdict === 'confirm' && group.match.difference !== 0) {
      setAsking(group);
      return;
    }
    decide(client, { group, verdict });
    list.current?.moveOn();
  }
  const keys = status === 'proposed' ? { c: () => begin('confirm'), x: () => begin('reject') } : { x: () => begin('unmatch') };
  useShortcuts(isShown ? keys : {});
  const dialog =
    asking === null ? null : (
      <ConfirmDifference
        key={asking.match.id}
        group={asking}
        reconciliation={reconciliation}
        onClose={() => setAsking(null)}
        onSend={() => list.current?.moveOn()}
      />
    );
  return { actions: { decide: begin, moveOn: () => list.current?.moveOn(), isShown: isShown && asking === null }, dialog };
}

interface ConfirmDifferenceProps {
  readonly group: MatchGroup;
  readonly reconciliation: Reconciliation;
  readonly onClose: () => void;
  readonly onSend: () => void;
}

/** Asks what becomes of the difference of a proposal. It stays open with its entries when the service refuses. */
function ConfirmDifference({ group, reconciliation, onClose, onSend }: ConfirmDifferenceProps) {
  const { client } = useConnection();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  async function answer(said: DifferenceAnswer): Promise<void> {
    setRunning(true);
    const refused = await decideAndAnswer(client, { group, verdict: 'confirm', answer: said });
    setRunning(false);
    setFailure(refused);
    if (refused !== null) return;
    onSend();
    onClose();
  }
  return (
    <DifferenceDialog
      unbalanced={unbalancedGroup(group, reconciliation)}
      unlisted={group.match.record_count - group.records.length}
      verb="Confirm"
      names={sideNames(reconciliation)}
      isRunning={isRunning}
      failure={failure}
      onClose={onClose}
      onAnswer={(said) => void answer(said)}
    />
  );
}

/** Returns the difference that would stay if the group were confirmed. */
function unbalancedGroup(group: MatchGroup, reconciliation: Reconciliation): Unbalanced {
  const { currency, decimalPlaces } = scaleOf(group);
  const difference = { currency, decimal_places: decimalPlaces, net: group.match.difference };
  return { lines: group.records, difference, convention: reconciliation.sign_convention };
}

function failedText({ verdict, group, failure }: FailedDecision): string {
  const name = groupName(group);
  if (verdict === 'confirm') return say('matches.decisions.notConfirmed', { name, reason: failure.message });
  if (verdict === 'reject') return say('matches.decisions.notRejected', { name, reason: failure.message });
  return say('matches.decisions.notUnmatched', { name, reason: failure.message });
}

interface FailedProps {
  readonly reconciliationId: number;
  readonly status: 'proposed' | 'matched';
  readonly onShow: (matchId: number) => void;
}

/** The decisions that the service refused, in one list above the matches: each with its reason and a way to its match. */
export function FailedDecisions({ reconciliationId, status, onShow }: FailedProps) {
  const all = useStore(decisions, (state) => state.failed);
  const failed = all.filter(({ group: { match } }) => match.reconciliation_id === reconciliationId && match.status === status);
  if (failed.length === 0) return null;
  return (
    <Band
      tone="broken"
      role="alert"
      data-testid="failed-decisions"
      actions={
        <Button variant="default" size="compact-sm" onClick={forgetFailed} data-testid="forget-failed">
          {say('matches.decisions.close')}
        </Button>
      }
    >
      <Text size="sm" fw={560}>
        {say('matches.decisions.couldNotBeMade', { count: failed.length })}
      </Text>
      <ul style={{ margin: 0, padding: 0, listStyle: 'none', maxHeight: '7.5rem', overflowY: 'auto' }}>
        {failed.map((each) => (
          <li key={each.group.match.id}>
            <Group gap="xs" wrap="nowrap" align="baseline">
              <Text size="sm" className="wrap">
                {failedText(each)}
              </Text>
              <TextButton onClick={() => onShow(each.group.match.id)}>{say('matches.decisions.showTheMatch')}</TextButton>
            </Group>
          </li>
        ))}
      </ul>
    </Band>
  );
}
