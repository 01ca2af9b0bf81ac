import { Group, Stack, Text } from '@mantine/core';
import type { MatchGroup, Reconciliation, SidedRecord } from '../../../src-shared/contract/index.ts';
import { AdjustmentBadge } from '../../components/adjustment-badge.tsx';
import { Amount } from '../../components/amount.tsx';
import { CertaintyBadge } from '../../components/certainty-badge.tsx';
import { Day } from '../../components/day.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { counted, listText } from '../../format/counts.ts';
import { otherFileText } from '../../format/other-files-words.ts';
import { adjustmentLabel, reasonText } from '../../format/difference-words.ts';
import { likelihoodText } from '../../format/likelihood.ts';
import { moneyText, signedOf } from '../../format/money.ts';
import { fieldsOf } from '../../format/references.ts';
import { originText } from '../../format/words.ts';
import type { Side } from '../../state/selection.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { ReturnNote } from './return-note.tsx';
import { Explanation } from './explanation.tsx';
import { GroupActions } from './group-actions.tsx';
import { recordsOf, ruleOf, scaleOf } from './group-columns.ts';

interface GroupDetailProps {
  readonly group: MatchGroup;
  readonly reconciliation: Reconciliation;
  readonly rules: ReadonlyMap<number, string>;
  readonly isShown: boolean;
}

/** One group in full: why it was tied, both sides' records, and what can be done with it. */
export function GroupDetail({ group, reconciliation, rules, isShown }: GroupDetailProps) {
  const { match } = group;
  return (
    <aside className={styles.detail} aria-label="The match on show" data-testid="group-detail">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Group gap={6}>
            <CertaintyBadge certainty={match.certainty} />
            {match.likelihood !== null && (
              <Text size="sm" className="tabular" data-testid="likelihood">
                {likelihoodText(match.likelihood)} likely
              </Text>
            )}
          </Group>
          <DifferenceFacts group={group} />
        </Group>
        {match.difference_reason !== null && (
          <Text size="sm" className={styles.reason} data-testid="difference-reason">
            {reasonText(match.difference_reason)}
          </Text>
        )}
        <GroupActions group={group} reconciliation={reconciliation} isShown={isShown} />
        <SyncWhy resource="matches" id={match.id} />
      </Stack>
      <div className={styles.detailBody}>
        <Explanation match={match} />
        {(['a', 'b'] as const).map((side) => (
          <SideRecords
            key={side}
            side={side}
            reconciliation={reconciliation}
            records={recordsOf(group, side)}
            adjustmentId={match.adjustment_record_id}
          />
        ))}
        {match.record_count > group.records.length && (
          <Text size="xs" c="dimmed">
            The first {group.records.length} of {counted(match.record_count, 'record')} are listed.
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {originText(match, ruleOf(group, rules))}
        </Text>
      </div>
    </aside>
  );
}

/** What is left between the sides. */
function DifferenceFacts({ group }: Pick<GroupDetailProps, 'group'>) {
  const { difference, adjustment_record_id: adjustmentId } = group.match;
  const { currency, decimalPlaces } = scaleOf(group);
  const even = adjustmentId === null ? 'No difference' : 'Adjusted';
  return (
    <Text size="sm" fw={580} className="tabular" c={difference === 0 ? 'dimmed' : 'var(--open-text)'}>
      {difference === 0 ? even : `${moneyText(difference, currency, decimalPlaces)} difference`}
    </Text>
  );
}

interface SideRecordsProps {
  readonly side: Side;
  readonly reconciliation: Reconciliation;
  readonly records: readonly Omit<SidedRecord, 'side' | 'matched_records' | 'matched_records_total'>[];
  readonly adjustmentId: number | null;
}

/** The records of one side, one below the other. */
export function SideRecords({ side, reconciliation, records, adjustmentId }: SideRecordsProps) {
  const streams = side === 'a' ? reconciliation.side_a_streams : reconciliation.side_b_streams;
  return (
    <section aria-label={`Side ${side.toUpperCase()}`}>
      <div className={styles.panelTitle}>
        <span className={styles.sideMark} aria-hidden>
          {side.toUpperCase()}
        </span>
        <Text size="xs" c="dimmed" className="truncate">
          {listText(streams.map((stream) => stream.name))}
        </Text>
      </div>
      <RecordLines records={records} adjustmentId={adjustmentId} />
    </section>
  );
}

/** Records one below the other, an adjustment as such. */
export function RecordLines({ records, adjustmentId }: Pick<SideRecordsProps, 'records' | 'adjustmentId'>) {
  return (
    <>
      {records.map((record) => (
        <div key={record.id} className={styles.record}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Text size="sm" fw={560} className={styles.recordText}>
              {record.description ?? record.external_id ?? (record.id === adjustmentId ? 'No reason given' : 'No description')}
            </Text>
            <Amount minor={signedOf(record)} currency={record.currency} decimalPlaces={record.decimal_places} />
          </Group>
          {record.id === adjustmentId && <AdjustmentBadge label={adjustmentLabel(record)} />}
          <Text size="xs" c="dimmed" component="div">
            <Day iso={record.date} />
            {record.value_date !== null && record.value_date !== record.date && (
              <span>
                {' · value date '}
                <Day iso={record.value_date} />
              </span>
            )}
            {record.external_id !== null && ` · ${record.external_id}`}
            {(record.id === adjustmentId ? [] : fieldsOf(record)).map(({ name, text }) => (
              <span key={name}>
                {' · '}
                {name.replaceAll('_', ' ')} {text}
              </span>
            ))}
          </Text>
          <ReturnNote record={record} />
          {record.other_files.map((file) => (
            <Text key={file.import_batch_id} size="xs" c="dimmed" data-testid="other-file">
              {otherFileText(file)}
            </Text>
          ))}
        </div>
      ))}
    </>
  );
}
