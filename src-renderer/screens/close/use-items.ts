import { useEffect, useMemo, useState } from 'react';
import type { Failure, PeriodMatchDifference, PeriodOpenItem } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/use-operation.ts';
import { dateText, dayCount } from '../../format/dates.ts';
import { isExplained } from '../../../src-shared/contract/close/period-statement.ts';
import { plainAmount } from '../../format/money.ts';
import { type Closing, useClosing } from './close-context.ts';
import { say } from '../../../src-shared/words/say.ts';

/** A row of the table: an open item, or a match whose sides differ. */
export interface ItemLine {
  readonly recordId: number;
  readonly date: string;
  readonly reference: string | null;
  readonly description: string | null;
  readonly amount: number;
  readonly cause: string;
  readonly causes: PeriodOpenItem['causes'];
  readonly days: number;
  readonly expectedOn: string | null;
  readonly isLate: boolean;
  /** Undefined for a match, whose note is read by its line. */
  readonly note: PeriodOpenItem['note'] | undefined;
  readonly matchId: number | null;
  /** False for what a proposal or a match holds: it is decided, or explained by the match. */
  readonly wantsExplanation: boolean;
}

export const PAGE = 100;

function lineOf(item: PeriodOpenItem): ItemLine {
  const cause = item.causes[0]?.title ?? say('close.useItems.notKnown');
  return {
    recordId: item.record_id,
    date: item.date,
    reference: item.reference,
    description: item.description,
    amount: item.amount,
    cause: item.reason === 'proposed' ? say('close.useItems.proposed', { cause: cause.toLowerCase() }) : cause,
    causes: item.causes,
    days: item.age_days,
    expectedOn: item.expected_on,
    isLate: item.late,
    note: item.note,
    matchId: null,
    wantsExplanation: item.reason === 'unmatched',
  };
}

function lineOfDifference(item: PeriodMatchDifference, { to }: Closing['statement']['period']): ItemLine {
  return {
    recordId: item.record_id,
    date: item.date,
    reference: item.reference,
    description: item.description,
    amount: item.amount,
    cause: say('close.useItems.matchDiffers', { why: item.why }),
    causes: [],
    days: Math.max(0, dayCount({ from: item.date, to }) - 1),
    expectedOn: null,
    isLate: false,
    note: undefined,
    matchId: item.match_id,
    wantsExplanation: false,
  };
}

/** Which open items are shown. Empty members show all. */
export interface ItemFilter {
  readonly text: string;
  readonly cause: string;
  /** The first day of an age of `statement.ageing`; empty for every age. */
  readonly age: string;
  /** A status, or `bare` for those without an explanation. */
  readonly status: string;
}

export const NO_FILTER: ItemFilter = { text: '', cause: '', age: '', status: '' };

/** Items that one request reads beyond those that the statement lists. */
const FAR_PAGE = 500;

/** Reads the items beyond those that the statement lists, page after page; null while the first ones load. */
function useFarItems(): { readonly items: readonly PeriodOpenItem[]; readonly isLoading: boolean; readonly failure: Failure | null } {
  const { client } = useConnection();
  const { statement, period } = useClosing();
  const listed = statement.open_items.length;
  const isAll = listed >= statement.open_item_count;
  const [far, setFar] = useState<{ readonly items: readonly PeriodOpenItem[]; readonly isDone: boolean; readonly failure: Failure | null }>(
    {
      items: [],
      isDone: false,
      failure: null,
    },
  );
  useEffect(() => {
    if (isAll) return undefined;
    let isShown = true;
    const { currency } = statement;
    async function read(): Promise<void> {
      const items: PeriodOpenItem[] = [];
      for (let hasMore = true; hasMore;) {
        const asked = { id: period.id, currency, offset: listed + items.length, limit: FAR_PAGE };
        // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
        const answer = await client.call('periods.open_items', asked);
        if (!isShown) return;
        if (!answer.ok) {
          setFar({ items, isDone: true, failure: answer.error });
          return;
        }
        items.push(...answer.value.data);
        hasMore = answer.value.has_more;
      }
      setFar({ items, isDone: true, failure: null });
    }
    void read();
    return () => {
      isShown = false;
    };
    // A new statement means that the book changed.
  }, [client, period.id, isAll, listed, statement]);
  return isAll ? { items: [], isLoading: false, failure: null } : { items: far.items, isLoading: !far.isDone, failure: far.failure };
}

/** Returns a function that says whether a line passes a filter. */
function passes(filter: ItemFilter, { statement, statusExplains }: Pick<Closing, 'statement' | 'statusExplains'>) {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const bucket = statement.ageing.find(({ from_days: from }) => String(from) === filter.age);
  const places = statement.decimal_places;
  return (line: ItemLine): boolean => {
    const { note } = line;
    if (filter.cause !== '' && line.cause !== filter.cause) return false;
    if (bucket !== undefined && (line.days < bucket.from_days || (bucket.to_days !== null && line.days > bucket.to_days))) return false;
    if (filter.status === 'bare' && (!line.wantsExplanation || isExplained(note ?? null, statusExplains))) return false;
    if (filter.status !== '' && filter.status !== 'bare' && (note?.status ?? 'open') !== filter.status) return false;
    if (words.length === 0) return true;
    const said = [
      line.reference,
      line.description,
      line.cause,
      note?.owner,
      note?.comment,
      plainAmount(line.amount, places),
      dateText(line.date),
    ];
    const text = said.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/**
 * Returns the lines of the table that pass a filter: open items, and matches whose sides differ, by date. `lines` are those of one page, and `all`
 * those of every page.
 */
export function useItems(page: number, filter: ItemFilter) {
  const { statement, statusExplains, period } = useClosing();
  const { items: far, isLoading, failure } = useFarItems();
  const { differing_matches: differences, open_items: near } = statement;
  const every = useMemo(() => {
    const open = [...near, ...far].map((item) => lineOf(item));
    const more = differences.map((item) => lineOfDifference(item, period));
    return [...open, ...more].toSorted((left, right) => (left.date < right.date ? -1 : left.date > right.date ? 1 : 0));
  }, [near, far, differences, period]);
  const all = useMemo(() => every.filter(passes(filter, { statement, statusExplains })), [every, filter, statement, statusExplains]);
  const causes = useMemo(() => [...new Set(every.map(({ cause }) => cause))].toSorted(), [every]);
  const pages = Math.max(1, Math.ceil(all.length / PAGE));
  const shown = Math.min(page, pages - 1);
  return { lines: all.slice(shown * PAGE, (shown + 1) * PAGE), page: shown, all, every, causes, pages, isLoading, failure };
}
