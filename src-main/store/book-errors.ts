/** Whether an error says that SQLite came upon something in the file that cannot be: a damaged page, or no database at all. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  const code = String(error.code);
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}
