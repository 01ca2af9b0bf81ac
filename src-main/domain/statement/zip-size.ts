const END_OF_DIRECTORY = 0x06_05_4b_50;
const DIRECTORY_ENTRY = 0x02_01_4b_50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const MAX_COMMENT = 65_535;
/** Deflate cannot shrink further: an entry that claims more is lying about one of its sizes. */
const MAX_RATIO = 1_100;

/**
 * Bytes that a zip archive says it unpacks to, so that a bomb is refused before anything is unpacked; null where its directory is
 * missing or broken. Archives of the 64-bit form count as too large.
 */
export function unpackedBytes(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === null) return null;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (at === 0xff_ff_ff_ff || count === 0xff_ff) return Number.POSITIVE_INFINITY;
  let total = 0;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + ENTRY_LENGTH > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) return null;
    const packed = view.getUint32(at + 20, true);
    const unpacked = view.getUint32(at + 24, true);
    if (unpacked > (packed + 1) * MAX_RATIO) return Number.POSITIVE_INFINITY;
    total += unpacked;
    at += ENTRY_LENGTH + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return total;
}

function endOf(view: DataView): number | null {
  const last = view.byteLength - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at -= 1) if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  return null;
}
