/**
 * Whether SQLite found something impossible in the file: a damaged page, no database at all, a broken word index, an unreadable schema. Correct
 * statements raise these errors for no other reason.
 */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return /^SQLITE_(?:CORRUPT|NOTADB|ERROR|FORMAT|MISMATCH|TOOBIG)/u.test(String(error.code));
}

/** Whether SQLite reports a damaged file, one that is no database, or one with an unreadable schema. */
export function isDamagedFile(error: unknown): error is Error & { readonly code: string } {
  if (!(error instanceof Error && 'code' in error)) return false;
  return /^SQLITE_(?:CORRUPT|NOTADB)/u.test(String(error.code)) || error.message.startsWith('malformed database schema');
}
