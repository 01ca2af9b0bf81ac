import { Splitter } from '@mantine/core';
import { useMediaQuery, type UseSplitterReturnValue } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import { say } from '../../src-shared/words/say.ts';
import { useOperation } from '../api/use-operation.ts';
import { classes } from './primitives.tsx';
import styles from './split.module.css';

type Shares = readonly number[];

/** The shares of panes in percent, as a person left them, by book and split. They outlast the window. */
interface KeptShares {
  readonly shares: Readonly<Record<string, Shares>>;
}

const keptShares = createStore<KeptShares>()(
  persist((): KeptShares => ({ shares: {} }), {
    name: 'tieout-panes',
    merge: (kept, current) => ({ ...current, shares: sharesOf(kept) }),
  }),
);

/** Returns the shares among what was kept. Another version or another program may have written it. */
function sharesOf(kept: unknown): Readonly<Record<string, Shares>> {
  const given: unknown = typeof kept === 'object' && kept !== null && 'shares' in kept ? kept.shares : null;
  const entries: [string, unknown][] = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  const areShares = (value: unknown): value is Shares =>
    Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'number' && each > 0 && each < 100);
  return Object.fromEntries(entries.filter((entry): entry is [string, Shares] => areShares(entry[1])));
}

/** The book on show. A drag keeps the function of the first drawing, which may be older than the answer that names the book. */
const bookOnShow = createStore<{ readonly id: string }>()(() => ({ id: '' }));

function keepShares(name: string, sizes: readonly unknown[]): void {
  const key = `${bookOnShow.getState().id} ${name}`;
  if (sizes.length === 2) keptShares.setState((state) => ({ shares: { ...state.shares, [key]: sizes.map(Number) } }));
}

/** Windows in which a second pane has no room of its own: as at 200 % zoom. */
const NARROW = '(max-width: 820px)';
const AT_ONCE = { getInitialValueInEffect: false };

/** Returns whether panes lie over one another. */
export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, AT_ONCE);
}

/** What each handle divides, for screen readers. */
const HANDLES = {
  sides: say('common.split.sides'),
  suggestions: say('common.split.suggestions'),
  match: say('common.split.match'),
  'match-below': say('common.split.matchBelow'),
  line: say('common.split.line'),
  exception: say('common.split.exception'),
} as const;

interface SplitProps {
  /** Under which the widths are kept. */
  readonly name: keyof typeof HANDLES;
  /** Two panes. The second may come and go; the first one stays as it is. */
  readonly panes: readonly [ReactNode, ReactNode];
  /** Their shares in percent as long as nobody has changed them. */
  readonly shares: readonly [number, number];
  /** The least pixels of each. */
  readonly least: readonly [number, number];
  /** One above the other. */
  readonly isStacked?: boolean;
  /** In a narrow window the second pane follows below. Otherwise it lies over the first one. */
  readonly isFollowing?: boolean;
  readonly className?: string | undefined;
}

/** Two panes with a handle between them: dragged, or moved by the arrow keys; a double click or Enter puts it back. */
export function Split({ name, panes: [first, second], shares, least, isStacked = false, isFollowing = false, className }: SplitProps) {
  const { data: book } = useOperation('instance.get', {});
  const id = book?.instance_id ?? '';
  const kept = useStore(keptShares, (state) => state.shares[`${id} ${name}`]);
  useEffect(() => bookOnShow.setState({ id }), [id]);
  const splitter = useRef<UseSplitterReturnValue | null>(null);
  const isNarrow = useIsNarrow();
  const isAlone = second === null;
  function onKey(event: KeyboardEvent<HTMLDivElement>): void {
    const isHandle = event.target instanceof HTMLElement && event.target.getAttribute('role') === 'separator';
    if (!isHandle || event.key !== 'Enter') return;
    event.preventDefault();
    splitter.current?.reset(0);
  }
  const pane = (place: 0 | 1, content: ReactNode) => (
    <Splitter.Pane
      key={place}
      defaultSize={shares[place]}
      min={`${least[place]}px`}
      style={isNarrow ? undefined : { [isStacked ? 'minHeight' : 'minWidth']: least[place] }}
    >
      {content}
    </Splitter.Pane>
  );
  return (
    <Splitter
      className={classes(styles.split, className)}
      classNames={{ pane: styles.pane ?? '', handle: styles.handle ?? '' }}
      attributes={{
        handle: { 'aria-label': HANDLES[name], title: say('common.split.hint'), 'data-testid': `handle-${name}` },
      }}
      orientation={isStacked ? 'vertical' : 'horizontal'}
      sizes={isAlone ? [100] : [...(kept ?? shares)]}
      onSizeChange={(sizes) => keepShares(name, sizes)}
      step="16px"
      shiftStep="80px"
      lineSize={1}
      withHandle={false}
      splitterRef={splitter}
      onKeyDown={onKey}
      data-narrow={isNarrow ? (isFollowing ? 'follows' : 'covers') : undefined}
    >
      {isAlone ? [pane(0, first)] : [pane(0, first), pane(1, second)]}
    </Splitter>
  );
}
