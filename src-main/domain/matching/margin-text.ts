import type { Margin } from './margins.ts';

/** A margin as it is stored: pairs, days, units and edits as a JSON array, without the zeros at its end. */
export function marginText({ pairs, days, units, edits }: Margin): string {
  const figures = [pairs, days, units, edits];
  while (figures.at(-1) === 0) figures.pop();
  return JSON.stringify(figures);
}

export function marginOfText(text: string): Margin {
  const [pairs = 0, days = 0, units = 0, edits = 0] = JSON.parse(text) as number[];
  return { pairs, days, units, edits };
}

/** As people are told of it. */
export function marginView({ pairs, days, units, edits }: Margin) {
  return { pairs, days, minor_units: units, edits };
}
