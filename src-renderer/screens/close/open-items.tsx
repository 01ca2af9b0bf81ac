import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { PeriodStatement } from '../../../src-shared/contract/index.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { Pager } from '../../components/primitives.tsx';
import { countOf, ofWhichText } from '../../format/counts.ts';
import { plainAmount } from '../../format/money.ts';
import { useClosing } from './close-context.ts';
import { ItemRow } from './item-row.tsx';
import styles from './close.module.css';
import { type ItemKeys, useItemKeys } from './use-item-keys.ts';
import { type ItemLine, PAGE, useItems } from './use-items.ts';
import { say } from '../../../src-shared/words/say.ts';

/** The open items on the last day of the period, with the notes on them. */
export function OpenItems() {
  const { statement } = useClosing();
  const [page, setPage] = useState(0);
  const { lines, pages, isLoading, failure } = useItems(Math.min(page, Math.ceil(statement.open_item_count / PAGE) || 0));
  const keys = useItemKeys(lines, setPage);
  const { open_item_count: count, proposed_item_count: proposed, match_differences: differences } = statement;
  const items = `${countOf(count, 'count.items')}${ofWhichText(proposed)}`;
  const words = [items, ...(differences.count === 0 ? [] : [countOf(differences.count, 'count.matchDifferences')])].join(', ');
  const owners = [...new Set(statement.open_items.flatMap(({ note }) => note?.owner ?? []))].toSorted();
  return (
    <section className={styles.items} aria-label={say('close.openItems.openItems')} data-testid="open-items">
      <div className={styles.title}>
        <h2>{say('close.openItems.openItems')}</h2>
        <span>{words}</span>
        <AgeingBar />
      </div>
      {failure !== null && <FailurePanel title={say('close.openItems.theOpenItemsCouldNotBeRead')} failure={failure} />}
      {isLoading && <Skeleton height={240} />}
      {lines.length === 0 && !isLoading && failure === null && (
        <p className="plain mid">{say('close.openItems.nothingIsOpenAsOfTheLastDay')}</p>
      )}
      {lines.length > 0 && <ItemTable lines={lines} keys={keys} words={words} />}
      <datalist id="close-owners">
        {owners.map((owner) => (
          <option key={owner} value={owner}>
            {owner}
          </option>
        ))}
      </datalist>
      {pages > 1 && <Pager what={say('close.openItems.items')} page={page} count={count} size={PAGE} onPage={setPage} />}
    </section>
  );
}

const COLUMNS = [
  { head: say('close.openItems.date'), width: 100 },
  { head: say('close.openItems.reference'), width: 'clamp(76px, 13cqi, 140px)' },
  { head: say('close.openItems.amount'), width: 'clamp(86px, 12cqi, 130px)', isFigure: true },
  { head: say('close.openItems.cause') },
  { head: say('close.openItems.days'), width: 46, isFigure: true },
  { head: say('close.openItems.expected'), width: 90, className: styles.expected },
  { head: say('close.openItems.status'), width: 'clamp(88px, 11cqi, 110px)', className: styles.status },
  { head: say('close.openItems.owner'), width: 52, className: styles.owner },
  { head: say('close.openItems.comment'), width: 'clamp(22%, 26cqi - 4rem, 30%)' },
];

interface ItemTableProps {
  readonly lines: readonly ItemLine[];
  readonly keys: ItemKeys;
  readonly words: string;
}

function ItemTable({ lines, keys, words }: ItemTableProps) {
  return (
    <div className={styles.scroll}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table that arrow keys go through is a grid */}
      <FigureTable
        columns={COLUMNS}
        role="grid"
        onKeyDown={keys.onKey}
        aria-label={say('close.openItems.openItemsInWords', { words })}
        aria-keyshortcuts="N T"
      >
        <tbody>
          {lines.map((line) => (
            <ItemRow key={line.matchId === null ? line.recordId : `match ${line.matchId}`} line={line} keys={keys} />
          ))}
        </tbody>
      </FigureTable>
    </div>
  );
}

type Bucket = PeriodStatement['ageing'][number];

function rangeText({ from_days: from, to_days: to }: Bucket): string {
  if (to === null) return say('close.openItems.over', { from: from - 1 });
  return from === 0 ? say('close.openItems.upToDays', { to }) : `${from}–${to}`;
}

/** The ages of the open items in days on the last day of the period. */
function AgeingBar() {
  const { statement } = useClosing();
  const { ageing, decimal_places: places } = statement;
  const filled = ageing.filter(({ count }) => count > 0);
  const words = filled.map((bucket) => `${countOf(bucket.count, 'count.items')} ${rangeText(bucket)}`).join(', ');
  const titleOf = (bucket: Bucket): string =>
    `${rangeText(bucket)}: ${countOf(bucket.count, 'count.items')}${bucket.net === null ? '' : say('close.openItems.net', { net: plainAmount(bucket.net, places) })}`;
  return (
    <div className={styles.ageing} data-testid="ageing">
      {ageing.map((bucket, place) => (
        <span key={bucket.from_days} className={styles.legend} title={titleOf(bucket)}>
          <i data-age={place + 1} />
          {rangeText(bucket)}
        </span>
      ))}
      <VisuallyHidden>{words === '' ? say('close.openItems.noOpenItem') : words}</VisuallyHidden>
      <span className={styles.bar} aria-hidden>
        {filled.map((bucket) => (
          <i key={bucket.from_days} data-age={ageing.indexOf(bucket) + 1} style={{ flexGrow: bucket.count }} title={titleOf(bucket)} />
        ))}
      </span>
    </div>
  );
}
