import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { choicesOf, type ConditionDraft, type Faults, type RuleDraft, rowPlace, withCondition } from '../../state/rule-draft.ts';
import { ConditionRow, type Fields } from './condition-row.tsx';
import { FaultLines } from './fault-lines.tsx';
import { RuleGrouping } from './rule-grouping.tsx';
import { RuleOutcome } from './rule-outcome.tsx';
import styles from './rules.module.css';

interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly fields: Fields;
  readonly faults: Faults;
  readonly onChange: (draft: RuleDraft) => void;
}

/** What a rule is made of: its conditions, which lines go together, what becomes of its matches, and what a person says of it. */
export function RuleFields({ draft, fields, faults, onChange }: RuleFieldsProps) {
  const change = (part: Partial<RuleDraft>): void => onChange({ ...draft, ...part });
  return (
    <>
      <Stack gap="xs">
        <Conditions draft={draft} fields={fields} faults={faults} onChange={onChange} />
        <Group justify="space-between" gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange(withCondition(draft))}
          >
            Add a condition
          </Button>
          <Text size="xs" c="dimmed">
            Only lines of the same currency go together, unless a condition compares the currency.
          </Text>
        </Group>
      </Stack>
      <RuleGrouping grouping={draft.grouping} fields={fields} faults={faults} onChange={(grouping) => change({ grouping })} />
      <RuleOutcome draft={draft} onChange={change} />
      <TextInput
        label="Description"
        placeholder="What this rule is for"
        value={draft.description}
        maxLength={2_000}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <FaultLines lines={faults.get('rule')} />
    </>
  );
}

/** Conditions that must all hold; of a framed choice one has to. */
function Conditions({ draft, fields, faults, onChange }: RuleFieldsProps) {
  const { conditions } = draft;
  const row = (each: ConditionDraft) => (
    <ConditionRow
      key={each.id}
      row={each}
      place={conditions.indexOf(each) + 1}
      fields={fields}
      faults={faults.get(rowPlace(each))}
      onChange={(next) => onChange({ ...draft, conditions: conditions.map((other) => (other.id === each.id ? next : other)) })}
      onRemove={
        conditions.length === 1 ? null : () => onChange({ ...draft, conditions: conditions.filter((other) => other.id !== each.id) })
      }
      onAlternative={() => onChange(withCondition(draft, each))}
    />
  );
  return choicesOf(draft).map((rows) => {
    const [first, ...others] = rows;
    if (first === undefined || others.length === 0) return rows.map(row);
    return (
      <fieldset key={`choice ${first.choice}`} className={styles.choice} data-testid="rule-choice">
        <legend>One of these has to hold</legend>
        {row(first)}
        {others.map((each) => (
          <div key={each.id}>
            <Text size="xs" c="dimmed" className={styles.or}>
              or
            </Text>
            {row(each)}
          </div>
        ))}
      </fieldset>
    );
  });
}
