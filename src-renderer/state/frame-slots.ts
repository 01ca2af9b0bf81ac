import { createStore } from 'zustand/vanilla';

/** Parts of the frame that a screen fills: its name and its actions in the header, its figures in the status bar. */
export type FrameSlot = 'title' | 'actions' | 'status';

interface FrameSlots {
  readonly slots: Readonly<Record<FrameSlot, HTMLElement | null>>;
}

export const frameSlots = createStore<FrameSlots>()(() => ({ slots: { title: null, actions: null, status: null } }));

const holding = (slot: FrameSlot) => (element: HTMLElement | null) =>
  frameSlots.setState(({ slots }) => ({ slots: { ...slots, [slot]: element } }));

/** The `ref` of each slot. Each is one function for ever, because React detaches a ref that changes. */
export const holdTitle = holding('title');
export const holdActions = holding('actions');
export const holdStatus = holding('status');
