import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconCheck, IconUnlink } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Output, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { reviewWords } from '../../format/likelihood.ts';
import { RecordLines, SideRecords } from '../matches/group-detail.tsx';
import { useFocusNext } from '../matches/use-focus-next.ts';
import styles from './rules.module.css';
import { say } from '../../../src-shared/words/say.ts';

type Review = Output<'evidence.reviews'>['data'][number];

/** The number of matches at first, and of each further page. */
const PAGE = 10;
/** The number of better lines that are listed for each match. */
const OTHERS_SHOWN = 3;

/** Matches whose evidence changed since they were made. They stay until a person keeps or separates them. */
export function EvidenceReviews({ reconciliation }: { readonly reconciliation: Reconciliation }) {
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
      <div className={styles.entry}>
        <Text fw={580} size="sm" component="h2" id="reviews">
          {say('rules.evidenceReviews.matchesToLookAtAgain', { totalCount: countText(value.total_count) })}
        </Text>
        <Text size="xs" c="dimmed">
          {say('rules.evidenceReviews.whatCameInSinceMakes')}
        </Text>
      </div>
      <ul className={`plain divided ${styles.entries}`} ref={list}>
        {value.data.map((review) => (
          <Entry key={review.match_id} review={review} reconciliation={reconciliation} onLeave={() => leave(review.match_id)} />
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

interface EntryProps {
  readonly review: Review;
  readonly reconciliation: Reconciliation;
  readonly onLeave: () => void;
}

function Entry({ review, reconciliation, onLeave }: EntryProps) {
  const { match_id: id } = review;
  return (
    <li className={styles.entry} data-testid="review">
      <Group justify="space-between" gap="4px 12px">
        <Text size="sm" className="tabular" data-testid="review-words">
          {reviewWords(review.likelihood_before, review.likelihood_now)}
        </Text>
        <Actions id={id} onLeave={onLeave} />
      </Group>
      <Lines review={review} reconciliation={reconciliation} />
    </li>
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
function Lines({ review, reconciliation }: Omit<EntryProps, 'onLeave'>) {
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
    <div className={styles.lines}>
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
    </div>
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
