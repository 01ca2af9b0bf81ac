import { utils, type WorkSheet, write } from '@e965/xlsx';

export type Cells = readonly (readonly unknown[])[];

/** Returns the file of an Excel workbook with the given sheets. */
export function workbook(
  sheets: Readonly<Record<string, Cells>>,
  options: {
    readonly type?: 'xlsx' | 'biff8';
    readonly date1904?: boolean;
    readonly hidden?: readonly string[];
    readonly change?: (sheet: WorkSheet) => void;
  } = {},
) {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
    options.change?.(sheet);
    utils.book_append_sheet(book, sheet, name);
  }
  book.Workbook = {
    WBProps: { date1904: options.date1904 === true },
    Sheets: book.SheetNames.map((name) => ({ Hidden: options.hidden?.includes(name) === true ? 1 : 0 })),
  };
  return new Uint8Array(write(book, { type: 'array', bookType: options.type ?? 'xlsx' }) as ArrayBuffer);
}

/** Returns a cell with the date of a serial number. */
export const dated = (serial: number) => ({ t: 'n', v: serial, z: 'dd/mm/yyyy' });
