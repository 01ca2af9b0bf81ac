const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text from people and files, so that a browser shows it without reading markup in it. Characters that HTML does not allow become U+FFFD. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? found)
    .replaceAll(/(?![\t\n])[\p{Cc}]/gu, '�');
}

/** Returns text as a CSS string. Every character that is not a letter, a digit, a blank or one of `.,:/-` is escaped by its code. */
export function cssString(text: string): string {
  const plain = text.toWellFormed().replaceAll(/[^\p{L}\p{N} .,:/-]/gu, (found) => `\\${(found.codePointAt(0) ?? 0).toString(16)} `);
  return `"${plain}"`;
}
