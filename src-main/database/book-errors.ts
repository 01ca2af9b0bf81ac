/**
 * Whether an error says that SQLite found something impossible in the file: a damaged page, no database at all, a broken index of words,
 * a schema that cannot be read. Right statements raise these errors for no other reason.
 */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return /^SQLITE_(?:CORRUPT|NOTADB|ERROR|FORMAT|MISMATCH|TOOBIG)/u.test(String(error.code));
}

/** Whether SQLite says that a file is damaged, or no database at all, or that its schema cannot be read. */
export function isDamagedFile(error: unknown): error is Error & { readonly code: string } {
  if (!(error instanceof Error && 'code' in error)) return false;
  return /^SQLITE_(?:CORRUPT|NOTADB)/u.test(String(error.code)) || error.message.startsWith('malformed database schema');
}
