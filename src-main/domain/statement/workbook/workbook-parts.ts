import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { unpackedLimit, unpacksToTooMuch, WorkbookSizes } from '../archive/unpacked-size.ts';
import { unzipped, type ZipEntry, type ZipFault } from '../archive/zip-archive.ts';
import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';

/** Parts that say nothing of cells: pictures, links to other files, the order of formulas ... Of a sheet that is a chart, that it is one is seen. */
const NOT_NEEDED =
  /^(?:docprops|customxml|xl\/(?:drawings|media|charts\/|chartsheets\/_rels|externallinks|theme|printersettings|worksheets\/_rels|comments))|calcchain\.xml$/i;
const KNOWN = /^(?:\[content_types\]\.xml|.*\.rels|xl\/(?:workbook|sharedstrings|styles|metadata)\.xml|xl\/persons\/.*)$/i;
const SHARED_TEXTS = /^xl\/sharedstrings\.xml$/i;
const BINARY_WORKBOOK = /^xl\/workbook\.bin$/i;

/**
 * The parts of a workbook of which its cells are made. Of a sheet its rows alone: what stands around them (links, merged cells, widths) may name ranges of
 * billions of cells, and says nothing of a statement.
 */
export function partsOfWorkbook(bytes: Uint8Array): Result<readonly ZipEntry[], Unreadable> {
  let isBinary = false;
  const found = unzipped(bytes, unpackedLimit(bytes.length), (name) => {
    isBinary ||= BINARY_WORKBOOK.test(name);
    return /\.(?:xml|rels)$/i.test(name) && !NOT_NEEDED.test(name);
  });
  if (!found.ok) return failed(refusalOf(found.error, bytes.length));
  if (isBinary) {
    const message =
      'This is a binary workbook (XLSB), which is not read. Save it as an Excel workbook (XLSX) or as CSV and choose that file.';
    return failed(unreadable('unsupported_format', message));
  }
  const declaring = found.value.find(({ bytes: content }) => declaresType(content));
  if (declaring !== undefined) {
    const message = `The part ${declaring.name} of the workbook declares a document type, which no workbook needs; it was not read. Save the sheet as CSV and choose that file.`;
    return failed(unreadable('unreadable_workbook', message));
  }
  const sizes = new WorkbookSizes();
  for (const entry of found.value) {
    const fault = sizes.faultOf(entry, kindOf(entry.name));
    if (fault !== null) return failed(fault);
  }
  const parts = found.value.map((entry) => (KNOWN.test(entry.name) ? entry : { ...entry, bytes: rowsAlone(entry.bytes) }));
  const workbook = parts.find(({ name }) => name.toLowerCase() === 'xl/workbook.xml');
  // A sheet that is named a thousand times would be read a thousand times.
  const named = workbook === undefined ? 0 : countOf(workbook.bytes, 'sheetId');
  return named > parts.length ? failed(refusalOf('damaged', bytes.length)) : success(parts);
}

function kindOf(name: string): 'rows' | 'texts' | 'other' {
  if (SHARED_TEXTS.test(name)) return 'texts';
  return KNOWN.test(name) ? 'other' : 'rows';
}

function refusalOf(fault: ZipFault, fileBytes: number): Unreadable {
  switch (fault) {
    case 'damaged':
      return unreadable('unreadable_workbook', 'The workbook is cut off or damaged. Download or save it again.');
    case 'encrypted':
      return unreadable('unreadable_workbook', 'The workbook is protected by a password. Save it without one and choose it again.');
    case 'too_large':
      return unpacksToTooMuch(fileBytes);
  }
}

function countOf(bytes: Uint8Array, word: string): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf(word); at >= 0; at = buffer.indexOf(word, at + word.length)) count += 1;
  return count;
}

/** A document type may declare entities and name files outside: nothing of it is ever looked at. */
function declaresType(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stands = (text: string, at: number): boolean => buffer.toString('latin1', at, at + text.length).toUpperCase() === text;
  for (let at = buffer.indexOf('<'); at >= 0; at = buffer.indexOf('<', at)) {
    if (stands('<!DOCTYPE', at)) return true;
    const end = stands('<!--', at) ? '-->' : stands('<?', at) ? '>' : null;
    if (end === null) return false;
    const ends = buffer.indexOf(end, at);
    if (ends < 0) return false;
    at = ends;
  }
  return false;
}

/** A formula beside which no result is saved, with what stands in its cell. */
const UNSOLVED = /<c\b([^<>]*)>(?:<f\b[^<>]*\/>|<f\b[^<>]*>([^<]*)<\/f>)(?:<v\s*\/>|<v><\/v>)?<\/c>/g;
/** Sheets with more bytes hold data, and hardly formulas. */
const FORMULA_BYTES = 64 * 1024 * 1024;

/** Formulas are not worked out: one without a result stands there as it is written, so that it is named and not taken for an empty cell. */
function withFormulas(rows: Buffer): Buffer {
  if (rows.length > FORMULA_BYTES || !rows.includes('<f')) return rows;
  const asText = (_: string, attributes: string, formula = '…'): string =>
    `<c${attributes.replace(/\st="[^"]*"/, '')} t="str"><v>=${formula}</v></c>`;
  return Buffer.from(rows.toString('utf8').replaceAll(UNSOLVED, asText));
}

const ROWS = 'sheetData';

/** A sheet's XML without all but its rows. */
function rowsAlone(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = buffer.indexOf(ROWS);
  const last = buffer.lastIndexOf(ROWS);
  const start = buffer.lastIndexOf('<', Math.max(0, first));
  const end = buffer.indexOf('>', Math.max(0, last));
  const rows = first < 0 || start < 0 || end < 0 ? Buffer.from(`<${ROWS}/>`) : buffer.subarray(start, end + 1);
  return Buffer.concat([Buffer.from('<worksheet>'), withFormulas(rows), Buffer.from('</worksheet>')]);
}
