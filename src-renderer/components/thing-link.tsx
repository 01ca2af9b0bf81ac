import { Anchor } from '@mantine/core';
import { placeText } from '../state/places.ts';
import { type Placed, placeOf } from '../state/sync-places.ts';
import { useShowThing } from './use-show-thing.ts';

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
