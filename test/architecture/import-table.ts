import { NOUNS, type Noun } from './room-table.ts';

/** The imports that a layer allows. A file belongs to the longest `layer` that is a prefix of its path, and may always import from its own layer. */
export interface Layer {
  /** Folder or file, relative to the repository. */
  readonly layer: string;
  /** Layers it may import. `types:` in front allows only `import type`. */
  readonly imports: readonly string[];
  /** npm packages it may import; `types:` as above. A name that ends in `/*` allows the whole scope. */
  readonly packages: readonly string[];
  /** Modules of Node it may import: a list, or all. */
  readonly builtins: readonly string[] | 'all';
}

const VALUES = 'src-shared/values';
const WORDS = 'src-shared/words';
const CSV = 'src-shared/values/csv.ts';
const CONTRACT = 'src-shared/contract';
const PLATFORM = 'src-main/platform';
const ZIP_ARCHIVE = 'src-main/domain/statement/archive/zip-archive.ts';
const SHEET_LIBRARY = 'src-main/domain/statement/workbook/sheet-library.ts';
const DATABASE = 'src-main/database';
const JOBS = 'src-main/jobs';
const SERVICE = 'src-main/service';
const BACKEND = 'src-main/backend';
const BACKEND_QUEUE = 'src-main/backend/queue.ts';
const BACKEND_TYPES = 'src-main/backend/types.ts';
/** Messages between the main thread of the shell and the thread of the backend. */
const BACKEND_MESSAGES = 'src-main/backend/messages.ts';
/** Imported only for the version. */
const MANIFEST = 'package.json';

const nouns = Object.entries(NOUNS);
const partsOf = (part: 'store' | 'work' | 'operations'): string[] => nouns.map(([noun]) => `src-main/${noun}/${part}`);
const STORES = partsOf('store');
const WORKS = partsOf('work');
const OPERATIONS = partsOf('operations');
const SYNC_RUNNER = 'src-main/sync/runner';
const DATABASES_RUNNER = 'src-main/databases/runner';
const WAREHOUSE = 'src-main/warehouse';
const ROOMS_OF_NOUNS = [...nouns.map(([noun]) => `src-main/${noun}`), ...STORES, ...WORKS, ...OPERATIONS, SYNC_RUNNER, DATABASES_RUNNER];

/** Everything under src-main that does not know Electron, which the composing files connect. */
const COMPOSED = [
  VALUES,
  WORDS,
  CSV,
  CONTRACT,
  'src-shared/client',
  PLATFORM,
  'src-main/domain',
  DATABASE,
  JOBS,
  SERVICE,
  ...ROOMS_OF_NOUNS,
  WAREHOUSE,
  'src-main/transport',
  'src-main',
  BACKEND,
  BACKEND_TYPES,
  BACKEND_MESSAGES,
  BACKEND_QUEUE,
  MANIFEST,
];
const RENDERER_UI = ['react', 'react-dom', 'react/*', 'react-dom/*', '@mantine/*', '@tabler/icons-react', 'zustand', 'zustand/*'];

export const LAYERS: readonly Layer[] = [
  { layer: MANIFEST, imports: [], packages: [], builtins: [] },
  { layer: VALUES, imports: [], packages: [], builtins: [] },
  { layer: CSV, imports: [], packages: ['papaparse'], builtins: [] },
  { layer: CONTRACT, imports: [VALUES], packages: ['zod'], builtins: [] },
  // The catalogue of sentences; `intl-messageformat` reads those that have values.
  { layer: WORDS, imports: [VALUES], packages: ['intl-messageformat'], builtins: [] },
  { layer: 'src-shared/client', imports: [VALUES, CONTRACT], packages: [], builtins: [] },

  { layer: PLATFORM, imports: [VALUES], packages: [], builtins: 'all' },
  // Pure: no I/O, clock or randomness. Hashing is a function of its input.
  {
    layer: 'src-main/domain',
    imports: [VALUES, WORDS, CSV, CONTRACT, SHEET_LIBRARY, ZIP_ARCHIVE],
    packages: ['iconv-lite', 'htmlparser2', 'sax', 'types:@e965/xlsx'],
    builtins: ['node:crypto'],
  },
  // Unpacking is a function of its input. The other file is the only one that loads a package when it is needed, inside a synchronous function.
  { layer: ZIP_ARCHIVE, imports: [VALUES], packages: [], builtins: ['node:zlib'] },
  { layer: SHEET_LIBRARY, imports: [], packages: ['types:@e965/xlsx'], builtins: ['node:module'] },
  { layer: DATABASE, imports: [VALUES, CONTRACT], packages: ['better-sqlite3', 'kysely', 'zod'], builtins: 'all' },
  // Shared by all jobs: the messages of the queue, threads, heartbeats, short transactions.
  {
    layer: JOBS,
    imports: [
      VALUES,
      WORDS,
      CONTRACT,
      PLATFORM,
      DATABASE,
      'src-main/book/store',
      'src-main/records/store',
      'types:src-main/domain',
      'types:src-main/rules/store',
    ],
    packages: [],
    builtins: 'all',
  },
  // Shared by all operations: the context, answers, paging, the lock of closed periods, views.
  {
    layer: SERVICE,
    imports: [
      VALUES,
      WORDS,
      CONTRACT,
      PLATFORM,
      'src-main/domain',
      DATABASE,
      JOBS,
      ...STORES,
      ...WORKS,
      ...OPERATIONS.map((part) => `types:${part}`),
      `types:${BACKEND_QUEUE}`,
    ],
    packages: ['zod'],
    builtins: 'all',
  },
  ...nouns.flatMap(([noun, row]) => nounLayers(noun, row)),
  // Sync calls operations as any caller does, so its schedule and its runs are above them.
  {
    layer: SYNC_RUNNER,
    imports: [
      VALUES,
      WORDS,
      CONTRACT,
      PLATFORM,
      DATABASE,
      SERVICE,
      'src-main/book/store',
      'src-main/book/operations',
      'src-main/imports/work',
      'src-main/rules/operations',
      'src-main/sync/store',
      'src-main/sync/work',
      'src-main/sync/operations',
      `types:${BACKEND_TYPES}`,
    ],
    packages: [],
    builtins: 'all',
  },
  // Runs over tables call operations as any caller does.
  {
    layer: DATABASES_RUNNER,
    imports: [
      VALUES,
      WORDS,
      CONTRACT,
      'src-shared/client',
      PLATFORM,
      DATABASE,
      JOBS,
      SERVICE,
      'src-main/databases/store',
      'src-main/databases/operations',
      'src-main/rules/operations',
      'src-main/streams/store',
      WAREHOUSE,
    ],
    packages: [],
    builtins: 'all',
  },
  {
    layer: 'src-main/transport',
    imports: [VALUES, CSV, WORDS, CONTRACT, `types:${SERVICE}`, `types:${PLATFORM}`, `types:${BACKEND_TYPES}`],
    packages: ['fastify', '@fastify/static', 'zod'],
    builtins: 'all',
  },
  { layer: 'src-main/preload', imports: [CONTRACT], packages: ['electron'], builtins: [] },
  {
    layer: 'src-main/shell',
    imports: [VALUES, WORDS, CONTRACT, PLATFORM, `types:${BACKEND_TYPES}`, `types:${BACKEND_MESSAGES}`, `types:${SERVICE}`, MANIFEST],
    packages: ['electron'],
    builtins: 'all',
  },
  {
    layer: BACKEND_TYPES,
    imports: [`types:${CONTRACT}`, VALUES, `types:${PLATFORM}`, `types:${SERVICE}`, 'types:src-main/sync/work'],
    packages: [],
    builtins: [],
  },
  {
    layer: BACKEND_MESSAGES,
    imports: [`types:${CONTRACT}`, VALUES, `types:${PLATFORM}`, `types:${BACKEND_TYPES}`, `types:${SERVICE}`],
    packages: [],
    builtins: [],
  },
  {
    layer: BACKEND_QUEUE,
    imports: [VALUES, WORDS, CONTRACT, PLATFORM, DATABASE, JOBS, 'src-main/book/store', BACKEND],
    packages: [],
    builtins: 'all',
  },
  // Connects the layers for a window or a port, without Electron.
  {
    layer: BACKEND,
    imports: [
      VALUES,
      WORDS,
      CONTRACT,
      PLATFORM,
      DATABASE,
      JOBS,
      SERVICE,
      ...ROOMS_OF_NOUNS,
      'src-main/transport',
      'src-main/domain',
      BACKEND_TYPES,
      BACKEND_QUEUE,
      BACKEND_MESSAGES,
      MANIFEST,
    ],
    packages: [],
    builtins: 'all',
  },
  // Runs rules in an engine elsewhere: the drivers are loaded when a person names one.
  {
    layer: WAREHOUSE,
    imports: [VALUES, CSV, WORDS, CONTRACT, 'src-shared/client', 'src-main/domain'],
    packages: ['@duckdb/node-api', 'hive-driver', 'pg'],
    builtins: 'all',
  },
  // The files directly in src-main compose the layers; only main.ts adds Electron.
  { layer: 'src-main/main.ts', imports: [...COMPOSED, 'src-main/shell'], packages: ['electron', 'electron-updater'], builtins: 'all' },
  { layer: 'src-main/commands', imports: [...COMPOSED, 'src-main/shell'], packages: ['zod'], builtins: 'all' },
  { layer: 'src-main', imports: [...COMPOSED, 'src-main/shell', 'src-main/commands'], packages: ['commander'], builtins: 'all' },

  {
    layer: 'src-renderer/api',
    imports: [VALUES, WORDS, CONTRACT, 'src-shared/client'],
    packages: ['@tanstack/react-query', 'react', 'zustand'],
    builtins: [],
  },
  { layer: 'src-renderer/format', imports: [VALUES, WORDS, CONTRACT], packages: [], builtins: [] },
  {
    layer: 'src-renderer',
    imports: [VALUES, WORDS, CONTRACT, 'src-renderer/api', 'src-renderer/format'],
    packages: [
      '@fontsource-variable/*',
      ...RENDERER_UI,
      'ag-grid-community',
      'ag-grid-react',
      'ag-grid-community/*',
      'ag-grid-react/*',
      'uplot',
      'uplot/*',
    ],
    builtins: [],
  },
];

/** Returns the layers of a room. Operations use work and the store, work uses the store, the store uses neither. */
function nounLayers(noun: string, { store, work, operations }: Noun): Layer[] {
  const named = (rooms: string, part: string): string[] =>
    rooms
      .split(' ')
      .filter((room) => room !== '')
      .map((room) => (room.startsWith('types:') ? `types:src-main/${room.slice('types:'.length)}/${part}` : `src-main/${room}/${part}`));
  const below = [VALUES, WORDS, CONTRACT, PLATFORM, DATABASE, 'src-main/domain', JOBS, ...STORES];
  const folder = `src-main/${noun}`;
  return [
    // The entry of the room: its operations, which the backend combines.
    { layer: folder, imports: [`types:${SERVICE}`, `${folder}/operations`], packages: [], builtins: [] },
    {
      layer: `${folder}/store`,
      // A store has no sentences, but that of the book opens it, and says why it cannot, and that of sync keeps what it asks a person.
      imports: [
        VALUES,
        ...(noun === 'book' || noun === 'sync' ? [WORDS] : []),
        `types:${CONTRACT}`,
        `types:${PLATFORM}`,
        DATABASE,
        ...named(store, 'store'),
      ],
      packages: noun === 'book' ? ['better-sqlite3', 'kysely'] : ['kysely'],
      builtins: 'all',
    },
    { layer: `${folder}/work`, imports: [...below, ...named(work, 'work')], packages: noun === 'sync' ? ['zod'] : [], builtins: 'all' },
    {
      layer: `${folder}/operations`,
      imports: [...below, SERVICE, ...WORKS, ...named(operations, 'operations')],
      packages: ['zod'],
      builtins: 'all',
    },
  ];
}
