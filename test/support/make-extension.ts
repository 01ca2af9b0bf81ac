import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { zipOf } from './inputs/zips.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../resources/spreadsheets');
const PARTS = path.join(FOLDER, 'libreoffice');
/** The extension of LibreOffice as it is shipped. */
export const EXTENSION = path.join(FOLDER, 'tieout.oxt');

/** Returns the extension, made of its parts. They are stored as they are, so that the same parts give the same bytes. */
export function extensionOf(): Uint8Array {
  const files = readdirSync(PARTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(PARTS, name)).isFile())
    .map((name) => name.split(path.sep).join('/'))
    .toSorted();
  return zipOf(files.map((name) => ({ name, content: readFileSync(path.join(PARTS, name)), isStored: true })));
}

// Run by itself, it writes the extension anew: npm run extension
if (process.argv[1] === import.meta.filename) writeFileSync(EXTENSION, extensionOf());
