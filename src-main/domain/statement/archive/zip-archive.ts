import { crc32, gunzipSync, inflateRawSync } from 'node:zlib';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';

const END_OF_DIRECTORY = 0x06_05_4b_50;
const DIRECTORY_ENTRY = 0x02_01_4b_50;
const LOCAL_HEADER = 0x04_03_4b_50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
const MAX_COMMENT = 65_535;
/** Bytes of a header and a trailer without content. */
const SHORTEST_GZIP = 18;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
/** Deflate cannot compress further: an entry that claims more states one of its sizes wrongly. */
const MAX_RATIO = 1_100;
const IN_64_BIT_FORM = 0xff_ff_ff_ff;

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** `damaged`: cut off, or its checksums or sizes are wrong; `too_large`: it unpacks to more than is allowed, or claims to. */
export type ZipFault = 'damaged' | 'too_large' | 'encrypted';

interface Listed {
  readonly name: string;
  readonly method: number;
  readonly sum: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly offset: number;
}

/**
 * Returns the wanted entries of a zip archive. Unpacks nothing where the stated sizes exceed `limit`, and no entry beyond its stated size. Each entry
 * must match its stated size and checksum.
 */
export function unzipped(bytes: Uint8Array, limit: number, isWanted: (name: string) => boolean): Result<readonly ZipEntry[], ZipFault> {
  const listed = listedEntries(bytes);
  if (typeof listed === 'string') return failed(listed);
  let total = 0;
  for (const { packed, unpacked } of listed) {
    if (unpacked > (packed + 1) * MAX_RATIO) return failed('too_large');
    total += unpacked;
  }
  if (total > limit) return failed('too_large');
  const wanted = listed.filter(({ name }) => isWanted(name));
  if (new Set(wanted.map(({ name }) => name.toLowerCase())).size < wanted.length) return failed('damaged');
  const entries: ZipEntry[] = [];
  for (const entry of wanted) {
    const content = unpackedEntry(bytes, entry);
    if (content === null) return failed('damaged');
    entries.push({ name: entry.name, bytes: content });
  }
  return success(entries);
}

/** Returns the names in the directory of a zip archive, folders included. Unpacks nothing. */
export function namesInZip(bytes: Uint8Array): Result<readonly string[], ZipFault> {
  const listed = listedEntries(bytes);
  return typeof listed === 'string' ? failed(listed) : success(listed.map(({ name }) => name));
}

/** Returns the content of a gzip file. Unpacks nothing where the stated size exceeds `limit`, and never more than the limit. */
export function gunzipped(bytes: Uint8Array, limit: number): Result<Uint8Array, ZipFault> {
  if (bytes.length < SHORTEST_GZIP) return failed('damaged');
  // The last bytes of a truncated file are not its size, and no content compresses as far as that number would then need.
  const says = viewOf(bytes).getUint32(bytes.length - 4, true);
  if (says > limit && says <= bytes.length * MAX_RATIO) return failed('too_large');
  try {
    return success(gunzipSync(bytes, { maxOutputLength: Math.max(1, limit) }));
  } catch (error) {
    return failed(error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'damaged');
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function listedEntries(bytes: Uint8Array): Listed[] | ZipFault {
  const view = viewOf(bytes);
  const end = endOf(view);
  if (end === null) return 'damaged';
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (at === IN_64_BIT_FORM || count === 0xff_ff) return 'too_large';
  const listed: Listed[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_LENGTH > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) return 'damaged';
    const nameLength = view.getUint16(at + 28, true);
    const entry = {
      name: Buffer.from(bytes.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength)).toString('utf8'),
      method: view.getUint16(at + 10, true),
      sum: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    if ([entry.packed, entry.unpacked, entry.offset].includes(IN_64_BIT_FORM)) return 'too_large';
    if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0) return 'encrypted';
    listed.push(entry);
    at += ENTRY_LENGTH + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return listed;
}

/** Returns the content of an entry; null where its bytes are missing, cannot be unpacked, or differ from the directory's size or checksum. */
function unpackedEntry(bytes: Uint8Array, { method, sum, packed, unpacked, offset }: Listed): Uint8Array | null {
  const view = viewOf(bytes);
  if (offset + LOCAL_LENGTH > bytes.length || view.getUint32(offset, true) !== LOCAL_HEADER) return null;
  const start = offset + LOCAL_LENGTH + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packed > bytes.length) return null;
  const content = contentOf(bytes.subarray(start, start + packed), method, unpacked);
  return content?.length === unpacked && crc32(content) === sum ? content : null;
}

function contentOf(packed: Uint8Array, method: number, unpacked: number): Uint8Array | null {
  if (method === STORED) return packed;
  if (method !== DEFLATED) return null;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, unpacked) });
  } catch {
    // The content is damaged or longer than stated: the thrown error tells no more than that.
    return null;
  }
}

function endOf(view: DataView): number | null {
  const last = view.byteLength - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at -= 1) if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  return null;
}
