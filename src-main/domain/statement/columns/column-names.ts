/** What people call columns: their headers, and of equal ones the place as well, so that each name is that of one column. */
export function namesOf(headers: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  const plain = headers.map((header) => header.toLowerCase());
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size === headers.length) return headers;
  // Another column may be called what one of these is called now.
  return namesOf(headers.map((header, index) => ((counts.get(plain[index] ?? '') ?? 0) > 1 ? `${header} (column ${index + 1})` : header)));
}
