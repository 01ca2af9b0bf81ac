import { createCipheriv, createHash } from 'node:crypto';

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

export type Cipher = 'rc4' | 'aes-128' | 'aes-256';

export interface PdfOptions {
  readonly width?: number;
  readonly height?: number;
  readonly rotate?: 0 | 90 | 180 | 270;
  /** Locks the file, with RC4 of 40 bits, as old banks do, unless `cipher` says otherwise. */
  readonly password?: string;
  readonly cipher?: Cipher;
  /** Further entries of the catalogue, such as a script. */
  readonly catalogue?: string;
  /** Entries of what the file says about itself, such as when it was made. */
  readonly info?: string;
  /** How the codes of letters are told to be letters. */
  readonly encoding?: string;
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
  readonly cipher: Cipher;
  readonly key: Buffer;
  readonly owner: Buffer;
  readonly user: Buffer;
  /** Further entries of the dictionary. */
  readonly more?: string;
}

/** Returns a hash that was hashed 50 times more, as keys of 128 bits are. */
function hashedOften(hash: Buffer): Buffer {
  let often = hash;
  for (let round = 0; round < 50; round += 1) often = md5(often);
  return often;
}

/** Encrypts 20 times, each time with the key changed by the number of the round. */
function rc4Often(key: Buffer, data: Uint8Array): Uint8Array {
  let often: Uint8Array = data;
  for (let round = 0; round < 20; round += 1)
    often = rc4(
      key.map((byte) => byte ^ round),
      often,
    );
  return often;
}

function encrypted(name: string, key: Uint8Array, start: Uint8Array | null, data: Uint8Array): Buffer {
  const cipher = createCipheriv(name, key, start).setAutoPadding(false);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

/** Returns the hash of a password as PDF 2.0 makes it, from 64 rounds on until the last byte says that it is enough. */
function hashOf256(password: Uint8Array, salt: Uint8Array, user: Uint8Array): Buffer {
  let key = createHash('sha256').update(password).update(salt).update(user).digest();
  let last = 0;
  for (let round = 0; round < 64 || last > round - 32; round += 1) {
    const whole = Buffer.concat(Array.from({ length: 64 }, () => Buffer.concat([password, key, user])));
    const out = encrypted('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32), whole);
    const rest = out.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(['sha256', 'sha384', 'sha512'][rest] ?? 'sha256')
      .update(out)
      .digest();
    last = out.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}

/** Returns a lock of 256 bits. The key of the file is in the file, locked by the password. */
function lockOf256(password: string): Lock {
  const [typed, none, start] = [Buffer.from(password, 'utf8'), Buffer.alloc(0), Buffer.alloc(16)];
  const key = createHash('sha256').update(FILE_ID).digest();
  const [proof, salt] = [FILE_ID.subarray(0, 8), FILE_ID.subarray(8, 16)];
  const user = Buffer.concat([hashOf256(typed, proof, none), proof, salt]);
  const owner = Buffer.concat([hashOf256(typed, proof, user), proof, salt]);
  const keyFor = (of: Uint8Array): string => encrypted('aes-256-cbc', hashOf256(typed, salt, of), start, key).toString('hex');
  const allowed = Buffer.alloc(16, 0xff);
  allowed.writeInt32LE(PERMISSIONS);
  allowed.write('Tadb', 8, 'latin1');
  const more = `/UE <${keyFor(none)}> /OE <${keyFor(user)}> /Perms <${encrypted('aes-256-ecb', key, null, allowed).toString('hex')}>`;
  return { cipher: 'aes-256', key, owner, user, more };
}

function lockOf(password: string, cipher: Cipher): Lock {
  if (cipher === 'aes-256') return lockOf256(password);
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  if (cipher === 'rc4') {
    const owner = rc4(md5(padded).subarray(0, 5), padded);
    const key = md5(padded, owner, permissions, FILE_ID).subarray(0, 5);
    return { cipher, key, owner, user: rc4(key, PADDING) };
  }
  const owner = Buffer.from(rc4Often(hashedOften(md5(padded)), padded));
  const key = hashedOften(md5(padded, owner, permissions, FILE_ID));
  return { cipher, key, owner, user: Buffer.concat([rc4Often(key, md5(PADDING, FILE_ID)), Buffer.alloc(16)]) };
}

function locked(lock: Lock, object: number, data: Buffer): Buffer {
  if (lock.cipher === 'aes-256') {
    const whole = createCipheriv('aes-256-cbc', lock.key, FILE_ID);
    return Buffer.concat([FILE_ID, whole.update(data), whole.final()]);
  }
  const number = Buffer.from([object & 255, (object >> 8) & 255, (object >> 16) & 255, 0, 0]);
  if (lock.cipher === 'rc4') return rc4(md5(lock.key, number).subarray(0, 10), data);
  const cipher = createCipheriv('aes-128-cbc', md5(lock.key, number, Buffer.from('sAlT')), FILE_ID);
  return Buffer.concat([FILE_ID, cipher.update(data), cipher.final()]);
}

/** The versions of the locks and what they encrypt. */
const LOCKS: Readonly<Record<Cipher, string>> = {
  rc4: '/V 1 /R 2',
  'aes-128': '/V 4 /R 4 /Length 128 /CF << /StdCF << /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >> >> /StmF /StdCF /StrF /StdCF',
  'aes-256': '/V 5 /R 6 /Length 256 /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF',
};

/** Returns a PDF with these texts on its pages, written byte by byte. */
export function pdfOf(pages: readonly (readonly DrawnText[])[], options: PdfOptions = {}): Buffer {
  const { width = 595, height = 842, rotate = 0, password, cipher = 'rc4', catalogue = '', info, encoding = '/WinAnsiEncoding' } = options;
  const lock = password === undefined ? null : lockOf(password, cipher);
  const objects: Buffer[] = [];
  const add = (body: string): void => void objects.push(Buffer.from(body, 'latin1'));
  const pageNumber = (index: number): number => 5 + index * 2;
  add(`<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`);
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}] >>`);
  for (const font of ['Helvetica', 'Helvetica-Bold']) add(`<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding ${encoding} >>`);
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
    add(
      `<< /Filter /Standard ${LOCKS[lock.cipher]} /P ${PERMISSIONS} /O <${lock.owner.toString('hex')}> /U <${lock.user.toString('hex')}> ${lock.more ?? ''} >>`,
    );
  const about = objects.length + 1;
  if (info !== undefined) add(`<< ${info} >>`);
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
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R${info === undefined ? '' : ` /Info ${about} 0 R`}${lock === null ? '' : ` /Encrypt ${encrypt} 0 R /ID [${id} ${id}]`} >>`;
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}trailer\n${trailer}\nstartxref\n${length}\n%%EOF\n`));
  return Buffer.concat(parts);
}
