import { Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconUnlink, IconX } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { Letter, TextButton } from '../../components/primitives.tsx';
import type { Match, MatchGroup, Reconciliation, SidedRecord } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { AdjustmentBadge, CertaintyBadge } from '../../components/badges.tsx';
import { Day } from '../../components/day.tsx';
import { FoldedHistory } from '../../components/history-list.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { listText } from '../../format/counts.ts';
import { reasonText } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { adjustmentLabel, likelihoodText, otherOfReturn, type Returned, returnText } from '../../format/match-words.ts';
import { moneyText, signedOf } from '../../format/money.ts';
import { fieldsOf, otherFileText } from '../../format/record-words.ts';
import { originText } from '../../format/words.ts';
import { decisions, isMarked, type Verdict } from '../../state/decisions.ts';
import { openLine } from '../../state/line-in-full.ts';
import type { Side } from '../../state/selection.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { recordsOf, ruleOf, scaleOf } from './group-columns.ts';
import { say } from '../../../src-shared/words/say.ts';

interface GroupDetailProps {
  readonly group: MatchGroup;
  readonly reconciliation: Reconciliation;
  readonly rules: ReadonlyMap<number, string>;
  /** Decides about the match that the list has selected. */
  readonly decide: (verdict: Verdict) => void;
}

/** One group in full: its explanation, the records of both sides, and the actions. */
export function GroupDetail({ group, reconciliation, rules, decide }: GroupDetailProps) {
  const { match } = group;
  return (
    <aside className={styles.detail} aria-label={say('matches.groupDetail.theMatchOnShow')} data-testid="group-detail">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Group gap={6}>
            <CertaintyBadge certainty={match.certainty} />
            {match.likelihood !== null && (
              <Text size="sm" className="tabular" title={say('matches.groupDetail.whatLikelyMeans')} data-testid="likelihood">
                {say('matches.groupDetail.likely', { likelihood: likelihoodText(match.likelihood) })}
              </Text>
            )}
          </Group>
          <DifferenceFacts group={group} />
        </Group>
        {match.difference_reason !== null && (
          <Text size="sm" className="wrap" data-testid="difference-reason">
            {reasonText(match.difference_reason)}
          </Text>
        )}
        <GroupActions group={group} decide={decide} />
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
            {say('matches.groupDetail.theFirstOfRecords', { records: group.records.length, recordCount: match.record_count })}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {originText(match, ruleOf(group, rules))}
        </Text>
        <FoldedHistory key={match.id} asked={{ match_id: match.id }} about="match" />
      </div>
    </aside>
  );
}

/** The difference between the sides. */
function DifferenceFacts({ group }: Pick<GroupDetailProps, 'group'>) {
  const { difference, adjustment_record_id: adjustmentId } = group.match;
  const { currency, decimalPlaces } = scaleOf(group);
  const even = adjustmentId === null ? say('matches.groupDetail.noDifference') : say('matches.groupDetail.adjusted');
  return (
    <Text size="sm" fw={580} className="tabular" c={difference === 0 ? 'dimmed' : 'var(--open-text)'}>
      {difference === 0 ? even : say('matches.groupDetail.difference', { difference: moneyText(difference, currency, decimalPlaces) })}
    </Text>
  );
}

interface SideRecordsProps {
  readonly side: Side;
  readonly reconciliation: Reconciliation;
  readonly records: readonly Omit<SidedRecord, 'side' | 'matched_records' | 'matched_records_total'>[];
  readonly adjustmentId: number | null;
}

export function SideRecords({ side, reconciliation, records, adjustmentId }: SideRecordsProps) {
  const streams = side === 'a' ? reconciliation.side_a_streams : reconciliation.side_b_streams;
  return (
    <section aria-label={say('matches.groupDetail.side', { side: side.toUpperCase() })}>
      <div className={styles.panelTitle}>
        <Letter aria-hidden>{side.toUpperCase()}</Letter>
        <Text size="xs" c="dimmed" className="truncate">
          {listText(streams.map((stream) => stream.name))}
        </Text>
      </div>
      <RecordLines records={records} adjustmentId={adjustmentId} />
    </section>
  );
}

/** Records in a column. An adjustment is marked. */
export function RecordLines({ records, adjustmentId }: Pick<SideRecordsProps, 'records' | 'adjustmentId'>) {
  return (
    <>
      {records.map((record) => (
        <div key={record.id} className={styles.record}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <TextButton className={styles.recordName} title={say('matches.lineMenu.showInFull')} onClick={() => openLine(record.id)}>
              {record.description ??
                record.external_id ??
                (record.id === adjustmentId ? say('matches.groupDetail.noReasonGiven') : say('matches.groupDetail.noDescription'))}
            </TextButton>
            <Amount minor={signedOf(record)} currency={record.currency} decimalPlaces={record.decimal_places} />
          </Group>
          {record.id === adjustmentId && <AdjustmentBadge label={adjustmentLabel(record)} />}
          <Text size="xs" c="dimmed" component="div">
            <Day iso={record.date} />
            {record.value_date !== null && record.value_date !== record.date && (
              <span>
                {' '}
                {say('matches.groupDetail.valueDate')} <Day iso={record.value_date} />
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

/** Returns the text with true minus signs in front of figures. Hyphens in words and references stay. */
function withTrueMinus(text: string): string {
  return text.replaceAll(/(^|\s)-(?=\d)/g, '$1−');
}

/** Bits from which a reason is fair, and from which it is strong: true pairs look like that 4 and 32 times as often as strangers. */
const FAIR_BITS = 2;
const STRONG_BITS = 5;

/** Returns how much a reason weighs, in a word. */
function strengthText(bits: number): string {
  const size = Math.abs(bits);
  if (size >= STRONG_BITS) return say(bits > 0 ? 'matches.suggestions.strength.strong' : 'matches.reasons.strongAgainst');
  if (size >= FAIR_BITS) return say(bits > 0 ? 'matches.suggestions.strength.fair' : 'matches.reasons.fairAgainst');
  return say(bits > 0 ? 'matches.suggestions.strength.weak' : 'matches.reasons.slightAgainst');
}

/** The explanation of a match, one sentence per line. A match by evidence also says how much each part weighs. */
function Explanation({ match: { explanation, evidence } }: { readonly match: Pick<Match, 'explanation' | 'evidence'> }) {
  if (explanation.length === 0) return null;
  return (
    <ul className={styles.explanation} data-testid="explanation">
      {evidence.length > 0
        ? evidence.map(({ field, words, bits }) => (
            <li key={`${field} ${words}`} data-against={bits < 0 || undefined}>
              {withTrueMinus(words)} <span className={styles.strength}>{strengthText(bits)}</span>
            </li>
          ))
        : explanation.map((sentence) => <li key={sentence}>{sentence}</li>)}
    </ul>
  );
}

/** A link to the other line of a return, with its reason. */
function ReturnNote({ record }: { readonly record: Returned }) {
  const other = otherOfReturn(record);
  if (other === null && record.reversal_reason === null) return null;
  return (
    <Text size="xs" c="dimmed" component="div" data-testid="return-note">
      {other !== null && <OtherLine record={record} otherId={other} />}
      {other !== null && record.reversal_reason !== null && ' · '}
      {record.reversal_reason}
    </Text>
  );
}

function OtherLine({ record, otherId }: { readonly record: Returned; readonly otherId: number }) {
  const { data: value } = useOperation('records.get', { id: otherId });
  if (value === undefined) return null;
  return (
    <PlaceLink
      place={{ screen: 'stream', key: value.data_stream_key }}
      title={value.description ?? say('matches.groupDetail.noDescription')}
    >
      {returnText(record, value)}
    </PlaceLink>
  );
}

/** The actions on a match: separate it, or confirm or reject a proposal. Confirming one with a difference asks about the difference first. */
function GroupActions({ group, decide }: Pick<GroupDetailProps, 'group' | 'decide'>) {
  const { status, difference } = group.match;
  const isDecided = useStore(decisions, (state) => isMarked(group.match, state.marks));
  if (status === 'matched') {
    return (
      <WriteButton
        variant="default"
        size="sm"
        leftSection={<IconUnlink size={15} aria-hidden />}
        rightSection={<KeyHint keys="X" />}
        disabled={isDecided}
        onClick={() => decide('unmatch')}
        data-testid="unmatch-button"
      >
        {say('matches.groupDetail.unmatch')}
      </WriteButton>
    );
  }
  return (
    <Group gap="xs" grow preventGrowOverflow={false}>
      <WriteButton
        size="sm"
        px="xs"
        variant={difference === 0 ? 'filled' : 'default'}
        leftSection={<IconCheck size={15} aria-hidden />}
        rightSection={<KeyHint keys="C" />}
        disabled={isDecided}
        onClick={() => decide('confirm')}
        aria-haspopup={difference === 0 ? undefined : 'dialog'}
        data-testid="confirm-button"
      >
        {difference === 0 ? say('matches.groupDetail.confirm') : say('matches.groupDetail.confirmWithDifference')}
      </WriteButton>
      <WriteButton
        size="sm"
        variant="default"
        px="xs"
        leftSection={<IconX size={15} aria-hidden />}
        rightSection={<KeyHint keys="X" />}
        disabled={isDecided}
        onClick={() => decide('reject')}
        data-testid="reject-button"
      >
        {say('matches.groupDetail.reject')}
      </WriteButton>
    </Group>
  );
}
