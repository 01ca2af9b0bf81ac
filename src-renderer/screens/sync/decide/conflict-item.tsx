import { IconAdjustmentsHorizontal, IconCheck, IconLink, IconLock, IconPencil, IconScale, IconTag } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { SyncConflict } from '../../../../src-shared/contract/index.ts';
import { useReadOnlyReason } from '../../../components/writing.tsx';
import { fullDay, momentText } from '../../../format/close/days.ts';
import { choiceWords } from '../../../format/sync/conflicts.ts';
import { moneyText, plainAmount } from '../../../format/values/money.ts';
import styles from './decide.module.css';

const ICONS = {
  match: IconLink,
  record: IconPencil,
  balance: IconScale,
  closed_period: IconLock,
  rule: IconAdjustmentsHorizontal,
  name: IconTag,
} as const satisfies Readonly<Record<SyncConflict['kind'], typeof IconLink>>;

interface ConflictItemProps {
  readonly id: string;
  readonly conflict: SyncConflict;
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly onTakeBack: () => void;
}

/** One of the list: what it is about, and what is the matter or was decided. */
export function ConflictItem({ id, conflict, isShown, onShow, onTakeBack }: ConflictItemProps) {
  const { kind, title, words, date, money, choice, decided_at: decidedAt } = conflict;
  const element = useRef<HTMLButtonElement>(null);
  const isReadOnly = useReadOnlyReason() !== null;
  useEffect(() => {
    if (isShown) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const Icon = choice === null ? ICONS[kind] : IconCheck;
  const said =
    choice === null
      ? [words, date === null ? null : fullDay(date)]
      : [choiceWords(choice), decidedAt === null ? null : momentText(decidedAt).slice(11)];
  const text = said.filter((part) => part !== null).join(' · ');
  return (
    <li className={styles.item} data-decided={choice !== null || undefined}>
      <button
        ref={element}
        id={id}
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
