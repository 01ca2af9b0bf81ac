import { Checkbox, Group, List, Select, Stack, TextInput, Title } from '@mantine/core';
import type { SideMapping } from '../../../src-shared/contract/databases/mapping.ts';
import type { TableProposal } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';

/** A mapping as a form holds it: empty texts for what is not said. */
export interface Draft {
  readonly day: string;
  readonly zone: string;
  readonly amount: string;
  /** The column of money out, where money in has one of its own. */
  readonly amountOut: string;
  readonly unit: '' | 'major' | 'minor';
  readonly floatsAsPrinted: boolean;
  readonly sign: '' | 'positive_in' | 'positive_out' | 'column';
  readonly signColumn: string;
  readonly signIn: string;
  readonly signOut: string;
  readonly currencyColumn: string;
  readonly currency: string;
  readonly valueDay: string;
  readonly description: string;
  readonly reference: string;
  readonly id: string;
  readonly leavesOut: boolean;
  /** What the form does not show, and keeps. */
  readonly rest: Pick<SideMapping, 'balance' | 'metadata'>;
}

const WORDS = /\s*,\s*/;

/** Returns a mapping, or the part of it that is sure, as a form. */
export function draftOf(mapping: TableProposal['mapping']): Draft {
  const { amount, sign, currency } = mapping;
  const words = typeof sign === 'object' ? sign : null;
  return {
    day: mapping.day ?? '',
    zone: mapping.time_zone ?? '',
    amount: (typeof amount === 'object' ? amount.in : amount) ?? '',
    amountOut: typeof amount === 'object' ? amount.out : '',
    unit: mapping.unit ?? '',
    floatsAsPrinted: mapping.floats === 'as_printed',
    sign: typeof sign === 'object' ? 'column' : (sign ?? ''),
    signColumn: words?.column ?? '',
    signIn: words?.in.join(', ') ?? '',
    signOut: words?.out.join(', ') ?? '',
    currencyColumn: typeof currency === 'object' ? currency.column : '',
    currency: typeof currency === 'string' ? currency : '',
    valueDay: mapping.value_day ?? '',
    description: mapping.description ?? '',
    reference: mapping.reference ?? '',
    id: mapping.id ?? '',
    leavesOut: mapping.empty_rows === 'leave_out',
    rest: {
      ...(mapping.balance === undefined ? {} : { balance: mapping.balance }),
      ...(mapping.metadata === undefined ? {} : { metadata: mapping.metadata }),
    },
  };
}

function signIn(draft: Draft): SideMapping['sign'] | null {
  if (draft.sign !== 'column') return draft.sign === '' ? null : draft.sign;
  const wordsOf = (text: string): string[] =>
    text
      .trim()
      .split(WORDS)
      .filter((word) => word !== '');
  const [moneyIn, moneyOut] = [wordsOf(draft.signIn), wordsOf(draft.signOut)];
  return draft.signColumn === '' || moneyIn.length === 0 || moneyOut.length === 0
    ? null
    : { column: draft.signColumn, in: moneyIn, out: moneyOut };
}

/** Returns the mapping of a form, or null while something is missing. */
export function mappingOf(draft: Draft): SideMapping | null {
  const sign = signIn(draft);
  const currency = draft.currencyColumn === '' ? draft.currency.trim().toUpperCase() : { column: draft.currencyColumn };
  if (draft.day === '' || draft.amount === '' || draft.unit === '' || sign === null) return null;
  if (typeof currency === 'string' && !/^[A-Z]{3}$/.test(currency)) return null;
  const optional = {
    time_zone: draft.zone.trim(),
    value_day: draft.valueDay,
    description: draft.description,
    reference: draft.reference,
    id: draft.id,
  };
  return {
    day: draft.day,
    amount: draft.amountOut === '' ? draft.amount : { in: draft.amount, out: draft.amountOut },
    unit: draft.unit,
    sign,
    currency,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== '')),
    ...(draft.floatsAsPrinted ? { floats: 'as_printed' as const } : {}),
    ...(draft.leavesOut ? { empty_rows: 'leave_out' as const } : {}),
    ...draft.rest,
  };
}

const QUESTIONS: Readonly<Record<TableProposal['questions'][number], string>> = {
  not_understood: say('databases.mapping.notUnderstood'),
  instants_need_a_zone: say('databases.mapping.instantsNeedAZone'),
  no_amount_column: say('databases.mapping.noAmountColumn'),
  floats_for_money: say('databases.mapping.floatsForMoney'),
  major_or_minor: say('databases.mapping.majorOrMinor'),
  which_sign: say('databases.mapping.whichSign'),
  which_currency: say('databases.mapping.whichCurrency'),
};

const OTHERS = [
  { field: 'description', label: say('databases.mapping.description') },
  { field: 'reference', label: say('databases.mapping.reference') },
  { field: 'id', label: say('databases.mapping.id') },
  { field: 'valueDay', label: say('databases.mapping.valueDay') },
] as const;

interface FormProps {
  readonly side: 'a' | 'b';
  readonly table: string;
  readonly proposal: TableProposal;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function Questions({ side, questions }: { readonly side: 'a' | 'b'; readonly questions: TableProposal['questions'] }) {
  if (questions.length === 0) return null;
  return (
    <List size="sm" data-testid={`questions-${side}`}>
      {questions.map((question) => (
        <List.Item key={question}>{QUESTIONS[question]}</List.Item>
      ))}
    </List>
  );
}

/** Which column of a table is what: as proposed, to be changed. */
export function SideMappingForm({ side, table, proposal: { columns, questions }, draft, onChange }: FormProps) {
  const names = columns.map(({ name }) => name);
  const change = (some: Partial<Draft>): void => onChange({ ...draft, ...some });
  const column = (
    field: 'day' | 'amount' | 'amountOut' | 'valueDay' | 'description' | 'reference' | 'id' | 'currencyColumn',
    label: string,
  ) => (
    <Select
      key={field}
      label={label}
      data={names}
      value={draft[field] === '' ? null : draft[field]}
      clearable
      searchable
      onChange={(value) => change({ [field]: value ?? '' })}
      data-testid={`${field}-${side}`}
    />
  );
  const hasZone = columns.some(({ name, has_zone: isOne }) => isOne && [draft.day, draft.valueDay].includes(name));
  const hasFloats = columns.some(({ name, is_float: isOne }) => isOne && [draft.amount, draft.amountOut].includes(name));
  return (
    <Stack gap="xs" miw="18rem" data-testid={`mapping-${side}`}>
      <Title order={3}>{table}</Title>
      <Questions side={side} questions={questions} />
      {column('day', say('databases.mapping.day'))}
      {hasZone && (
        <TextInput
          label={say('databases.mapping.zone')}
          placeholder={say('databases.mapping.zoneExample')}
          value={draft.zone}
          onChange={(event) => change({ zone: event.currentTarget.value })}
          data-testid={`zone-${side}`}
        />
      )}
      <Group grow align="flex-end">
        {column('amount', draft.amountOut === '' ? say('databases.mapping.amount') : say('databases.mapping.moneyIn'))}
        {column('amountOut', say('databases.mapping.moneyOut'))}
      </Group>
      {hasFloats && (
        <Checkbox
          label={say('databases.mapping.floatsAsPrinted')}
          checked={draft.floatsAsPrinted}
          onChange={(event) => change({ floatsAsPrinted: event.currentTarget.checked })}
          data-testid={`floats-${side}`}
        />
      )}
      <Amounts side={side} names={names} draft={draft} change={change} />
      <Group grow align="flex-end">
        {column('currencyColumn', say('databases.mapping.currencyColumn'))}
        {draft.currencyColumn === '' && (
          <TextInput
            label={say('databases.mapping.currency')}
            placeholder={say('databases.mapping.currencyExample')}
            maxLength={3}
            value={draft.currency}
            onChange={(event) => change({ currency: event.currentTarget.value })}
            data-testid={`currency-${side}`}
          />
        )}
      </Group>
      {OTHERS.map(({ field, label }) => column(field, label))}
      <Checkbox
        label={say('databases.mapping.leaveOut')}
        checked={draft.leavesOut}
        onChange={(event) => change({ leavesOut: event.currentTarget.checked })}
        data-testid={`leave-out-${side}`}
      />
    </Stack>
  );
}

interface AmountsProps {
  readonly side: 'a' | 'b';
  readonly names: readonly string[];
  readonly draft: Draft;
  readonly change: (some: Partial<Draft>) => void;
}

/** In which unit amounts are, and which of them are money in. */
function Amounts({ side, names, draft, change }: AmountsProps) {
  return (
    <>
      <Select
        label={say('databases.mapping.unit')}
        data={[
          { value: 'major', label: say('databases.mapping.major') },
          { value: 'minor', label: say('databases.mapping.minor') },
        ]}
        value={draft.unit === '' ? null : draft.unit}
        onChange={(value) => change({ unit: value === 'major' || value === 'minor' ? value : '' })}
        data-testid={`unit-${side}`}
      />
      <Select
        label={say('databases.mapping.sign')}
        data={[
          { value: 'positive_in', label: say('databases.mapping.positiveIn') },
          { value: 'positive_out', label: say('databases.mapping.positiveOut') },
          { value: 'column', label: say('databases.mapping.signOfColumn') },
        ]}
        value={draft.sign === '' ? null : draft.sign}
        onChange={(value) => change({ sign: value === 'positive_in' || value === 'positive_out' || value === 'column' ? value : '' })}
        data-testid={`sign-${side}`}
      />
      {draft.sign === 'column' && (
        <Group grow align="flex-end">
          <Select
            label={say('databases.mapping.signColumn')}
            data={[...names]}
            value={draft.signColumn === '' ? null : draft.signColumn}
            onChange={(value) => change({ signColumn: value ?? '' })}
          />
          <TextInput
            label={say('databases.mapping.wordsIn')}
            value={draft.signIn}
            onChange={(event) => change({ signIn: event.currentTarget.value })}
          />
          <TextInput
            label={say('databases.mapping.wordsOut')}
            value={draft.signOut}
            onChange={(event) => change({ signOut: event.currentTarget.value })}
          />
        </Group>
      )}
    </>
  );
}
