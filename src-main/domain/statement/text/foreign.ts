import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';

const MAGIC: readonly (readonly [readonly number[], Unreadable['code'], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'unsupported_format', 'a zip archive; unpack it and choose the statement inside'],
  [[0x50, 0x4b, 0x05, 0x06], 'unsupported_format', 'an empty zip archive; choose the CSV file itself'],
  [[0x25, 0x50, 0x44, 0x46], 'unsupported_format', 'a PDF document; download the statement as CSV instead'],
  [[0x1f, 0x8b], 'unsupported_format', 'a gzip archive; unpack it and choose the CSV file inside'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 'unsupported_format', 'an SQLite database; export its table as CSV'],
  [[0x89, 0x50, 0x4e, 0x47], 'binary_file', 'a PNG picture; choose a CSV file'],
  [[0xff, 0xd8, 0xff], 'binary_file', 'a JPEG picture; choose a CSV file'],
  [[0x47, 0x49, 0x46, 0x38], 'binary_file', 'a GIF picture; choose a CSV file'],
];

const TEXTS: readonly (readonly [RegExp, Unreadable['code'], string])[] = [
  [
    /^\s*(?:<!doctype html|<html|<head|<body)/i,
    'not_csv',
    'a web page (HTML); the download may have ended on a sign-in page, so download the CSV again',
  ],
  [/^\s*<\?xml/i, 'not_csv', 'an XML document that is no CAMT statement; download the statement as CAMT.053 or CSV'],
  [/^\{\\rtf/, 'not_csv', 'an RTF document; save the table as CSV'],
  [/^\s*\{\s*(?:"|\})/, 'not_csv', 'a JSON document; save the table as CSV'],
  [/^\s*\[\s*(?:\{\s*"|\])/, 'not_csv', 'a JSON document; save the table as CSV'],
];

/** Returns why a file is no statement, by its first bytes; null where they show no other kind of file. */
export function foreignByBytes(bytes: Uint8Array): Unreadable | null {
  const found = MAGIC.find(([magic]) => magic.every((byte, index) => bytes[index] === byte));
  return found === undefined ? null : unreadable(found[1], `This is no statement that can be read: it looks like ${found[2]}.`);
}

/** Returns why a text is no statement, by its beginning; null where that shows no other kind of file. */
export function foreignByText(text: string): Unreadable | null {
  const head = text.slice(0, 8_192);
  const found = TEXTS.find(([pattern]) => pattern.test(head));
  return found === undefined ? null : unreadable(found[1], `This is no statement that can be read: it looks like ${found[2]}.`);
}
