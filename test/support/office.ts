import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { sheetLibrary } from '../../src-main/domain/statement/workbook/sheet-library.ts';
import { cellsOf } from './report-workbooks.ts';

/** Returns the program of LibreOffice; null where it is not installed. */
export function officeProgram(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, 'soffice')).find((place) => fs.existsSync(place)) ?? null;
}

interface Parts {
  readonly FullPaths: string[];
  readonly FileIndex: { content: Uint8Array; size: number }[];
}

/**
 * Returns the workbook without the stored results of its formulas, so that all results are calculated. `change` is applied to the markup of each
 * sheet first.
 */
function withoutFigures(bytes: Uint8Array, change: (xml: string) => string): Uint8Array {
  const { CFB } = sheetLibrary();
  const parts = CFB.read(bytes, { type: 'buffer' }) as Parts;
  for (const [index, part] of parts.FileIndex.entries()) {
    if (!/worksheets\/sheet\d+\.xml$/.test(parts.FullPaths[index] ?? '')) continue;
    const xml = change(new TextDecoder().decode(part.content)).replaceAll(/<\/f><v>[^<]*<\/v>/g, '</f>');
    part.content = new TextEncoder().encode(xml);
    part.size = part.content.length;
  }
  return CFB.write(parts, { type: 'buffer', fileType: 'zip' }) as Uint8Array;
}

/** Returns the rows of each sheet of a workbook as LibreOffice calculates them. `change` is applied to the markup of each sheet first. */
export function recalculated(office: string, bytes: Uint8Array, change: (xml: string) => string = (xml) => xml): Map<string, string[][]> {
  const { read, utils } = sheetLibrary();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-office-'));
  try {
    const file = path.join(folder, 'report.xlsx');
    fs.writeFileSync(file, withoutFigures(bytes, change));
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1';
    const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile')).href}`;
    execFileSync(office, [profile, '--headless', '--convert-to', filter, '--outdir', folder, file], {
      stdio: 'ignore',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    return new Map(
      [...cellsOf(bytes).keys()].map((name) => {
        const sheet = read(fs.readFileSync(path.join(folder, `report-${name}.csv`), 'utf8'), { type: 'string', raw: true });
        return [name, utils.sheet_to_json<string[]>(sheet.Sheets[sheet.SheetNames[0] ?? ''] ?? {}, { header: 1 })];
      }),
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
