import { Button, Flex, Skeleton, Text } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { Call, HistoryEntry } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import { useOperation } from '../api/use-operation.ts';
import { changeText, thingName } from '../format/history-words.ts';
import { countOf } from '../format/counts.ts';
import { dateText } from '../format/dates.ts';
import { Instant } from './day.tsx';
import { FailurePanel } from './failure-panel.tsx';
import styles from './history-list.module.css';
import { PlaceLink } from './place-link.tsx';
import { TextButton } from './primitives.tsx';
import type { Place } from '../state/places.ts';

type Thing = HistoryEntry['things'][number];
export type HistoryAsked = Omit<Call<'history.list'>, 'cursor'>;

interface HistoryListProps {
  readonly asked: HistoryAsked;
  /** The object whose history it is. The entries do not name it again. */
  readonly about?: Thing['kind'] | undefined;
  /** Whether the list is in a narrow panel, where the time is above the words. */
  readonly isNarrow?: boolean;
  /** Shown when nothing is found. */
  readonly children: ReactNode;
}

/** The entries of the audit log that fit, newest first, in pages that follow one another. */
export function HistoryList({ asked, about, isNarrow = false, children }: HistoryListProps) {
  return (
    <div className={styles.history} data-narrow={isNarrow || undefined} data-testid="history">
      <HistoryPage key={JSON.stringify(asked)} asked={asked} cursor={null} about={about} found={0} empty={children} />
    </div>
  );
}

interface HistoryPageProps extends Pick<HistoryListProps, 'asked' | 'about'> {
  readonly cursor: string | null;
  /** The number of entries on the pages before this one. */
  readonly found: number;
  readonly empty: ReactNode;
}

/** One page, and behind it the next one. Each asks from the end of the one before, so that none misses an entry when others are added. */
function HistoryPage({ asked, cursor, about, found, empty }: HistoryPageProps) {
  const [isOlderShown, showOlder] = useState(false);
  const page = useOperation('history.list', { ...asked, ...(cursor === null ? {} : { cursor }) });
  if (page.isLoadingError) {
    return <FailurePanel title={say('book.history.couldNotBeRead')} failure={page.error} onRetry={page.refetch} />;
  }
  if (page.data === undefined) return <Skeleton height={cursor === null ? 160 : 40} m="md" aria-busy="true" />;
  const { data: entries, next_cursor: next, searched_back_to: searchedTo } = page.data;
  const all = found + entries.length;
  if (next === null) {
    return (
      <>
        <Entries entries={entries} about={about} />
        {all === 0 && empty}
      </>
    );
  }
  // A stretch of the log without a find is no reason to stop.
  const isNextShown = isOlderShown || entries.length === 0;
  return (
    <>
      <Entries entries={entries} about={about} />
      {isNextShown ? (
        <HistoryPage asked={asked} cursor={next} about={about} found={all} empty={empty} />
      ) : (
        <Flex gap="md" align="center" py="md" px="var(--edge)">
          <Button size="xs" variant="default" onClick={() => showOlder(true)} data-testid="older-history">
            {say('book.history.showOlder')}
          </Button>
          {searchedTo !== null && (
            <Text size="xs" c="dimmed">
              {say('book.history.backTo', { day: dateText(searchedTo.slice(0, 10)) })}
            </Text>
          )}
        </Flex>
      )}
    </>
  );
}

function Entries({ entries, about }: Pick<HistoryListProps, 'about'> & { readonly entries: readonly HistoryEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <ol className="plain">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} about={about} />
      ))}
    </ol>
  );
}

/** When, who, what was done to what, and what it was before. */
function Entry({ entry, about }: Pick<HistoryListProps, 'about'> & { readonly entry: HistoryEntry }) {
  const things = entry.things.filter(({ kind }) => kind !== about);
  return (
    <li className={styles.entry} data-testid="history-entry" data-action={entry.action}>
      <span className="quiet small">
        <Instant at={entry.at} />
      </span>
      <span className="mid small truncate" title={entry.by}>
        {entry.by}
      </span>
      <div className={styles.what}>
        <b className="strong">{entry.words}</b>
        {entry.note !== null && <span className="mid wrap">{say('book.history.note', { note: entry.note })}</span>}
        {things.length > 0 && <Things things={things} entry={entry} />}
        {entry.changes.length > 0 && (
          <ul className={`plain small ${styles.changes}`}>
            {entry.changes.map((change, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- the changes of an entry never change
              <li key={place} className="wrap">
                {changeText(change)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

/** The names of what an entry is about, as links where the window can show it, and how many more lines and matches there are. */
function Things({ things, entry }: { readonly things: HistoryEntry['things']; readonly entry: HistoryEntry }) {
  const more = (kind: 'record' | 'match', count: number): number => count - things.filter((thing) => thing.kind === kind).length;
  const [lines, matches] = [more('record', entry.record_count), more('match', entry.match_count)];
  const isShown = (kind: 'record' | 'match'): boolean => things.some((thing) => thing.kind === kind);
  return (
    <span className="small wrap">
      {things.map((thing, place) => (
        <Fragment key={`${thing.kind} ${thing.id ?? thing.key}`}>
          {place > 0 && <span className="quiet"> · </span>}
          <ThingName thing={thing} />
        </Fragment>
      ))}
      {lines > 0 && isShown('record') && (
        <span className="quiet"> {say('book.history.andMore', { more: countOf(lines, 'count.lines') })}</span>
      )}
      {matches > 0 && isShown('match') && (
        <span className="quiet"> {say('book.history.andMore', { more: countOf(matches, 'count.matches') })}</span>
      )}
    </span>
  );
}

/** Returns where the window shows it; null where it does not. */
function thingPlace({ kind, id, key, reconciliation_id: reconciliation }: Thing): Place | null {
  if (kind === 'stream') return key === null ? null : { screen: 'stream', key };
  if (id === null) return null;
  if (kind === 'record') return { screen: 'records', streamKey: null, recordId: id };
  if (kind === 'bank_account') return { screen: 'account', id };
  if (reconciliation === null) return null;
  if (kind === 'period') return { screen: 'close', key: reconciliation, periodId: id };
  if (kind === 'reconciliation') return { screen: 'reconciliation', id: reconciliation };
  const tab = { match: 'matched', run: 'runs', rule: 'rules' } as const;
  return kind === 'match' || kind === 'run' || kind === 'rule' ? { screen: 'reconciliation', id: reconciliation, tab: tab[kind] } : null;
}

function ThingName({ thing }: { readonly thing: Thing }) {
  const name = thingName(thing);
  const place = thing.exists ? thingPlace(thing) : null;
  if (place !== null) return <PlaceLink place={place}>{name}</PlaceLink>;
  return (
    <span className="mid" title={thing.exists ? undefined : say('book.history.gone')}>
      {name}
    </span>
  );
}

/** The history of one thing, read once it is asked for: a search of the log is too much for each line that a person moves over. */
export function FoldedHistory({ asked, about }: Pick<HistoryListProps, 'asked' | 'about'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} data-testid="show-history">
        {isOpen ? say('book.history.hide') : say('book.history.show')}
      </TextButton>
      {isOpen && (
        <HistoryList asked={asked} about={about} isNarrow>
          <Text size="sm" c="dimmed">
            {say('book.history.none')}
          </Text>
        </HistoryList>
      )}
    </div>
  );
}
