/**
 * Who may import whom: the arrows of the house. A file belongs to the longest `layer` that is a prefix of its path, and a file
 * may always import from its own layer.
 */
export interface Layer {
  /** Folder or file, relative to the repository. */
  readonly layer: string;
  /** Layers it may import. `types:` in front means `import type` alone. */
  readonly imports: readonly string[];
  /** npm packages it may import; `types:` as above. A name ending in `/*` takes the whole scope. */
  readonly packages: readonly string[];
  /** Modules of Node it may import: a list, or all. */
  readonly builtins: readonly string[] | 'all';
}

const VALUES = 'src-shared/values';
/** The one writer of CSV. */
const CSV = 'src-shared/values/csv.ts';
const CONTRACT = 'src-shared/contract';
const PLATFORM = 'src-main/platform';
const ZIP_ARCHIVE = 'src-main/domain/statement/archive/zip-archive.ts';
const SHEET_LIBRARY = 'src-main/domain/statement/workbook/sheet-library.ts';
const BACKEND = 'src-main/backend';
const BACKEND_TYPES = 'src-main/backend/types.ts';
/** What goes between the window's process and the thread of the backend. */
const BACKEND_MESSAGES = 'src-main/backend/messages.ts';
/** For the version alone. */
const MANIFEST = 'package.json';

/** Everything under src-main that does not know Electron: what the composing files tie together. */
const COMPOSED = [
  VALUES,
  CSV,
  CONTRACT,
  'src-shared/client',
  PLATFORM,
  'src-main/domain',
  'src-main/store',
  'src-main/service',
  'src-main/jobs',
  'src-main/sync',
  'src-main/transport',
  'src-main',
  BACKEND,
  BACKEND_TYPES,
  BACKEND_MESSAGES,
  MANIFEST,
];
const RENDERER_UI = ['react', 'react-dom', 'react/*', 'react-dom/*', '@mantine/*', '@tabler/icons-react', 'zustand', 'zustand/*'];

export const LAYERS: readonly Layer[] = [
  { layer: MANIFEST, imports: [], packages: [], builtins: [] },
  { layer: VALUES, imports: [], packages: [], builtins: [] },
  { layer: CSV, imports: [], packages: ['papaparse'], builtins: [] },
  { layer: CONTRACT, imports: [VALUES], packages: ['zod'], builtins: [] },
  { layer: 'src-shared/client', imports: [VALUES, CONTRACT], packages: [], builtins: [] },

  { layer: PLATFORM, imports: [VALUES], packages: [], builtins: 'all' },
  // Pure: no I/O, clock or randomness. Hashing is a function of its input.
  {
    layer: 'src-main/domain',
    imports: [VALUES, CSV, CONTRACT, SHEET_LIBRARY, ZIP_ARCHIVE],
    packages: ['iconv-lite', 'htmlparser2', 'sax', 'types:@e965/xlsx'],
    builtins: ['node:crypto'],
  },
  // Unpacking is a function of its input, and the other is the one place that loads a package by need, within a function that answers at once.
  { layer: ZIP_ARCHIVE, imports: [VALUES], packages: [], builtins: ['node:zlib'] },
  { layer: SHEET_LIBRARY, imports: [], packages: ['types:@e965/xlsx'], builtins: ['node:module'] },
  {
    layer: 'src-main/store',
    imports: [VALUES, `types:${CONTRACT}`, `types:${PLATFORM}`],
    packages: ['better-sqlite3', 'kysely'],
    builtins: 'all',
  },
  {
    layer: 'src-main/jobs',
    imports: [VALUES, CONTRACT, PLATFORM, 'src-main/domain', 'src-main/store'],
    packages: [],
    builtins: 'all',
  },
  {
    layer: 'src-main/service',
    imports: [VALUES, CONTRACT, PLATFORM, 'src-main/domain', 'src-main/store', 'src-main/jobs'],
    packages: ['zod'],
    builtins: 'all',
  },
  // Beside the service: it reaches the book as any caller does, and the store for its own tables and for reads of very many rows.
  {
    layer: 'src-main/sync',
    imports: [VALUES, CONTRACT, 'src-shared/client', `types:${PLATFORM}`, 'src-main/store'],
    packages: ['zod'],
    builtins: ['node:crypto'],
  },
  {
    layer: 'src-main/transport',
    imports: [VALUES, CSV, CONTRACT, 'types:src-main/service', `types:${PLATFORM}`, `types:${BACKEND_TYPES}`],
    packages: ['fastify', '@fastify/static', 'zod'],
    builtins: 'all',
  },
  { layer: 'src-main/preload', imports: [CONTRACT], packages: ['electron'], builtins: [] },
  {
    layer: 'src-main/shell',
    imports: [VALUES, CONTRACT, PLATFORM, `types:${BACKEND_TYPES}`, `types:${BACKEND_MESSAGES}`, 'types:src-main/service', MANIFEST],
    packages: ['electron'],
    builtins: 'all',
  },
  {
    layer: BACKEND_TYPES,
    imports: [`types:${CONTRACT}`, VALUES, `types:${PLATFORM}`, 'types:src-main/service', 'types:src-main/sync'],
    packages: [],
    builtins: [],
  },
  {
    layer: BACKEND_MESSAGES,
    imports: [`types:${CONTRACT}`, VALUES, `types:${PLATFORM}`, `types:${BACKEND_TYPES}`, 'types:src-main/service'],
    packages: [],
    builtins: [],
  },
  // Ties the layers together to what runs behind a window or a port; knows no Electron.
  {
    layer: BACKEND,
    imports: [
      VALUES,
      CONTRACT,
      PLATFORM,
      'src-main/store',
      'src-main/jobs',
      'src-main/service',
      'src-main/sync',
      'src-main/transport',
      BACKEND_TYPES,
      BACKEND_MESSAGES,
      MANIFEST,
    ],
    packages: [],
    builtins: 'all',
  },
  // The files directly in src-main compose the layers; main.ts alone ties Electron to them.
  { layer: 'src-main/main.ts', imports: [...COMPOSED, 'src-main/shell'], packages: ['electron'], builtins: 'all' },
  { layer: 'src-main/commands', imports: [...COMPOSED, 'src-main/shell'], packages: ['zod'], builtins: 'all' },
  { layer: 'src-main', imports: [...COMPOSED, 'src-main/shell', 'src-main/commands'], packages: ['commander'], builtins: 'all' },

  { layer: 'src-renderer/api', imports: [VALUES, CONTRACT, 'src-shared/client'], packages: ['zustand', 'react'], builtins: [] },
  { layer: 'src-renderer/format', imports: [VALUES, `types:${CONTRACT}`], packages: [], builtins: [] },
  {
    layer: 'src-renderer',
    imports: [VALUES, CONTRACT, 'src-renderer/api', 'src-renderer/format'],
    packages: [...RENDERER_UI, 'ag-grid-community', 'ag-grid-react', 'ag-grid-community/*', 'ag-grid-react/*', 'uplot', 'uplot/*'],
    builtins: [],
  },
];
