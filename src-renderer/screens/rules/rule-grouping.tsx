import { Group, MultiSelect, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { RULE_LIMITS } from '../../../src-shared/contract/rules/rule-language.ts';
import { SUBSET_RECORDS } from '../../../src-shared/contract/rules/rule-language.ts';
import { changedGrouping, type GroupingDraft } from '../../state/grouping-draft.ts';
import type { Faults } from '../../state/rule-draft.ts';
import type { Fields } from './condition-row.tsx';
import { FaultLines } from './fault-lines.tsx';

const KINDS: { value: GroupingDraft['kind']; label: string }[] = [
  { value: 'identifier', label: 'Lines with the same value, such as a batch number' },
  { value: 'date', label: 'Lines of the same day, or of days in a row' },
  { value: 'subset', label: 'Whichever lines add up' },
];

const MEANINGS: Readonly<Record<GroupingDraft['kind'], string>> = {
  identifier: 'All lines that share the value go together with one line of the other side, where their total fits.',
  date: 'The lines of a day go together with one line of the other side, where their total fits.',
  subset:
    'A few lines that add up to one line of the other side, and to no other. What could be added up in more than one way waits for you.',
};

interface RuleGroupingProps {
  readonly grouping: GroupingDraft;
  readonly fields: Fields;
  readonly faults: Faults;
  readonly onChange: (grouping: GroupingDraft) => void;
}

/** Whether one line goes with one, or several lines of a side with one of the other, and which. */
export function RuleGrouping({ grouping, fields, faults, onChange }: RuleGroupingProps) {
  const change = (part: Partial<GroupingDraft>): void => onChange(changedGrouping(grouping, part));
  return (
    <Stack gap="xs" data-testid="rule-grouping">
      <SegmentedControl
        size="xs"
        aria-label="How many lines go together"
        value={grouping.isGrouped ? grouping.side : 'one'}
        onChange={(value) => change(value === 'one' ? { isGrouped: false } : { isGrouped: true, side: value === 'b' ? 'b' : 'a' })}
        data={[
          { value: 'one', label: 'One line to one line' },
          { value: 'a', label: 'Several of side A to one' },
          { value: 'b', label: 'Several of side B to one' },
        ]}
      />
      {grouping.isGrouped && <Several grouping={grouping} fields={fields} faults={faults} change={change} />}
    </Stack>
  );
}

interface SeveralProps extends Omit<RuleGroupingProps, 'onChange'> {
  readonly change: (part: Partial<GroupingDraft>) => void;
}

function Several({ grouping, fields, faults, change }: SeveralProps) {
  const { kind, side, groupBy, days, dateField, most } = grouping;
  const own = fields[side];
  const said = (...places: string[]) => <FaultLines lines={places.flatMap((place) => faults.get(place) ?? [])} />;
  return (
    <>
      <Select
        label={`Which lines of side ${side.toUpperCase()}`}
        description={MEANINGS[kind]}
        data={KINDS}
        value={kind}
        onChange={(value) => change({ kind: (value ?? kind) as GroupingDraft['kind'] })}
        allowDeselect={false}
        data-testid="grouping-kind"
      />
      <Text size="xs" c="dimmed">
        A condition on amounts speaks of the total of these lines; every other condition of each of them.
      </Text>
      <MultiSelect
        label={kind === 'identifier' ? 'With the same' : 'And with the same (may be empty)'}
        placeholder={groupBy.length === 0 ? 'Choose a field' : ''}
        data={own}
        value={[...groupBy]}
        onChange={(value) => change({ groupBy: value })}
        maxValues={RULE_LIMITS.groupBy}
        searchable
        data-testid="grouping-fields"
      />
      {said('group_by', 'rollup')}
      <Group grow align="flex-start">
        <Select
          label="Date"
          data={own}
          value={dateField}
          onChange={(value) => change({ dateField: value ?? dateField })}
          searchable
          allowDeselect={false}
        />
        <TextInput
          label={kind === 'subset' ? 'Days within which they lie' : 'Days back, at most (may be empty)'}
          inputMode="numeric"
          value={days}
          error={!/^(?:[1-9]\d{0,5})?$/.test(days.trim()) || (kind === 'subset' && days.trim() === '')}
          onChange={(event) => change({ days: event.currentTarget.value })}
          data-testid="grouping-days"
        />
        {kind === 'subset' && (
          <Select
            label="Lines that add up, at most"
            data={Array.from({ length: SUBSET_RECORDS.most - SUBSET_RECORDS.least + 1 }, (_, index) =>
              String(index + SUBSET_RECORDS.least),
            )}
            value={most}
            onChange={(value) => change({ most: value ?? most })}
            allowDeselect={false}
          />
        )}
      </Group>
      {said('rollup.date_field', 'rollup.lookback_days', 'rollup.max_records')}
    </>
  );
}
