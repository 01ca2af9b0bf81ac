const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text of people and files, so that a browser shows it and reads no markup in it. Characters that HTML has no place for become U+FFFD. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? found)
    .replaceAll(/(?![\t\n])[\p{Cc}]/gu, '�');
}

/** Text as a CSS string: whatever is no plain letter, digit or blank is written as its number. */
export function cssString(text: string): string {
  const plain = text.toWellFormed().replaceAll(/[^\p{L}\p{N} .,:/-]/gu, (found) => `\\${(found.codePointAt(0) ?? 0).toString(16)} `);
  return `"${plain}"`;
}
