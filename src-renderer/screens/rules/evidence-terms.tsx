import { Group, NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import type { MaxDifferenceInput, Rule } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { useUndo } from '../../components/use-undo.ts';
import styles from '../rules/rules.module.css';

type Kind = 'none' | 'minor' | 'percent';

const KINDS = [
  { value: 'none', label: 'Never' },
  { value: 'minor', label: 'Up to an amount' },
  { value: 'percent', label: 'Up to a percentage' },
] as const;
/** What a kind begins with. */
const FIRST: Readonly<Record<Kind, MaxDifferenceInput | null>> = { none: null, minor: { minor: 50 }, percent: { percent: 1 } };

function kindOf(difference: MaxDifferenceInput | null): Kind {
  if (difference === null) return 'none';
  return 'minor' in difference ? 'minor' : 'percent';
}

/** How many wrong links a rule of evidence may expect, and whether it may match what leaves a difference. A change is stored at once, and can be undone. */
export function EvidenceTerms({ rule, decimalPlaces }: { readonly rule: Rule; readonly decimalPlaces: number }) {
  const { remember } = useUndo();
  const update = useCommand('rules.update', (failure) => notifyFailure('The rule was not changed', failure));
  async function change(terms: Partial<Pick<Rule, 'budget' | 'max_difference'>>, label: string): Promise<void> {
    const former = Object.fromEntries(Object.keys(terms).map((key) => [key, rule[key as keyof typeof terms] ?? null]));
    const answer = await update.run({ id: rule.id, ...terms });
    if (answer.ok) remember({ kind: 'change_rule', targetId: rule.id, input: former, label });
  }
  return (
    <Group gap="4px 16px" mt={6} className={styles.terms} data-testid="evidence-terms">
      <Group gap={6} wrap="nowrap">
        <Text size="xs" c="dimmed">
          Wrong links accepted in 10,000
        </Text>
        <Whole
          key={rule.budget}
          value={rule.budget ?? 10}
          least={1}
          most={1_000}
          label="Wrong links accepted in 10,000"
          onCommit={(budget) => void change({ budget }, `Accepted ${budget} wrong links in 10,000`)}
        />
      </Group>
      <Difference key={JSON.stringify(rule.max_difference)} rule={rule} decimalPlaces={decimalPlaces} onChange={change} />
    </Group>
  );
}

interface DifferenceProps {
  readonly rule: Rule;
  readonly decimalPlaces: number;
  readonly onChange: (terms: Pick<Rule, 'max_difference'>, label: string) => Promise<void>;
}

function Difference({ rule, decimalPlaces, onChange }: DifferenceProps) {
  const { max_difference: difference } = rule;
  const kind = kindOf(difference);
  const store = (chosen: MaxDifferenceInput | null): void =>
    void onChange({ max_difference: chosen }, chosen === null ? 'Differences are only proposed' : 'Changed which differences are matched');
  const scale = 10 ** decimalPlaces;
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="xs" c="dimmed">
        Match what leaves a difference
      </Text>
      <Select
        size="xs"
        w={150}
        data={[...KINDS]}
        value={kind}
        onChange={(chosen) => store(FIRST[(chosen ?? 'none') as Kind])}
        allowDeselect={false}
        aria-label="Match what leaves a difference"
        data-testid="difference-kind"
      />
      {difference !== null && 'minor' in difference && (
        <Whole
          value={difference.minor / scale}
          least={1 / scale}
          most={Number.MAX_SAFE_INTEGER / scale}
          decimals={decimalPlaces}
          label="Largest difference"
          onCommit={(amount) => store({ minor: Math.round(amount * scale) })}
        />
      )}
      {difference !== null && 'percent' in difference && (
        <Whole
          value={difference.percent}
          least={0.01}
          most={100}
          decimals={2}
          label="Largest difference in percent"
          onCommit={(percent) => store({ percent })}
        />
      )}
    </Group>
  );
}

interface WholeProps {
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly decimals?: number;
  readonly label: string;
  readonly onCommit: (value: number) => void;
}

/** A figure that is stored once it has been typed: on Enter, or when the field is left. */
function Whole({ value, least, most, decimals = 0, label, onCommit }: WholeProps) {
  const [draft, setDraft] = useState<number | string>(value);
  function commit(): void {
    const typed = Number(draft);
    if (draft === '' || !Number.isFinite(typed) || typed < least || typed > most) setDraft(value);
    else if (typed !== value) onCommit(typed);
  }
  return (
    <NumberInput
      size="xs"
      w={92}
      value={draft}
      min={least}
      max={most}
      decimalScale={decimals}
      hideControls
      clampBehavior="none"
      onChange={setDraft}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') setDraft(value);
      }}
      aria-label={label}
    />
  );
}
