import { Segments } from '../../components/segments.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useNavigation } from '../../state/navigation.ts';
import type { Place } from '../../state/places.ts';
import { say } from '../../../src-shared/words/say.ts';

/** The tabs of a reconciliation, one of which is the close. */
export function ScreenTabs({ id }: { readonly id: number }) {
  const go = useNavigation((state) => state.go);
  const parts = [
    { label: say('close.screenTabs.match'), keys: '1', place: { screen: 'reconciliation', id } },
    { label: say('close.screenTabs.rules'), keys: '4', place: { screen: 'reconciliation', id, tab: 'rules' } },
    { label: say('close.screenTabs.runs'), keys: '5', place: { screen: 'reconciliation', id, tab: 'runs' } },
  ] as const satisfies readonly { label: string; keys: string; place: Place }[];
  useShortcuts(Object.fromEntries(parts.map(({ keys, place }) => [keys, () => go(place)])));
  return (
    <Segments
      label={say('close.screenTabs.reconciliation')}
      segments={[...parts, { label: say('close.screenTabs.close'), place: { screen: 'close', key: id, periodId: null }, isCurrent: true }]}
    />
  );
}
