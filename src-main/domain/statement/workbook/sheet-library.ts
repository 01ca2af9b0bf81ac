import { createRequire } from 'node:module';
import type * as Sheets from '@e965/xlsx';

/** With what its types leave out: reading the unpacked parts of a workbook. */
type SheetLibrary = typeof Sheets & {
  readonly parse_zip: (
    parts: { readonly FullPaths: readonly string[]; readonly FileIndex: readonly object[] },
    options: Sheets.ParsingOptions,
  ) => Sheets.WorkBook;
};

let loaded: SheetLibrary | null = null;

/** The library that unpacks workbooks. It is large and most files are none, so it is loaded with the first workbook that a thread reads. */
export function sheetLibrary(): SheetLibrary {
  if (loaded === null) {
    const load = createRequire(import.meta.url);
    // Its module form, beside the other one, which brings tables of code pages along and takes five times as long to load.
    const beside = load.resolve('@e965/xlsx').replace(/\.js$/, '.mjs');
    loaded = load(beside) as SheetLibrary;
  }
  return loaded;
}
