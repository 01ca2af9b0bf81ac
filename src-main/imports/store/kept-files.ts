import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';

/** The largest file that is kept; its pages are shown, and a close pack holds it. */
export const KEPT_BYTES = 48 * 1024 * 1024;

/** Keeps a file with its import. Text is packed; a PDF is small already. */
export function keepFile(write: WriteHandle, batchId: number, bytes: Uint8Array, sha256: string): void {
  const packed = deflateRawSync(bytes);
  const isPacked = packed.length < bytes.length;
  write.run(
    query.insertInto('kept_files').values({
      batch_id: batchId,
      sha256,
      byte_length: bytes.length,
      is_packed: isPacked ? 1 : 0,
      content: isPacked ? packed : bytes,
    }),
  );
}

/**
 * Returns the file that is kept with an import; `changed` if it is not the one that was imported, and null if none is. The import has the hash too: who
 * changes a kept file may change the hash beside it.
 */
export function keptFile(read: ReadHandle, batchId: number): Uint8Array | 'changed' | null {
  const row = read.first(
    query
      .selectFrom('kept_files')
      .innerJoin('import_batches', 'import_batches.id', 'kept_files.batch_id')
      .select(['kept_files.content', 'kept_files.is_packed', 'kept_files.sha256', 'import_batches.sha256 as imported'])
      .where('batch_id', '=', batchId),
  );
  if (row === undefined) return null;
  try {
    const bytes = row.is_packed === 1 ? inflateRawSync(row.content, { maxOutputLength: KEPT_BYTES }) : row.content;
    return sha256Of(bytes) === row.sha256 && row.sha256 === row.imported ? bytes : 'changed';
  } catch {
    return 'changed';
  }
}

/**
 * Returns the kept file of imports with this hash, whichever it was kept with; `changed` if each of them was changed, `gone` if one was kept by the
 * audit log and none is there, and null if none was kept.
 */
export function keptFileOfHash(read: ReadHandle, sha256: string): Uint8Array | 'changed' | 'gone' | null {
  // The import says the hash: that beside the file may be changed with it.
  const rows = read.all(
    query
      .selectFrom('kept_files')
      .innerJoin('import_batches', 'import_batches.id', 'kept_files.batch_id')
      .select('batch_id')
      .where('import_batches.sha256', '=', sha256)
      .orderBy('batch_id'),
  );
  for (const { batch_id: id } of rows) {
    const bytes = keptFile(read, id);
    if (bytes !== 'changed' && bytes !== null) return bytes;
  }
  if (rows.length > 0) return 'changed';
  return keptByImports(read).some((kept) => kept.sha256 === sha256) ? 'gone' : null;
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface KeptFileOfImport {
  readonly batchId: number;
  readonly filename: string | null;
  readonly sha256: string;
  readonly streamKey: string;
}

/** Returns the imports that have a kept file, and those that had one by the audit log. */
export function keptByImports(read: ReadHandle): KeptFileOfImport[] {
  return read
    .prepare<[], KeptFileOfImport>(
      `SELECT b.id AS batchId, b.filename, b.sha256, s.key AS streamKey FROM import_batches b JOIN streams s ON s.id = b.stream_id
       WHERE b.writing = 0 AND b.id IN (SELECT batch_id FROM kept_files
         UNION SELECT json_extract(detail, '$.batch_id') FROM audit_log WHERE action = 'import_batch.created' AND json_extract(detail, '$.file_kept') IS NOT NULL)
       ORDER BY b.id`,
    )
    .all();
}

/** Returns whether the last file that came into an account was kept, or of one without files, the last of the book: a person mostly wants the same again. */
export function isLastFileKept(read: ReadHandle, environmentId: number, streamId: number | null): boolean {
  const last = (where: string, ...values: number[]): { readonly is_kept: number } | undefined =>
    read
      .prepare<number[], { is_kept: number }>(
        `SELECT EXISTS (SELECT 1 FROM kept_files k WHERE k.batch_id = b.id) AS is_kept FROM import_batches b
         WHERE b.environment_id = ? AND b.id > 0 AND b.writing = 0 AND b.source <> 'bulk_api' ${where} ORDER BY b.id DESC LIMIT 1`,
      )
      .get(environmentId, ...values);
  const found = (streamId === null ? undefined : last('AND b.stream_id = ?', streamId)) ?? last('');
  return found?.is_kept === 1;
}
