import { present } from '../../../src-shared/values/assert.ts';
import { sheetLibrary } from '../statement/workbook/sheet-library.ts';
import type { Document, Identity } from './document.ts';
import { escaped } from './escape.ts';
import { Formulas } from './formulas.ts';
import { SectionSheets } from './section-sheets.ts';
import { amountFormat, FORMATS, type Sheet } from './sheet.ts';

/** Programs allow 255 characters in a header or footer, including its fields. */
const LONGEST_LINE = 180;

/** The parts of a workbook file as the library unpacks them. */
interface Parts {
  readonly FullPaths: readonly string[];
  readonly FileIndex: { content: Uint8Array; size: number }[];
}

interface PartsLibrary {
  readonly read: (bytes: Uint8Array, options: { readonly type: 'buffer' }) => Parts;
  readonly write: (parts: Parts, options: { readonly type: 'buffer'; readonly fileType: 'zip'; readonly compression: true }) => Uint8Array;
}

/** Freezes the first rows, which the library cannot do. */
function withPane(xml: string, rows: number): string {
  const pane = `<pane ySplit="${rows}" topLeftCell="A${rows + 1}" activePane="bottomLeft" state="frozen"/>`;
  return rows === 0
    ? xml
    : xml.replace(/<sheetView ([^<>]*)\/>/, (_, attributes: string) => `<sheetView ${attributes}>${pane}</sheetView>`);
}

/** Sets the pages to A4 landscape, one page wide, with facts about the report in header and footer. The library cannot do this. */
function withPages(
  xml: string,
  { account, accountNumber, days, currency, state, preparedBy, sources, fingerprint, contents }: Identity,
): string {
  // `&` begins a field in a header or footer.
  const line = (text: string): string => escaped(text.replaceAll('&', '&&').slice(0, LONGEST_LINE));
  const above = line(
    `${account} ${accountNumber ?? ''}, ${days}, ${currency}, ${preparedBy === null ? 'not prepared' : `prepared by ${preparedBy}`}, ${state}`,
  );
  const below = line(`${sources.join(', ')}, fingerprint ${fingerprint}, contents ${contents}`);
  const setup = '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>';
  const margins = '<pageMargins left="0.5" right="0.5" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>';
  const lines = `<headerFooter><oddHeader>&amp;L${above}&amp;R&amp;A</oddHeader><oddFooter>&amp;L${below}&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter>`;
  return xml
    .replace('<dimension ', '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><dimension ')
    .replace('</sheetData>', () => `</sheetData>${margins}${setup}${lines}`);
}

/** Makes headings and totals bold. The library writes only one font, so the cell formats of headings and totals get a second one. */
function withBold(xml: string, formats: readonly string[]): string {
  const ids = formats.flatMap((format) => {
    if (format === FORMATS.heading) return ['49'];
    const found = [...xml.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"\/>/g)].find(([, , code]) => code === format);
    return found?.[1] === undefined ? [] : [found[1]];
  });
  const start = xml.indexOf('<font>');
  const plain = xml.slice(start, xml.indexOf('</fonts>'));
  const twice = xml.replace(`<fonts count="1">${plain}`, () => `<fonts count="2">${plain}${plain.replace('<font>', '<font><b/>')}`);
  return ids.reduce((text, id) => text.replace(`<xf numFmtId="${id}" fontId="0"`, `<xf numFmtId="${id}" fontId="1" applyFont="1"`), twice);
}

function finishedWorkbook(bytes: Uint8Array, sheets: readonly Sheet[], identity: Identity): Uint8Array {
  const library = sheetLibrary().CFB as PartsLibrary;
  const parts = library.read(bytes, { type: 'buffer' });
  const changed = (path: string, change: (xml: string) => string): void => {
    const part = present(parts.FileIndex[parts.FullPaths.findIndex((each) => each.endsWith(path))], path);
    part.content = new TextEncoder().encode(change(new TextDecoder().decode(part.content)));
    part.size = part.content.length;
  };
  for (const [index, { frozen }] of sheets.entries())
    changed(`worksheets/sheet${index + 1}.xml`, (xml) => withPages(withPane(xml, frozen), identity));
  changed('/styles.xml', (xml) => withBold(xml, [FORMATS.heading, amountFormat(identity.decimalPlaces, true)]));
  return library.write(parts, { type: 'buffer', fileType: 'zip', compression: true });
}

/** Returns the report as a workbook: a sheet for each section, and totals as formulas over their rows, together with their values. */
export function reportWorkbook(document: Document): Uint8Array {
  const { utils, write } = sheetLibrary();
  const { decimalPlaces } = document.identity;
  const formulas = new Formulas(decimalPlaces);
  const sections = new SectionSheets(document, formulas);
  for (const section of document.sections) sections.add(section);
  formulas.resolve((cell) => sections.references.get(cell));
  const workbook = utils.book_new();
  for (const sheet of sections.sheets) utils.book_append_sheet(workbook, sheet.finished(), sheet.name);
  const bytes = write(workbook, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: false }) as Uint8Array;
  return finishedWorkbook(bytes, sections.sheets, document.identity);
}
