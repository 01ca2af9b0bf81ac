import { Box, Button, CloseButton, Drawer, Flex, Group, NativeSelect, Skeleton, Text, TextInput, type TextInputProps } from '@mantine/core';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import type { Call, Failure, OpenItemNote, Output, Reconciliation, RecordItem, Stream } from '../../../src-shared/contract/index.ts';
import { STATUS_WORDS } from '../../../src-shared/contract/close/period-statement.ts';
import { PDF_PLACE_KEY, pdfPlaceOf } from '../../../src-shared/values/pdf-place.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { DateField } from '../../components/date-field.tsx';
import { Day, Instant } from '../../components/day.tsx';
import { FailureAlert, FailurePanel } from '../../components/failure-panel.tsx';
import { FoldedHistory } from '../../components/history-list.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { showKeptFile } from '../../components/kept-file.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { Fact, Facts, Pane, PaneHeader, StateBadge, type StateTone } from '../../components/primitives.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { signedMinorOfText } from '../../../src-shared/values/amount-input.ts';
import { lineLabel, recordTexts } from '../../format/close-words.ts';
import { countText } from '../../format/counts.ts';
import { moneyText, plainAmount, signedOf, typedAmount } from '../../format/money.ts';
import { fieldsOf, otherFileText, recordStateText, referenceOf } from '../../format/record-words.ts';
import { closeLine, lineInFull } from '../../state/line-in-full.ts';
import { useNavigation } from '../../state/navigation.ts';
import type { Place } from '../../state/places.ts';
import styles from './records.module.css';

const NO_TEXT = say('records.aLineWithoutAText');
/** More reconciliations than any line is part of. */
const RECONCILIATIONS = 100;

function toneOf({ status, overdue }: RecordItem): StateTone {
  if (status === 'reconciled') return 'done';
  return overdue.length > 0 ? 'broken' : 'open';
}

interface InFullProps {
  readonly id: number;
  /** The line as it was listed, if it was. Its present state is read in any case. */
  readonly listed: RecordItem | undefined;
  readonly streams: readonly Stream[] | undefined;
}

/** One line in full, beside a list. */
export function RecordPanel({ onClose, ...line }: InFullProps & { readonly onClose: () => void }) {
  return (
    <Pane kind="aside" className={styles.detail} aria-label={say('records.line')} data-testid="record-panel">
      <PaneHeader id="record-panel" title={say('records.line')}>
        <CloseButton
          size="sm"
          aria-label={say('records.closeTheLine')}
          title={say('records.closeEsc')}
          onClick={onClose}
          data-testid="record-close"
        />
      </PaneHeader>
      <InFull {...line} />
    </Pane>
  );
}

/** The line that was opened from open lines, proposals or matches, over the screen. */
export function LineDrawer() {
  const id = useStore(lineInFull, (state) => state.id);
  const { data: streams } = useOperation('streams.list', {});
  // A link in it leads elsewhere, where it would cover what the link shows.
  useEffect(() => useNavigation.subscribe((now, before) => (now.place === before.place ? undefined : closeLine())), []);
  return (
    <Drawer
      opened={id !== null}
      onClose={closeLine}
      position="right"
      size="26rem"
      padding={0}
      title={say('records.line')}
      closeButtonProps={{ 'aria-label': say('records.closeTheLine') }}
      data-testid="line-in-full"
    >
      {id !== null && <InFull key={id} id={id} listed={undefined} streams={streams} />}
    </Drawer>
  );
}

/** Its state, its matches in every reconciliation, what people wrote on it, all fields of its file, and its history. */
function InFull({ id, listed, streams }: InFullProps) {
  const { data: value, error: failure, refetch } = useOperation('records.get', { id });
  const record = value ?? listed;
  if (failure?.failure.code === 'not_found') {
    return <Text p="sm">{record === undefined ? say('records.noSuchLine', { id: String(id) }) : say('records.thisLineIsNoLonger')}</Text>;
  }
  if (record === undefined) {
    if (failure !== null)
      return <FailurePanel title={say('records.theLineCouldNotBeRead')} failure={failure} onRetry={() => void refetch()} />;
    return <Skeleton height={240} m="sm" />;
  }
  const stream = streams?.find(({ key }) => key === record.data_stream_key);
  const reference = referenceOf(record, stream?.reference_field ?? null);
  return (
    <>
      <div className={styles.lead}>
        <Box className="wrap" fz="lg" fw={580}>
          {record.description ?? reference ?? NO_TEXT}
        </Box>
        <Box fz="lg" fw={580}>
          <Amount minor={signedOf(record)} currency={record.currency} decimalPlaces={record.decimal_places} />
        </Box>
        <div className={`mid small wrap ${styles.leadFacts}`}>
          <Day iso={record.date} /> ·{' '}
          <PlaceLink place={{ screen: 'stream', key: record.data_stream_key }}>{stream?.name ?? record.data_stream_key}</PlaceLink>
          {reference !== null && ` · ${reference}`}
        </div>
      </div>
      <Standing record={record} />
      <Matches record={record} />
      <Fields record={record} reference={reference} />
      <section className={styles.section} aria-labelledby="record-history">
        <h3 id="record-history">{say('book.history.title')}</h3>
        <FoldedHistory asked={{ record_id: record.id }} about="record" />
      </section>
    </>
  );
}

type FormName = 'edit' | 'split';
const FORM_BUTTON = { size: 'compact-xs', variant: 'default' } as const;

/** The state of a line, and the forms that change it; or why it cannot be changed. */
function Standing({ record }: { readonly record: RecordItem }) {
  const [form, setForm] = useState<FormName | null>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const hold = useHold(record);
  /** The form that was left, whose button then has the focus. */
  const [left, setLeft] = useState<FormName | null>(null);
  useEffect(() => {
    if (left !== null) buttons.current?.querySelector<HTMLElement>(`[data-testid="record-${left}"]`)?.focus();
  }, [left]);
  const open = (name: FormName): void => (setForm(name), setLeft(null));
  const leave = (): void => (setForm(null), setLeft(form));
  return (
    <>
      <Flex className="line-below" gap="sm" align="center" wrap="wrap" py="sm" px="md">
        <StateBadge tone={toneOf(record)}>{recordStateText(record)}</StateBadge>
        {record.days_unreconciled !== null && (
          <span className="quiet small">{say('records.days', { daysUnreconciled: countText(record.days_unreconciled) })}</span>
        )}
        <SyncWhy resource="records" id={record.id} />
        {hold === null && form === null && (
          <Group ref={buttons} gap="xs" ml="auto">
            <WriteButton {...FORM_BUTTON} onClick={() => open('edit')} data-testid="record-edit">
              {say('records.edit')}
            </WriteButton>
            {record.amount > 1 && (
              <WriteButton {...FORM_BUTTON} onClick={() => open('split')} data-testid="record-split">
                {say('records.split.splitOff')}
              </WriteButton>
            )}
          </Group>
        )}
        {hold !== null && hold !== 'unknown' && (
          <Text size="xs" c="dimmed" className="wrap" data-testid="record-hold">
            {hold.why} {hold.place !== null && <PlaceLink place={hold.place}>{say('records.hold.showTheClose')}</PlaceLink>}
          </Text>
        )}
      </Flex>
      {form === 'edit' && <Edit record={record} onClose={leave} />}
      {form === 'split' && <SplitOff record={record} onClose={leave} />}
    </>
  );
}

interface Hold {
  readonly why: string;
  /** Where the reason is. */
  readonly place: Place | null;
}

/** Returns why a line cannot be changed: a match holds it, or a closed period; null if it can be. */
function useHold(record: RecordItem | undefined): Hold | 'unknown' | null {
  const { data: locks } = useOperation('periods.locks', {});
  const { data: all } = useOperation('reconciliations.list', { limit: RECONCILIATIONS });
  if (record === undefined) return 'unknown';
  if (record.status === 'reconciled') return { why: say('records.hold.matched'), place: null };
  if (locks === undefined || all === undefined) return 'unknown';
  const own = new Map(all.data.filter((each) => hasStream(each, record)).map((each) => [each.id, each.name]));
  const lock = locks.find(({ reconciliation_id: id, to }) => own.has(id) && to >= record.date);
  if (lock === undefined) return null;
  const { reconciliation_id: id, period_id: periodId, name } = lock;
  return {
    why: say('records.hold.closed', { period: name, reconciliation: own.get(id) ?? '' }),
    place: { screen: 'close', key: id, periodId },
  };
}

function hasStream({ side_a_streams: a, side_b_streams: b }: Reconciliation, { data_stream_key: own }: RecordItem): boolean {
  return [...a, ...b].some(({ key }) => key === own);
}

/** The fields of a line that a person corrects while no match holds it. */
function Edit({ record, onClose }: { readonly record: RecordItem; readonly onClose: () => void }) {
  const [draft, setDraft] = useState({
    description: record.description ?? '',
    date: record.date,
    valueDate: record.value_date ?? '',
    amount: typedAmount(signedOf(record), record.decimal_places),
    currency: record.currency,
    reference: record.external_id ?? '',
  });
  const [fields, setFields] = useState(() => textFields(record));
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('records.update', setFailure);
  const form = useLeavableForm(onClose);
  const amount = signedMinorOfText(draft.amount, record.decimal_places);
  const set = (field: keyof typeof draft) => (event: SyntheticEvent<HTMLInputElement>) =>
    setDraft({ ...draft, [field]: event.currentTarget.value });
  async function save(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (amount === null || draft.date === '') return;
    const change = changeOf(record, { ...draft, amount, fields });
    if (Object.keys(change).length === 0 || (await update.run({ id: record.id, ...change })).ok) onClose();
  }
  return (
    <form
      ref={form}
      className={styles.section}
      aria-label={say('records.edit')}
      onSubmit={(event) => void save(event)}
      data-testid="record-edit-form"
    >
      <FormText label={say('records.description')} value={draft.description} onChange={set('description')} />
      <DateField size="xs" label={say('records.date')} value={draft.date} onChange={(date) => setDraft({ ...draft, date })} required />
      <DateField
        size="xs"
        label={say('records.valueDate')}
        value={draft.valueDate}
        onChange={(valueDate) => setDraft({ ...draft, valueDate })}
      />
      <FormText
        label={say('records.amount')}
        value={draft.amount}
        onChange={set('amount')}
        error={amount === null ? say('records.noAmount', { example: plainAmount(-123_450, 2) }) : null}
        data-testid="record-edit-amount"
      />
      <FormText label={say('records.currency')} value={draft.currency} onChange={set('currency')} maxLength={3} required />
      <FormText label={say('records.reference')} value={draft.reference} onChange={set('reference')} maxLength={255} />
      {Object.entries(fields).map(([name, value]) => (
        <FormText key={name} label={name} value={value} onChange={(event) => setFields({ ...fields, [name]: event.currentTarget.value })} />
      ))}
      {failure !== null && <FailureAlert title={say('records.notChanged')} failure={failure} />}
      <FormButtons isRunning={update.isRunning} onClose={onClose} label={say('records.save')} testId="record-save" />
    </form>
  );
}

/** A field of a form in a drawer: Esc leaves the form, and not the drawer. */
function FormText(props: TextInputProps) {
  return <TextInput size="xs" data-mantine-stop-propagation {...props} />;
}

/** Returns the ref of a form whose first field has the focus at first, and which Esc leaves without leaving the line. */
function useLeavableForm(onClose: () => void): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const leave = useEffectEvent(onClose);
  useEffect(() => {
    const element = form.current;
    element?.querySelector('input')?.focus();
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      leave();
    };
    element?.addEventListener('keydown', listen);
    return () => element?.removeEventListener('keydown', listen);
  }, []);
  return form;
}

interface FormButtonsProps {
  readonly isRunning: boolean;
  readonly isDisabled?: boolean;
  readonly label: string;
  readonly onClose: () => void;
  readonly testId: string;
}

function FormButtons({ isRunning, isDisabled = false, label, onClose, testId }: FormButtonsProps) {
  return (
    <Group gap="xs">
      <WriteButton
        type="submit"
        size="compact-sm"
        loading={isRunning}
        disabled={isDisabled}
        data-mantine-stop-propagation
        data-testid={testId}
      >
        {label}
      </WriteButton>
      <Button size="compact-sm" variant="default" onClick={onClose} data-mantine-stop-propagation>
        {say('records.cancel')}
      </Button>
    </Group>
  );
}

/** Returns the fields of the file that are texts, which a person can correct. */
function textFields({ metadata }: RecordItem): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([name, value]) => (typeof value === 'string' && name !== PDF_PLACE_KEY ? [[name, value]] : [])),
  );
}

interface Draft {
  readonly description: string;
  readonly date: string;
  readonly valueDate: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Returns what a draft changes. The sign of an amount is sent as its direction, as one without a sign would keep what it is. */
function changeOf(record: RecordItem, draft: Draft): Omit<Call<'records.update'>, 'id'> {
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text);
  const { amount, date, currency, fields } = draft;
  const [description, valueDate, reference] = [orNull(draft.description), orNull(draft.valueDate), orNull(draft.reference)];
  const direction = amount === 0 ? record.direction : amount < 0 ? 'debit' : 'credit';
  const isOtherField = Object.entries(fields).some(([name, value]) => record.metadata[name] !== value);
  return {
    ...(description === record.description ? {} : { description }),
    ...(date === record.date ? {} : { date }),
    ...(valueDate === record.value_date ? {} : { value_date: valueDate }),
    ...(amount === signedOf(record) ? {} : { amount: Math.abs(amount), direction }),
    ...(currency.toUpperCase() === record.currency ? {} : { currency: currency.toUpperCase() }),
    ...(reference === record.external_id ? {} : { external_id: reference }),
    ...(isOtherField ? { metadata: { ...record.metadata, ...fields } } : {}),
  };
}

/** Splits a part off a line, such as the fee of a payment, so that each is matched by itself. */
function SplitOff({ record, onClose }: { readonly record: RecordItem; readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [description, setDescription] = useState(record.description ?? '');
  const [failure, setFailure] = useState<Failure | null>(null);
  const split = useCommand('records.split', setFailure);
  const form = useLeavableForm(onClose);
  const typed = signedMinorOfText(text, record.decimal_places);
  const amount = typed === null ? null : Math.abs(typed);
  const isPart = amount !== null && amount > 0 && amount < record.amount;
  const sign = record.direction === 'debit' ? -1 : 1;
  const money = (minor: number): string => moneyText(sign * minor, record.currency, record.decimal_places);
  async function save(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (!isPart) return;
    const done = await split.run({ id: record.id, amount, description: description.trim() === '' ? null : description });
    if (done.ok) onClose();
  }
  return (
    <form
      ref={form}
      className={styles.section}
      aria-label={say('records.split.splitOff')}
      onSubmit={(event) => void save(event)}
      data-testid="record-split-form"
    >
      <FormText
        label={say('records.split.amount')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={text !== '' && !isPart ? say('records.split.lessThan', { amount: money(record.amount) }) : null}
        data-testid="record-split-amount"
      />
      <FormText
        label={say('records.split.description')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        data-testid="record-split-description"
      />
      <Text size="xs" c="dimmed" aria-live="polite" data-testid="record-split-rest">
        {isPart
          ? say('records.split.rest', { rest: money(record.amount - amount), part: money(amount), whole: money(record.amount) })
          : say('records.split.whatItDoes')}
      </Text>
      {failure !== null && <FailureAlert title={say('records.split.notSplit')} failure={failure} />}
      <FormButtons
        isRunning={split.isRunning}
        isDisabled={!isPart}
        onClose={onClose}
        label={say('records.split.splitOff')}
        testId="record-split-save"
      />
    </form>
  );
}

type Written = Partial<Pick<OpenItemNote, 'status' | 'owner' | 'comment' | 'expected_on'>>;
const STATUSES = (Object.keys(STATUS_WORDS) as (keyof typeof STATUS_WORDS)[]).map((value) => ({ value, label: STATUS_WORDS[value] }));

interface OpenItemProps {
  readonly reconciliation: Reconciliation;
  readonly record: RecordItem;
}

/** What people write on an open line, and whether it is overdue. Each field is kept as it is left. */
function OpenItem({ reconciliation: { id }, record }: OpenItemProps) {
  const { data: note } = useOperation('open_items.get', { id, record_id: record.id });
  const put = useCommand('open_items.put_many', (failure) => notifyFailure(say('close.useCloseEdits.thisWasNotWritten'), failure));
  if (note === undefined) return <Skeleton height={120} />;
  const write = (change: Written): void => void put.run({ id, changes: [{ record_ids: [record.id], ...change }] });
  const orNull = (text: string): string | null => (text === '' ? null : text);
  return (
    <div className={styles.note} data-testid="record-note">
      <NativeSelect
        size="xs"
        label={say('records.state')}
        data={STATUSES}
        value={note.status}
        onChange={(event) => {
          const chosen = STATUSES.find(({ value }) => value === event.currentTarget.value);
          if (chosen !== undefined) write({ status: chosen.value });
        }}
        data-testid="record-note-status"
      />
      <NoteText
        label={say('records.owner')}
        saved={note.owner ?? ''}
        onSave={(text) => write({ owner: orNull(text) })}
        testId="record-note-owner"
      />
      <NoteDay
        label={say('records.expectedOn')}
        saved={note.expected_on ?? ''}
        onSave={(text) => write({ expected_on: orNull(text) })}
        testId="record-note-expected"
      />
      <NoteText
        label={say('records.comment')}
        saved={note.comment ?? ''}
        onSave={(text) => write({ comment: orNull(text) })}
        testId="record-note-comment"
      />
      <Overdue reconciliationId={id} record={record} />
    </div>
  );
}

interface NoteFieldProps {
  readonly label: string;
  readonly saved: string;
  readonly onSave: (text: string) => void;
  readonly testId: string;
}

/** Returns the props of a field that is kept by Enter or when it is left; Esc takes back what was typed. */
function useKeptField({ saved, onSave }: Pick<NoteFieldProps, 'saved' | 'onSave'>) {
  const [draft, setDraft] = useState<{ readonly text: string; readonly of: string; readonly isKept: boolean } | null>(null);
  // What is being typed outlives the answer to what was stored before.
  if (draft !== null && draft.of !== saved) setDraft(draft.isKept ? null : { ...draft, of: saved });
  const isTyped = draft !== null && !draft.isKept;
  const text = draft?.text ?? saved;
  const keep = ({ value }: HTMLInputElement): void => {
    // A text that is no day is not stored, and does not delete the stored day.
    if (!isTyped || (text === '' && value.trim() !== '')) return;
    setDraft({ ...draft, isKept: true });
    if (text.trim() !== saved) onSave(text.trim());
  };
  return {
    change: (typed: string): void => setDraft({ text: typed, of: saved, isKept: false }),
    props: {
      value: text,
      onBlur: (event: FocusEvent<HTMLInputElement>): void => keep(event.currentTarget),
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>): void => {
        if (event.key === 'Enter') keep(event.currentTarget);
        if (event.key !== 'Escape' || !isTyped) return;
        event.stopPropagation();
        setDraft(null);
      },
      'data-mantine-stop-propagation': isTyped || undefined,
    },
  };
}

function NoteText({ label, saved, onSave, testId }: NoteFieldProps) {
  const { change, props } = useKeptField({ saved, onSave });
  return (
    <TextInput
      size="xs"
      label={label}
      maxLength={500}
      {...props}
      onChange={(event) => change(event.currentTarget.value)}
      data-testid={testId}
    />
  );
}

function NoteDay({ label, saved, onSave, testId }: NoteFieldProps) {
  const { change, props } = useKeptField({ saved, onSave });
  return <DateField size="xs" label={label} {...props} onChange={change} data-testid={testId} />;
}

/** Whether an open line is overdue, and the exception that its overdue lines have. */
function Overdue({ reconciliationId, record }: { readonly reconciliationId: number; readonly record: RecordItem }) {
  const mark = useCommand('records.mark_overdue', (failure) => notifyFailure(say('matches.lineMenu.notMarkedOverdue'), failure));
  const clear = useCommand('records.clear_overdue', (failure) => notifyFailure(say('records.overdue.notCleared'), failure));
  const overdue = record.overdue.find((each) => each.reconciliation_id === reconciliationId);
  const named = { id: record.id, reconciliation_id: reconciliationId };
  return (
    <div className={styles.overdue}>
      {overdue !== undefined && (
        <Text size="xs" c="dimmed" flex={1}>
          {say('records.overdueSince')} <Instant at={overdue.overdue_at} />
        </Text>
      )}
      <WriteButton
        size="compact-xs"
        variant="default"
        loading={mark.isRunning || clear.isRunning}
        onClick={() => void (overdue === undefined ? mark.run(named) : clear.run(named))}
        data-testid={overdue === undefined ? 'record-mark-overdue' : 'record-clear-overdue'}
      >
        {overdue === undefined ? say('matches.lineMenu.markOverdue') : say('records.overdue.notOverdue')}
      </WriteButton>
      {overdue !== undefined && <ExceptionOf reconciliationId={reconciliationId} streamKey={record.data_stream_key} />}
    </div>
  );
}

type Exception = Output<'exceptions.list'>['data'][number];
const isBeingWorkedOn = ({ status }: Exception): boolean => status === 'open' || status === 'investigating';

/** The open exception of the overdue lines of an account, or a way to open one. */
function ExceptionOf({ reconciliationId, streamKey }: { readonly reconciliationId: number; readonly streamKey: string }) {
  const { data: streams } = useOperation('streams.list', {});
  const { data: exceptions } = useOperation('exceptions.list', { reconciliation_id: reconciliationId, limit: 100 });
  const create = useCommand('exceptions.create', (failure) => notifyFailure(say('records.exception.notOpened'), failure));
  const stream = streams?.find(({ key }) => key === streamKey);
  if (stream === undefined || exceptions === undefined) return null;
  const open = exceptions.data.find((each) => each.data_stream_key === streamKey && isBeingWorkedOn(each));
  if (open !== undefined) {
    return (
      <Text size="xs" c="dimmed" w="100%" data-testid="record-exception">
        {say('records.exception.isOpen', { title: open.title, lines: open.aggregates.record_count })}
      </Text>
    );
  }
  return (
    <WriteButton
      size="compact-xs"
      variant="default"
      loading={create.isRunning}
      onClick={() => void create.run({ reconciliation_id: reconciliationId, data_stream_id: stream.id })}
      data-testid="record-open-exception"
    >
      {say('records.exception.open')}
    </WriteButton>
  );
}

/** The matches of the line by reconciliation, and where it is open. */
function Matches({ record }: { readonly record: RecordItem }) {
  const { data: value } = useOperation('reconciliations.list', { limit: RECONCILIATIONS });
  const matched = Map.groupBy(record.matched_records, (other) => other.reconciliation_id);
  const open = (value?.data ?? []).filter((reconciliation) => hasStream(reconciliation, record) && !matched.has(reconciliation.id));
  const unlisted = record.matched_records_total - record.matched_records.length;
  return (
    <section className={styles.section} aria-labelledby="record-matches">
      <h3 id="record-matches">{say('records.inReconciliations')}</h3>
      {matched.size === 0 && open.length === 0 && value !== undefined && (
        <Text size="sm" c="dimmed">
          {say('records.itsAccountIsOnNoSide')}
        </Text>
      )}
      {[...matched].map(([id, others]) => (
        <InReconciliation
          key={id}
          name={others[0]?.reconciliation_name ?? ''}
          tone="done"
          state={say('records.matched')}
          place={{ screen: 'reconciliation', id, tab: 'matched' }}
        >
          {others.map((other) => (
            <div key={other.id} className={`mid small ${styles.other}`}>
              <Day iso={other.date} />
              <span className="truncate" title={other.description ?? undefined}>
                {other.description ?? other.external_id ?? NO_TEXT}
              </span>
              <Amount minor={signedOf(other)} currency={other.currency} decimalPlaces={other.decimal_places} />
            </div>
          ))}
        </InReconciliation>
      ))}
      {unlisted > 0 && (
        <Text size="xs" c="dimmed">
          {say('records.more', { unlisted: countText(unlisted) })}
        </Text>
      )}
      {open.map((reconciliation) => (
        <InReconciliation
          key={reconciliation.id}
          name={reconciliation.name}
          tone="open"
          state={say('records.open')}
          place={{ screen: 'reconciliation', id: reconciliation.id, find: lineLabel(recordTexts(record, reconciliation)) }}
        >
          <OpenItem reconciliation={reconciliation} record={record} />
        </InReconciliation>
      ))}
    </section>
  );
}

interface InReconciliationProps {
  readonly name: string;
  readonly tone: StateTone;
  readonly state: string;
  readonly place: Place;
  readonly children?: ReactNode;
}

/** The state of the line in one reconciliation. */
function InReconciliation({ name, tone, state, place, children }: InReconciliationProps) {
  return (
    <div className={styles.standing} data-testid="record-standing">
      <Flex className="wrap" gap="sm" align="baseline" justify="space-between">
        <PlaceLink place={place} title={say('records.showItIn', { name })} testId="record-show">
          {name}
        </PlaceLink>
        <StateBadge tone={tone} isPlain>
          {state}
        </StateBadge>
      </Flex>
      {children}
    </div>
  );
}

/** The fields of the line from its file, and the name of the file. */
function Fields({ record, reference }: { readonly record: RecordItem; readonly reference: string | null }) {
  const others = fieldsOf(record).filter(({ name, text }) => text !== reference && name !== PDF_PLACE_KEY);
  return (
    <section className={styles.section} aria-labelledby="record-fields">
      <h3 id="record-fields">{say('records.fields')}</h3>
      <Facts>
        {record.value_date !== null && <Fact name="Value date" value={<Day iso={record.value_date} />} />}
        {reference !== null && <Fact name="Reference" value={reference} />}
        <Fact name="Currency" value={record.currency} />
        {record.reversal_reason !== null && <Fact name="Return" value={record.reversal_reason} />}
        {record.reversed_by_record_id !== null && <Fact name="Returned" value={say('records.byALaterLine')} />}
        {others.map(({ name, text }) => (
          <Fact key={name} name={name} value={text} />
        ))}
        {record.import_batch_id === null ? (
          <Fact name="Added" value={<Instant at={record.created_at} />} />
        ) : (
          <FromFile batchId={record.import_batch_id} at={record.created_at} metadata={record.metadata} />
        )}
      </Facts>
      {record.other_files.map((file) => (
        <Text key={file.import_batch_id} size="xs" c="dimmed" component="div">
          {otherFileText(file)} <KeptFileButton batchId={file.import_batch_id} metadata={record.metadata} />
        </Text>
      ))}
    </section>
  );
}

interface FromFileProps {
  readonly batchId: number;
  readonly metadata: RecordItem['metadata'];
}

function FromFile({ at, ...from }: FromFileProps & { readonly at: string }) {
  const { data: value } = useOperation('import_batches.get', { id: from.batchId });
  return (
    <>
      <Fact
        name="File"
        value={
          <>
            {value?.filename ?? say('records.noFileName')} <KeptFileButton {...from} />
          </>
        }
      />
      <Fact name="Imported" value={<Instant at={at} />} />
    </>
  );
}

/** Shows the file that a line came from, at the place of the line; nothing if the file was not kept. */
function KeptFileButton({ batchId, metadata }: FromFileProps) {
  const { data: batch } = useOperation('import_batches.get', { id: batchId });
  if (batch?.file_kept !== true) return null;
  const place = batch.format === 'pdf' ? pdfPlaceOf(metadata) : null;
  return (
    <Button {...FORM_BUTTON} onClick={() => showKeptFile({ batchId, place })} data-testid="record-file">
      {place === null ? say('imports.kept.show') : say('imports.kept.showThePage', { page: place.page })}
    </Button>
  );
}
