import { Anchor } from '@mantine/core';
import { type ReactNode, useCallback } from 'react';
import { useConnection } from '../api/use-operation.ts';
import { useNavigation } from '../state/navigation.ts';
import { type Place, placeText } from '../state/places.ts';
import { type Placed, placeOf } from '../state/sync-places.ts';

interface PlaceLinkProps {
  readonly place: Place;
  readonly children: ReactNode;
  readonly title?: string;
  readonly testId?: string;
}

/** A link to another screen of the window. */
export function PlaceLink({ place, children, title, testId }: PlaceLinkProps) {
  const go = useNavigation((state) => state.go);
  return (
    <Anchor
      inherit
      href={`#${placeText(place)}`}
      title={title}
      onClick={(event) => {
        event.preventDefault();
        go(place);
      }}
      data-testid={testId}
    >
      {children}
    </Anchor>
  );
}

interface ThingLinkProps {
  readonly thing: Placed;
  readonly name: string;
}

/** The name of a synced entity, as a link when the window can show it. */
export function ThingLink({ thing, name }: ThingLinkProps) {
  const show = useShowThing();
  const place = placeOf(thing);
  if (place === null) return <span title={name}>{name}</span>;
  return (
    <Anchor
      inherit
      href={`#${placeText(place)}`}
      title={name}
      onClick={(event) => {
        event.preventDefault();
        void show(thing);
      }}
      data-testid="sync-thing"
    >
      {name}
    </Anchor>
  );
}

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
