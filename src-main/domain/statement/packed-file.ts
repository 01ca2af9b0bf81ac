import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { unpackedLimit } from './archive/unpacked-size.ts';
import { gunzipped, namesInZip, unzipped, type ZipFault } from './archive/zip-archive.ts';
import { STATEMENT_LIMITS } from './model/limits.ts';
import { quoted, unreadable } from './model/problems.ts';
import type { Unreadable } from './model/statement.ts';
import { looksLikeWorkbook } from './workbook/workbook.ts';

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06];
const GZIP = [0x1f, 0x8b];
/** Number of leading bytes that show whether a file is an archive. */
export const PACKED_HEAD = 4;
const MEBIBYTE = 1024 * 1024;
/** Most file names that one sentence lists. */
const LISTED = 10;
const LONGEST_NAME = 200;
/** Offset at which a tar archive names its format. */
const TAR_MARK = 257;

const OPEN_DOCUMENT = phrase('statement.packedFile.thisIsAnOpendocumentFile');

/** A file that was taken out of an archive. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Whether a file begins with the magic bytes of an archive. A workbook does too, since it is a zip archive. */
export function beginsPacked(head: Uint8Array): boolean {
  return [ZIP, EMPTY_ZIP, GZIP].some((magic) => begins(head, magic));
}

/**
 * Returns the only file in a zip or gzip archive, or the one that `part` names of several; null for a file that is not an archive, such as a
 * workbook. Never unpacks more bytes than a file of that size may hold, whatever the archive claims.
 */
export function unpackedFile(bytes: Uint8Array, filename: string, part: string | null = null): Result<PackedFile | null, Unreadable> {
  if (!beginsPacked(bytes)) return success(null);
  const unpacked = begins(bytes, GZIP) ? fromGzip(bytes, filename) : fromZip(bytes, part);
  if (!unpacked.ok || unpacked.value === null) return unpacked;
  const refusal = refusalOf(unpacked.value);
  return refusal === null ? unpacked : failed(refusal);
}

/** Returns the file names in a zip archive that holds several files, sorted; empty for any other file. */
export function partsOfZip(bytes: Uint8Array): readonly string[] {
  const names = begins(bytes, ZIP) ? namesInZip(bytes) : failed('damaged' as const);
  if (!names.ok || isDocument(names.value) || names.value.includes('mimetype')) return [];
  const files = filesAmong(names.value);
  return files.length > 1 ? files : [];
}

function begins(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

/** Returns the most bytes that a packed file may unpack to: no more than a file that is read whole may have. */
function limitOf(bytes: Uint8Array): number {
  return Math.min(STATEMENT_LIMITS.fileBytes, unpackedLimit(bytes.length));
}

function fromGzip(bytes: Uint8Array, filename: string): Result<PackedFile, Unreadable> {
  const content = gunzipped(bytes, limitOf(bytes));
  if (!content.ok) return failed(faultOf(content.error, 'gzip', bytes));
  const ofOuter = filename.replace(/\.gz(?:ip)?$/i, '');
  return success({ name: ownName(nameInGzip(bytes)) || ofOuter || filename, bytes: content.value });
}

function fromZip(bytes: Uint8Array, part: string | null): Result<PackedFile | null, Unreadable> {
  const names = namesInZip(bytes);
  if (!names.ok) return looksLikeWorkbook(bytes) ? success(null) : failed(faultOf(names.error, 'zip', bytes));
  if (isDocument(names.value)) return success(null);
  if (names.value.includes('mimetype') && names.value.includes('content.xml'))
    return failed(unreadable('unsupported_format', OPEN_DOCUMENT));
  const files = filesAmong(names.value);
  const [only] = files;
  if (only === undefined) return failed(holdsNone(names.value));
  if (part === null && files.length > 1) return failed(holdsSeveral(files));
  const wanted = part ?? only;
  const found = unzipped(bytes, limitOf(bytes), (name) => name === wanted);
  if (!found.ok) return failed(faultOf(found.error, 'zip', bytes));
  const [entry] = found.value;
  if (entry === undefined)
    return failed(unreadable('unsupported_format', phrase('statement.packedFile.zipArchiveHoldsNoFile', { wanted: quoted(wanted) })));
  return success({ name: ownName(wanted) || 'statement', bytes: entry.bytes });
}

/** Whether the archive is a workbook or another document that is stored as an archive of its parts. */
function isDocument(names: readonly string[]): boolean {
  return names.some((name) => name === '[Content_Types].xml' || name.startsWith('xl/'));
}

/** Returns the files without folders and without those that operating systems add by themselves. */
function filesAmong(names: readonly string[]): readonly string[] {
  const isOfSystem = (name: string): boolean => {
    const own = lastPart(name);
    return own === '' || own.startsWith('.') || name.startsWith('__MACOSX/') || ['thumbs.db', 'desktop.ini'].includes(own.toLowerCase());
  };
  return names.filter((name) => !isOfSystem(name)).toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

function lastPart(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}

/** Returns a name that is safe to show and keep: without folders and control characters. */
function ownName(name: string): string {
  return lastPart(name)
    .replaceAll(/\p{Cc}/gu, '')
    .slice(-LONGEST_NAME)
    .trim();
}

const HAS_EXTRA = 4;
const HAS_NAME = 8;

/** Returns the file name in the header of a gzip file, or an empty text. */
function nameInGzip(bytes: Uint8Array): string {
  const flags = bytes[3] ?? 0;
  if ((flags & HAS_NAME) === 0) return '';
  const start = 10 + ((flags & HAS_EXTRA) === 0 ? 0 : 2 + (bytes[10] ?? 0) + 256 * (bytes[11] ?? 0));
  const end = bytes.indexOf(0, start);
  return end < 0 || end - start > LONGEST_NAME ? '' : Buffer.from(bytes.subarray(start, end)).toString('utf8');
}

function faultOf(fault: ZipFault, kind: 'zip' | 'gzip', bytes: Uint8Array): Unreadable {
  switch (fault) {
    case 'damaged':
      return unreadable('unsupported_format', phrase('statement.packedFile.theArchiveIsCutOff', { kind }));
    case 'encrypted':
      return unreadable('unsupported_format', phrase('statement.packedFile.archiveIsProtectedByAPassword', { kind }));
    case 'too_large': {
      const megabytes = Math.round(limitOf(bytes) / MEBIBYTE);
      const message = phrase('statement.packedFile.archiveUnpacksToMoreThanMb', { kind, megabytes });
      return unreadable('too_large', message);
    }
  }
}

function holdsNone(names: readonly string[]): Unreadable {
  const what = names.length === 0 ? phrase('statement.packedFile.isEmpty') : phrase('statement.packedFile.holdsNoFileOnlyFolders');
  return unreadable('empty_file', phrase('statement.packedFile.zipArchiveChooseTheArchive', { what }));
}

function holdsSeveral(files: readonly string[]): Unreadable {
  const more = files.length > LISTED ? ` and ${files.length - LISTED} more` : '';
  const listed = files
    .slice(0, LISTED)
    .map((name) => quoted(name))
    .join(', ');
  const message = phrase('statement.packedFile.theZipArchiveHoldsFiles', { files: files.length, listed, more });
  return unreadable('unsupported_format', message);
}

/** Returns the refusal of a file that is itself an archive; null for any other file. */
function refusalOf({ name, bytes }: PackedFile): Unreadable | null {
  const isTar = Buffer.from(bytes.subarray(TAR_MARK, TAR_MARK + 5)).toString('latin1') === 'ustar';
  if (!isTar && !(beginsPacked(bytes) && !isWorkbook(bytes))) return null;
  const message = phrase('statement.packedFile.theArchiveHoldsAnotherArchive', { name: quoted(name) });
  return unreadable('unsupported_format', message);
}

function isWorkbook(bytes: Uint8Array): boolean {
  const names = begins(bytes, ZIP) ? namesInZip(bytes) : failed('damaged' as const);
  return names.ok ? isDocument(names.value) : looksLikeWorkbook(bytes);
}
