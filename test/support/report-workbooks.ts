import type * as Sheets from '@e965/xlsx';
import { sheetLibrary } from '../../src-main/domain/statement/workbook/sheet-library.ts';

/** Returns the cells of each sheet of a workbook, with their formulas and formats. */
export function cellsOf(bytes: Uint8Array): Map<string, Map<string, Sheets.CellObject>> {
  const { SheetNames, Sheets } = sheetLibrary().read(bytes, { type: 'buffer', cellFormula: true, cellNF: true });
  return new Map(
    SheetNames.map((name) => {
      const cells = Object.entries(Sheets[name] ?? {}).filter(([address]) => !address.startsWith('!'));
      return [name, new Map(cells as [string, Sheets.CellObject][])];
    }),
  );
}
