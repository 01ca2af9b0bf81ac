import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { SyncRemote } from '../../../src-shared/contract/index.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useShowThing } from '../../components/use-show-thing.ts';
import { countText } from '../../format/counts.ts';
import { type DecideGroups, undecidedOf } from '../../format/sync-conflicts.ts';
import { type Placed, placeOf } from '../../state/sync-places.ts';
import own from './decide.module.css';
import styles from './sync.module.css';

/** Which one of those to decide is on show. */
export function WhichOne({ itemKey, groups }: { readonly itemKey: string; readonly groups: DecideGroups }) {
  const open = undecidedOf(groups);
  const at = open.findIndex(({ key }) => key === itemKey);
  return (
    <span className={own.pages}>
      {at < 0 ? 'decided' : `${countText(at + 1)} of ${countText(open.length)}`}
      <KeyHint keys="J" />
      <KeyHint keys="K" />
    </span>
  );
}

interface DetailFootProps {
  readonly remote: SyncRemote;
  readonly thing: Placed;
  /** Whether it can be put off: it is not decided, and there are others. */
  readonly canWait: boolean;
  readonly onLater: () => void;
}

/** When a choice is carried out, where the thing is shown, and the way to the next one. */
export function DetailFoot({ remote, thing, canWait, onLater }: DetailFootProps) {
  const show = useShowThing();
  const hasPlace = placeOf(thing) !== null;
  const open = (): void => void show(thing);
  useShortcuts(hasPlace ? { e: open } : {});
  return (
    <div className={styles.foot}>
      <span className={`${styles.say} ${own.carries}`}>
        <IconRefresh size={15} aria-hidden />
        <span className="truncate" title={`The next sync carries your choice out, here and at ${remote.name}`}>
          The next sync carries your choice out, here and at {remote.name}
        </span>
      </span>
      {hasPlace && (
        <Button
          variant="subtle"
          color="gray"
          rightSection={<KeyHint keys="E" />}
          onClick={open}
          aria-keyshortcuts="E"
          data-testid="conflict-details"
        >
          Details
        </Button>
      )}
      {canWait && (
        <Button variant="default" rightSection={<KeyHint keys="L" />} onClick={onLater} aria-keyshortcuts="L" data-testid="decide-later">
          Decide later
        </Button>
      )}
    </div>
  );
}
