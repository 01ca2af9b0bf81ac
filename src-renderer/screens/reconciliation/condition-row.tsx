import { ActionIcon, Select, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ConditionOperand, ToleranceUnit } from '../../../src-shared/contract/rule-language.ts';
import { OPERAND_WORDS } from '../../format/rule-words.ts';
import { changedCondition, type ConditionDraft, kindOf, OPERANDS_OF, UNITS_OF } from '../../state/rule-draft.ts';
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
  readonly onChange: (row: ConditionDraft) => void;
  /** Null where it is the only one. */
  readonly onRemove: (() => void) | null;
}

/** One condition: a field of side A, how it compares, a field of side B, and how far apart they may be. */
export function ConditionRow({ row, place, fields, onChange, onRemove }: ConditionRowProps) {
  const kind = kindOf(row);
  const change = (part: Parameters<typeof changedCondition>[1]): void => onChange(changedCondition(row, part));
  return (
    <div className={styles.condition} data-testid="condition-row">
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
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={onRemove === null}
        onClick={() => onRemove?.()}
        aria-label={`Remove condition ${place}`}
      >
        <IconX size={15} aria-hidden />
      </ActionIcon>
    </div>
  );
}
