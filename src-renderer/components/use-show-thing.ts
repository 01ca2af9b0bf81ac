import { useCallback } from 'react';
import { useConnection } from '../api/connection-context.ts';
import { useNavigation } from '../state/navigation.ts';
import type { Place } from '../state/places.ts';
import { type Placed, placeOf } from '../state/sync-places.ts';

/** Returns a function that goes to the place of an entity. A line is looked up first, because it is either in a match or open. */
export function useShowThing() {
  const { client } = useConnection();
  const go = useNavigation((state) => state.go);
  return useCallback(
    async (thing: Placed): Promise<void> => {
      const place = placeOf(thing);
      if (place === null) return;
      const isLine = thing.resource === 'records' && thing.local_id !== null && place.screen === 'reconciliation';
      if (!isLine) return go(place);
      const answer = await client.call('records.get', { id: thing.local_id ?? 0 });
      go(answer.ok ? amongLines(place.id, answer.value) : place);
    },
    [client, go],
  );
}

interface FoundLine {
  readonly matched_records_total: number;
  readonly external_id: string | null;
  readonly description: string | null;
}

function amongLines(id: number, { matched_records_total: matched, external_id: reference, description }: FoundLine): Place {
  if (matched > 0) return { screen: 'reconciliation', id, tab: 'matched' };
  const find = reference ?? description;
  return { screen: 'reconciliation', id, ...(find === null || find === '' ? {} : { find }) };
}
