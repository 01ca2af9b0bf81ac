import type { DateShape } from './dates.ts';

/** A date as it is written, and its shape. */
export interface WrittenDate {
  readonly text: string;
  readonly shape: DateShape;
}

/** Most cells that a question shows. */
export const EXAMPLES = 3;

/** Keeps the first dates of a file that mean different days under different orders. */
export class DateExamples {
  readonly #found: WrittenDate[] = [];

  wants(shape: DateShape): boolean {
    return (
      this.#found.length < EXAMPLES &&
      (shape.kind === 'open' || (shape.kind === 'yearless' && !shape.isNamed)) &&
      shape.first !== shape.second
    );
  }

  add(shape: DateShape, text: string): void {
    if (this.wants(shape) && this.#found.every((other) => other.text !== text)) this.#found.push({ text, shape });
  }

  get list(): readonly WrittenDate[] {
    return this.#found;
  }
}
