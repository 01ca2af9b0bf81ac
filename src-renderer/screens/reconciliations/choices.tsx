import { Text } from '@mantine/core';
import { type Ref, useId } from 'react';
import styles from '../matches/difference.module.css';

interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T | null;
  readonly onChange: (value: T) => void;
  readonly testId: string;
  readonly error?: string | undefined;
  /** The choice that gets the focus when the dialog opens, and after an error. */
  readonly firstRef?: Ref<HTMLInputElement>;
  readonly isFocused?: boolean;
}

/** One of several choices as buttons side by side. They are native radio buttons, so the arrow keys move between them and Enter submits the form. */
export function Choices<T extends string>({ legend, choices, value, onChange, testId, error, firstRef, isFocused }: ChoicesProps<T>) {
  const name = useId();
  const faultId = useId();
  return (
    <fieldset className={styles.choices} data-testid={testId} aria-describedby={error === undefined ? undefined : faultId}>
      <legend>{legend}</legend>
      <div className={styles.choiceRow}>
        {choices.map((choice, place) => (
          <label key={choice.value} className={styles.choice} data-wide={choice.hint !== undefined || undefined}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              ref={place === 0 ? firstRef : undefined}
              data-autofocus={(isFocused === true && choice.value === value) || undefined}
            />
            <span>
              <span className={styles.choiceLabel}>{choice.label}</span>
              {choice.hint !== undefined && <span className={styles.choiceHint}>{choice.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <Text id={faultId} size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}
