import type { DateShape } from './dates.ts';

/** A date as it is written, and what that may mean. */
export interface WrittenDate {
  readonly text: string;
  readonly shape: DateShape;
}

/** Cells that a question shows. */
export const EXAMPLES = 3;

/** Dates of a file whose numbers change places from one order to another, the first few. */
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
