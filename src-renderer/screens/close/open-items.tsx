import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { PeriodStatement } from '../../../src-shared/contract/index.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Pager } from '../../components/pager.tsx';
import { counted, ofWhichText } from '../../format/counts.ts';
import { plainAmount } from '../../format/money.ts';
import { useClosing } from './close-context.ts';
import frame from './close.module.css';
import { ItemRow } from './item-row.tsx';
import styles from './open-items.module.css';
import { type ItemKeys, useItemKeys } from './use-item-keys.ts';
import { type ItemLine, PAGE, useItems } from './use-items.ts';

/** The open items on the last day of the period, with the notes on them. */
export function OpenItems() {
  const { statement } = useClosing();
  const [page, setPage] = useState(0);
  const { lines, pages, isLoading, failure } = useItems(Math.min(page, Math.ceil(statement.open_item_count / PAGE) || 0));
  const keys = useItemKeys(lines, setPage);
  const { open_item_count: count, proposed_item_count: proposed, match_differences: differences } = statement;
  const items = `${counted(count, 'item')}${ofWhichText(proposed)}`;
  const words = [items, ...(differences.count === 0 ? [] : [counted(differences.count, 'match difference')])].join(', ');
  const owners = [...new Set(statement.open_items.flatMap(({ note }) => note?.owner ?? []))].toSorted();
  return (
    <section className={styles.items} aria-label="Open items" data-testid="open-items">
      <div className={`${frame.title} ${styles.head}`}>
        <h2>Open items</h2>
        <span>{words}</span>
        <AgeingBar />
      </div>
      {failure !== null && <FailurePanel title="The open items could not be read" failure={failure} />}
      {isLoading && <Skeleton height={240} />}
      {lines.length === 0 && !isLoading && failure === null && (
        <p className={styles.none}>Nothing is open as of the last day: each line is matched with one of the other side.</p>
      )}
      {lines.length > 0 && <ItemTable lines={lines} keys={keys} words={words} />}
      <datalist id="close-owners">
        {owners.map((owner) => (
          <option key={owner} value={owner}>
            {owner}
          </option>
        ))}
      </datalist>
      {pages > 1 && <Pager what="items" page={page} count={count} size={PAGE} onPage={setPage} />}
    </section>
  );
}

interface ItemTableProps {
  readonly lines: readonly ItemLine[];
  readonly keys: ItemKeys;
  readonly words: string;
}

function ItemTable({ lines, keys, words }: ItemTableProps) {
  return (
    <div className={styles.scroll}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table that arrow keys go through is a grid */}
      <table role="grid" onKeyDown={keys.onKey} aria-label={`Open items, ${words}`} aria-keyshortcuts="N T">
        <colgroup>
          <col className={styles.cDate} />
          <col className={styles.cReference} />
          <col className={styles.cAmount} />
          <col />
          <col className={styles.cDays} />
          <col className={`${styles.cExpected} ${styles.expected}`} />
          <col className={`${styles.cStatus} ${styles.status}`} />
          <col className={`${styles.cOwner} ${styles.owner}`} />
          <col className={styles.cComment} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Reference</th>
            <th scope="col" className={styles.amount}>
              Amount
            </th>
            <th scope="col">Cause</th>
            <th scope="col" className={styles.amount}>
              Days
            </th>
            <th scope="col" className={styles.expected}>
              Expected
            </th>
            <th scope="col" className={styles.status}>
              Status
            </th>
            <th scope="col" className={styles.owner}>
              Owner
            </th>
            <th scope="col">Comment</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <ItemRow key={line.matchId === null ? line.recordId : `match ${line.matchId}`} line={line} keys={keys} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Bucket = PeriodStatement['ageing'][number];

function rangeText({ from_days: from, to_days: to }: Bucket): string {
  if (to === null) return `over ${from - 1}`;
  return from === 0 ? `0–${to} days` : `${from}–${to}`;
}

/** The ages of the open items in days on the last day of the period. */
function AgeingBar() {
  const { statement } = useClosing();
  const { ageing, decimal_places: places } = statement;
  const filled = ageing.filter(({ count }) => count > 0);
  const words = filled.map((bucket) => `${counted(bucket.count, 'item')} ${rangeText(bucket)}`).join(', ');
  const titleOf = (bucket: Bucket): string =>
    `${rangeText(bucket)}: ${counted(bucket.count, 'item')}${bucket.net === null ? '' : `, ${plainAmount(bucket.net, places)} net`}`;
  return (
    <div className={styles.ageing} data-testid="ageing">
      {ageing.map((bucket, place) => (
        <span key={bucket.from_days} className={styles.legend} title={titleOf(bucket)}>
          <i data-age={place + 1} />
          {rangeText(bucket)}
        </span>
      ))}
      <span className={styles.visuallyHidden}>{words === '' ? 'No open item' : words}</span>
      <span className={styles.bar} aria-hidden>
        {filled.map((bucket) => (
          <i key={bucket.from_days} data-age={ageing.indexOf(bucket) + 1} style={{ flexGrow: bucket.count }} title={titleOf(bucket)} />
        ))}
      </span>
    </div>
  );
}
