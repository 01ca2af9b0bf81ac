import fs from 'node:fs';
import path from 'node:path';

/** Folder that holds `package.json`, which is what Electron starts: the repository, or the packed application. Found from here upwards, since bundling moves this file. */
export function applicationFolder(): string {
  let folder = import.meta.dirname;
  while (!fs.existsSync(path.join(folder, 'package.json'))) {
    const above = path.dirname(folder);
    if (above === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
    folder = above;
  }
  return folder;
}

/** Folder of the built renderer. */
export function rendererFolder(): string {
  return path.join(applicationFolder(), 'out', 'renderer');
}

/** The built preload script. */
export function preloadScript(): string {
  return path.join(applicationFolder(), 'out', 'preload', 'index.cjs');
}

/** Folder of the window's own profile (cookies, caches, window state): beside the book, never inside it. */
export function profileFolder(dataFolder: string): string {
  const folder = path.resolve(dataFolder);
  return path.join(path.dirname(folder), `${path.basename(folder)}-window`);
}
