import { isBuiltin } from 'node:module';
import path from 'node:path';
import { type Layer, LAYERS } from './import-table.ts';
import { ENTRANCES, ROOMS } from './room-table.ts';
import { codeText, lineOf, nodesOf, parse, type Source } from './sources.ts';

interface ImportFound {
  readonly specifier: string;
  readonly typesOnly: boolean;
  readonly line: number;
}

const NODES_WITH_SOURCE = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function textOf(value: unknown): string | null {
  const literal = value as { readonly type?: string; readonly value?: unknown } | null | undefined;
  return literal?.type === 'Literal' && typeof literal.value === 'string' ? literal.value : null;
}

const importsOfSources = new WeakMap<Source, readonly ImportFound[]>();

/**
 * Returns every import of a file, with re-exports, `import()` and `import('...')` types. An import that marks each name with `type` counts as one by
 * value, because the module is still loaded.
 */
export function importsOf(source: Source): readonly ImportFound[] {
  const known = importsOfSources.get(source) ?? findImports(source);
  importsOfSources.set(source, known);
  return known;
}

function findImports(source: Source): ImportFound[] {
  const found: ImportFound[] = [];
  for (const node of nodesOf(parse(source).program)) {
    if (!NODES_WITH_SOURCE.has(node.type)) continue;
    const specifier = textOf(node['source']);
    if (specifier === null) continue;
    const typesOnly = node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type';
    found.push({ specifier, typesOnly, line: lineOf(source.text, node.start) });
  }
  return found;
}

function isInside(file: string, layer: string): boolean {
  return file === layer || file.startsWith(`${layer}/`);
}

/** Returns the layer of a file, the longest one that is a prefix of its path; null for a folder without a row. */
function layerOf(file: string, layers: readonly Layer[] = LAYERS): Layer | null {
  const fitting = layers.filter(({ layer }) => isInside(file, layer));
  const best = fitting.toSorted((left, right) => right.layer.length - left.layer.length)[0] ?? null;
  // `src-main` covers only the files directly in it; a new folder needs its own row.
  return best?.layer === 'src-main' && path.posix.dirname(file) !== 'src-main' ? null : best;
}

function allows(list: readonly string[], name: string, typesOnly: boolean): boolean {
  return list.some((entry) => {
    const plain = entry.startsWith('types:') ? entry.slice('types:'.length) : entry;
    if (plain !== entry && !typesOnly) return false;
    return plain.endsWith('/*') ? name.startsWith(plain.slice(0, -1)) : plain === name;
  });
}

function packageFault(layer: Layer, found: ImportFound): string | null {
  if (!isBuiltin(found.specifier)) {
    return allows(layer.packages, found.specifier, found.typesOnly) ? null : `package ${found.specifier}`;
  }
  if (!found.specifier.startsWith('node:')) return `${found.specifier}; write node:${found.specifier}`;
  return layer.builtins === 'all' || layer.builtins.includes(found.specifier) ? null : found.specifier;
}

function relativeFault(file: string, layer: Layer, found: ImportFound): string | null {
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), found.specifier.replace(/\?.*$/, '')));
  if (!/\.(ts|tsx|mjs|css|svg|png|json)$/.test(target)) return `${found.specifier}, which lacks its extension`;
  if (target.startsWith('resources/') && isInside(file, 'src-renderer')) return null;
  const other = layerOf(target);
  if (other === null) return `${target}, which no row of the table names`;
  if (other.layer === layer.layer || allows(layer.imports, other.layer, found.typesOnly)) return null;
  const asTypes = allows(layer.imports, other.layer, true);
  return asTypes ? `${target} by value; \`import type\` is allowed` : target;
}

function targetOf(file: string, { specifier }: ImportFound): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
}

/** Returns the room of a folder that a file is in; `.` for a file beside the rooms, null for one outside of the folder. */
function roomOf(file: string, folder: string): string | null {
  if (!isInside(file, folder)) return null;
  const [room, ...below] = file.slice(folder.length + 1).split('/');
  return below.length === 0 || room === undefined ? '.' : room;
}

/** Returns imports between rooms of one folder that the table does not allow. */
export function roomFaults(source: Source): string[] {
  const { file } = source;
  return Object.entries(ROOMS).flatMap(([folder, rooms]) => {
    const room = roomOf(file, folder);
    if (room === null || room === '.') return [];
    const row = rooms[room];
    if (row === undefined) return [`${file}: no row of test/architecture/room-table.ts names ${room}`];
    return importsOf(source).flatMap((found) => {
      const other = found.specifier.startsWith('.') ? roomOf(targetOf(file, found), folder) : null;
      if (other === null || other === room || allows(row.split(' '), other, found.typesOnly)) return [];
      return [`${file}:${found.line}: ${folder}/${room} may not import ${targetOf(file, found)}`];
    });
  });
}

/** Returns imports that bypass the entry of a room. */
export function entranceFaults(source: Source): string[] {
  return Object.entries(ENTRANCES).flatMap(([room, { entry, also = {} }]) => {
    if (isInside(source.file, room)) return [];
    const open = Object.entries(also).flatMap(([neighbour, files]) => (isInside(source.file, neighbour) ? files : []));
    const allowed = new Set([entry, ...open].map((name) => `${room}/${name}`));
    return importsOf(source).flatMap((found) => {
      const target = found.specifier.startsWith('.') ? targetOf(source.file, found) : '';
      if (!isInside(target, room) || allowed.has(target)) return [];
      return [`${source.file}:${found.line}: ${target} is a part of ${room}; import from its ${entry}`];
    });
  });
}

/** Returns the imports of a file that the table does not allow, one sentence each. */
export function importFaults(source: Source): string[] {
  const layer = layerOf(source.file);
  if (layer === null) return [`${source.file}: no row of test/architecture/import-table.ts names this folder`];
  return importsOf(source).flatMap((found) => {
    const fault = found.specifier.startsWith('.') ? relativeFault(source.file, layer, found) : packageFault(layer, found);
    return fault === null ? [] : [`${source.file}:${found.line}: ${layer.layer} may not import ${fault}`];
  });
}

/** Returns uses of the shell outside of `api/`. The renderer must run in both shells. */
export function bridgeFaults(source: Source): string[] {
  if (!isInside(source.file, 'src-renderer') || isInside(source.file, 'src-renderer/api')) return [];
  const text = codeText(source);
  return [...text.matchAll(/\b(?:window|globalThis)\s*\.\s*tieout\b|\blocation\s*\.\s*origin\b/g)].map(
    (found) => `${source.file}:${lineOf(text, found.index)}: ${found[0]} belongs to src-renderer/api; use its client`,
  );
}

function targetsOf(source: Source): string[] {
  return importsOf(source)
    .filter((found) => found.specifier.startsWith('.'))
    .map((found) => targetOf(source.file, found));
}

/** Returns the rings of imports, types included, each once as `a -> b -> a`. */
export function importRings(sources: readonly Source[]): string[] {
  const targets = new Map(sources.map((source) => [source.file, targetsOf(source)]));
  const done = new Set<string>();
  const rings: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const before = trail.indexOf(file);
    if (before !== -1) rings.push([...trail.slice(before), file].join(' -> '));
    if (before !== -1 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return rings;
}
