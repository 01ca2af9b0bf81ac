import { ActionIcon, Group, Select, TextInput } from '@mantine/core';
import { IconArrowsSplit2, IconWand, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { ConditionOperand, ToleranceUnit } from '../../../src-shared/contract/rules/rule-language.ts';
import { OPERAND_WORDS } from '../../format/rule-words.ts';
import { changedCondition, type ConditionDraft, kindOf, OPERANDS_OF, UNITS_OF } from '../../state/rule-draft.ts';
import { ConditionSteps } from './condition-steps.tsx';
import { FaultLines } from './fault-lines.tsx';
import styles from './rules.module.css';

const UNIT_WORDS: Readonly<Record<ToleranceUnit, string>> = {
  minor: 'in money',
  dollar: 'in money',
  percent: 'percent',
  day: 'days',
  business_day: 'business days',
  month: 'same month',
  edit: 'typing errors',
};

type FieldList = { group: string; items: { value: string; label: string }[] }[];
/** What each side's lines have to compare. */
export interface Fields {
  readonly a: FieldList;
  readonly b: FieldList;
}

interface ConditionRowProps {
  readonly row: ConditionDraft;
  /** From 1, for screen readers. */
  readonly place: number;
  readonly fields: Fields;
  /** What the service said against it. */
  readonly faults: readonly string[] | undefined;
  readonly onChange: (row: ConditionDraft) => void;
  /** Null where it is the only one. */
  readonly onRemove: (() => void) | null;
  /** Adds a condition of which this one or that one has to hold. */
  readonly onAlternative: () => void;
}

/** One condition: a field of side A, how it compares, a field of side B, how far apart they may be, and how their values are prepared. */
export function ConditionRow({ row, place, fields, faults, onChange, onRemove, onAlternative }: ConditionRowProps) {
  const { transforms } = row;
  const [isOpen, setIsOpen] = useState(false);
  const isPrepared = transforms.key.length + transforms.value.length > 0;
  return (
    <div data-testid="condition-row">
      <div className={styles.condition}>
        <ComparedFields row={row} place={place} fields={fields} onChange={onChange} />
        <Group gap={0} wrap="nowrap">
          <ActionIcon
            variant={isPrepared ? 'light' : 'subtle'}
            color={isPrepared ? undefined : 'gray'}
            onClick={() => setIsOpen(!isOpen)}
            aria-expanded={isOpen || isPrepared}
            aria-label={`Prepare the values of condition ${place}`}
            title="Prepare the values: take a number out of a text, trim, lower case"
          >
            <IconWand size={15} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={onAlternative}
            aria-label={`Or another condition instead of ${place}`}
            title="Or: another condition that may hold instead"
          >
            <IconArrowsSplit2 size={15} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={onRemove === null}
            onClick={() => onRemove?.()}
            aria-label={`Remove condition ${place}`}
          >
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </Group>
      </div>
      {(isOpen || isPrepared) && (
        <Group grow align="flex-start" gap="xs" mt={6}>
          <ConditionSteps
            side="A"
            place={place}
            steps={transforms.key}
            onChange={(key) => onChange({ ...row, transforms: { ...transforms, key } })}
          />
          <ConditionSteps
            side="B"
            place={place}
            steps={transforms.value}
            onChange={(value) => onChange({ ...row, transforms: { ...transforms, value } })}
          />
        </Group>
      )}
      <FaultLines lines={faults} />
    </div>
  );
}

function ComparedFields({ row, place, fields, onChange }: Pick<ConditionRowProps, 'row' | 'place' | 'fields' | 'onChange'>) {
  const kind = kindOf(row);
  const change = (part: Parameters<typeof changedCondition>[1]): void => onChange(changedCondition(row, part));
  return (
    <>
      <Select
        aria-label={`Condition ${place}: field of side A`}
        placeholder="Field of side A"
        data={fields.a}
        value={row.key === '' ? null : row.key}
        onChange={(key) => change({ key: key ?? '' })}
        searchable
        allowDeselect={false}
      />
      <Select
        aria-label={`Condition ${place}: comparison`}
        data={OPERANDS_OF[kind].map((value) => ({ value, label: OPERAND_WORDS[value] }))}
        value={row.operand}
        onChange={(operand) => change({ operand: (operand ?? 'eq') as ConditionOperand })}
        allowDeselect={false}
      />
      <Select
        aria-label={`Condition ${place}: field of side B`}
        placeholder="Field of side B"
        data={fields.b}
        value={row.value === '' ? null : row.value}
        onChange={(value) => change({ value: value ?? '' })}
        searchable
        allowDeselect={false}
      />
      <TextInput
        aria-label={`Condition ${place}: tolerance`}
        placeholder="exactly"
        inputMode="decimal"
        value={row.operand === 'eq' && row.unit !== 'month' ? row.tolerance : ''}
        onChange={(event) => change({ tolerance: event.currentTarget.value })}
        disabled={row.operand !== 'eq' || row.unit === 'month'}
        error={!/^(?:\d+(?:\.\d+)?)?$/.test(row.tolerance.trim())}
      />
      <Select
        aria-label={`Condition ${place}: unit of the tolerance`}
        data={UNITS_OF[kind].map((value) => ({ value, label: UNIT_WORDS[value] }))}
        value={row.unit}
        onChange={(unit) => change({ unit: (unit ?? row.unit) as ToleranceUnit })}
        disabled={row.operand !== 'eq'}
        allowDeselect={false}
      />
    </>
  );
}
