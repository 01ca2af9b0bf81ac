/** A noun of the contract as a room of `src-main`: the neighbours whose stores its store imports, and the same for work and operations. */
export interface Noun {
  readonly store: string;
  readonly work: string;
  readonly operations: string;
}

export const NOUNS: Readonly<Record<string, Noun>> = {
  book: { store: 'types:close', work: 'records close', operations: 'streams close reconciliations' },
  streams: { store: '', work: 'records', operations: '' },
  records: { store: 'imports matches runs', work: 'imports', operations: '' },
  imports: { store: 'streams records', work: 'records', operations: 'streams' },
  matches: { store: 'imports records', work: '', operations: 'records reconciliations' },
  rules: { store: 'imports records matches runs', work: 'records', operations: 'reconciliations runs' },
  runs: { store: 'imports records matches', work: 'records rules', operations: 'rules' },
  reconciliations: { store: 'streams imports records matches', work: '', operations: 'rules' },
  close: { store: 'imports records matches', work: 'records imports', operations: '' },
  sync: { store: 'imports matches', work: '', operations: '' },
  databases: { store: '', work: '', operations: 'sync' },
};

/**
 * The neighbours that each room of a folder may import. `types:` in front allows only `import type`; `.` means the files beside the rooms, which may
 * import all rooms. A room without a row may not exist.
 */
export const ROOMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src-main/domain': {
    collections: '',
    records: 'collections',
    groups: 'collections records',
    evidence: 'collections records groups matching',
    matching: 'collections records groups evidence',
    backtest: 'collections matching',
    proposals: 'records matching',
    suggestions: 'collections records groups evidence',
    statement: 'collections',
    ledger: 'collections groups matching evidence statement',
    report: 'statement ledger',
  },
  'src-main/domain/matching': {
    model: '',
    rules: 'types:model',
    comparison: 'rules',
    blocking: 'types:. model rules comparison',
    'one-to-one': 'model comparison blocking',
    matches: 'model types:many-to-one',
    'many-to-one': 'model rules comparison blocking matches',
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
    rows: 'model vocabulary cells text columns',
    proof: 'model cells text types:columns rows',
    duplicates: 'model columns types:proof',
    table: 'model vocabulary cells text workbook columns accounts reversals rows proof',
    formats: 'model vocabulary cells workbook accounts reversals rows types:proof table',
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
  'src-main/transport': {
    validation: '',
    csv: '',
    openapi: 'csv',
    access: 'openapi http',
    http: 'validation csv openapi access',
  },
  'src-shared/contract': {
    book: '.',
    records: '.',
    streams: '.',
    rules: '. matches runs',
    matches: '. records rules',
    imports: '. records streams',
    runs: '. records rules',
    reconciliations: '. streams rules runs',
    close: '.',
    sync: '.',
    databases: '.',
  },
};

/** A room that others import through one file; `also`: further files for the named neighbour. */
interface Entrance {
  readonly entry: string;
  readonly also?: Readonly<Record<string, readonly string[]>>;
}

export const ENTRANCES: Readonly<Record<string, Entrance>> = {
  'src-main/domain/matching': {
    entry: 'index.ts',
    // The engine calls evidence, so evidence cannot import the entry of the engine.
    also: { 'src-main/domain/evidence': ['model/input.ts', 'model/match.ts', 'model/watch.ts', 'blocking/components.ts'] },
  },
  // The report writes workbooks with the library that reads statements.
  'src-main/domain/statement': { entry: 'index.ts', also: { 'src-main/domain/report': ['workbook/sheet-library.ts'] } },
  'src-main/domain/proposals': { entry: 'index.ts' },
  'src-main/domain/backtest': { entry: 'index.ts' },
  'src-main/domain/ledger': { entry: 'index.ts' },
  'src-main/domain/report': { entry: 'index.ts' },
};
