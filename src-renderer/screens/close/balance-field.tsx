import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { decimalText } from '../../../src-shared/values/money.ts';
import { useReadOnlyReason } from '../../components/writing.tsx';
import { signedMinorOfText } from '../../format/amount-input.ts';
import { sideInWords } from '../../format/close-words.ts';
import { plainAmount } from '../../format/money.ts';
import { type BalanceKey, useClosing } from './close-context.ts';
import styles from './statement.module.css';
import { useCloseEdits } from './use-close-edits.ts';

const WHICH = { opening: 'opening balance', stated_closing: 'closing balance' } as const;

/** A balance where its figure stands: as it is known, or to be entered. An empty field takes away what was entered. */
export function BalanceField({ slot, which }: BalanceKey) {
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
    if (value === minor || (await enterBalance({ slot, which }, value, `Entered the ${name}`))) enter(null);
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
