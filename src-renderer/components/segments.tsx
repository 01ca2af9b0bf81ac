import { useNavigation } from '../state/navigation.ts';
import { type Place, placeText } from '../state/places.ts';
import styles from './segments.module.css';

export interface Segment {
  readonly label: string;
  readonly place: Place;
  /** Shown behind the label, if any. */
  readonly count?: string | undefined;
  readonly keys?: string;
  readonly isCurrent?: boolean;
  readonly testId?: string;
}

/** The parts of a screen as tabs, of which one is visible. */
export function Segments({ label, segments }: { readonly label: string; readonly segments: readonly Segment[] }) {
  const go = useNavigation((state) => state.go);
  return (
    <nav className={styles.segments} aria-label={label}>
      {segments.map((segment) => (
        <a
          key={segment.label}
          href={`#${placeText(segment.place)}`}
          aria-keyshortcuts={segment.keys}
          aria-current={segment.isCurrent === true ? 'page' : undefined}
          data-testid={segment.testId}
          onClick={(event) => {
            event.preventDefault();
            if (segment.isCurrent !== true) go(segment.place);
          }}
        >
          {segment.label}
          {segment.count !== undefined && <span className={styles.count}>{segment.count}</span>}
        </a>
      ))}
    </nav>
  );
}
