import { createHash } from 'node:crypto';

/** A text on a page: points from the top left corner, and how it is drawn. */
export interface DrawnText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  /** Where `x` is its right end. */
  readonly isRight?: boolean;
  readonly isBold?: boolean;
  /** Grey of the text, 0 black to 1 white. */
  readonly grey?: number;
  /** Rendering mode; 3 paints nothing. */
  readonly mode?: number;
  /** Angle in degrees. */
  readonly angle?: number;
}

export interface PdfOptions {
  readonly width?: number;
  readonly height?: number;
  readonly rotate?: 0 | 90 | 180 | 270;
  /** Locks the file with RC4 of 40 bits, as old banks do. */
  readonly password?: string;
  /** Further entries of the catalogue, such as a script. */
  readonly catalogue?: string;
}

/** Widths of the letters of Helvetica in thousandths, from the space on. */
const WIDTHS =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584'
    .split(' ')
    .map(Number);

export function widthOf(text: string, size: number): number {
  return ([...text].reduce((sum, letter) => sum + (WIDTHS[letter.charCodeAt(0) - 32] ?? 556), 0) * size) / 1000;
}

function literal(text: string): string {
  return `(${[...text].map((letter) => (/[()\\]/.test(letter) ? `\\${letter}` : letter)).join('')})`;
}

function drawn(
  { text, x, y, size = 8, isRight = false, isBold = false, grey = 0, mode = 0, angle = 0 }: DrawnText,
  height: number,
): string {
  const left = isRight ? x - widthOf(text, size) : x;
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const matrix = [cos, sin, -sin, cos, left, height - y].map((each) => each.toFixed(3)).join(' ');
  return `BT /${isBold ? 'F2' : 'F1'} ${size} Tf ${grey} g ${mode} Tr ${matrix} Tm ${literal(text)} Tj ET`;
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const PERMISSIONS = -4;
const FILE_ID = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');

function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index);
  let j = 0;
  for (let i = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    [state[i], state[j]] = [state[j] ?? 0, state[i] ?? 0];
  }
  let i = 0;
  j = 0;
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + (state[i] ?? 0)) & 255;
      [state[i], state[j]] = [state[j] ?? 0, state[i] ?? 0];
      return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
    }),
  );
}

const md5 = (...parts: readonly Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();

interface Lock {
  readonly key: Buffer;
  readonly owner: Buffer;
  readonly user: Buffer;
}

function lockOf(password: string): Lock {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(padded, owner, permissions, FILE_ID).subarray(0, 5);
  return { key, owner, user: rc4(key, PADDING) };
}

function locked(lock: Lock, object: number, data: Buffer): Buffer {
  const number = Buffer.from([object & 255, (object >> 8) & 255, (object >> 16) & 255, 0, 0]);
  return rc4(md5(lock.key, number).subarray(0, 10), data);
}

/** Returns a PDF with these texts on its pages, written byte by byte. */
export function pdfOf(pages: readonly (readonly DrawnText[])[], options: PdfOptions = {}): Buffer {
  const { width = 595, height = 842, rotate = 0, password, catalogue = '' } = options;
  const lock = password === undefined ? null : lockOf(password);
  const objects: Buffer[] = [];
  const add = (body: string): void => void objects.push(Buffer.from(body, 'latin1'));
  const pageNumber = (index: number): number => 5 + index * 2;
  add(`<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`);
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}] >>`);
  for (const font of ['Helvetica', 'Helvetica-Bold'])
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`);
  for (const [index, texts] of pages.entries()) {
    const plain = Buffer.from(texts.map((text) => drawn(text, height)).join('\n'), 'latin1');
    const content = lock === null ? plain : locked(lock, pageNumber(index) + 1, plain);
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${rotate} /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${pageNumber(index) + 1} 0 R >>`,
    );
    objects.push(Buffer.concat([Buffer.from(`<< /Length ${content.length} >>\nstream\n`), content, Buffer.from('\nendstream')]));
  }
  const encrypt = objects.length + 1;
  if (lock !== null)
    add(`<< /Filter /Standard /V 1 /R 2 /P ${PERMISSIONS} /O <${lock.owner.toString('hex')}> /U <${lock.user.toString('hex')}> >>`);
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [index, body] of objects.entries()) {
    offsets.push(length);
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    parts.push(whole);
    length += whole.length;
  }
  const id = `<${FILE_ID.toString('hex')}>`;
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R${lock === null ? '' : ` /Encrypt ${encrypt} 0 R /ID [${id} ${id}]`} >>`;
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}trailer\n${trailer}\nstartxref\n${length}\n%%EOF\n`));
  return Buffer.concat(parts);
}
