import { createRequire } from 'node:module';
import type * as Sheets from '@e965/xlsx';

let loaded: typeof Sheets | null = null;

/** The library that unpacks workbooks. It is large and most files are none, so it is loaded with the first workbook that a thread reads. */
export function sheetLibrary(): typeof Sheets {
  if (loaded === null) {
    const load = createRequire(import.meta.url);
    // Its module form, beside the other one, which brings tables of code pages along and takes five times as long to load.
    const beside = load.resolve('@e965/xlsx').replace(/\.js$/, '.mjs');
    loaded = load(beside) as typeof Sheets;
  }
  return loaded;
}
