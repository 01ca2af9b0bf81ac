import type { ReactNode } from 'react';
import { useNavigation } from '../state/navigation.ts';
import { type Place, placeText } from '../state/places.ts';
import styles from './figures.module.css';

interface FigureLinkProps {
  readonly place: Place;
  /** Describes the lines of the figure: `74 open lines`. */
  readonly label: string;
  readonly children: ReactNode;
  readonly tabIndex?: number;
}

/** An underlined figure. A click or Enter goes to its lines. */
export function FigureLink({ place, label, children, tabIndex }: FigureLinkProps) {
  const go = useNavigation((state) => state.go);
  return (
    <a
      className={styles.figure}
      href={`#${placeText(place)}`}
      title={label}
      aria-label={label}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        go(place);
      }}
    >
      {children}
    </a>
  );
}
