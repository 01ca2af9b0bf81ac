import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from 'zustand';
import { type FrameSlot, frameSlots } from '../state/frame-slots.ts';

/** Puts what belongs to a screen into its place in the frame. */
export function InFrame({ slot, children }: { readonly slot: FrameSlot; readonly children: ReactNode }) {
  const element = useStore(frameSlots, (state) => state.slots[slot]);
  return element === null ? null : createPortal(children, element);
}
