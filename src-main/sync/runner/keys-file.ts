import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { KeyOwner } from '../operations/sync-life.ts';

export interface KeyEntry {
  readonly environment: string;
  readonly base_url: string;
  readonly sealed_by: 'secret_store' | 'encrypted_file';
  /** Base64. */
  readonly sealed: string;
}

const FORMAT = 1;

function isEntry(value: unknown): value is KeyEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Record<string, unknown>;
  const isText = ['environment', 'base_url', 'sealed'].every((name) => typeof entry[name] === 'string');
  return isText && (entry['sealed_by'] === 'secret_store' || entry['sealed_by'] === 'encrypted_file');
}

/** Entries of the file; none where it is not there or cannot be read as one: then keys are given again. */
export function readEntries(file: string): KeyEntry[] {
  try {
    const body = JSON.parse(readFileSync(file, 'utf8')) as { readonly format?: unknown; readonly keys?: unknown };
    return body.format === FORMAT && Array.isArray(body.keys) ? body.keys.filter(isEntry) : [];
  } catch {
    return [];
  }
}

/** The file is never seen half written. */
export function writeEntries(file: string, keys: readonly KeyEntry[]): void {
  if (keys.length === 0) {
    rmSync(file, { force: true });
    return;
  }
  const next = `${file}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, `${JSON.stringify({ format: FORMAT, keys }, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(next, file);
}

export const isOf =
  ({ environment, baseUrl }: KeyOwner) =>
  (entry: KeyEntry): boolean =>
    entry.environment === environment && entry.base_url === baseUrl;
