import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigation } from '../state/navigation.ts';
import { type Place, placeText } from '../state/places.ts';

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
