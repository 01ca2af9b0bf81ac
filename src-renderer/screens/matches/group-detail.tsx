import { Box, Flex, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconUnlink, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Letter, TextButton } from '../../components/primitives.tsx';
import type { Line, LineSuggestion, Match, MatchGroup, Output, Reconciliation, SidedRecord } from '../../../src-shared/contract/index.ts';
import { type Connection, useConnection, useOperation } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { AdjustmentBadge, CertaintyBadge } from '../../components/badges.tsx';
import { Day } from '../../components/day.tsx';
import { FoldedHistory } from '../../components/history-list.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useReadOnlyReason, WriteButton } from '../../components/writing.tsx';
import { listText } from '../../format/counts.ts';
import { EVIDENCE_BITS } from '../../../src-shared/contract/matches/matches.ts';
import { reasonText } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { adjustmentLabel, likelihoodText, otherOfReturn, type Returned, returnText } from '../../format/match-words.ts';
import { moneyText, signedOf } from '../../format/money.ts';
import { fieldsOf, otherFileText, referenceOf } from '../../format/record-words.ts';
import { originText } from '../../format/words.ts';
import { decisions, inTurn, isMarked, type Verdict } from '../../state/decisions.ts';
import { openLine } from '../../state/line-in-full.ts';
import type { Side } from '../../state/selection.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { recordsOf, ruleOf, scaleOf } from './group-columns.ts';
import { say } from '../../../src-shared/words/say.ts';

export interface GroupDetailProps {
  readonly group: MatchGroup;
  readonly reconciliation: Reconciliation;
  readonly rules: ReadonlyMap<number, string>;
  /** Decides about the match that the list has selected. */
  readonly decide: (verdict: Verdict) => void;
  /** Selects the next match of the list. */
  readonly moveOn: () => void;
  readonly isShown: boolean;
  /** Stands at the end of its head. */
  readonly children?: ReactNode;
}

type Lock = Output<'periods.locks'>[number];

/** Returns the closed period in which nothing can be decided about a match, as all its lines belong to it; undefined if there is none. */
export function lockOf({ match, records }: MatchGroup, locks: readonly Lock[] | undefined): Lock | undefined {
  // Of more lines than are listed one may be of a later day.
  if (match.record_count > records.length) return undefined;
  const lock = locks?.find(({ reconciliation_id: id }) => id === match.reconciliation_id);
  return lock !== undefined && records.every(({ id, date }) => id === match.adjustment_record_id || date <= lock.to) ? lock : undefined;
}

/** One group in full: its explanation, the records of both sides, and the actions. */
export function GroupDetail({ group, reconciliation, rules, decide, moveOn, isShown, children }: GroupDetailProps) {
  const { match } = group;
  const isDecided = useStore(decisions, (state) => isMarked(match, state.marks));
  const isPair = match.status === 'proposed' && match.record_count === 2 && recordsOf(group, 'a').length === 1;
  const lock = lockOf(group, useOperation('periods.locks', {}).data);
  return (
    <Flex
      component="aside"
      gap="md"
      py="md"
      pr={20}
      pl="md"
      mih={0}
      direction="column"
      aria-label={say('matches.groupDetail.theMatchOnShow')}
      data-testid="group-detail"
    >
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
          {children}
        </Group>
        {match.difference_reason !== null && (
          <Text size="sm" className="wrap" data-testid="difference-reason">
            {reasonText(match.difference_reason)}
          </Text>
        )}
        {lock === undefined ? <GroupActions group={group} isDecided={isDecided} decide={decide} /> : <Locked lock={lock} />}
        <SyncWhy resource="matches" id={match.id} />
      </Stack>
      <Stack className="fill scrolls" gap="md">
        {isPair && !isDecided && lock === undefined && (
          <Rivals group={group} reconciliation={reconciliation} decide={decide} moveOn={moveOn} isShown={isShown} />
        )}
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
      </Stack>
    </Flex>
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
      <div className="row">
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
        <Box key={record.id} className="line-below wrap" py="sm">
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <TextButton className="wrap" title={say('matches.lineMenu.showInFull')} onClick={() => openLine(record.id)}>
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
                · {say('matches.groupDetail.valueDate')} <Day iso={record.value_date} />
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
        </Box>
      ))}
    </>
  );
}

/** Returns the text with true minus signs in front of figures. Hyphens in words and references stay. */
function withTrueMinus(text: string): string {
  return text.replaceAll(/(^|\s)-(?=\d)/g, '$1−');
}

/** Returns how much a reason weighs, in a word. */
function strengthText(bits: number): string {
  const size = Math.abs(bits);
  if (size >= EVIDENCE_BITS.strong) return say(bits > 0 ? 'matches.suggestions.strength.strong' : 'matches.reasons.strongAgainst');
  if (size >= EVIDENCE_BITS.fair) return say(bits > 0 ? 'matches.suggestions.strength.fair' : 'matches.reasons.fairAgainst');
  return say(bits > 0 ? 'matches.suggestions.strength.weak' : 'matches.reasons.slightAgainst');
}

/** The explanation of a match, one sentence per line. A match by evidence also says how much each part weighs. */
function Explanation({ match: { explanation, evidence } }: { readonly match: Pick<Match, 'explanation' | 'evidence'> }) {
  if (explanation.length === 0) return null;
  return (
    <Box component="ul" m={0} pl={18} fz="sm" data-testid="explanation">
      {evidence.length > 0
        ? evidence.map(({ field, words, bits }) => (
            <li key={`${field} ${words}`} className={bits < 0 ? 'mid' : undefined}>
              {withTrueMinus(words)}{' '}
              <Box component="span" className="nowrap" px={5} bdrs={4} bg="var(--tint)" fz="xs">
                {strengthText(bits)}
              </Box>
            </li>
          ))
        : explanation.map((sentence) => <li key={sentence}>{sentence}</li>)}
    </Box>
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
function GroupActions({ group, isDecided, decide }: Pick<GroupDetailProps, 'group' | 'decide'> & { readonly isDecided: boolean }) {
  const { status, difference } = group.match;
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

/** Says why nothing can be decided about a match. */
function Locked({ lock: { reconciliation_id: key, period_id: periodId, name } }: { readonly lock: Lock }) {
  return (
    <Text size="sm" className="wrap" data-testid="group-locked">
      {say('matches.locked.closed', { period: name })}{' '}
      <PlaceLink place={{ screen: 'close', key, periodId }}>{say('records.hold.showTheClose')}</PlaceLink>
    </Text>
  );
}

/** How long a proposal is on show before its rivals are looked for: not while a quick hand goes through the list. */
const RESTING_MS = 200;
const RIVALS = 2;

type RivalsProps = Omit<GroupDetailProps, 'rules'>;

function Rivals(props: RivalsProps) {
  const [isResting, setResting] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), RESTING_MS);
    return () => clearTimeout(timer);
  }, []);
  return isResting ? <RivalsOfPair {...props} /> : null;
}

/** What else one of the two lines of a proposal may belong to. */
interface Contested {
  readonly line: SidedRecord;
  /** The line that is proposed for it. */
  readonly proposed: SidedRecord;
  readonly rivals: readonly (LineSuggestion & { readonly rival: Line })[];
}

function contestedOf(line: SidedRecord, proposed: SidedRecord, answer: Output<'matches.suggest'> | undefined): Contested {
  const rivals = (answer?.suggestions ?? []).flatMap((suggestion) => {
    const [rival, ...others] = suggestion.records;
    const isRival = rival !== undefined && others.length === 0 && rival.side !== line.side && rival.id !== proposed.id;
    return isRival && suggestion.strength !== 'weak' ? [{ ...suggestion, rival }] : [];
  });
  return { line, proposed, rivals: rivals.slice(0, RIVALS) };
}

/** Matches a line with one of its rivals, or says why not. */
async function matchRival(
  client: Connection['client'],
  reconciliationId: number,
  line: SidedRecord,
  rival: Contested['rivals'][number],
): Promise<void> {
  const answer =
    rival.match_id === null
      ? await client.call('matches.create', { reconciliation_id: reconciliationId, record_ids: [line.id, rival.rival.id] })
      : await client.call('matches.confirm', { id: rival.match_id });
  if (!answer.ok) notifyFailure(say('matches.matchBar.theseLinesWereNotMatched'), answer.error);
}

/** Returns what finds the reference of a line, which an account may keep in a field of its own. */
function referenceIn(reconciliation: RivalsProps['reconciliation']): CandidateProps['reference'] {
  const fields = new Map(
    [...reconciliation.side_a_streams, ...reconciliation.side_b_streams].map((each) => [each.key, each.reference_field]),
  );
  return (each) => referenceOf(each, fields.get(each.data_stream_key) ?? null);
}

/** The lines that are candidates for the same line, beside each other. A key chooses one, and what was proposed in its place goes. */
function RivalsOfPair({ group, reconciliation, decide, moveOn, isShown }: RivalsProps) {
  const { client } = useConnection();
  const isReadOnly = useReadOnlyReason() !== null;
  const [a] = recordsOf(group, 'a');
  const [b] = recordsOf(group, 'b');
  const ask = (record: SidedRecord | undefined) => ({ reconciliation_id: reconciliation.id, record_id: record?.id ?? 0 });
  const ofA = useOperation('matches.suggest', ask(a));
  const ofB = useOperation('matches.suggest', ask(b));
  const contested =
    a === undefined || b === undefined
      ? []
      : [contestedOf(a, b, ofA.data), contestedOf(b, a, ofB.data)].filter(({ rivals }) => rivals.length > 0);
  const choices = contested.flatMap(({ line, rivals }) => rivals.map((rival) => ({ line, rival })));
  function take({ line, rival }: (typeof choices)[number]): void {
    if (isReadOnly || rival.difference !== 0) return;
    moveOn();
    void inTurn(() => matchRival(client, reconciliation.id, line, rival));
  }
  const reference = referenceIn(reconciliation);
  const keyOf = (suggestion: LineSuggestion): string => String(choices.findIndex(({ rival }) => rival === suggestion) + 2);
  const keys: Record<string, () => void> = Object.fromEntries(choices.map((choice, place) => [String(place + 2), () => take(choice)]));
  useShortcuts(isShown && choices.length > 0 ? { 1: () => decide('confirm'), ...keys } : {}, true);
  return contested.map((each) => (
    <Flex
      key={each.line.id}
      component="section"
      gap="xs"
      direction="column"
      aria-labelledby={`rivals-${each.line.id}`}
      data-testid="rivals"
    >
      <h3 id={`rivals-${each.line.id}`} className="wrap">
        {say('matches.rivals.title', { line: each.line.description ?? each.line.external_id ?? say('matches.groupDetail.noDescription') })}
      </h3>
      <div className={styles.candidates}>
        <Candidate
          title={say('matches.rivals.proposed')}
          keyName="1"
          line={each.line}
          candidate={each.proposed}
          others={each.rivals.map(({ rival }) => rival)}
          chance={group.match.likelihood === null ? say('matches.rivals.byARule') : likelihoodText(group.match.likelihood)}
          difference={group.match.difference}
          onTake={() => decide('confirm')}
          reference={reference}
        />
        {each.rivals.map((suggestion) => (
          <Candidate
            key={suggestion.rival.id}
            title={say('matches.rivals.rival')}
            keyName={keyOf(suggestion)}
            line={each.line}
            candidate={suggestion.rival}
            others={[each.proposed]}
            chance={suggestion.likelihood === null ? say(STRENGTH_WORDS[suggestion.strength]) : likelihoodText(suggestion.likelihood)}
            difference={suggestion.difference}
            onTake={() => take({ line: each.line, rival: suggestion })}
            reference={reference}
          />
        ))}
      </div>
      <Text size="xs" c="dimmed">
        {say('matches.rivals.whatChoosingDoes')}
      </Text>
    </Flex>
  ));
}

const STRENGTH_WORDS = {
  strong: 'matches.suggestions.strength.strong',
  fair: 'matches.suggestions.strength.fair',
  weak: 'matches.suggestions.strength.weak',
} as const;

interface CandidateProps {
  readonly title: string;
  readonly keyName: string;
  /** The line for which the candidate is. */
  readonly line: SidedRecord;
  readonly candidate: Omit<SidedRecord, 'matched_records' | 'matched_records_total'>;
  readonly others: readonly CandidateProps['candidate'][];
  readonly chance: string;
  readonly difference: number;
  readonly onTake: () => void;
  /** Returns the reference of a line, which its account has where it says. */
  readonly reference: (line: CandidateProps['candidate']) => string | null;
}

const DAY_MS = 86_400_000;

/** Returns how the day of a candidate lies to that of the line: `same day`, `3 days later`. */
function dayWords(line: SidedRecord, candidate: CandidateProps['candidate']): string {
  const days = Math.round((Date.parse(candidate.date) - Date.parse(line.date)) / DAY_MS);
  if (days === 0) return say('matches.rivals.sameDay');
  return days > 0 ? say('matches.rivals.daysLater', { days }) : say('matches.rivals.daysEarlier', { days: -days });
}

/** One candidate in a column. What differs from the other candidates is marked. */
function Candidate({ title, keyName, line, candidate, others, chance, difference, onTake, reference }: CandidateProps) {
  const own = reference(candidate);
  const isSameReference = own !== null && own === reference(line);
  const differs = (of: (each: CandidateProps['candidate']) => unknown): boolean => others.some((other) => of(other) !== of(candidate));
  const amountWords =
    difference === 0
      ? say('matches.rivals.sameAmount')
      : say('matches.rivals.differsBy', { amount: moneyText(Math.abs(difference), candidate.currency, candidate.decimal_places) });
  const facts = [
    {
      name: say('records.description'),
      value: candidate.description ?? say('matches.rivals.none'),
      isOther: differs((each) => each.description),
    },
    {
      name: say('records.amount'),
      value: moneyText(signedOf(candidate), candidate.currency, candidate.decimal_places),
      words: amountWords,
      isOther: differs((each) => signedOf(each)),
    },
    {
      name: say('records.date'),
      value: <Day iso={candidate.date} />,
      words: dayWords(line, candidate),
      isOther: differs((each) => each.date),
    },
    {
      name: say('records.reference'),
      value: own ?? say('matches.rivals.none'),
      ...(isSameReference ? { words: say('matches.rivals.sameReference') } : {}),
      isOther: differs(reference),
    },
    { name: say('matches.rivals.likelihood'), value: chance, isOther: false },
  ];
  return (
    <Stack className={`framed ${styles.candidate}`} gap={4} p="xs" data-testid="rival">
      <Text size="xs" fw={580}>
        {title}
      </Text>
      <dl>
        {facts.map(({ name, value, words, isOther }) => (
          <div key={name} data-differs={isOther || undefined}>
            <dt>{name}</dt>
            <dd>
              {value}
              {words !== undefined && <span className="quiet small">{words}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <WriteButton
        size="compact-xs"
        variant="default"
        disabled={difference !== 0 && keyName !== '1'}
        rightSection={<KeyHint keys={keyName} />}
        aria-keyshortcuts={keyName}
        onClick={onTake}
        data-testid="choose-rival"
      >
        {say('matches.rivals.choose')}
      </WriteButton>
    </Stack>
  );
}
