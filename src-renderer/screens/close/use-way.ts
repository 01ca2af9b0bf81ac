import type { Way } from '../../format/close-steps.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useClosing } from './close-context.ts';

/** Goes where a step leads: to another screen, or to a part of this one. */
export function useWay(): (way: Way) => void {
  const go = useNavigation((state) => state.go);
  const { reconciliation, enter, jumpTo, look, showChanges } = useClosing();
  return (way) => {
    switch (way.to) {
      case 'import':
        go({ screen: 'import', streamKey: null });
        break;
      case 'proposals':
        go({ screen: 'reconciliation', id: reconciliation.id, tab: 'proposed' });
        break;
      case 'changes':
        showChanges();
        break;
      case 'unexplained':
        look({ kind: 'unexplained' });
        break;
      case 'sign':
        document.querySelector<HTMLElement>('[data-sign-next]')?.focus();
        break;
      case 'item':
        jumpTo(way.recordId);
        break;
      case 'balance':
        enter({ slot: way.slot, which: way.which });
        break;
    }
  };
}
