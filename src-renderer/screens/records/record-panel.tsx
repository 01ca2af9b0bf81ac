import { Button, CloseButton, Drawer, Group, Skeleton, Text, TextInput } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Failure, Reconciliation, RecordItem, Stream } from '../../../src-shared/contract/index.ts';
import { STATUS_WORDS } from '../../../src-shared/contract/close/period-statement.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { DateField } from '../../components/date-field.tsx';
import { Day, Instant } from '../../components/day.tsx';
import { FailureAlert, FailurePanel } from '../../components/failure-panel.tsx';
import { FoldedHistory } from '../../components/history-list.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { Pane, PaneHeader, StateBadge, type StateTone } from '../../components/primitives.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { signedMinorOfText } from '../../../src-shared/values/amount-input.ts';
import { lineLabel, recordTexts } from '../../format/close-words.ts';
import { countText } from '../../format/counts.ts';
import { signedOf } from '../../format/money.ts';
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
  const [isEditing, setEditing] = useState(false);
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
        <div className={`wrap ${styles.leadText}`}>{record.description ?? reference ?? NO_TEXT}</div>
        <div className={styles.leadText}>
          <Amount minor={signedOf(record)} currency={record.currency} decimalPlaces={record.decimal_places} />
        </div>
        <div className={`mid small wrap ${styles.leadFacts}`}>
          <Day iso={record.date} /> ·{' '}
          <PlaceLink place={{ screen: 'stream', key: record.data_stream_key }}>{stream?.name ?? record.data_stream_key}</PlaceLink>
          {reference !== null && ` · ${reference}`}
        </div>
      </div>
      <div className={styles.part}>
        <StateBadge tone={toneOf(record)}>{recordStateText(record)}</StateBadge>
        {record.days_unreconciled !== null && (
          <span className="quiet small">{say('records.days', { daysUnreconciled: countText(record.days_unreconciled) })}</span>
        )}
        <SyncWhy resource="records" id={record.id} />
        {record.status === 'unreconciled' && !isEditing && (
          <WriteButton size="compact-xs" variant="default" ml="auto" onClick={() => setEditing(true)} data-testid="record-edit">
            {say('records.edit')}
          </WriteButton>
        )}
      </div>
      {isEditing && <Edit record={record} onClose={() => setEditing(false)} />}
      <Matches record={record} />
      <Fields record={record} reference={reference} />
      <section className={styles.section} aria-labelledby="record-history">
        <h3 id="record-history">{say('book.history.title')}</h3>
        <FoldedHistory asked={{ record_id: record.id }} about="record" />
      </section>
    </>
  );
}

/** The fields of a line that a person corrects while no match holds it. */
function Edit({ record, onClose }: { readonly record: RecordItem; readonly onClose: () => void }) {
  const [draft, setDraft] = useState({
    description: record.description ?? '',
    date: record.date,
    amount: decimalText(signedOf(record), record.decimal_places),
    reference: record.external_id ?? '',
  });
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('records.update', setFailure);
  const amount = signedMinorOfText(draft.amount, record.decimal_places);
  const set = (field: keyof typeof draft) => (event: SyntheticEvent<HTMLInputElement>) =>
    setDraft({ ...draft, [field]: event.currentTarget.value });
  async function save(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (amount === null || draft.date === '') return;
    const { description, date, reference } = draft;
    const isSameReference = reference === (record.external_id ?? '');
    const saved = await update.run({
      id: record.id,
      description: description.trim() === '' ? null : description,
      ...(date === record.date ? {} : { date }),
      ...(amount === signedOf(record) ? {} : { amount }),
      ...(isSameReference ? {} : { external_id: reference.trim() === '' ? null : reference }),
    });
    if (saved.ok) onClose();
  }
  return (
    <form className={styles.section} aria-label={say('records.edit')} onSubmit={(event) => void save(event)}>
      <TextInput size="xs" label={say('records.description')} value={draft.description} onChange={set('description')} data-autofocus />
      <DateField size="xs" label={say('records.date')} value={draft.date} onChange={(date) => setDraft({ ...draft, date })} required />
      <TextInput
        size="xs"
        label={say('records.amount')}
        value={draft.amount}
        onChange={set('amount')}
        error={amount === null ? say('records.noAmount') : null}
        data-testid="record-edit-amount"
      />
      <TextInput size="xs" label={say('records.reference')} value={draft.reference} onChange={set('reference')} maxLength={255} />
      {failure !== null && <FailureAlert title={say('records.notChanged')} failure={failure} />}
      <Group gap="xs">
        <WriteButton type="submit" size="compact-sm" loading={update.isRunning} data-testid="record-save">
          {say('records.save')}
        </WriteButton>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {say('records.cancel')}
        </Button>
      </Group>
    </form>
  );
}

/** What people wrote on an open line, and whether it is overdue. */
function OpenItem({ reconciliationId, record }: { readonly reconciliationId: number; readonly record: RecordItem }) {
  const { data: note } = useOperation('open_items.get', { id: reconciliationId, record_id: record.id });
  const mark = useCommand('records.mark_overdue', (failure) => notifyFailure(say('matches.lineMenu.notMarkedOverdue'), failure));
  const overdue = record.overdue.find((each) => each.reconciliation_id === reconciliationId);
  return (
    <>
      {note !== undefined && (
        <dl className={styles.fields} data-testid="record-note">
          <Field name={say('records.state')}>{STATUS_WORDS[note.status]}</Field>
          {note.owner !== null && <Field name={say('records.owner')}>{note.owner}</Field>}
          {note.expected_on !== null && (
            <Field name={say('records.expectedOn')}>
              <Day iso={note.expected_on} />
            </Field>
          )}
          {note.comment !== null && <Field name={say('records.comment')}>{note.comment}</Field>}
        </dl>
      )}
      {overdue === undefined ? (
        <WriteButton
          size="compact-xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          loading={mark.isRunning}
          onClick={() => void mark.run({ id: record.id, reconciliation_id: reconciliationId })}
          data-testid="record-mark-overdue"
        >
          {say('matches.lineMenu.markOverdue')}
        </WriteButton>
      ) : (
        <Text size="xs" c="dimmed">
          {say('records.overdueSince')} <Instant at={overdue.overdue_at} />
        </Text>
      )}
    </>
  );
}

/** The matches of the line by reconciliation, and where it is open. */
function Matches({ record }: { readonly record: RecordItem }) {
  const { data: value } = useOperation('reconciliations.list', { limit: RECONCILIATIONS });
  const matched = Map.groupBy(record.matched_records, (other) => other.reconciliation_id);
  const has = ({ side_a_streams: a, side_b_streams: b }: Reconciliation): boolean =>
    [...a, ...b].some(({ key }) => key === record.data_stream_key);
  const open = (value?.data ?? []).filter((reconciliation) => has(reconciliation) && !matched.has(reconciliation.id));
  const unlisted = record.matched_records_total - record.matched_records.length;
  return (
    <section className={styles.section} aria-labelledby="record-matches">
      <h3 id="record-matches">{say('records.inReconciliations')}</h3>
      {matched.size === 0 && open.length === 0 && value !== undefined && (
        <Text size="sm" c="dimmed">
          {say('records.itsStreamIsOnNoSide')}
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
          <OpenItem reconciliationId={reconciliation.id} record={record} />
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
      <div className={styles.standingHead}>
        <PlaceLink place={place} title={say('records.showItIn', { name })} testId="record-show">
          {name}
        </PlaceLink>
        <StateBadge tone={tone} isPlain>
          {state}
        </StateBadge>
      </div>
      {children}
    </div>
  );
}

/** The fields of the line from its file, and the name of the file. */
function Fields({ record, reference }: { readonly record: RecordItem; readonly reference: string | null }) {
  const others = fieldsOf(record).filter(({ text }) => text !== reference);
  return (
    <section className={styles.section} aria-labelledby="record-fields">
      <h3 id="record-fields">{say('records.fields')}</h3>
      <dl className={styles.fields}>
        {record.value_date !== null && (
          <Field name="Value date">
            <Day iso={record.value_date} />
          </Field>
        )}
        {reference !== null && <Field name="Reference">{reference}</Field>}
        <Field name="Currency">{record.currency}</Field>
        {record.reversal_reason !== null && <Field name="Return">{record.reversal_reason}</Field>}
        {record.reversed_by_record_id !== null && <Field name="Returned">{say('records.byALaterLine')}</Field>}
        {others.map(({ name, text }) => (
          <Field key={name} name={name}>
            {text}
          </Field>
        ))}
        {record.import_batch_id === null ? (
          <Field name="Added">
            <Instant at={record.created_at} />
          </Field>
        ) : (
          <FromFile batchId={record.import_batch_id} at={record.created_at} />
        )}
      </dl>
      {record.other_files.map((file) => (
        <Text key={file.import_batch_id} size="xs" c="dimmed">
          {otherFileText(file)}
        </Text>
      ))}
    </section>
  );
}

function FromFile({ batchId, at }: { readonly batchId: number; readonly at: string }) {
  const { data: value } = useOperation('import_batches.get', { id: batchId });
  return (
    <>
      <Field name="File">{value?.filename ?? say('records.noFileName')}</Field>
      <Field name="Imported">
        <Instant at={at} />
      </Field>
    </>
  );
}

function Field({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
