import type * as Sheets from '@e965/xlsx';
import type { Named } from './document.ts';

interface Waiting {
  readonly cell: Sheets.CellObject;
  readonly names: readonly string[];
  /** Differences of decimal fractions are rounded to this many places, since they may leave a remainder beyond them. */
  readonly decimalPlaces: number;
}

/** The cells of named figures in a workbook, and the formulas that refer to them. */
export class Formulas {
  readonly #placeByName = new Map<string, string>();
  readonly #sums = new Set<string>();
  readonly #waiting: Waiting[] = [];
  readonly #decimalPlaces: number;

  constructor(decimalPlaces: number) {
    this.#decimalPlaces = decimalPlaces;
  }

  /** Registers the cell of a name. A cell that adds rows takes precedence over one that only repeats the figure. */
  name(name: string | null, reference: string, isSum: boolean): void {
    if (name === null || this.#sums.has(name) || (this.#placeByName.has(name) && !isSum)) return;
    this.#placeByName.set(name, reference);
    if (isSum) this.#sums.add(name);
  }

  /** Registers a figure. Its formula adds the figures in `adds`; without these it refers to the cell that sums the same name. */
  figure(cell: Sheets.CellObject, { name, adds }: Named, reference: string): void {
    this.name(name, reference, false);
    if (adds !== null) this.#waiting.push({ cell, names: adds, decimalPlaces: this.#decimalPlaces });
    else if (name !== null) this.#waiting.push({ cell, names: [name], decimalPlaces: this.#decimalPlaces });
  }

  /** Writes all formulas whose parts are registered. A figure never refers to itself. */
  resolve(referenceOf: (cell: Sheets.CellObject) => string | undefined): void {
    for (const { cell, names, decimalPlaces } of this.#waiting) {
      const parts = names.map((name) => {
        const isTaken = name.startsWith('-');
        const place = this.#placeByName.get(isTaken ? name.slice(1) : name);
        return place === undefined || place === referenceOf(cell) ? null : `${isTaken ? '-' : '+'}${place}`;
      });
      if (parts.includes(null)) continue;
      const sum = parts.join('').replace(/^\+/, '');
      cell.f = names.length === 1 ? sum : `ROUND(${sum},${decimalPlaces})`;
    }
  }
}
