import { readableAmount } from '../document/report-words.ts';
import type { Named } from '../model/document.ts';
import { escaped } from './escape.ts';

/** A figure on the page, in the order in which they stand there. */
export interface PageFigure {
  readonly value: number;
  readonly text: string;
  readonly name: string | null;
  /** Places of the figures that it adds, -1 - place of one that it takes away; null where it adds none. */
  adds: readonly number[] | null;
}

interface Unresolved {
  readonly figure: PageFigure;
  readonly names: readonly string[];
}

/** Writes every figure of a page and remembers what each is the sum of, so that a pack can add all of them up again. */
export class PageFigures {
  readonly list: PageFigure[] = [];
  readonly #decimalPlaces: number;
  readonly #placeByName = new Map<string, number>();
  readonly #unresolved: Unresolved[] = [];

  constructor(decimalPlaces: number) {
    this.#decimalPlaces = decimalPlaces;
  }

  /** As people read it: an amount with the places of the currency, a count in groups of three. */
  text(value: number, kind: 'amount' | 'count'): string {
    return readableAmount(value, kind === 'amount' ? this.#decimalPlaces : 0);
  }

  /** The place of the figure written next. */
  get next(): number {
    return this.list.length;
  }

  /** Markup of a figure. `adds` are places or names. */
  write(value: number, text: string, { name, adds }: Named, parts: readonly number[] | null = null): string {
    const figure: PageFigure = { value, text, name, adds: parts };
    const place = this.list.push(figure) - 1;
    if (name !== null && !this.#placeByName.has(name)) this.#placeByName.set(name, place);
    if (adds !== null && parts === null) this.#unresolved.push({ figure, names: adds });
    return `<span class="f">${escaped(text)}</span>`;
  }

  /** Finds the figures that stand under the names; a name that no figure has leaves the sum unsaid. */
  resolve(): readonly PageFigure[] {
    for (const { figure, names } of this.#unresolved) {
      const places = names.flatMap((name): number[] => {
        const isTaken = name.startsWith('-');
        const place = this.#placeByName.get(isTaken ? name.slice(1) : name);
        return place === undefined ? [] : [isTaken ? -1 - place : place];
      });
      if (places.length === names.length) figure.adds = places;
    }
    return this.list;
  }
}
