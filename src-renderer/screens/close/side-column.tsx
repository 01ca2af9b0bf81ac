import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { PeriodOpenItem } from '../../../src-shared/contract/index.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { useReadOnlyReason } from '../../components/writing.tsx';
import { signedMinorOfText } from '../../format/amount-input.ts';
import { fullDay, shortDay } from '../../format/close-days.ts';
import { lineName, missingLabel, sideInWords, sideWords, sourceWords, withMinus } from '../../format/close-words.ts';
import { counted, countText, listText } from '../../format/counts.ts';
import { plainAmount } from '../../format/money.ts';
import {
  adjustedLabel,
  balanceLabel,
  balanceOf,
  COMPUTED,
  earlierDayOf,
  enteredAmount,
  type GroupRow,
  groupRows,
  isComputed,
  type Slot,
} from '../../format/statement-rows.ts';
import { type BalanceKey, type MatchDifference, useClosing } from './close-context.ts';
import { Figure } from './figure.tsx';
import styles from './statement.module.css';
import { useCloseEdits } from './use-close-edits.ts';

const WHICH = { opening: 'opening balance', stated_closing: 'closing balance' } as const;

/** A balance where its figure stands: as it is known, or to be entered. An empty field takes away what was entered. */
function BalanceField({ slot, which }: BalanceKey) {
  const { statement, entering, enter, isLocked } = useClosing();
  const readOnly = useReadOnlyReason();
  const button = useRef<HTMLButtonElement>(null);
  const isEntering = entering?.slot === slot && entering.which === which;
  const wasEntering = useRef(false);
  useEffect(() => {
    if (wasEntering.current && !isEntering) button.current?.focus();
    wasEntering.current = isEntering;
  }, [isEntering]);
  const minor = statement[slot][which];
  const name = `${WHICH[which]} of ${sideInWords(statement)[slot]}`;
  if (isEntering) return <BalanceInput slot={slot} which={which} name={name} minor={minor} />;
  const text = minor === null ? 'not stated – enter' : plainAmount(minor, statement.decimal_places);
  if (isLocked || readOnly !== null) return <span title={readOnly ?? 'The period is closed.'}>{minor === null ? 'not stated' : text}</span>;
  return (
    <button
      ref={button}
      type="button"
      className={styles.balance}
      data-unknown={minor === null || undefined}
      aria-label={`Enter the ${name}${minor === null ? ', not stated' : `, ${text}`}`}
      title={`Enter the ${name}`}
      onClick={() => enter({ slot, which })}
      data-testid={`balance-${slot}-${which}`}
    >
      {text}
    </button>
  );
}

interface BalanceInputProps extends BalanceKey {
  readonly name: string;
  readonly minor: number | null;
}

function BalanceInput({ slot, which, name, minor }: BalanceInputProps) {
  const { statement, enter } = useClosing();
  const { enterBalance } = useCloseEdits();
  const { decimal_places: places } = statement;
  const [text, setText] = useState(minor === null ? '' : decimalText(minor, places));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    field.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const value = text.trim() === '' ? null : signedMinorOfText(text, places);
  const isWrong = text.trim() !== '' && value === null;
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isWrong) return;
    if (value === minor || (await enterBalance({ slot, which }, value))) enter(null);
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    enter(null);
  }
  return (
    <form className={styles.entering} onSubmit={(event) => void save(event)}>
      <input
        ref={field}
        type="text"
        inputMode="decimal"
        aria-label={`${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`}
        aria-invalid={isWrong || undefined}
        title={isWrong ? `An amount with at most ${places} decimals` : 'Enter keeps it, Esc leaves it'}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKey}
        data-testid={`enter-${slot}-${which}`}
      />
      <button type="submit" aria-label="Keep" disabled={isWrong} data-testid="balance-keep">
        ↵
      </button>
    </form>
  );
}

/** Items of a group that stand in the statement; the others are counted. */
const SHOWN = 8;
/** Warnings that speak of the balance of a side. */
const OF_BALANCE = new Set([
  'balance_unknown',
  'opening_unknown',
  'closing_not_stated',
  'balance_does_not_hold',
  'balances_disagree',
  'balance_of_earlier_day',
]);

/** One side: its balance, what is to be added and taken away, and the adjusted balance. */
export function SideColumn({ slot }: { readonly slot: Slot }) {
  const { statement, reconciliation } = useClosing();
  const isA = (slot === 'bank') === (statement.bank_side !== 'b');
  const streams = isA ? reconciliation.side_a_streams : reconciliation.side_b_streams;
  const names = listText(streams.map(({ name }) => name));
  const adjusted = slot === 'bank' ? statement.adjusted_bank : statement.adjusted_books;
  const title = sideWords(statement)[slot];
  return (
    <section className={styles.side} aria-label={`${title}: ${names}`} data-testid={`statement-${slot}`}>
      <h3 title={names}>
        {title} <span>{names}</span>
      </h3>
      <Balance slot={slot} />
      <div className={styles.groups}>
        {groupRows(statement, slot).map((group) => (
          <Group key={group.name} group={group} />
        ))}
      </div>
      <div className={styles.adjusted}>
        <span>{adjustedLabel(statement, slot)}</span>
        {adjusted === null ? (
          <span className={styles.unknown}>not known</span>
        ) : (
          <Figure minor={adjusted} label={adjustedLabel(statement, slot)} figure={{ kind: 'adjusted', slot }} testId={`adjusted-${slot}`} />
        )}
      </div>
    </section>
  );
}

/** Opening balance, lines and closing balance. */
function Balance({ slot }: { readonly slot: Slot }) {
  const { statement } = useClosing();
  const { from } = statement.period;
  const side = statement[slot];
  const sources = statement.balance_sources[slot];
  const balance = balanceOf(statement, slot);
  const label = balanceLabel(statement, slot);
  const earlierDay = earlierDayOf(statement, slot);
  const lines = side.receipt_count + side.payment_count;
  return (
    <div className={styles.opening0}>
      <div className={styles.minor}>
        <span className={styles.wrapped}>Opening, {fullDay(from)}</span>
        <small>{sourceWords(sources.opening)}</small>
        <BalanceField slot={slot} which="opening" />
      </div>
      <div className={styles.minor}>
        <span>{counted(lines, 'line')} in the period</span>
        <span className={styles.number}>{plainAmount(side.receipts + side.payments, statement.decimal_places)}</span>
      </div>
      {side.holds === false && (
        <div className={styles.minor} data-testid={`missing-${slot}`}>
          <span className={styles.wrapped}>{missingLabel(statement, slot)}</span>
          {side.lines_missing !== null && side.lines_missing !== 0 && (
            <span className={styles.number}>{plainAmount(side.lines_missing, statement.decimal_places)}</span>
          )}
        </div>
      )}
      {side.lines_missing_by_account.map(({ name, amount }) => (
        <div key={name} className={styles.minor} data-testid={`missing-${slot}-account`}>
          <span className={styles.wrapped}>of {name}</span>
          <span className={styles.number}>{plainAmount(amount, statement.decimal_places)}</span>
        </div>
      ))}
      <div className={styles.total}>
        <span>
          {label} {isComputed(statement, slot) && <small data-testid={`computed-${slot}`}>{COMPUTED}</small>}
          {earlierDay !== null && <small data-testid={`earlier-${slot}`}>stated for {fullDay(earlierDay)}</small>}
        </span>
        {balance === null ? (
          <BalanceField slot={slot} which="stated_closing" />
        ) : (
          <Figure minor={balance} label={label} figure={{ kind: 'balance', slot }} testId={`balance-${slot}`} />
        )}
      </div>
      {balance !== null && (
        <div className={styles.minor}>
          <span>As stated</span>
          <small>{sourceWords(sources.stated_closing)}</small>
          <BalanceField slot={slot} which="stated_closing" />
        </div>
      )}
      {statement.warnings
        .filter((warning) => warning.side === slot && OF_BALANCE.has(warning.code))
        .map(({ code, message }) => (
          <p key={message} className={styles.warning} data-bad={code === 'balance_does_not_hold' || undefined}>
            <IconAlertTriangle size={13} aria-hidden />
            {withMinus(message)}
          </p>
        ))}
    </div>
  );
}

function Group({ group }: { readonly group: GroupRow }) {
  const { statement, differences, look } = useClosing();
  const { name, label, count, total } = group;
  const items = statement.open_items.filter((item) => item.group === name);
  const shown = name === 'match_differences' ? differences.slice(0, SHOWN) : items.slice(0, SHOWN);
  return (
    <div className={styles.group} data-testid={`group-${name}`}>
      <div className={styles.total}>
        <span>
          {label} <small>{countText(count)}</small>
        </span>
        {count === 0 ? (
          <span className={styles.number}>{plainAmount(total, statement.decimal_places)}</span>
        ) : (
          <Figure minor={total} label={`${label}, ${counted(count, 'line')}`} figure={{ kind: 'group', name }} />
        )}
      </div>
      {shown.map((item) =>
        'matchId' in item ? <DifferenceRow key={item.matchId} item={item} /> : <ItemRow key={item.record_id} item={item} />,
      )}
      {count > shown.length && shown.length > 0 && (
        <button type="button" className={styles.more} onClick={() => look({ kind: 'group', name })} data-testid={`more-${name}`}>
          and {countText(count - shown.length)} more
        </button>
      )}
    </div>
  );
}

function ItemRow({ item }: { readonly item: PeriodOpenItem }) {
  const name = lineName(item);
  return (
    <div className={styles.item}>
      <span title={name}>
        <time dateTime={item.date}>{shortDay(item.date)}</time>
        {name}
      </span>
      <Figure minor={enteredAmount(item)} label={name} figure={{ kind: 'item', recordId: item.record_id }} />
    </div>
  );
}

function DifferenceRow({ item }: { readonly item: MatchDifference }) {
  const name = lineName(item);
  return (
    <div className={styles.item}>
      <span title={name}>
        <time dateTime={item.date}>{shortDay(item.date)}</time>
        {name}
      </span>
      <Figure minor={item.amount} label={`Difference of ${name}`} figure={{ kind: 'group', name: 'match_differences' }} />
    </div>
  );
}
