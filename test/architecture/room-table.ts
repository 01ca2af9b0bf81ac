/**
 * Which rooms of a folder may import which of their neighbours. `types:` in front means `import type` alone; `.` stands for the files beside the rooms.
 * These files may import all rooms. A room that no row names may not exist.
 */
export const ROOMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src-main/domain': {
    collections: '',
    'subset-sum': 'collections',
    records: 'collections',
    evidence: 'collections records subset-sum matching',
    matching: 'collections records subset-sum evidence',
    backtest: 'collections matching',
    proposals: 'records matching',
    statement: 'collections',
  },
  'src-main/domain/matching': {
    model: '',
    rules: 'types:model',
    comparison: 'rules',
    blocking: 'types:. model rules comparison',
    'one-to-one': 'model comparison blocking',
    matches: 'model types:many-to-one',
    'many-to-one': 'model rules comparison blocking matches',
    sums: 'model rules blocking matches many-to-one',
    evidence: 'types:model types:rules comparison matches',
    explanation: 'model rules comparison types:blocking many-to-one evidence',
  },
  'src-main/domain/statement': {
    model: '',
    vocabulary: '',
    cells: 'model vocabulary',
    text: 'model vocabulary cells',
    archive: 'model',
    workbook: 'model cells text archive',
    columns: 'model vocabulary cells',
    reversals: 'types:model vocabulary',
    accounts: 'types:model vocabulary',
    rows: 'model vocabulary cells columns reversals',
    proof: 'model cells text types:columns rows',
    duplicates: 'types:model columns types:proof',
    table: 'model vocabulary cells text workbook columns accounts rows proof',
    formats: 'model cells workbook accounts reversals rows types:proof table',
    passes: '. model cells text workbook columns rows proof table formats',
  },
  'src-main/domain/evidence': {
    model: '',
    features: 'comparison',
    comparison: 'types:model features frequencies',
    frequencies: 'model types:features comparison',
    estimation: 'model features comparison frequencies',
    budget: 'model types:estimation',
    marginals: 'model features comparison frequencies estimation budget',
    groups: 'model features comparison frequencies estimation budget marginals',
  },
  'src-main/domain/proposals': {
    candidates: '. trial',
    trial: '. candidates',
  },
  'src-main/store': {
    migrations: '',
    database: 'content',
    content: 'migrations types:database book',
    book: 'migrations database content backups',
    backups: 'book',
    streams: 'database',
    wipes: 'database matches records',
    imports: 'database streams wipes records',
    matches: 'database wipes imports records',
    records: 'database content wipes imports matches',
    reconciliations: 'database streams wipes types:imports matches records',
    evidence: 'database wipes matches',
  },
  'src-main/jobs': {
    worker: '',
    columns: '',
    figures: 'worker',
    integrity: 'worker',
    import: 'worker wiping',
    wiping: 'worker import',
    packing: 'worker columns wiping queue',
    queue: 'worker wiping import types:packing',
    rules: 'worker columns packing wiping',
    run: 'worker columns packing wiping rules',
    checks: 'columns packing',
    backups: 'worker queue',
  },
  'src-main/service': {
    core: 'types:background types:bulk types:imports types:settings',
    background: '',
    views: 'core',
    settings: 'core',
    streams: 'core background views',
    records: 'core views',
    bulk: 'core records',
    imports: 'core background views streams',
    rules: 'core views reconciliations',
    reconciliations: 'core background views rules',
    matches: 'core background views records reconciliations',
  },
  'src-main/transport': {
    validation: '',
    csv: '',
    openapi: 'csv',
    access: 'openapi http',
    http: 'validation csv openapi access',
  },
  'src-shared/contract': {
    settings: '.',
    records: '.',
    streams: '.',
    rules: '. matches',
    matches: '. records rules',
    imports: '. records streams',
    reconciliations: '. streams rules',
  },
};

/** A room that is entered by one file; `also`: what else the neighbour named may import. */
interface Entrance {
  readonly entry: string;
  readonly also?: Readonly<Record<string, readonly string[]>>;
}

export const ENTRANCES: Readonly<Record<string, Entrance>> = {
  'src-main/domain/matching': {
    entry: 'index.ts',
    // Evidence is one way to match: the engine calls it, so it cannot enter where the engine is called.
    also: { 'src-main/domain/evidence': ['model/input.ts', 'model/match.ts', 'model/watch.ts', 'blocking/components.ts'] },
  },
  'src-main/domain/statement': { entry: 'index.ts' },
  'src-main/domain/proposals': { entry: 'index.ts' },
  'src-main/domain/backtest': { entry: 'index.ts' },
};
