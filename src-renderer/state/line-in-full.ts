import { createStore } from 'zustand/vanilla';

/** The line that is shown in full over the screen, if one is. */
export const lineInFull = createStore<{ readonly id: number | null }>()(() => ({ id: null }));

export function openLine(id: number): void {
  lineInFull.setState({ id });
}

export function closeLine(): void {
  lineInFull.setState({ id: null });
}
