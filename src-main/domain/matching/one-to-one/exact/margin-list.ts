import { FloatList } from '../../../collections/growable-array.ts';
import type { Margin } from '../../model/match.ts';

const FIGURES = 4;

/** A list of margins without an object for each. */
export class MarginList {
  readonly #figures = new FloatList();

  get length(): number {
    return this.#figures.length / FIGURES;
  }

  /** Returns the index of the new margin. */
  push(pairs: number, days: number, units: number, edits: number): number {
    const figures = this.#figures;
    figures.push(pairs);
    figures.push(days);
    figures.push(units);
    figures.push(edits);
    return this.length - 1;
  }

  at(place: number): Margin {
    const figure = (index: number): number => this.#figures.at(place * FIGURES + index);
    return { pairs: figure(0), days: figure(1), units: figure(2), edits: figure(3) };
  }
}
