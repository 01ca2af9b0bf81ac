import { createRequire } from 'node:module';
import type * as Sheets from '@e965/xlsx';

/** The library with a function that its types leave out: reading the unpacked parts of a workbook. */
type SheetLibrary = typeof Sheets & {
  readonly parse_zip: (
    parts: { readonly FullPaths: readonly string[]; readonly FileIndex: readonly object[] },
    options: Sheets.ParsingOptions,
  ) => Sheets.WorkBook;
};

let loaded: SheetLibrary | null = null;

/** Returns the library that reads workbooks. It is large and most files are no workbooks, so each thread loads it with its first one. */
export function sheetLibrary(): SheetLibrary {
  if (loaded === null) {
    const load = createRequire(import.meta.url);
    // The module form loads five times as fast as the other one, which includes tables of code pages.
    const beside = load.resolve('@e965/xlsx').replace(/\.js$/, '.mjs');
    loaded = load(beside) as SheetLibrary;
  }
  return loaded;
}
