import { createStore } from 'zustand/vanilla';

/** Places of the frame that a screen fills: its name and what it does in the header, its own figures in the status bar. */
export type FrameSlot = 'title' | 'actions' | 'status';

interface FrameSlots {
  readonly slots: Readonly<Record<FrameSlot, HTMLElement | null>>;
}

export const frameSlots = createStore<FrameSlots>()(() => ({ slots: { title: null, actions: null, status: null } }));

const holding = (slot: FrameSlot) => (element: HTMLElement | null) =>
  frameSlots.setState(({ slots }) => ({ slots: { ...slots, [slot]: element } }));

/** What each place gives as its `ref`; always the same function, so that what is shown there stays. */
export const holdTitle = holding('title');
export const holdActions = holding('actions');
export const holdStatus = holding('status');
