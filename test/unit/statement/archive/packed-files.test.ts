import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { STATEMENT_LIMITS } from '../../../../src-main/domain/statement/model/limits.ts';
import { partsOfZip, unpackedFile } from '../../../../src-main/domain/statement/packed-file.ts';
import { workbookParts, zipOf, type ZipPart } from '../../../support/inputs/zips.ts';

const CSV = 'Date,Description,Amount\n2026-06-01,Rent,-9.50\n2026-06-02,Tea,-1.00\n';
const JUNE = { name: 'june.csv', content: CSV };

function shown(bytes: Uint8Array, filename = 'outer.zip', part: string | null = null): unknown {
  const read = unpackedFile(bytes, filename, part);
  if (!read.ok) return `${read.error.code}: ${read.error.message}`;
  return read.value === null ? null : [read.value.name, Buffer.from(read.value.bytes).toString('utf8')];
}

/** A gzip file that says its name, as `gzip` writes it. */
function namedGzip(content: string, name: string): Uint8Array {
  const plain = gzipSync(content);
  const head = Buffer.from(plain.subarray(0, 10));
  head[3] = 8;
  return Buffer.concat([head, Buffer.from(`${name}\0`), plain.subarray(10)]);
}

it('takes the one file out of an archive, by its own name', () => {
  expect(shown(zipOf([JUNE]))).toEqual(['june.csv', CSV]);
  expect(shown(zipOf([{ ...JUNE, isStored: true }]))).toEqual(['june.csv', CSV]);
  expect(shown(namedGzip(CSV, 'june.csv'), 'x.gz')).toEqual(['june.csv', CSV]);
  expect(shown(gzipSync(CSV), 'july.csv.gz')).toEqual(['july.csv', CSV]);
  expect(shown(Buffer.concat([gzipSync(CSV), gzipSync('2026-06-03,Bus,-2.00\n')]), 'july.csv.gz')).toEqual([
    'july.csv',
    `${CSV}2026-06-03,Bus,-2.00\n`,
  ]);
});

it('ignores folders and files that systems add, and drops folders from names', () => {
  const parts: ZipPart[] = [
    { name: 'out/', content: '', isStored: true },
    { name: '__MACOSX/out/._june.csv', content: 'x' },
    { name: 'out/.DS_Store', content: 'x' },
    { name: 'out/Thumbs.db', content: 'x' },
    { name: '../out/june.csv', content: CSV },
  ];
  expect(shown(zipOf(parts))).toEqual(['june.csv', CSV]);
  expect(shown(namedGzip(CSV, '../../etc/ju\u0007ne.csv'))).toEqual(['june.csv', CSV]);
});

it('leaves workbooks and other files as they are', () => {
  const workbook = zipOf(workbookParts());
  expect(shown(workbook)).toBeNull();
  expect(shown(new TextEncoder().encode(CSV))).toBeNull();
  expect(shown(new Uint8Array())).toBeNull();
  for (const isStored of [true, false]) {
    const inside = unpackedFile(zipOf([{ name: 'june.xlsx', content: workbook, isStored }]), 'outer.zip');
    expect(inside).toMatchObject({ ok: true, value: { name: 'june.xlsx' } });
    expect(inside.ok && inside.value !== null && Buffer.from(inside.value.bytes).equals(workbook)).toBe(true);
  }
});

it('names the files of an archive with several, and takes the one that is asked for', () => {
  const several = zipOf([
    { name: 'b.csv', content: 'b' },
    { name: 'a.csv', content: 'a' },
    { name: 'd/', content: '' },
  ]);
  expect(shown(several)).toBe(
    'unsupported_format: The zip archive holds 2 files: "a.csv", "b.csv". Unpack it and import them one by one; nothing of it was imported.',
  );
  expect(partsOfZip(several)).toEqual(['a.csv', 'b.csv']);
  expect(shown(several, 'outer.zip', 'b.csv')).toEqual(['b.csv', 'b']);
  expect(shown(several, 'outer.zip', 'c.csv')).toContain('holds no file "c.csv"');
  expect([zipOf([JUNE]), zipOf(workbookParts()), gzipSync(CSV), new Uint8Array()].map((bytes) => partsOfZip(bytes))).toEqual([
    [],
    [],
    [],
    [],
  ]);
  expect(shown(zipOf(Array.from({ length: 12 }, (_, index) => ({ name: `${index + 10}.csv`, content: 'x' }))))).toContain(
    '"19.csv" and 2 more',
  );
});

it.each<readonly [string, Uint8Array, string]>([
  ['a damaged sum', zipOf([{ ...JUNE, says: { sum: 1 } }]), 'The zip archive is cut off or damaged'],
  ['a zip that is cut off', zipOf([JUNE]).subarray(0, 60), 'The zip archive is cut off or damaged'],
  ['a gzip that is cut off', gzipSync(CSV).subarray(0, 40), 'The gzip archive is cut off or damaged'],
  ['a gzip of a few bytes', gzipSync(CSV).subarray(0, 4), 'The gzip archive is cut off or damaged'],
  [
    'a gzip with another byte',
    Uint8Array.from(gzipSync(CSV), (byte, at) => (at === 30 ? byte ^ 255 : byte)),
    'The gzip archive is cut off or damaged',
  ],
  ['a password', zipOf([{ ...JUNE, says: { flags: 1 } }]), 'protected by a password'],
  ['nothing', zipOf([]), 'The zip archive is empty'],
  ['folders alone', zipOf([{ name: 'a/', content: '', isStored: true }]), 'holds no file, only folders'],
  ['a zip in a zip', zipOf([{ name: 'in.zip', content: zipOf([JUNE]) }]), 'The archive holds another archive, "in.zip"'],
  ['a gzip in a zip', zipOf([{ name: 'in.gz', content: gzipSync(CSV) }]), 'The archive holds another archive, "in.gz"'],
  ['a zip in a gzip', gzipSync(zipOf([JUNE])), 'The archive holds another archive'],
  ['a tar', gzipSync(Buffer.concat([Buffer.alloc(257), Buffer.from('ustar'), Buffer.alloc(250)])), 'The archive holds another archive'],
  [
    'OpenDocument',
    zipOf([
      { name: 'mimetype', content: 'x' },
      { name: 'content.xml', content: '<x/>' },
    ]),
    'an OpenDocument file (ODS)',
  ],
])('says what is wrong: %s', (_, bytes, words) => {
  expect(shown(bytes)).toContain(words);
});

it('unpacks no more than the limit for its size, whatever the archive claims', () => {
  const much = Buffer.alloc(STATEMENT_LIMITS.bytesOfAnyWorkbook * 2);
  const small = 'unpacks to more than 19 MB';
  const packed = gzipSync(much);
  expect(shown(packed)).toContain(small);
  expect(shown(zipOf([{ name: 'a', content: much }]))).toContain(small);
  const lying = Buffer.from(packed);
  lying.writeUInt32LE(10, lying.length - 4);
  expect(shown(lying)).toContain(small);
  expect(shown(zipOf([{ name: 'a', content: much, says: { unpacked: 10 } }]))).toContain('cut off or damaged');
  expect(shown(zipOf([{ ...JUNE, says: { unpacked: 4_000_000_000 } }]))).toContain('unpacks to more than');
});
