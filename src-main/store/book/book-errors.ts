/**
 * Whether an error says that SQLite came upon something in the file that cannot be: a damaged page, no database at all, an index of words that is not one,
 * a schema that cannot be read. Of a statement that is known to be right it says nothing else.
 */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return /^SQLITE_(?:CORRUPT|NOTADB|ERROR|FORMAT|MISMATCH|TOOBIG)/u.test(String(error.code));
}

/** Whether SQLite says that a file is damaged, or no database at all. */
export function isDamagedFile(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && /^SQLITE_(?:CORRUPT|NOTADB)/u.test(String(error.code));
}
