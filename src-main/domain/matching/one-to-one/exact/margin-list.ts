import { floatAt, roomForFloats } from '../../../collections/typed-arrays.ts';
import type { Margin } from '../../model/match.ts';

const FIGURES = 4;

/** Margins one after another, without an object for each. */
export class MarginList {
  private figures: Float64Array = new Float64Array(0);
  length = 0;

  /** Answers its place. */
  push(pairs: number, days: number, units: number, edits: number): number {
    const at = this.length * FIGURES;
    this.figures = roomForFloats(this.figures, at + FIGURES);
    this.figures[at] = pairs;
    this.figures[at + 1] = days;
    this.figures[at + 2] = units;
    this.figures[at + 3] = edits;
    this.length += 1;
    return this.length - 1;
  }

  at(place: number): Margin {
    const figure = (index: number): number => floatAt(this.figures, place * FIGURES + index);
    return { pairs: figure(0), days: figure(1), units: figure(2), edits: figure(3) };
  }
}
