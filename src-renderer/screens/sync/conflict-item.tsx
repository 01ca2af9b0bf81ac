import {
  IconAdjustmentsHorizontal,
  IconCheck,
  IconCopy,
  IconHelp,
  IconLink,
  IconLock,
  IconPencil,
  IconScale,
  IconTag,
} from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { SyncConflict } from '../../../src-shared/contract/index.ts';
import { useReadOnlyReason } from '../../components/writing.tsx';
import { fullDay, momentText } from '../../format/close-days.ts';
import { moneyText, plainAmount } from '../../format/money.ts';
import { choiceWords, saidWords, type ToDecide } from '../../format/sync-conflicts.ts';
import styles from './decide.module.css';

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

/** What is the matter with it. */
function matterOf({ conflict, unsure }: ToDecide): (string | null)[] {
  if (conflict === null) return ['Sent', momentText(unsure.sent_at)];
  return [conflict.words, conflict.date === null ? null : fullDay(conflict.date)];
}

/** What was decided of it. */
function decisionOf({ conflict, unsure }: ToDecide, choice: string): (string | null)[] {
  const { decided_at: decidedAt } = conflict ?? unsure;
  return [conflict === null ? saidWords(choice) : choiceWords(choice), decidedAt === null ? null : momentText(decidedAt).slice(11)];
}

/** One of the list: what it is about, and what is the matter or was decided. */
export function ConflictItem({ one, isShown, onShow, onTakeBack }: ConflictItemProps) {
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
    <li className={styles.item} data-decided={choice !== null || undefined}>
      <button
        ref={element}
        id={key}
        type="button"
        className={styles.pick}
        aria-current={isShown ? 'true' : undefined}
        onClick={onShow}
        data-testid="conflict"
      >
        <Icon size={16} aria-hidden />
        <b className="truncate" title={title}>
          {title}
        </b>
        <span className="amount" title={money === null ? undefined : moneyText(money.amount, money.currency, money.decimal_places)}>
          {money === null ? '' : plainAmount(money.amount, money.decimal_places)}
        </span>
        <span className={styles.kind} title={text}>
          {text}
        </span>
      </button>
      {choice !== null && !isReadOnly && (
        <button
          type="button"
          className={styles.takeBack}
          onClick={onTakeBack}
          aria-label={`Undo the decision on ${title}`}
          data-testid="take-back"
        >
          Undo
        </button>
      )}
    </li>
  );
}
