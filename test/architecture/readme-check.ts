import path from 'node:path';
import type { Source } from './sources.ts';

/** The 18 rooms whose decisions need a story. ARCHITECTURE.md has those of smaller rooms, and the head of a file those of the file. */
export const ROOMS_WITH_README: readonly string[] = [
  ...['book', 'close', 'imports', 'matches', 'records', 'rules', 'runs', 'sync'].map((noun) => `src-main/${noun}`),
  ...['backend', 'database', 'domain', 'transport', 'warehouse'].map((room) => `src-main/${room}`),
  ...['evidence', 'matching', 'statement'].map((room) => `src-main/domain/${room}`),
  'src-renderer',
  'src-shared',
];

/** Returns the rooms without a README.md, and other folders with one. */
export function readmeFaults(files: readonly string[], rooms: readonly string[] = ROOMS_WITH_README): string[] {
  const present = new Set(files.filter((file) => file.endsWith('/README.md')).map((file) => path.posix.dirname(file)));
  const lacking = rooms.filter((room) => !present.has(room)).map((room) => `${room}: lacks a README.md that says what lives there`);
  const more = [...present]
    .filter((folder) => !rooms.includes(folder))
    .map((folder) => `${folder}: put the README.md into that of its room`);
  return [...lacking, ...more];
}

/** Returns the folders without a file in or below them. */
export function emptyFolderFaults(folders: readonly string[], files: readonly string[]): string[] {
  return folders.filter((folder) => !files.some((file) => file.startsWith(`${folder}/`))).map((folder) => `${folder}: is empty`);
}

/** Returns the relative links of a Markdown file that lead nowhere. */
export function linkFaults(source: Source, exists: (file: string) => boolean): string[] {
  const links = [...source.text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map((found) => found[1] ?? '');
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => path.posix.normalize(path.posix.join(path.posix.dirname(source.file), link)))
    .filter((target) => !exists(target))
    .map((target) => `${source.file}: links to ${target}, which does not exist`);
}
