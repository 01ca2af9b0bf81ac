import type { Margin } from '../model/match.ts';

/** Returns the stored form of a margin: pairs, days, units and edits as a JSON array without trailing zeros. */
export function marginText({ pairs, days, units, edits }: Margin): string {
  // Written out for speed; there are hundreds of thousands of margins.
  if (edits !== 0) return `[${pairs},${days},${units},${edits}]`;
  if (units !== 0) return `[${pairs},${days},${units}]`;
  if (days !== 0) return `[${pairs},${days}]`;
  return pairs === 0 ? '[]' : `[${pairs}]`;
}

export function marginOf([pairs = 0, days = 0, units = 0, edits = 0]: readonly number[]): Margin {
  return { pairs, days, units, edits };
}

/** Returns a margin in the shape of the contract. */
export function marginView({ pairs, days, units, edits }: Margin) {
  return { pairs, days, minor_units: units, edits };
}
