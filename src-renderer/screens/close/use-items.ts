import { useEffect, useMemo, useState } from 'react';
import type { Failure, PeriodMatchDifference, PeriodOpenItem } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { dayCount } from '../../format/close-days.ts';
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
  };
}

/** Reads items beyond those that the statement lists; null while they load. */
function useFarItems(page: number): { readonly items: readonly PeriodOpenItem[] | null; readonly failure: Failure | null } {
  const { client } = useConnection();
  const { statement, period } = useClosing();
  const [far, setFar] = useState<{ readonly items: readonly PeriodOpenItem[] | null; readonly failure: Failure | null }>({
    items: null,
    failure: null,
  });
  const offset = page * PAGE;
  const isNear = offset + PAGE <= statement.open_items.length || statement.open_items.length >= statement.open_item_count;
  useEffect(() => {
    if (isNear) return undefined;
    let isShown = true;
    void client.call('periods.open_items', { id: period.id, currency: statement.currency, offset, limit: PAGE }).then((answer) => {
      if (isShown) setFar(answer.ok ? { items: answer.value.data, failure: null } : { items: null, failure: answer.error });
      return answer;
    });
    return () => {
      isShown = false;
    };
    // A new statement means that the book changed.
  }, [client, period.id, offset, isNear, statement]);
  return isNear ? { items: statement.open_items.slice(offset, offset + PAGE), failure: null } : far;
}

/** Returns one page of the table. Matches whose sides differ are sorted in by date; with several pages they follow the items of the last one. */
export function useItems(page: number) {
  const { statement } = useClosing();
  const { items, failure } = useFarItems(page);
  const pages = Math.max(1, Math.ceil(statement.open_item_count / PAGE));
  const { period, differing_matches: differences } = statement;
  const lines = useMemo(() => {
    const open = (items ?? []).map((item) => lineOf(item));
    if (page < pages - 1) return open;
    const more = differences.map((item) => lineOfDifference(item, period));
    const all = [...open, ...more];
    return pages > 1 ? all : all.toSorted((left, right) => (left.date < right.date ? -1 : left.date > right.date ? 1 : 0));
  }, [items, differences, page, pages, period]);
  return { lines, pages, isLoading: items === null && failure === null, failure };
}
