import { Segments } from '../../components/segments.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useNavigation } from '../../state/navigation.ts';
import type { Place } from '../../state/places.ts';

/** The tabs of a reconciliation, one of which is the close. */
export function ScreenTabs({ id }: { readonly id: number }) {
  const go = useNavigation((state) => state.go);
  const parts = [
    { label: 'Match', keys: '1', place: { screen: 'reconciliation', id } },
    { label: 'Rules', keys: '4', place: { screen: 'reconciliation', id, tab: 'rules' } },
    { label: 'Runs', keys: '5', place: { screen: 'reconciliation', id, tab: 'runs' } },
  ] as const satisfies readonly { label: string; keys: string; place: Place }[];
  useShortcuts(Object.fromEntries(parts.map(({ keys, place }) => [keys, () => go(place)])));
  return (
    <Segments
      label="Reconciliation"
      segments={[...parts, { label: 'Close', place: { screen: 'close', key: id, periodId: null }, isCurrent: true }]}
    />
  );
}
