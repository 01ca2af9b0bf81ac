/** Folders directly under the given ones that have no README.md. */
export function readmeFaults(tops: readonly string[], folders: readonly string[], files: readonly string[]): string[] {
  const present = new Set(files);
  return folders
    .filter((folder) => tops.includes(folder.split('/').slice(0, -1).join('/')))
    .filter((folder) => !present.has(`${folder}/README.md`))
    .map((folder) => `${folder}: lacks a README.md that says what lives there and what it may import`);
}

/** Folders without a file in them or below them. */
export function emptyFolderFaults(folders: readonly string[], files: readonly string[]): string[] {
  return folders.filter((folder) => !files.some((file) => file.startsWith(`${folder}/`))).map((folder) => `${folder}: is empty`);
}
