import { Box, Flex, NavLink } from '@mantine/core';
import {
  IconAdjustmentsHorizontal,
  IconCheck,
  IconCircleCheck,
  IconCopy,
  IconHelp,
  IconLink,
  IconLock,
  IconPencil,
  IconScale,
  IconTag,
} from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { SyncConflict, SyncRemote } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand } from '../../api/use-operation.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { Bar, Pane, TextButton } from '../../components/primitives.tsx';
import { useReadOnlyReason } from '../../components/writing.tsx';
import { dateText, instantText } from '../../format/dates.ts';
import { countText } from '../../format/counts.ts';
import { moneyText, plainAmount } from '../../format/money.ts';
import { choiceWords, type DecideGroups, neighbourOf, type ToDecide, undecidedOf, unsureChoiceWords } from '../../format/sync-resources.ts';
import styles from './sync.module.css';

const ICONS = {
  match: IconLink,
  record: IconPencil,
  balance: IconScale,
  closed_period: IconLock,
  overlap: IconCopy,
  rule: IconAdjustmentsHorizontal,
  name: IconTag,
} as const satisfies Readonly<Record<SyncConflict['kind'], typeof IconLink>>;

interface ConflictItemProps {
  readonly one: ToDecide;
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly onTakeBack: () => void;
}

/** Returns the problem of an entry in parts. */
function matterOf({ conflict, unsure }: ToDecide): (string | null)[] {
  if (conflict === null) return [say('sync.conflictList.sent'), instantText(unsure.sent_at)];
  return [conflict.words, conflict.date === null ? null : dateText(conflict.date)];
}

/** Returns the decision about an entry in parts. */
function decisionOf({ conflict, unsure }: ToDecide, choice: string): (string | null)[] {
  const { decided_at: decidedAt } = conflict ?? unsure;
  return [
    conflict === null ? unsureChoiceWords(choice) : choiceWords(choice),
    decidedAt === null ? null : instantText(decidedAt).slice(11),
  ];
}

/** One entry: its object, and its problem or decision. */
function ConflictItem({ one, isShown, onShow, onTakeBack }: ConflictItemProps) {
  const { key, title, choice, conflict } = one;
  const money = conflict?.money ?? null;
  const element = useRef<HTMLButtonElement>(null);
  const isReadOnly = useReadOnlyReason() !== null;
  useEffect(() => {
    if (isShown) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const Icon = choice !== null ? IconCheck : conflict === null ? IconHelp : ICONS[conflict.kind];
  const said = choice === null ? matterOf(one) : decisionOf(one, choice);
  const text = said.filter((part) => part !== null).join(' · ');
  return (
    <Flex
      component="li"
      className="line-below"
      bg={isShown ? 'var(--tint)' : 'var(--surface)'}
      align="center"
      pr={choice === null ? 0 : 'md'}
    >
      <NavLink
        component="button"
        ref={element}
        id={key}
        active={isShown}
        aria-current={isShown ? 'true' : undefined}
        onClick={onShow}
        leftSection={<Icon size={16} color={choice === null ? undefined : 'var(--matched)'} aria-hidden />}
        noWrap
        label={
          <b className="strong" title={title}>
            {title}
          </b>
        }
        description={<span title={text}>{text}</span>}
        rightSection={
          money !== null && (
            <span className="amount" title={moneyText(money.amount, money.currency, money.decimal_places)}>
              {plainAmount(money.amount, money.decimal_places)}
            </span>
          )
        }
        data-testid="conflict"
      />
      {choice !== null && !isReadOnly && (
        <TextButton
          className="small"
          onClick={onTakeBack}
          aria-label={say('sync.conflictList.undoTheDecisionOn', { title })}
          data-testid="take-back"
        >
          {say('sync.conflictList.undo')}
        </TextButton>
      )}
    </Flex>
  );
}

interface ConflictListProps {
  readonly remote: SyncRemote;
  readonly groups: DecideGroups;
  readonly total: number;
  readonly decisions: Decisions;
}

/** All entries to decide, those that change a figure first, and the decided ones. */
export function ConflictList({ remote, groups, total, decisions }: ConflictListProps) {
  const { figures, others, unsure, decided } = groups;
  const left = figures.length + others.length + unsure.length;
  const listed = left + decided.length;
  const group = (title: string, note: string, all: readonly ToDecide[]) => (
    <Group title={title} note={note} all={all} decisions={decisions} />
  );
  return (
    <Pane kind="list" className="column" aria-label={say('sync.conflictList.toDecide')}>
      <Bar>
        <b>
          {remote.last_synced_at === null
            ? say('sync.conflictList.toDecide')
            : say('sync.conflictList.syncOf', { moment: instantText(remote.last_synced_at) })}
        </b>
        <span className="quiet wide-only">
          {say('sync.conflictList.foundDecided', { total: countText(total), decided: countText(decided.length) })}
        </span>
      </Bar>
      <div className={`fill scrolls ${styles.listBody}`}>
        {group(say('sync.conflictList.changeTheFigures'), countText(figures.length), figures)}
        {group(say('sync.conflictList.changeNoFigure'), countText(others.length), others)}
        {group(say('sync.conflictList.notSureWhetherItArrived'), countText(unsure.length), unsure)}
        {group(
          say('sync.conflictList.decided'),
          say('sync.conflictList.goWithTheNext', { decided: countText(decided.length), decided2: decided.length }),
          decided,
        )}
        {listed < total && (
          <Box component="p" className="plain mid small" pt="sm" pb="md" px="var(--edge)">
            {say('sync.conflictList.theFirstOfAreListed', { listed: countText(listed), total: countText(total) })}
          </Box>
        )}
      </div>
      <Flex component="p" className={`mid small line-above ${styles.held}`} gap="sm" m={0} px="var(--edge)" py="sm">
        <IconCircleCheck size={16} color="var(--matched)" style={{ flex: 'none' }} aria-hidden />
        {left === 0 ? say('sync.conflictList.allIsDecidedTheNext') : say('sync.conflictList.whatWaitsHereHolds')}
      </Flex>
    </Pane>
  );
}

interface GroupProps {
  readonly title: string;
  readonly note: string;
  readonly all: readonly ToDecide[];
  readonly decisions: Decisions;
}

function Group({ title, note, all, decisions }: GroupProps) {
  if (all.length === 0) return null;
  return (
    <section aria-label={title}>
      <Box component="h2" className="line-below small strong" m={0} py={5} px="var(--edge)">
        {title} <span className="quiet">{note}</span>
      </Box>
      <ul className="plain">
        {all.map((one) => (
          <ConflictItem
            key={one.key}
            one={one}
            isShown={one.key === decisions.shown?.key}
            onShow={() => decisions.show(one.key)}
            onTakeBack={() => decisions.takeBack(one)}
          />
        ))}
      </ul>
    </section>
  );
}

export interface Decisions {
  readonly shown: ToDecide | undefined;
  readonly show: (key: string) => void;
  /** Moves to the next or previous entry and returns its key; null when there is no other. */
  readonly step: (by: 1 | -1) => string | null;
  readonly choose: (one: ToDecide, choice: string) => void;
  readonly takeBack: (one: ToDecide) => void;
  readonly isRunning: boolean;
}

const NOT_DECIDED = say('sync.useDecisions.thisWasNotDecided');

/** Holds which entry is visible, and stores the user's decisions. */
export function useDecisions(groups: DecideGroups, first: string | null): Decisions {
  const [picked, pick] = useState(first);
  const isReadOnly = useReadOnlyReason() !== null;
  const choosing = useCommand('sync_conflicts.choose', (failure) => notifyFailure(NOT_DECIDED, failure));
  const settling = useCommand('sync_unsure.settle', (failure) => notifyFailure(NOT_DECIDED, failure));
  const isRunning = choosing.isRunning || settling.isRunning;
  const open = undecidedOf(groups);
  const all = [...open, ...groups.decided];
  const shown = all.find(({ key }) => key === picked) ?? all[0];

  async function decide(one: ToDecide, choice: string | null): Promise<void> {
    if (isRunning || isReadOnly) return;
    const { key, conflict, unsure } = one;
    const next = choice === null ? key : (neighbourOf(open, key, 1) ?? key);
    const { id: targetId } = conflict ?? unsure;
    const answer = await (conflict === null ? settling : choosing).run({ id: targetId, choice });
    if (!answer.ok) return;
    pick(next);
  }

  return {
    shown,
    show: pick,
    step(by) {
      const next = neighbourOf(open, shown?.key ?? null, by);
      if (next !== null) pick(next);
      return next;
    },
    choose: (one, choice) => void decide(one, choice),
    takeBack: (one) => void decide(one, null),
    isRunning,
  };
}
