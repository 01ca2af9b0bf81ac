import { useNavigation } from '../../state/navigation.ts';
import { type Place, placeText } from '../../state/places.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import styles from './close.module.css';

/** The parts of a reconciliation, of which the close is one. */
export function ScreenTabs({ id }: { readonly id: number }) {
  const go = useNavigation((state) => state.go);
  const parts = [
    { label: 'Match', keys: '1', place: { screen: 'reconciliation', id } },
    { label: 'Rules', keys: '4', place: { screen: 'reconciliation', id, tab: 'rules' } },
    { label: 'Runs', keys: '5', place: { screen: 'reconciliation', id, tab: 'runs' } },
  ] as const satisfies readonly { label: string; keys: string; place: Place }[];
  useShortcuts(Object.fromEntries(parts.map(({ keys, place }) => [keys, () => go(place)])));
  return (
    <nav className={styles.segments} aria-label="Reconciliation">
      {parts.map(({ label, keys, place }) => (
        <a
          key={label}
          href={`#${placeText(place)}`}
          aria-keyshortcuts={keys}
          onClick={(event) => {
            event.preventDefault();
            go(place);
          }}
        >
          {label}
        </a>
      ))}
      <a
        href={`#${placeText({ screen: 'close', key: id, periodId: null })}`}
        aria-current="page"
        onClick={(event) => event.preventDefault()}
      >
        Close
      </a>
    </nav>
  );
}
