import path from 'node:path';
import type { Source } from './sources.ts';

/** Folders that have no README.md. */
export function readmeFaults(folders: readonly string[], files: readonly string[]): string[] {
  const present = new Set(files);
  return folders
    .filter((folder) => !present.has(`${folder}/README.md`))
    .map((folder) => `${folder}: lacks a README.md that says what lives there`);
}

/** Folders without a file in them or below them. */
export function emptyFolderFaults(folders: readonly string[], files: readonly string[]): string[] {
  return folders.filter((folder) => !files.some((file) => file.startsWith(`${folder}/`))).map((folder) => `${folder}: is empty`);
}

/** Relative links of a Markdown file that lead to nothing. */
export function linkFaults(source: Source, exists: (file: string) => boolean): string[] {
  const links = [...source.text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map((found) => found[1] ?? '');
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => path.posix.normalize(path.posix.join(path.posix.dirname(source.file), link)))
    .filter((target) => !exists(target))
    .map((target) => `${source.file}: links to ${target}, which does not exist`);
}
