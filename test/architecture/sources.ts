import fs from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

export const repository = path.resolve(import.meta.dirname, '../..');

/** A file for the checks. `file` is relative to the repository, with forward slashes. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/** A node of the syntax tree: ESTree with TypeScript. Offsets are UTF-16 units of the text. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

interface Comment {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const SKIPPED_FOLDERS = new Set(['node_modules', 'out', 'dist', 'test-results', 'playwright-report', '.git']);
const CODE = /\.(ts|tsx|mjs)$/;

function isCode(file: string): boolean {
  return CODE.test(file);
}

export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Returns files and folders under a folder of the repository; empty when it does not exist. */
export function entriesUnder(folder: string): { readonly files: string[]; readonly folders: string[] } {
  const files: string[] = [];
  const folders: string[] = [];
  const absolute = path.join(repository, folder);
  if (!fs.existsSync(absolute)) return { files, folders };
  for (const entry of fs.readdirSync(absolute, { withFileTypes: true, recursive: true })) {
    const relative = path.relative(repository, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
    if (relative.split('/').some((part) => SKIPPED_FOLDERS.has(part))) continue;
    (entry.isDirectory() ? folders : files).push(relative);
  }
  return { files: files.toSorted(), folders: folders.toSorted() };
}

export function readSource(file: string): Source {
  return { file, text: fs.readFileSync(path.join(repository, file), 'utf8') };
}

/** Returns every code file under the given folders. */
export function codeUnder(...folders: readonly string[]): Source[] {
  return folders.flatMap((folder) => entriesUnder(folder).files.filter(isCode).map(readSource));
}

interface Syntax {
  readonly program: SyntaxNode;
  readonly comments: readonly Comment[];
}

const parsedSources = new WeakMap<Source, Syntax>();

/** Returns the syntax of a file, which is parsed only once. */
export function parse(source: Source): Syntax {
  const known = parsedSources.get(source);
  if (known !== undefined) return known;
  const parsed = parseSync(source.file, source.text);
  const fault = parsed.errors[0];
  if (fault !== undefined) throw new Error(`${source.file} cannot be parsed: ${fault.message}`);
  let program: SyntaxNode | null = null;
  const syntax: Syntax = {
    // Built only when needed, because that takes longer than parsing.
    get program() {
      return (program ??= parsed.program as unknown as SyntaxNode);
    },
    comments: parsed.comments,
  };
  parsedSources.set(source, syntax);
  return syntax;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** Adds the children of a node, the last one first. It runs for millions of nodes, so it builds no list for each. */
function addChildren(waiting: SyntaxNode[], node: SyntaxNode): void {
  const members = Object.values(node);
  for (let at = members.length - 1; at >= 0; at -= 1) {
    const value = members[at];
    if (typeof value !== 'object') continue;
    if (Array.isArray(value)) for (let place = value.length - 1; place >= 0; place -= 1) addNode(waiting, value[place]);
    else addNode(waiting, value);
  }
}

function addNode(waiting: SyntaxNode[], value: unknown): void {
  if (isNode(value)) waiting.push(value);
}

/** Yields every node of the tree, parents first. */
export function* nodesOf(root: SyntaxNode): Generator<SyntaxNode> {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    addChildren(waiting, node);
  }
}

/** Returns the text with comments replaced by blanks and lines kept, so that a pattern finds only code. */
export function codeText(source: Source): string {
  const { text } = source;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of parse(source).comments) {
    parts.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\n]/g, ' '));
    at = end;
  }
  return parts.join('') + text.slice(at);
}
