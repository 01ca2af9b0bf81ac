/** Returns the names of columns as people see them: their headers, with the place added to equal ones, so that each name is unique. */
export function namesOf(headers: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  const plain = headers.map((header) => header.toLowerCase());
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size === headers.length) return headers;
  // A name with its place may equal the header of another column.
  return namesOf(headers.map((header, index) => ((counts.get(plain[index] ?? '') ?? 0) > 1 ? `${header} (column ${index + 1})` : header)));
}
