import path from 'node:path';
import { applicationFolder } from '../platform/system.ts';

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
