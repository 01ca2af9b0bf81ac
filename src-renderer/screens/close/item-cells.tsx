import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './open-items.module.css';

interface TextCellProps {
  /** What it is called: `Comment on CHG-Q2`. */
  readonly label: string;
  readonly value: string;
  readonly shown: ReactNode;
  readonly isEditing: boolean;
  readonly isLocked: boolean;
  readonly tabIndex: number;
  readonly type?: 'text' | 'date';
  readonly list?: string;
  readonly testId: string;
  readonly onEdit: () => void;
  readonly onEnd: () => void;
  readonly onSave: (value: string) => void;
}

/** A text of the table that is edited where it stands: Enter keeps it, Esc leaves it as it was. */
export function TextCell({ label, value, shown, isEditing, isLocked, tabIndex, onEdit, ...field }: TextCellProps) {
  if (isEditing) return <CellInput label={label} value={value} {...field} />;
  if (isLocked) return <span className={styles.text}>{shown}</span>;
  return (
    <button
      type="button"
      className={styles.cell}
      tabIndex={tabIndex}
      aria-label={value === '' ? `${label}: none` : `${label}: ${value}`}
      title={value === '' ? undefined : value}
      onClick={onEdit}
      data-testid={field.testId}
    >
      {shown}
    </button>
  );
}

type CellInputProps = Omit<TextCellProps, 'shown' | 'isEditing' | 'isLocked' | 'tabIndex' | 'onEdit'>;

function CellInput({ label, value, type = 'text', list, testId, onEnd, onSave }: CellInputProps) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    field.current?.focus();
    if (type === 'text') field.current?.select();
  }, [type]);
  function end(isKept: boolean): void {
    if (isOver.current) return;
    isOver.current = true;
    if (isKept && text.trim() !== value) onSave(text.trim());
    onEnd();
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === 'Enter');
  }
  return (
    <input
      ref={field}
      className={styles.input}
      type={type}
      list={list}
      aria-label={label}
      maxLength={type === 'text' ? 500 : undefined}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKey}
      onBlur={() => end(true)}
      data-testid={`${testId}-input`}
    />
  );
}
