import type { Margin } from '../model/match.ts';

/** A margin as it is stored: pairs, days, units and edits as a JSON array, without the zeros at its end. */
export function marginText({ pairs, days, units, edits }: Margin): string {
  // Of whole numbers, and there are hundreds of thousands of them.
  if (edits !== 0) return `[${pairs},${days},${units},${edits}]`;
  if (units !== 0) return `[${pairs},${days},${units}]`;
  if (days !== 0) return `[${pairs},${days}]`;
  return pairs === 0 ? '[]' : `[${pairs}]`;
}

export function marginOf([pairs = 0, days = 0, units = 0, edits = 0]: readonly number[]): Margin {
  return { pairs, days, units, edits };
}

/** As people are told of it. */
export function marginView({ pairs, days, units, edits }: Margin) {
  return { pairs, days, minor_units: units, edits };
}
