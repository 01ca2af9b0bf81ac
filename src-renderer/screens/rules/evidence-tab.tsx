import { Box, Button, Group, SimpleGrid, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown, IconChevronRight, IconRefresh, IconUnlink } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Learned, Output, Reconciliation } from '../../../src-shared/contract/index.ts';
import { grouped } from '../../../src-shared/values/notation.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { Said } from '../../components/said.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { agoText } from '../../format/dates.ts';
import { reviewWords } from '../../format/match-words.ts';
import { sideNames } from '../../format/side-names.ts';
import { RecordLines, SideRecords } from '../matches/group-detail.tsx';
import { useFocusNext } from '../matches/use-focus-next.ts';
import styles from './rules.module.css';

/** The columns of the lines of both sides. */
const TWO = { minColWidth: '15rem', autoFlow: 'auto-fit', spacing: 'xl', verticalSpacing: 'xs' } as const;

const percent = (share: number): string => `${grouped((share * 100).toFixed(1))} %`;
const HEIGHT = 96;
const BAR = 34;
const GAP = 6;
const LABEL = 30;

function daysText({ from_day: from, to_day: to }: Learned['lags'][number]): string {
  return from === to ? String(from).replace('-', '−') : `${from}…${to}`.replaceAll('-', '−');
}

/** Returns the label of a bin in lines, because a range is wider than its bar. */
function dayLines(bin: Learned['lags'][number]): string[] {
  const minus = (days: number): string => String(days).replace('-', '−');
  return bin.from_day === bin.to_day
    ? [minus(bin.from_day)]
    : [minus(bin.from_day), say('rules.evidenceTab.to', { minus: minus(bin.to_day) })];
}

/** The distribution of days between the lines of a pair: bars for true pairs, lines for unrelated pairs of the same amount. */
function LagChart({ bins }: { readonly bins: Learned['lags'] }) {
  const most = Math.max(0.01, ...bins.map(({ m, u }) => Math.max(m, u)));
  const top = (share: number): number => HEIGHT - (share / most) * (HEIGHT - 14);
  const words = bins.map((bin) => say('rules.evidenceTab.daysOfTruePairs', { days: daysText(bin), percent: percent(bin.m) })).join(', ');
  const width = bins.length * (BAR + GAP);
  return (
    <Box component="figure" className="scrolls" m={0} aria-label={words}>
      <svg viewBox={`0 0 ${width} ${HEIGHT + LABEL}`} style={{ width, maxWidth: '100%' }} aria-hidden>
        {bins.map((bin, index) => {
          const left = index * (BAR + GAP);
          return (
            <g key={bin.from_day}>
              <rect className={styles.bar} x={left} y={top(bin.m)} width={BAR} height={HEIGHT - top(bin.m)} rx={2} />
              <line className={styles.strangers} x1={left} x2={left + BAR} y1={top(bin.u)} y2={top(bin.u)} />
              {bin.m >= 0.005 && (
                <text className={styles.share} x={left + BAR / 2} y={Math.min(top(bin.m), top(bin.u)) - 3}>
                  {percent(bin.m)}
                </text>
              )}
              {dayLines(bin).map((text, line) => (
                <text key={text} className={styles.day} x={left + BAR / 2} y={HEIGHT + 13 + line * 12}>
                  {text}
                </text>
              ))}
            </g>
          );
        })}
      </svg>
      <figcaption className="quiet small">{say('rules.evidenceTab.barsPairsThatBelong')}</figcaption>
    </Box>
  );
}

type Alias = Learned['aliases'][number];

/** The number of pairs that are listed for each alias. */
const PAIRS_SHOWN = 10;

const keyOf = ({ a, b }: Alias): string => JSON.stringify([a, b]);

/** Names that people linked, with the lines behind each, and a button that says they are two. */
function Aliases({ id, aliases }: { readonly id: number; readonly aliases: readonly Alias[] }) {
  const list = useRef<HTMLUListElement>(null);
  const leave = useFocusNext(list, aliases.map(keyOf));
  return (
    <section aria-label={say('rules.evidenceTab.namesThatYouTied')}>
      <Text fw={580} size="sm">
        {say('rules.evidenceTab.namesThatYouTied')}
      </Text>
      {aliases.length === 0 && (
        <Text size="xs" c="dimmed">
          {say('rules.evidenceTab.noneYetTwoNames')}
        </Text>
      )}
      <ul className="plain divided" ref={list}>
        {aliases.map((alias) => (
          <Entry key={keyOf(alias)} id={id} alias={alias} onLeave={() => leave(keyOf(alias))} />
        ))}
      </ul>
    </section>
  );
}

function Entry({ id, alias, onLeave }: { readonly id: number; readonly alias: Alias; readonly onLeave: () => void }) {
  const { a, b, matches } = alias;
  const [isOpen, setOpen] = useState(false);
  const remove = useCommand('evidence.remove_alias', (failure) => notifyFailure(say('rules.evidenceTab.theNamesStillCount'), failure));
  async function part(): Promise<void> {
    if (remove.isRunning) return;
    onLeave();
    await remove.run({ id, a, b });
  }
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li data-testid="alias">
      <Group gap="2px 12px" justify="space-between" wrap="nowrap">
        <UnstyledButton className="row grow wrap" py={4} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen} data-testid="alias-from">
          <Chevron size={14} style={{ flex: 'none' }} aria-hidden />
          <Text size="sm" component="span">
            {a} = {b}{' '}
            <Text size="xs" c="dimmed" component="span">
              {say('rules.evidenceTab.fromMatches', { matches: matches.length })}
            </Text>
          </Text>
        </UnstyledButton>
        <WriteButton
          variant="default"
          size="compact-xs"
          style={{ flexShrink: 0 }}
          loading={remove.isRunning}
          onClick={() => void part()}
          aria-label={say('rules.evidenceTab.andAreNotTheSame', { a, b })}
          data-testid="not-the-same"
        >
          {say('rules.evidenceTab.notTheSame')}
        </WriteButton>
      </Group>
      {isOpen && <Pairs alias={alias} />}
    </li>
  );
}

function Pairs({ alias: { matches } }: { readonly alias: Alias }) {
  const shown = matches.slice(0, PAIRS_SHOWN);
  return (
    <div data-testid="alias-pairs">
      {shown.map(({ a_record_id: a, b_record_id: b }) => (
        <SimpleGrid key={`${a} ${b}`} {...TWO}>
          <Line id={a} />
          <Line id={b} />
        </SimpleGrid>
      ))}
      {matches.length > shown.length && (
        <Text size="xs" c="dimmed">
          {say('rules.evidenceTab.theFirstOfMatches', { shown: shown.length, matches: matches.length })}
        </Text>
      )}
    </div>
  );
}

function Line({ id }: { readonly id: number }) {
  const { data: value, error: failure } = useOperation('records.get', { id });
  if (value !== undefined) {
    return (
      <div>
        <RecordLines records={[value]} adjustmentId={null} />
      </div>
    );
  }
  return (
    <Text size="xs" c="dimmed">
      {failure === null ? '…' : say('rules.evidenceTab.aLineThatIsNoLonger')}
    </Text>
  );
}

/** Matches to review, and what evidence learned from the lines: in words first, then as figures. */
export function EvidenceTab({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  return (
    <Stack className="scrolls" gap="sm" mah="100%">
      <EvidenceReviews reconciliation={reconciliation} />
      <LearnedPanel reconciliation={reconciliation} />
    </Stack>
  );
}

function LearnedPanel({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const { id } = reconciliation;
  const { data: value, error: failure, refetch } = useOperation('evidence.get', { id });
  if (failure !== null && value === undefined) {
    return <FailurePanel title={say('rules.evidenceTab.whatWasLearnedCouldNotBeRead')} failure={failure} onRetry={refetch} />;
  }
  if (value === undefined) return <Skeleton height={200} radius="lg" />;
  if (value.learned === null) {
    return (
      <Stack className="card" p="xl" align="center" data-testid="nothing-learned">
        <Text size="sm" c="dimmed" ta="center">
          {say('rules.evidenceTab.nothingIsLearnedYet')}
        </Text>
      </Stack>
    );
  }
  const { learned } = value;
  return (
    <Stack className="card flush" gap="lg" flex="none" py="md" px={18} data-testid="learned">
      <Words id={id} learned={learned} />
      <section aria-label={say('rules.evidenceTab.daysBetweenTheSides')}>
        <Text fw={580} size="sm">
          {say('rules.evidenceTab.daysFromSideAToSideB', sideNames(reconciliation))}
        </Text>
        <LagChart bins={learned.lags} />
      </section>
      <Aliases id={id} aliases={learned.aliases} />
      <details data-testid="learned-figures">
        <summary>{say('rules.evidenceTab.figuresBehindIt')}</summary>
        <SimpleGrid minColWidth="min(100%, 35rem)" autoFlow="auto-fit" spacing="xl" verticalSpacing="xs">
          <Levels title={say('rules.evidenceTab.amounts')} levels={learned.amount} />
          <Levels title={say('rules.evidenceTab.namesAndWords')} levels={learned.text} />
          <Levels title={say('rules.evidenceTab.references')} levels={learned.references} />
        </SimpleGrid>
        <SimpleGrid {...TWO}>
          <WordList title={say('rules.evidenceTab.rarestWordsOnBothSides')} words={learned.rare_words} />
          <WordList title={say('rules.evidenceTab.commonestWords')} words={learned.common_words} />
        </SimpleGrid>
      </details>
    </Stack>
  );
}

function Words({ id, learned }: { readonly id: number; readonly learned: Learned }) {
  const now = useNow();
  const relearn = useCommand('evidence.relearn', (failure) => notifyFailure(say('rules.evidenceTab.nothingWasForgotten'), failure));
  async function forget(): Promise<void> {
    const answer = await relearn.run({ id });
    if (answer.ok) notifyDone(say('rules.evidenceTab.theNextRunLearns'));
  }
  return (
    <section aria-label={say('rules.evidenceTab.whatWasLearned')}>
      <Group justify="space-between" align="start" wrap="nowrap">
        <div data-testid="learned-words">
          {learned.words.map((words) => (
            <Text key={words} size="sm">
              {words}
            </Text>
          ))}
          <Text size="xs" c="dimmed" mt={4} component="div">
            <Said
              words="rules.evidenceTab.versionLearned"
              with={{
                version: learned.version,
                at: <Instant at={learned.learned_at} text={agoText(learned.learned_at, now)} />,
              }}
            />
          </Text>
        </div>
        <WriteButton
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={relearn.isRunning}
          onClick={() => void forget()}
          data-testid="relearn"
        >
          {say('rules.evidenceTab.learnAnew')}
        </WriteButton>
      </Group>
    </section>
  );
}

const shareText = (share: number | null): string => {
  if (share === null) return say('rules.evidenceTab.byValue');
  if (share > 0.999 && share < 1) return `> ${grouped('99.9')} %`;
  return share < 0.0005 && share > 0 ? `< ${grouped('0.1')} %` : percent(share);
};
const bitsText = (bits: number | null): string =>
  bits === null ? say('rules.evidenceTab.byValue') : `${bits > 0 ? '+' : '−'}${grouped(Math.abs(bits).toFixed(1))}`;

function Levels({ title, levels }: { readonly title: string; readonly levels: Learned['amount'] }) {
  if (levels.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text fw={580} size="sm">
        {title}
      </Text>
      <FigureTable
        columns={[
          { head: say('rules.evidenceTab.howAPairLooks') },
          { head: say('rules.evidenceTab.truePairs'), isFigure: true },
          { head: say('rules.evidenceTab.strangers'), isFigure: true },
          { head: say('rules.evidenceTab.weight'), title: say('rules.evidenceTab.inBitsEachOneDoubles'), isFigure: true },
        ]}
        isWrapping
        isFitted
      >
        <tbody>
          {levels.map(({ name, m, u, bits }) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="amount">{shareText(m)}</td>
              <td className="amount">{shareText(u)}</td>
              <td className="amount">{bitsText(bits)}</td>
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </section>
  );
}

function WordList({ title, words }: { readonly title: string; readonly words: Learned['rare_words'] }) {
  if (words.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text fw={580} size="sm">
        {title}
      </Text>
      <Text size="xs" c="dimmed" className="wrap">
        {words.map(({ word, count }) => `${word} ${countText(count)}`).join(' · ')}
      </Text>
    </section>
  );
}

type Review = Output<'evidence.reviews'>['data'][number];

/** The number of matches at first, and of each further page. */
const PAGE = 10;
/** The number of better lines that are listed for each match. */
const OTHERS_SHOWN = 3;

/** Matches whose evidence changed since they were made. They stay until a person keeps or separates them. */
function EvidenceReviews({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const [limit, setLimit] = useState(PAGE);
  const list = useRef<HTMLUListElement>(null);
  const { data: value, error: failure, refetch } = useOperation('evidence.reviews', { id: reconciliation.id, limit });
  const leave = useFocusNext(
    list,
    value?.data.map((review) => review.match_id),
  );
  if (failure !== null && value === undefined) {
    return <FailurePanel title={say('rules.evidenceReviews.theMatchesToLook')} failure={failure} onRetry={refetch} />;
  }
  if (value === undefined || value.total_count === 0) return null;
  const left = value.total_count - value.data.length;
  return (
    <section className="card" style={{ flexShrink: 0 }} aria-labelledby="reviews" data-testid="reviews">
      <Box py={10} px={18}>
        <Text fw={580} size="sm" component="h2" id="reviews">
          {say('rules.evidenceReviews.matchesToLookAtAgain', { totalCount: countText(value.total_count) })}
        </Text>
        <Text size="xs" c="dimmed">
          {say('rules.evidenceReviews.whatCameInSinceMakes')}
        </Text>
      </Box>
      <ul className="plain divided line-above" ref={list}>
        {value.data.map((review) => (
          <ReviewEntry key={review.match_id} review={review} reconciliation={reconciliation} onLeave={() => leave(review.match_id)} />
        ))}
      </ul>
      {left > 0 && (
        <Button variant="subtle" size="compact-sm" m="xs" onClick={() => setLimit(limit + PAGE)} data-testid="more-reviews">
          {say('rules.evidenceReviews.showMore', { min: Math.min(left, PAGE) })}
        </Button>
      )}
    </section>
  );
}

interface ReviewEntryProps {
  readonly review: Review;
  readonly reconciliation: Reconciliation;
  readonly onLeave: () => void;
}

function ReviewEntry({ review, reconciliation, onLeave }: ReviewEntryProps) {
  const { match_id: id } = review;
  return (
    <Box component="li" py={10} px={18} data-testid="review">
      <Group justify="space-between" gap="4px 12px">
        <Text size="sm" className="tabular" data-testid="review-words">
          {reviewWords(review.likelihood_before, review.likelihood_now)}
        </Text>
        <Actions id={id} onLeave={onLeave} />
      </Group>
      <Lines review={review} reconciliation={reconciliation} />
    </Box>
  );
}

function Actions({ id, onLeave }: { readonly id: number; readonly onLeave: () => void }) {
  const keep = useCommand('evidence.keep', (failure) => notifyFailure(say('rules.evidenceReviews.thisMatchIsStill'), failure));
  const remove = useCommand('matches.remove', (failure) => notifyFailure(say('rules.evidenceReviews.theMatchWasNotTakenApart'), failure));
  const isBusy = keep.isRunning || remove.isRunning;
  async function keepIt(): Promise<void> {
    if (isBusy) return;
    onLeave();
    const answer = await keep.run({ id });
    if (answer.ok) notifyDone(say('rules.evidenceReviews.keptTheMatchAsItIs'));
  }
  async function takeApart(): Promise<void> {
    if (isBusy) return;
    onLeave();
    await remove.run({ id });
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <WriteButton
        variant="default"
        size="compact-sm"
        leftSection={<IconCheck size={14} aria-hidden />}
        loading={keep.isRunning}
        disabled={remove.isRunning}
        onClick={() => void keepIt()}
        data-testid="keep-match"
      >
        {say('rules.evidenceReviews.keep')}
      </WriteButton>
      <WriteButton
        variant="default"
        size="compact-sm"
        leftSection={<IconUnlink size={14} aria-hidden />}
        loading={remove.isRunning}
        disabled={keep.isRunning}
        onClick={() => void takeApart()}
        data-testid="take-apart"
      >
        {say('rules.evidenceReviews.takeApart')}
      </WriteButton>
    </Group>
  );
}

/** The lines of both sides, and the lines that fit better now. */
function Lines({ review, reconciliation }: Omit<ReviewEntryProps, 'onLeave'>) {
  const { data: value, error: failure } = useOperation('records.list', {
    reconciliation_match_id: review.match_id,
    sort: 'date',
    limit: 100,
  });
  if (failure !== null && value === undefined) {
    return (
      <Text size="xs" c="dimmed">
        {say('rules.evidenceReviews.theLinesOfThisMatch', { message: failure.message })}
      </Text>
    );
  }
  if (value === undefined) return <Skeleton height={56} mt={8} />;
  const onA = new Set(reconciliation.side_a_streams.map(({ key }) => key));
  const of = (isA: boolean) => value.data.filter((record) => onA.has(record.data_stream_key) === isA);
  const others = review.other_record_ids.slice(0, OTHERS_SHOWN);
  const more = review.other_record_ids.length - others.length;
  return (
    <SimpleGrid {...TWO}>
      <SideRecords side="a" reconciliation={reconciliation} records={of(true)} adjustmentId={null} />
      <SideRecords side="b" reconciliation={reconciliation} records={of(false)} adjustmentId={null} />
      {others.length > 0 && (
        <section aria-label={say('rules.evidenceReviews.fitsBetterNow')} data-testid="fits-better">
          <Text size="xs" c="dimmed">
            {review.other_record_ids.length === 1 ? say('rules.evidenceReviews.fitsBetterNow') : say('rules.evidenceReviews.fitBetterNow')}
          </Text>
          {others.map((id) => (
            <Other key={id} id={id} />
          ))}
          {more > 0 && (
            <Text size="xs" c="dimmed">
              {say('rules.evidenceReviews.andMoreLines', { more })}
            </Text>
          )}
        </section>
      )}
    </SimpleGrid>
  );
}

/** One line that fits better. It may have been deleted since. */
function Other({ id }: { readonly id: number }) {
  const { data: value, error: failure } = useOperation('records.get', { id });
  if (value !== undefined) return <RecordLines records={[value]} adjustmentId={null} />;
  return (
    <Text size="xs" c="dimmed">
      {failure === null ? '…' : say('rules.evidenceReviews.aLineThatIsNoLonger')}
    </Text>
  );
}
