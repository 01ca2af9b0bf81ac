import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** Statements of the archive about the part that may be false. */
  readonly says?: {
    readonly unpacked?: number;
    readonly packed?: number;
    readonly sum?: number;
    readonly offset?: number;
    readonly flags?: number;
  };
  readonly isStored?: boolean;
}

interface Packed {
  readonly header: Buffer;
  readonly body: Uint8Array;
  readonly offset: number;
}

/** Returns a zip archive of parts, with the false statements that they ask for. */
export function zipOf(parts: readonly ZipPart[]): Uint8Array {
  const bodies: Packed[] = [];
  let offset = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const body = part.isStored === true ? content : deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(part.says?.flags ?? 0, 2);
    fields.writeUInt16LE(part.isStored === true ? 0 : 8, 4);
    fields.writeUInt32LE(part.says?.sum ?? crc32(content), 10);
    fields.writeUInt32LE(part.says?.packed ?? body.length, 14);
    fields.writeUInt32LE(part.says?.unpacked ?? content.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(part.name), 22);
    bodies.push({ header: fields, body, offset: part.says?.offset ?? offset });
    offset += 30 + Buffer.byteLength(part.name) + body.length;
  }
  const local = parts.flatMap(({ name }, index) => {
    const packed = bodies[index];
    return packed === undefined ? [] : [Buffer.from([0x50, 0x4b, 3, 4]), packed.header, Buffer.from(name), packed.body];
  });
  const directory = parts.flatMap(({ name }, index) => {
    const packed = bodies[index];
    if (packed === undefined) return [];
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(packed.offset, 10);
    return [Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), packed.header, rest, Buffer.from(name)];
  });
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.set([0x50, 0x4b, 5, 6]);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...local, entries, end]));
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface SheetText {
  /** Markup inside of the sheet's root element; by default the rows. */
  readonly sheet?: string;
  readonly strings?: string;
  readonly workbook?: string;
}

/** Shared strings of a small statement; its rows refer to them by number. */
export const STRINGS = ['Date', 'Text', 'Amount', 'Rent', 'Tea'].map((text) => `<si><t>${text}</t></si>`).join('');
export const ROWS =
  '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>' +
  '<row r="2"><c r="A2" t="inlineStr"><is><t>2026-06-01</t></is></c><c r="B2" t="s"><v>3</v></c><c r="C2"><v>-9.5</v></c></row>' +
  '<row r="3"><c r="A3" t="inlineStr"><is><t>2026-06-02</t></is></c><c r="B3" t="s"><v>4</v></c><c r="C3"><v>-1</v></c></row></sheetData>';

/** Returns the parts of a workbook with one sheet, as Excel names them. */
export function workbookParts({ sheet = ROWS, strings = STRINGS, workbook = '' }: SheetText = {}): ZipPart[] {
  const override = (part: string, type: string): string => `<Override PartName="/${part}" ContentType="${TYPES}.${type}+xml"/>`;
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (text: string): string =>
    `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${text}</Relationships>`;
  return [
    {
      name: '[Content_Types].xml',
      content: `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${override('xl/workbook.xml', 'sheet.main')}${override('xl/worksheets/sheet1.xml', 'worksheet')}${override('xl/sharedStrings.xml', 'sharedStrings')}</Types>`,
    },
    { name: '_rels/.rels', content: relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      content: `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="June" sheetId="1" r:id="rId1"/>${workbook}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(relation('rId1', 'worksheet', 'worksheets/sheet1.xml') + relation('rId2', 'sharedStrings', 'sharedStrings.xml')),
    },
    { name: 'xl/worksheets/sheet1.xml', content: `${XML}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}">${sheet}</worksheet>` },
    { name: 'xl/sharedStrings.xml', content: `${XML}<sst xmlns="${MAIN}" count="5" uniqueCount="5">${strings}</sst>` },
  ];
}
