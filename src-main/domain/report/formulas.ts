import type * as Sheets from '@e965/xlsx';
import type { Named } from './document.ts';

interface Waiting {
  readonly cell: Sheets.CellObject;
  readonly names: readonly string[];
  /** A difference of decimal fractions may leave a rest far behind the point. */
  readonly decimalPlaces: number;
}

/** Where named figures stand in the workbook, and the formulas that wait for them. */
export class Formulas {
  readonly #placeByName = new Map<string, string>();
  readonly #sums = new Set<string>();
  readonly #waiting: Waiting[] = [];
  readonly #decimalPlaces: number;

  constructor(decimalPlaces: number) {
    this.#decimalPlaces = decimalPlaces;
  }

  /** A figure that adds rows goes before one that only repeats it. */
  name(name: string | null, reference: string, isSum: boolean): void {
    if (name === null || this.#sums.has(name) || (this.#placeByName.has(name) && !isSum)) return;
    this.#placeByName.set(name, reference);
    if (isSum) this.#sums.add(name);
  }

  /** Remembers a figure and what it adds; without that it repeats the sum of the same name that stands elsewhere. */
  figure(cell: Sheets.CellObject, { name, adds }: Named, reference: string): void {
    this.name(name, reference, false);
    if (adds !== null) this.#waiting.push({ cell, names: adds, decimalPlaces: this.#decimalPlaces });
    else if (name !== null) this.#waiting.push({ cell, names: [name], decimalPlaces: this.#decimalPlaces });
  }

  /** Writes all formulas whose figures are there; a figure does not refer to itself. */
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
