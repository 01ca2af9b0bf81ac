import {
  ActionIcon,
  Button,
  Checkbox,
  Fieldset,
  Group,
  Modal,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconArrowsSplit2, IconHistory, IconPlus, IconWand, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Failure, Output, Reconciliation, Rule, RuleBody } from '../../../src-shared/contract/index.ts';
import {
  type ConditionOperand,
  RULE_LIMITS,
  SUBSET_RECORDS,
  type ToleranceUnit,
  type TransformName,
  TRANSFORMS,
} from '../../../src-shared/contract/rules/rule-language.ts';
import { bodyOf } from '../../../src-shared/contract/rules/rule-bodies.ts';
import { CERTAINTIES, ruleBody } from '../../../src-shared/contract/rules/rules.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { capital, fieldText, OPERAND_WORDS, TRANSFORM_WORDS } from '../../format/rule-words.ts';
import { CERTAINTY_LABELS, CERTAINTY_MEANINGS } from '../../format/words.ts';
import {
  changedCondition,
  changedGrouping,
  choicesOf,
  type ConditionDraft,
  draftOf,
  type Faults,
  faultsAfter,
  FIRST_DRAFT,
  type GroupingDraft,
  isStepWritten,
  isTolerance,
  kindOf,
  NO_FAULTS,
  OPERANDS_OF,
  placeFaults,
  rowPlace,
  type RuleDraft,
  ruleOf,
  type TransformDraft,
  UNITS_OF,
  withCondition,
} from '../../state/rule-draft.ts';
import { type Backtest, BacktestFigures, Running, useBacktest } from './backtest-panel.tsx';
import { LivePreview } from './rule-preview-panel.tsx';
import styles from './rules.module.css';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { say } from '../../../src-shared/words/say.ts';

const CHOICES = TRANSFORMS.map((value) => ({ value, label: capital(TRANSFORM_WORDS[value]) }));

interface ConditionStepsProps {
  readonly side: 'A' | 'B';
  /** Number of the condition from 1, for screen readers. */
  readonly place: number;
  readonly steps: readonly TransformDraft[];
  readonly onChange: (steps: readonly TransformDraft[]) => void;
}

/** Chooses the transforms of one side's value, in the order of application. */
function ConditionSteps({ side, place, steps, onChange }: ConditionStepsProps) {
  const choose = (names: readonly string[]): void =>
    onChange(names.map((name) => steps.find((step) => step.name === name) ?? { name: name as TransformName, n: '', pattern: '' }));
  const change = (name: TransformName, part: Partial<TransformDraft>): void =>
    onChange(steps.map((step) => (step.name === name ? { ...step, ...part } : step)));
  return (
    <Stack gap="xs" miw={0} data-testid={`steps-${side.toLowerCase()}`}>
      <MultiSelect
        size="xs"
        label={say('rules.newRule.sidePrepareTheValue', { side })}
        aria-label={say('rules.newRule.conditionPrepareTheValue', { place, side })}
        placeholder={steps.length === 0 ? say('rules.newRule.asItStands') : ''}
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
            label={say('rules.newRule.thePartThatFits')}
            description={say('rules.newRule.aPatternDIsANumber')}
            placeholder={say('rules.newRule.invD')}
            maxLength={RULE_LIMITS.patternLength}
            value={step.pattern}
            error={!isStepWritten(step)}
            onChange={(event) => change(step.name, { pattern: event.currentTarget.value })}
          />
        ) : step.name === 'first_n_chars' || step.name === 'last_n_chars' ? (
          <TextInput
            key={step.name}
            size="xs"
            label={step.name === 'first_n_chars' ? say('rules.newRule.howManyFirstCharacters') : say('rules.newRule.howManyLastCharacters')}
            inputMode="numeric"
            value={step.n}
            error={!isStepWritten(step)}
            onChange={(event) => change(step.name, { n: event.currentTarget.value })}
          />
        ) : null,
      )}
    </Stack>
  );
}

const UNIT_WORDS: Readonly<Record<ToleranceUnit, string>> = {
  minor: say('rules.unitWords.minor'),
  dollar: say('rules.unitWords.minor'),
  percent: say('rules.unitWords.percent'),
  day: say('rules.unitWords.day'),
  business_day: say('rules.unitWords.businessDay'),
  month: say('rules.unitWords.month'),
  edit: say('rules.unitWords.edit'),
};

type FieldList = { group: string; items: { value: string; label: string }[] }[];
/** The fields of each side that a rule can compare. */
interface Fields {
  readonly a: FieldList;
  readonly b: FieldList;
}

interface ConditionRowProps {
  readonly row: ConditionDraft;
  /** Number of the condition from 1, for screen readers. */
  readonly place: number;
  readonly fields: Fields;
  /** The service's errors about the condition. */
  readonly faults: readonly string[] | undefined;
  readonly onChange: (row: ConditionDraft) => void;
  /** Null for the only condition. */
  readonly onRemove: (() => void) | null;
  /** Adds an alternative: one of the two conditions must hold. */
  readonly onAlternative: () => void;
}

/** One condition: the fields of both sides, how they compare, the tolerance, and the transforms. */
function ConditionRow({ row, place, fields, faults, onChange, onRemove, onAlternative }: ConditionRowProps) {
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
            {...(isPrepared ? {} : { color: 'gray' })}
            onClick={() => setIsOpen(!isOpen)}
            aria-expanded={isOpen || isPrepared}
            aria-label={say('rules.newRule.prepareTheValuesOfCondition', { place })}
            title={say('rules.newRule.prepareTheValuesTake')}
          >
            <IconWand size={15} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={onAlternative}
            aria-label={say('rules.newRule.orAnotherConditionInstead', { place })}
            title={say('rules.newRule.orAnotherConditionThatMayHoldInstead')}
          >
            <IconArrowsSplit2 size={15} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={onRemove === null}
            onClick={() => onRemove?.()}
            aria-label={say('rules.newRule.removeCondition', { place })}
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
        aria-label={say('rules.newRule.conditionFieldOfSide', { place })}
        placeholder={say('rules.newRule.fieldOfSideA')}
        data={fields.a}
        value={row.key === '' ? null : row.key}
        onChange={(key) => change({ key: key ?? '' })}
        searchable
        allowDeselect={false}
      />
      <Select
        aria-label={say('rules.newRule.conditionComparison', { place })}
        data={OPERANDS_OF[kind].map((value) => ({ value, label: OPERAND_WORDS[value] }))}
        value={row.operand}
        onChange={(operand) => change({ operand: (operand ?? 'eq') as ConditionOperand })}
        allowDeselect={false}
      />
      <Select
        aria-label={say('rules.newRule.conditionFieldOfSideB', { place })}
        placeholder={say('rules.newRule.fieldOfSideB')}
        data={fields.b}
        value={row.value === '' ? null : row.value}
        onChange={(value) => change({ value: value ?? '' })}
        searchable
        allowDeselect={false}
      />
      <TextInput
        aria-label={say('rules.newRule.conditionTolerance', { place })}
        placeholder={say('rules.newRule.exactly')}
        inputMode="decimal"
        value={row.operand === 'eq' && row.unit !== 'month' ? row.tolerance : ''}
        onChange={(event) => change({ tolerance: event.currentTarget.value })}
        disabled={row.operand !== 'eq' || row.unit === 'month'}
        error={!isTolerance(row.tolerance)}
      />
      <Select
        aria-label={say('rules.newRule.conditionUnitOfTheTolerance', { place })}
        data={UNITS_OF[kind].map((value) => ({ value, label: UNIT_WORDS[value] }))}
        value={row.unit}
        onChange={(unit) => change({ unit: (unit ?? row.unit) as ToleranceUnit })}
        disabled={row.operand !== 'eq'}
        allowDeselect={false}
      />
    </>
  );
}

const KINDS: { value: GroupingDraft['kind']; label: string }[] = [
  { value: 'identifier', label: say('rules.newRule.linesWithTheSame') },
  { value: 'date', label: say('rules.newRule.linesOfTheSame') },
  { value: 'subset', label: say('rules.newRule.whicheverLinesAddUp') },
];

const MEANINGS: Readonly<Record<GroupingDraft['kind'], string>> = {
  identifier: say('rules.meanings.identifier'),
  date: say('rules.meanings.date'),
  subset: say('rules.meanings.subset'),
};

interface RuleGroupingProps {
  readonly grouping: GroupingDraft;
  readonly fields: Fields;
  readonly faults: Faults;
  readonly onChange: (grouping: GroupingDraft) => void;
}

/** Chooses one-to-one matches, or several lines of one side with one of the other, and how they are grouped. */
function RuleGrouping({ grouping, fields, faults, onChange }: RuleGroupingProps) {
  const change = (part: Partial<GroupingDraft>): void => onChange(changedGrouping(grouping, part));
  return (
    <Stack gap="xs" data-testid="rule-grouping">
      <SegmentedControl
        size="xs"
        aria-label={say('rules.newRule.howManyLinesGo')}
        value={grouping.isGrouped ? grouping.side : 'one'}
        onChange={(value) => change(value === 'one' ? { isGrouped: false } : { isGrouped: true, side: value === 'b' ? 'b' : 'a' })}
        data={[
          { value: 'one', label: say('rules.newRule.oneLineToOneLine') },
          { value: 'a', label: say('rules.newRule.severalOfSideAToOne') },
          { value: 'b', label: say('rules.newRule.severalOfSideB') },
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
        label={say('rules.newRule.whichLinesOfSide', { side: side.toUpperCase() })}
        description={MEANINGS[kind]}
        data={KINDS}
        value={kind}
        onChange={(value) => change({ kind: (value ?? kind) as GroupingDraft['kind'] })}
        allowDeselect={false}
        data-testid="grouping-kind"
      />
      <Text size="xs" c="dimmed">
        {say('rules.newRule.aConditionOnAmounts')}
      </Text>
      <MultiSelect
        label={kind === 'identifier' ? say('rules.newRule.withTheSame') : say('rules.newRule.andWithTheSame')}
        placeholder={groupBy.length === 0 ? say('rules.newRule.chooseAField') : ''}
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
          label={say('rules.newRule.date')}
          data={own}
          value={dateField}
          onChange={(value) => change({ dateField: value ?? dateField })}
          searchable
          allowDeselect={false}
        />
        <TextInput
          label={kind === 'subset' ? say('rules.newRule.daysWithinWhichTheyLie') : say('rules.newRule.daysBackAtMost')}
          inputMode="numeric"
          value={days}
          error={!/^(?:[1-9]\d{0,5})?$/.test(days.trim()) || (kind === 'subset' && days.trim() === '')}
          onChange={(event) => change({ days: event.currentTarget.value })}
          data-testid="grouping-days"
        />
        {kind === 'subset' && (
          <Select
            label={say('rules.newRule.linesThatAddUp')}
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

const PLAIN_FIELDS = [
  'reference',
  'signed_amount',
  'amount',
  'date',
  'value_date',
  'description',
  'external_id',
  'currency',
  'direction',
  'data_stream_key',
];
const LOOKED_AT = 500;

interface NewRuleProps {
  readonly reconciliation: Reconciliation;
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
  /** The rule to start from, and whether it is changed or copied; null for a new one. */
  readonly from: { readonly rule: Rule; readonly isCopy: boolean } | null;
  readonly onClose: () => void;
}

const titleOf = (from: NewRuleProps['from']) =>
  from === null ? 'rules.newRule.addARule' : from.isCopy ? 'rules.newRule.copyTheRule' : 'rules.newRule.editTheRule';

/**
 * Edits a rule, a copy of one, or a new one, in words or as JSON, beside what it would match now. All its conditions must hold; a choice holds when one
 * of its alternatives does. A new rule is added after the existing ones.
 */
export function NewRule({ reconciliation, rules, decimalPlaces, from, onClose }: NewRuleProps) {
  const { id: reconciliationId } = reconciliation;
  const form = useDraft(from?.rule ?? null, decimalPlaces);
  const { body, forget, refused } = form;
  const edited = from?.isCopy === false ? from.rule : null;
  const [tested, setTested] = useState<string | null>(null);
  const backtest = useBacktest(reconciliationId);
  const { fields, empty } = useFields(reconciliationId);
  const create = useCommand('rules.create', (failure) => refused(say('rules.newRule.theRuleWasNotAdded'), failure));
  const update = useCommand('rules.update', (failure) => refused(say('rules.ruleCard.theRuleWasNotChanged'), failure));
  const isSaving = create.isRunning || update.isRunning;
  const key = JSON.stringify(body);
  async function submit(): Promise<void> {
    if (body === null || isSaving) return;
    forget();
    const asked =
      edited === null ? create.run({ reconciliation_id: reconciliationId, ...body }) : update.run({ id: edited.id, ...wholeBody(body) });
    if (!(await asked).ok) return;
    notifyDone(say(edited === null ? 'rules.newRule.ruleAddedTheNext' : 'rules.newRule.ruleChanged'));
    onClose();
  }
  function test(): void {
    if (body === null) return;
    setTested(key);
    backtest.start((client) => client.call('rules.backtest_unsaved', { reconciliation_id: reconciliationId, ...body, examples: 0 }));
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="80rem"
      title={say(titleOf(from))}
      closeButtonProps={{ 'aria-label': say('rules.newRule.close') }}
      data-testid="new-rule-dialog"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className={styles.beside}>
          <Stack miw={0}>
            {form.draft !== null && <Lead empty={empty} />}
            <RuleForm form={form} fields={fields} />
          </Stack>
          <LivePreview
            reconciliation={reconciliation}
            body={key}
            edited={edited}
            rules={rules}
            decimalPlaces={decimalPlaces}
            onRefused={(failure) => refused('', failure)}
          >
            {tested === key && <Tested backtest={backtest} />}
          </LivePreview>
        </div>
        <Buttons
          isComplete={body !== null}
          isEdit={edited !== null}
          isAdding={isSaving}
          isTesting={backtest.state.kind === 'running'}
          onCancel={onClose}
          onTest={test}
        />
      </form>
    </Modal>
  );
}

interface RuleFormProps {
  readonly form: ReturnType<typeof useDraft>;
  readonly fields: Fields;
}

/** The rule in words or as JSON. */
function RuleForm({ form: { draft, json, body, change, changeJson, faults }, fields }: RuleFormProps) {
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={say('rules.newRule.shownAs')}
        value={json === null ? 'words' : 'json'}
        onChange={(value) => changeJson(value === 'json' ? JSON.stringify(body ?? {}, null, 2) : null)}
        data={[
          { value: 'words', label: say('rules.newRule.inWords'), disabled: json !== null && draft === null },
          { value: 'json', label: say('rules.newRule.asJson'), disabled: body === null },
        ]}
        style={{ alignSelf: 'start' }}
        data-testid="rule-form"
      />
      {json === null && draft !== null ? (
        <RuleFields draft={draft} fields={fields} faults={faults} onChange={change} />
      ) : (
        <JsonField text={json ?? ''} isWords={draft !== null} faults={faults} onChange={changeJson} />
      )}
    </>
  );
}

/** Returns a body that says everything, so that nothing of the rule before stays. */
const wholeBody = (body: RuleBody): RuleBody =>
  body.method === 'evidence' ? body : { cardinality: 'one_to_one', group_by: [], rollup: null, ...body };

/** Returns the rule that a text says, or what is wrong with the text, and where. */
function bodyFrom(text: string): Result<RuleBody, string> {
  try {
    const read = ruleBody.safeParse(JSON.parse(text));
    if (read.success) return success(read.data);
    const [issue] = read.error.issues;
    return failed([issue?.path.join('.') ?? '', issue?.message ?? ''].filter((part) => part !== '').join(': '));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

interface JsonFieldProps {
  readonly text: string;
  /** Whether the form in words has all that the text says. */
  readonly isWords: boolean;
  readonly faults: Faults;
  readonly onChange: (text: string) => void;
}

/** The rule as a rules file holds it, with its fault and the place of it. */
function JsonField({ text, isWords, faults, onChange }: JsonFieldProps) {
  const read = bodyFrom(text);
  return (
    <>
      <Textarea
        label={say('rules.newRule.json')}
        description={isWords ? say('rules.newRule.jsonHint') : say('rules.newRule.jsonOnly')}
        value={text}
        error={read.ok ? null : read.error}
        autosize
        minRows={12}
        maxRows={26}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--t-small)' } }}
        onChange={(event) => onChange(event.currentTarget.value)}
        data-testid="rule-json"
      />
      <FaultLines lines={[...faults.values()].flat()} />
    </>
  );
}

/** Holds the draft, or the rule as JSON, and the service's errors about its parts, which stay visible until those parts change. */
function useDraft(rule: Rule | null, decimalPlaces: number) {
  const [draft, setDraft] = useState<RuleDraft | null>(() => (rule === null ? FIRST_DRAFT : draftOf(bodyOf(rule), decimalPlaces)));
  const [json, setJson] = useState<string | null>(() => (rule === null || draft !== null ? null : JSON.stringify(bodyOf(rule), null, 2)));
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const written = json === null ? null : bodyFrom(json);
  return {
    draft,
    json,
    faults,
    body: written === null ? (draft === null ? null : ruleOf(draft, decimalPlaces)) : written.ok ? written.value : null,
    change: (next: RuleDraft): void => {
      setFaults(draft === null ? NO_FAULTS : faultsAfter(faults, draft, next));
      setDraft(next);
    },
    /** Null returns to the words. */
    changeJson: (text: string | null): void => {
      setFaults(NO_FAULTS);
      setJson(text);
      const next = text === null ? null : bodyFrom(text);
      if (next?.ok === true) setDraft(draftOf(next.value, decimalPlaces));
    },
    forget: () => setFaults(NO_FAULTS),
    /** Shows errors at their places. Another failure is told under a title, where there is one. */
    refused: (title: string, failure: Failure): void => {
      if (failure.errors === undefined || failure.errors.length === 0) {
        if (title !== '') notifyFailure(title, failure);
      } else if (draft === null || json !== null)
        setFaults(new Map([['rule', failure.errors.map(({ path, message }) => `${path}: ${message}`)]]));
      else setFaults(placeFaults(draft, failure.errors));
    },
  };
}

function Lead({ empty }: { readonly empty: readonly ('A' | 'B')[] }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {say('rules.newRule.twoLinesBelongTogether')}
      </Text>
      {empty.length > 0 && (
        <Text size="sm" c="dimmed">
          {say('rules.newRule.linesYetFieldsFromTheFiles', {
            noSide: empty.length === 2 ? say('rules.newRule.noSideHas') : say('rules.newRule.sideDoesNotHave', { empty: empty[0] ?? '' }),
          })}
        </Text>
      )}
    </>
  );
}

/** The result of the back-test of the draft. */
function Tested({ backtest: { state, stop } }: { readonly backtest: Backtest }) {
  if (state.kind === 'running') return <Running onStop={stop} />;
  if (state.kind === 'failed') return <FailurePanel title={say('rules.newRule.thereIsNoBack')} failure={state.failure} />;
  return state.kind === 'done' ? <BacktestFigures found={state.value} /> : null;
}

interface ButtonsProps {
  readonly isComplete: boolean;
  readonly isEdit: boolean;
  readonly isAdding: boolean;
  readonly isTesting: boolean;
  readonly onCancel: () => void;
  readonly onTest: () => void;
}

function Buttons({ isComplete, isEdit, isAdding, isTesting, onCancel, onTest }: ButtonsProps) {
  return (
    <Group justify="flex-end" className={styles.foot}>
      <Button variant="default" onClick={onCancel}>
        {say('rules.newRule.cancel')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconHistory size={15} aria-hidden />}
        disabled={!isComplete}
        loading={isTesting}
        onClick={onTest}
        data-testid="new-rule-backtest"
      >
        {say('rules.newRule.backTest')}
      </Button>
      <WriteButton type="submit" disabled={!isComplete} loading={isAdding} data-testid="new-rule-create">
        {say(isEdit ? 'rules.newRule.save' : 'rules.newRule.add')}
      </WriteButton>
    </Group>
  );
}

/** Returns the fields of the first lines of each side, and the sides that have no lines. */
function useFields(reconciliationId: number): { readonly fields: Fields; readonly empty: readonly ('A' | 'B')[] } {
  const first = { reconciliation_id: reconciliationId, status: 'all', limit: LOOKED_AT } as const;
  const a = useOperation('lines.window', { ...first, side: 'a' });
  const b = useOperation('lines.window', { ...first, side: 'b' });
  const empty = (['A', 'B'] as const).filter((side) => (side === 'A' ? a : b).data?.total_count === 0);
  return { fields: { a: fieldsOf(a.data), b: fieldsOf(b.data) }, empty };
}

function fieldsOf(lines: Output<'lines.window'> | undefined): Fields['a'] {
  const names = new Set((lines?.data ?? []).flatMap((line) => Object.keys(line.metadata)));
  const own = [...names].toSorted().map((name) => `metadata.${name}`);
  const items = (values: readonly string[]) => values.map((value) => ({ value, label: capital(fieldText(value)) }));
  return [
    { group: say('rules.newRule.everyLine'), items: items(PLAIN_FIELDS) },
    { group: say('rules.newRule.fromTheFiles'), items: items(own) },
  ].filter((group) => group.items.length > 0);
}

interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly fields: Fields;
  readonly faults: Faults;
  readonly onChange: (draft: RuleDraft) => void;
}

/** The parts of a rule: its conditions, its grouping, what happens to its matches, and its description. */
function RuleFields({ draft, fields, faults, onChange }: RuleFieldsProps) {
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
            {say('rules.newRule.addACondition')}
          </Button>
          <Text size="xs" c="dimmed">
            {say('rules.newRule.onlyLinesOfTheSame')}
          </Text>
        </Group>
      </Stack>
      <RuleGrouping grouping={draft.grouping} fields={fields} faults={faults} onChange={(grouping) => change({ grouping })} />
      <RuleOutcome draft={draft} onChange={change} />
      <TextInput
        label={say('rules.newRule.description')}
        placeholder={say('rules.newRule.whatThisRuleIsFor')}
        value={draft.description}
        maxLength={2_000}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <FaultLines lines={faults.get('rule')} />
    </>
  );
}

/** The conditions, all of which must hold. A frame marks alternatives, of which one must hold. */
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
      <Fieldset key={`choice ${first.choice}`} legend={say('rules.newRule.oneOfTheseHasToHold')} p={10} pt={4} data-testid="rule-choice">
        {row(first)}
        {others.map((each) => (
          <div key={each.id}>
            <Text size="xs" c="dimmed" p="4px 2px">
              {say('rules.newRule.or')}
            </Text>
            {row(each)}
          </div>
        ))}
      </Fieldset>
    );
  });
}

interface RuleOutcomeProps {
  readonly draft: RuleDraft;
  readonly onChange: (part: Pick<RuleDraft, 'outcome'> | Pick<RuleDraft, 'certainties'>) => void;
}

/** Chooses which matches of a rule count at once and which wait for a person. */
function RuleOutcome({ draft: { outcome, certainties }, onChange }: RuleOutcomeProps) {
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={say('rules.newRule.whatBecomesOfItsMatches')}
        value={outcome}
        onChange={(value) => onChange({ outcome: value === 'propose' ? 'propose' : 'match' })}
        data={[
          { value: 'match', label: say('rules.newRule.matchByItself') },
          { value: 'propose', label: say('rules.newRule.onlyPropose') },
        ]}
      />
      {outcome === 'match' && (
        <Checkbox.Group
          label={
            <Text size="sm" component="span">
              {say('rules.newRule.matchesByItselfWhereTheChoiceIs')}
            </Text>
          }
          description={say('rules.newRule.theRestIsProposed')}
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

/** The service's errors about one part of a form. */
function FaultLines({ lines }: { readonly lines: readonly string[] | undefined }) {
  if (lines === undefined || lines.length === 0) return null;
  return (
    <Text size="xs" c="red" role="alert" data-testid="rule-fault">
      {lines.join(' ')}
    </Text>
  );
}
