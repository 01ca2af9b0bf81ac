import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconUnlink, IconX } from '@tabler/icons-react';
import type { MatchGroup, Reconciliation, SidedRecord } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { AdjustmentBadge } from '../../components/adjustment-badge.tsx';
import { Amount } from '../../components/amount.tsx';
import { CertaintyBadge } from '../../components/certainty-badge.tsx';
import { Day } from '../../components/day.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useUndo } from '../../components/use-undo.ts';
import { counted, listText } from '../../format/counts.ts';
import { moneyText, signedOf } from '../../format/money.ts';
import { fieldsOf } from '../../format/references.ts';
import { originText } from '../../format/words.ts';
import type { Side } from '../../state/selection.ts';
import { Explanation } from './explanation.tsx';
import { likelihoodText, recordsOf, ruleOf, scaleOf } from './group-columns.ts';
import styles from './reconciliation.module.css';

interface GroupDetailProps {
  readonly group: MatchGroup;
  readonly reconciliation: Reconciliation;
  readonly rules: ReadonlyMap<number, string>;
  readonly isShown: boolean;
}

/** One group in full: why it was tied, both sides' records, and what can be done with it. */
export function GroupDetail({ group, reconciliation, rules, isShown }: GroupDetailProps) {
  const { match } = group;
  const { currency, decimalPlaces } = scaleOf(group);
  return (
    <aside className={`card ${styles.detail}`} aria-label="The match on show" data-testid="group-detail">
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
          <Text size="sm" fw={580} className="tabular" c={match.difference === 0 ? 'dimmed' : 'var(--tieout-open)'}>
            {match.difference === 0 ? 'No difference' : `${moneyText(match.difference, currency, decimalPlaces)} difference`}
          </Text>
        </Group>
        <Actions group={group} isShown={isShown} />
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

function Actions({ group, isShown }: { readonly group: MatchGroup; readonly isShown: boolean }) {
  const { id, status, record_count: count } = group.match;
  const { remember } = useUndo();
  const isProposed = status === 'proposed';
  const confirm = useCommand('matches.confirm', (failure) => notifyFailure('The proposal was not confirmed', failure));
  const remove = useCommand('matches.remove', (failure) =>
    notifyFailure(isProposed ? 'The proposal was not rejected' : 'The match was not taken apart', failure),
  );
  const isBusy = confirm.isRunning || remove.isRunning;
  async function accept(): Promise<void> {
    const answer = isBusy ? null : await confirm.run({ id });
    if (answer?.ok === true) remember({ kind: 'undo_create', targetId: id, label: `Confirmed a match of ${counted(count, 'line')}` });
  }
  async function takeApart(): Promise<void> {
    const answer = isBusy ? null : await remove.run({ id });
    const done = isProposed ? 'Rejected a proposal' : 'Unmatched';
    if (answer?.ok === true)
      remember({ kind: 'restore', targetId: id, label: `${done} of ${counted(count, 'line')}`.replace('Unmatched of', 'Unmatched') });
  }
  useShortcuts(isShown ? { x: () => void takeApart(), ...(isProposed ? { c: () => void accept() } : {}) } : {});
  if (!isProposed) {
    return (
      <Button
        variant="default"
        size="sm"
        leftSection={<IconUnlink size={15} aria-hidden />}
        rightSection={<KeyHint keys="X" />}
        loading={isBusy}
        onClick={() => void takeApart()}
        data-testid="unmatch-button"
      >
        Unmatch
      </Button>
    );
  }
  return (
    <Group gap="xs" grow>
      <Button
        size="sm"
        px="xs"
        leftSection={<IconCheck size={15} aria-hidden />}
        rightSection={<KeyHint keys="C" />}
        loading={confirm.isRunning}
        disabled={remove.isRunning}
        onClick={() => void accept()}
        data-testid="confirm-button"
      >
        Confirm
      </Button>
      <Button
        size="sm"
        variant="default"
        px="xs"
        leftSection={<IconX size={15} aria-hidden />}
        rightSection={<KeyHint keys="X" />}
        loading={remove.isRunning}
        disabled={confirm.isRunning}
        onClick={() => void takeApart()}
        data-testid="reject-button"
      >
        Reject
      </Button>
    </Group>
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
          {record.id === adjustmentId && <AdjustmentBadge />}
          <Text size="xs" c="dimmed" component="div">
            <Day iso={record.date} />
            {record.external_id !== null && ` · ${record.external_id}`}
            {fieldsOf(record).map(({ name, text }) => (
              <span key={name}>
                {' · '}
                {name.replaceAll('_', ' ')} {text}
              </span>
            ))}
          </Text>
        </div>
      ))}
    </>
  );
}
