import { CloseButton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Reconciliation, RecordItem, Stream } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { Amount } from '../../components/amount.tsx';
import { Day, Instant } from '../../components/day.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { StateBadge, type StateTone } from '../../components/state-badge.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { lineLabel, recordTexts } from '../../format/close-words.ts';
import { countText } from '../../format/counts.ts';
import { signedOf } from '../../format/money.ts';
import { otherFileText } from '../../format/other-files-words.ts';
import { recordStateText } from '../../format/record-words.ts';
import { fieldsOf, referenceOf } from '../../format/references.ts';
import type { Place } from '../../state/places.ts';
import styles from './records.module.css';

interface RecordPanelProps {
  /** As it was listed; what changes later is read anew. */
  readonly listed: RecordItem;
  readonly stream: Stream | undefined;
  readonly onClose: () => void;
}

const NO_TEXT = 'A line without a text';
/** More reconciliations than any line stands in. */
const RECONCILIATIONS = 100;

function toneOf({ status, overdue }: RecordItem): StateTone {
  if (status === 'reconciled') return 'done';
  return overdue.length > 0 ? 'broken' : 'open';
}

/** One line in full: what it is matched with, where it is open, and all that its file said. */
export function RecordPanel({ listed, stream, onClose }: RecordPanelProps) {
  const { value, failure } = useQuery('records.get', { id: listed.id });
  const record = value ?? listed;
  const reference = referenceOf(record, stream?.reference_field ?? null);
  if (failure?.code === 'not_found') {
    return (
      <aside className={styles.detail} aria-label="Line" data-testid="record-panel">
        <PanelHead onClose={onClose} />
        <Text className={styles.gone}>This line is no longer in the book.</Text>
      </aside>
    );
  }
  return (
    <aside className={styles.detail} aria-label="Line" data-testid="record-panel">
      <PanelHead onClose={onClose} />
      <div className={styles.lead}>
        <div className={styles.leadText}>{record.description ?? reference ?? NO_TEXT}</div>
        <div className={styles.leadAmount}>
          <Amount minor={signedOf(record)} currency={record.currency} decimalPlaces={record.decimal_places} />
        </div>
        <div className={styles.leadFacts}>
          <Day iso={record.date} /> ·{' '}
          <PlaceLink place={{ screen: 'stream', key: record.data_stream_key }}>{stream?.name ?? record.data_stream_key}</PlaceLink>
          {reference !== null && ` · ${reference}`}
        </div>
      </div>
      <div className={styles.part}>
        <StateBadge tone={toneOf(record)}>{recordStateText(record)}</StateBadge>
        {record.days_unreconciled !== null && <span className={styles.aside}>{countText(record.days_unreconciled)} days</span>}
        <SyncWhy resource="records" id={record.id} />
      </div>
      <Matches record={record} />
      <Fields record={record} reference={reference} />
    </aside>
  );
}

function PanelHead({ onClose }: { readonly onClose: () => void }) {
  return (
    <div className={styles.detailHead}>
      <h2>Line</h2>
      <CloseButton size="sm" aria-label="Close the line" title="Close (Esc)" onClick={onClose} data-testid="record-close" />
    </div>
  );
}

/** With what it is matched, reconciliation by reconciliation, and where it is open. */
function Matches({ record }: { readonly record: RecordItem }) {
  const { value } = useQuery('reconciliations.list', { limit: RECONCILIATIONS });
  const matched = Map.groupBy(record.matched_records, (other) => other.reconciliation_id);
  const has = ({ side_a_streams: a, side_b_streams: b }: Reconciliation): boolean =>
    [...a, ...b].some(({ key }) => key === record.data_stream_key);
  const open = (value?.data ?? []).filter((reconciliation) => has(reconciliation) && !matched.has(reconciliation.id));
  const untold = record.matched_records_total - record.matched_records.length;
  return (
    <section className={styles.section} aria-labelledby="record-matches">
      <h3 id="record-matches">In reconciliations</h3>
      {matched.size === 0 && open.length === 0 && value !== undefined && (
        <Text size="sm" c="dimmed">
          Its stream is on no side of a reconciliation.
        </Text>
      )}
      {[...matched].map(([id, others]) => (
        <Standing
          key={id}
          name={others[0]?.reconciliation_name ?? ''}
          tone="done"
          state="Matched"
          place={{ screen: 'reconciliation', id, tab: 'matched' }}
        >
          {others.map((other) => (
            <div key={other.id} className={styles.other}>
              <Day iso={other.date} />
              <span className="truncate" title={other.description ?? undefined}>
                {other.description ?? other.external_id ?? NO_TEXT}
              </span>
              <Amount minor={signedOf(other)} currency={other.currency} decimalPlaces={other.decimal_places} />
            </div>
          ))}
        </Standing>
      ))}
      {untold > 0 && (
        <Text size="xs" c="dimmed">
          {countText(untold)} more
        </Text>
      )}
      {open.map((reconciliation) => (
        <Standing
          key={reconciliation.id}
          name={reconciliation.name}
          tone="open"
          state="Open"
          place={{ screen: 'reconciliation', id: reconciliation.id, find: lineLabel(recordTexts(record, reconciliation)) }}
        />
      ))}
    </section>
  );
}

interface StandingProps {
  readonly name: string;
  readonly tone: StateTone;
  readonly state: string;
  readonly place: Place;
  readonly children?: ReactNode;
}

/** How the line stands in a reconciliation. */
function Standing({ name, tone, state, place, children }: StandingProps) {
  return (
    <div className={styles.standing} data-testid="record-standing">
      <div className={styles.standingHead}>
        <PlaceLink place={place} title={`Show it in ${name}`} testId="record-show">
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

/** What the file said of it, and which one that was. */
function Fields({ record, reference }: { readonly record: RecordItem; readonly reference: string | null }) {
  const others = fieldsOf(record).filter(({ text }) => text !== reference);
  return (
    <section className={styles.section} aria-labelledby="record-fields">
      <h3 id="record-fields">Fields</h3>
      <dl className={styles.fields}>
        {record.value_date !== null && (
          <Field name="Value date">
            <Day iso={record.value_date} />
          </Field>
        )}
        {reference !== null && <Field name="Reference">{reference}</Field>}
        <Field name="Currency">{record.currency}</Field>
        {record.reversal_reason !== null && <Field name="Return">{record.reversal_reason}</Field>}
        {record.reversed_by_record_id !== null && <Field name="Returned">by a later line</Field>}
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
  const { value } = useQuery('import_batches.get', { id: batchId });
  return (
    <>
      <Field name="File">{value?.filename ?? 'No file name'}</Field>
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
