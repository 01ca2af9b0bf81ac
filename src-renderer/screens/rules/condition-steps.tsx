import { MultiSelect, TextInput } from '@mantine/core';
import { RULE_LIMITS, TRANSFORMS, type TransformName } from '../../../src-shared/contract/rules/rule-language.ts';
import { capital, TRANSFORM_WORDS } from '../../format/rule-words.ts';
import { isStepWritten, type TransformDraft } from '../../state/rule-draft.ts';
import styles from './rules.module.css';

const CHOICES = TRANSFORMS.map((value) => ({ value, label: capital(TRANSFORM_WORDS[value]) }));

interface ConditionStepsProps {
  readonly side: 'A' | 'B';
  /** From 1, for screen readers. */
  readonly place: number;
  readonly steps: readonly TransformDraft[];
  readonly onChange: (steps: readonly TransformDraft[]) => void;
}

/** By which steps a side's value is prepared before it is compared, in the order they were chosen. */
export function ConditionSteps({ side, place, steps, onChange }: ConditionStepsProps) {
  const choose = (names: readonly string[]): void =>
    onChange(names.map((name) => steps.find((step) => step.name === name) ?? { name: name as TransformName, n: '', pattern: '' }));
  const change = (name: TransformName, part: Partial<TransformDraft>): void =>
    onChange(steps.map((step) => (step.name === name ? { ...step, ...part } : step)));
  return (
    <div className={styles.steps} data-testid={`steps-${side.toLowerCase()}`}>
      <MultiSelect
        size="xs"
        label={`Side ${side}: prepare the value`}
        aria-label={`Condition ${place}: prepare the value of side ${side}`}
        placeholder={steps.length === 0 ? 'As it stands' : ''}
        data={CHOICES}
        value={steps.map(({ name }) => name)}
        onChange={choose}
        maxValues={RULE_LIMITS.transforms}
        searchable
      />
      {steps.map((step) =>
        step.name === 'extract' ? (
          <TextInput
            key={step.name}
            size="xs"
            label="The part that fits"
            description="A pattern: \d+ is a number, INV-\d+ an invoice number. With ( ) only what stands between them counts."
            placeholder="INV-\d+"
            maxLength={RULE_LIMITS.patternLength}
            value={step.pattern}
            error={!isStepWritten(step)}
            onChange={(event) => change(step.name, { pattern: event.currentTarget.value })}
          />
        ) : step.name === 'first_n_chars' || step.name === 'last_n_chars' ? (
          <TextInput
            key={step.name}
            size="xs"
            label={step.name === 'first_n_chars' ? 'How many first characters' : 'How many last characters'}
            inputMode="numeric"
            value={step.n}
            error={!isStepWritten(step)}
            onChange={(event) => change(step.name, { n: event.currentTarget.value })}
          />
        ) : null,
      )}
    </div>
  );
}
