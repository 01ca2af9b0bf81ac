import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type RuleDraft, withCondition } from '../../state/rule-draft.ts';
import { ConditionRow, type Fields } from './condition-row.tsx';

interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly fields: Fields;
  readonly onChange: (draft: RuleDraft) => void;
}

/** What a rule is made of: its conditions, what becomes of its matches, and what a person says of it. */
export function RuleFields({ draft, fields, onChange }: RuleFieldsProps) {
  const change = (part: Partial<RuleDraft>): void => onChange({ ...draft, ...part });
  return (
    <>
      <Stack gap="xs">
        {draft.conditions.map((row, index) => (
          <ConditionRow
            key={row.id}
            row={row}
            place={index + 1}
            fields={fields}
            onChange={(next) => change({ conditions: draft.conditions.map((each) => (each.id === row.id ? next : each)) })}
            onRemove={
              draft.conditions.length === 1 ? null : () => change({ conditions: draft.conditions.filter((each) => each.id !== row.id) })
            }
          />
        ))}
      </Stack>
      <Group justify="space-between">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange(withCondition(draft))}
        >
          Add a condition
        </Button>
        <SegmentedControl
          size="xs"
          aria-label="What becomes of its matches"
          value={draft.outcome}
          onChange={(outcome) => change({ outcome: outcome === 'propose' ? 'propose' : 'match' })}
          data={[
            { value: 'match', label: 'Match by itself' },
            { value: 'propose', label: 'Only propose' },
          ]}
        />
      </Group>
      <TextInput
        label="Description"
        placeholder="What this rule is for"
        value={draft.description}
        maxLength={2_000}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
    </>
  );
}
