import { Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { CERTAINTIES } from '../../../src-shared/contract/rules/rules.ts';
import { CERTAINTY_LABELS, CERTAINTY_MEANINGS } from '../../format/words.ts';
import type { RuleDraft } from '../../state/rule-draft.ts';

interface RuleOutcomeProps {
  readonly draft: RuleDraft;
  readonly onChange: (part: Pick<RuleDraft, 'outcome'> | Pick<RuleDraft, 'certainties'>) => void;
}

/** What becomes of what a rule finds: which matches count at once, and which wait for a person. */
export function RuleOutcome({ draft: { outcome, certainties }, onChange }: RuleOutcomeProps) {
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="What becomes of its matches"
        value={outcome}
        onChange={(value) => onChange({ outcome: value === 'propose' ? 'propose' : 'match' })}
        data={[
          { value: 'match', label: 'Match by itself' },
          { value: 'propose', label: 'Only propose' },
        ]}
      />
      {outcome === 'match' && (
        <Checkbox.Group
          label={
            <Text size="sm" component="span">
              Matches by itself where the choice is
            </Text>
          }
          description="The rest is proposed, and waits for you."
          value={[...certainties]}
          onChange={(value) => onChange({ certainties: CERTAINTIES.filter((each) => value.includes(each)) })}
        >
          <Group gap="md" mt={6}>
            {CERTAINTIES.map((each) => (
              <Checkbox key={each} size="xs" value={each} label={CERTAINTY_LABELS[each]} title={CERTAINTY_MEANINGS[each]} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </Stack>
  );
}
