import fs from 'node:fs';
import path from 'node:path';

/**
 * Returns the folder with `package.json`, which Electron starts: the repository, or the packed application. It is searched upwards from this file,
 * because bundling moves the file.
 */
export function applicationFolder(): string {
  let folder = import.meta.dirname;
  while (!fs.existsSync(path.join(folder, 'package.json'))) {
    const above = path.dirname(folder);
    if (above === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
    folder = above;
  }
  return folder;
}

export function rendererFolder(): string {
  return path.join(applicationFolder(), 'out', 'renderer');
}

export function preloadScript(): string {
  return path.join(applicationFolder(), 'out', 'preload', 'index.cjs');
}

/** Returns the folder of the window's own profile (cookies, caches, window state), beside the book and never inside it. */
export function profileFolder(dataFolder: string): string {
  const folder = path.resolve(dataFolder);
  return path.join(path.dirname(folder), `${path.basename(folder)}-window`);
}
