import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, realpathSync, renameSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RuleBody, SignConvention } from '../../src-shared/contract/index.ts';
import { presetRules } from '../../src-shared/contract/rules/rule-presets.ts';
import { BULK_RECORDS } from '../../src-shared/contract/records/bulk-requests.ts';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { csvLines, FORMULA_BUT_NUMBER } from '../../src-shared/values/csv.ts';
import { say } from '../../src-shared/words/say.ts';
import { stateOfFolder } from '../book/store/book-folder.ts';
import type { EngineRule } from '../domain/matching/index.ts';
import type { EngineRecord } from '../domain/records/record.ts';
import type { Side } from '../domain/records/fields.ts';
import { systemRandom } from '../platform/system.ts';
import { unstoredRule } from '../rules/operations/rule-input.ts';
import { openDuckdb } from '../warehouse/duckdb.ts';
import { type Engine, rowsOf, WarehouseError } from '../warehouse/engine.ts';
import { openPostgres } from '../warehouse/postgres.ts';
import { openSpark } from '../warehouse/spark.ts';
import type { SideThere, Sides } from '../warehouse/lines.ts';
import { faultsOfMapping, type Mapping, mappingFile, type Proposal, proposeMapping, SAMPLE_ROWS } from '../warehouse/mapping.ts';
import {
  idsOf,
  matchesThere,
  openThere,
  rehearse,
  type RuleRehearsed,
  type RunDone,
  RUN_LIMITS,
  type RunInput,
  runThere,
} from '../warehouse/run.ts';
import { finishedRun } from './choose-reconciliation.ts';
import { cannotWrite, CommandError, EXIT, removePart, type ExitCode, type Output } from './output.ts';
import { readRulesFile } from './reconcile.ts';
import { type CommonOptions, type Session, untilStopped, withSession } from './session.ts';

export interface ThereOptions extends CommonOptions {
  /** Such as `duckdb:payments.duckdb`. */
  readonly engine: string;
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly name: string;
  readonly mapping?: string | undefined;
  readonly mappingOut?: string | undefined;
  readonly rules?: string | undefined;
  readonly matchesOut?: string | undefined;
  readonly sign?: 'same' | 'opposite' | undefined;
  readonly dryRun: boolean;
  readonly memory: number;
  readonly scratch?: string | undefined;
}

const SIDES = ['a', 'b'] as const;
/** Bytes that a line takes on the disk for the tables of a run, with room for sorting. */
const BYTES_OF_LINE = 200;
/** What a line takes for its loading and for each rule, as `npm run bench warehouse` measured it in DuckDB. */
const MICROSECONDS_OF_STEP = 4;

/** Reconciles two tables where they are, and brings home what is open as a book. */
export async function reconcileThere(options: ThereOptions, output: Output): Promise<ExitCode> {
  try {
    return await reconcileIn(options, output);
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error;
    const exit = error.code === 'cancelled' ? EXIT.problems : ENVIRONMENT.has(error.code) ? EXIT.environment : EXIT.usage;
    throw new CommandError(exit, error.code, error.message);
  }
}

const ENVIRONMENT: ReadonlySet<string> = new Set([
  'driver_missing',
  'cannot_open',
  'memory',
  'disk',
  'statement_failed',
  'connection_lost',
  'refused',
]);

async function reconcileIn(options: ThereOptions, output: Output): Promise<ExitCode> {
  const names = { a: onlyTable('a', options.a), b: onlyTable('b', options.b) };
  const bodies = options.rules === undefined ? presetRules('amount_and_date') : readRulesFile(options.rules);
  if (options.rules === undefined) output.note(say('warehouse.command.theRulesAreThose'));
  if (options.sign === undefined) output.note(say('warehouse.command.theSignsAreTaken'));
  const accounts = accountsOf(names);
  if (!options.dryRun) await checkAccounts(options, accounts, output);
  const engine = await opened(options);
  try {
    return await untilStopped(async (signal) => {
      signal.addEventListener('abort', () => engine.cancel());
      const sides = await sidesThere(engine, names, options);
      const convention: SignConvention = options.sign ?? 'same';
      const input: RunInput = { sides, rules: inUse(bodies), convention, keepsIds: options.matchesOut !== undefined };
      if (options.dryRun) return printRehearsal(engine, input, options, output);
      checkDisk(engine, input, options, await lineCounts(engine, sides), output);
      const done = await runThere(engine, input, (words) => output.progress(words));
      const settled = options.matchesOut === undefined ? null : await writeMatches(engine, options.matchesOut);
      const home = await bringHome(engine, { options, names, accounts, bodies, done, convention, signal }, output).catch(
        (error: unknown) => {
          if (options.matchesOut !== undefined) removePart(partOf(options.matchesOut));
          throw error;
        },
      );
      if (options.matchesOut !== undefined) keepMatches(options.matchesOut);
      printDone(options, done, home, settled, output);
      return EXIT.fine;
    });
  } finally {
    await engine.close();
  }
}

function onlyTable(side: Side, names: readonly string[]): string {
  const [name, ...others] = names;
  if (name !== undefined && others.length === 0) return name;
  throw new CommandError(EXIT.usage, 'usage', say('warehouse.command.oneTableEach', { side }));
}

function inUse(bodies: readonly RuleBody[]): EngineRule[] {
  return bodies.flatMap((body, index) => (body.paused === true ? [] : [unstoredRule(body, index)]));
}

async function opened({ engine, memory, scratch }: ThereOptions): Promise<Engine> {
  if (/^postgres(?:ql)?:\/\//.test(engine)) return openPostgres(engine);
  if (/^spark(?:\+https?)?:\/\//.test(engine)) {
    return openSpark(engine, `tieout_${Buffer.from(systemRandom.bytes(8)).toString('hex')}`, process.env['SPARK_PASSWORD']);
  }
  const [, kind = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(engine) ?? [];
  if (kind === 'duckdb') return openDuckdb(rest, { memoryMegabytes: memory, scratch });
  throw new CommandError(EXIT.usage, 'usage', say('warehouse.command.unknownEngine', { engine: kind === '' ? engine : kind }));
}

/** Returns both tables with their mapping. Throws with the questions where it is not clear what their columns are. */
async function sidesThere(engine: Engine, names: Readonly<Record<Side, string>>, options: ThereOptions): Promise<Sides> {
  const [place, other] = SIDES.map((side) => placeOf(engine, names[side]));
  if (place === other) throw new CommandError(EXIT.usage, 'same_table', say('warehouse.command.bothSidesAreOne', { name: names.a }));
  const found = { a: await tableThere(engine, names.a), b: await tableThere(engine, names.b) };
  const mapping = options.mapping === undefined ? await proposed(engine, found, options) : readMapping(options.mapping);
  const faults = SIDES.flatMap((side) => faultsOfMapping(side, mapping[side], found[side].columns));
  if (faults.length > 0) throw new CommandError(EXIT.asked, 'mapping_does_not_fit', faults.join('\n'), { faults });
  if (options.mappingOut !== undefined) writeMapping(options.mappingOut, mapping);
  return { a: { ...found.a, mapping: mapping.a }, b: { ...found.b, mapping: mapping.b } };
}

/** Returns where a table is, the same for every name of one Parquet file. */
function placeOf(engine: Engine, name: string): string {
  return engine.source(existsSync(name) ? realpathSync(name) : name);
}

type Found = Omit<SideThere, 'mapping'>;

async function tableThere(engine: Engine, name: string): Promise<Found> {
  const source = engine.source(name);
  return { name, source, columns: await engine.columns(source) };
}

async function proposed(engine: Engine, found: Readonly<Record<Side, Found>>, options: ThereOptions): Promise<Mapping> {
  const of = async (side: Side): Promise<Proposal> => {
    const { source, columns } = found[side];
    const cells = columns.map(({ name }) => `CAST(${engine.dialect.quoted(name)} AS ${engine.dialect.string})`).join(', ');
    return proposeMapping(
      side,
      columns,
      await rowsOf(engine, `SELECT ${cells} FROM ${source} LIMIT ${SAMPLE_ROWS}`),
      engine.dialect.hasOrder,
    );
  };
  const [a, b] = [await of('a'), await of('b')];
  const questions = [...a.questions, ...b.questions];
  const sketch = { a: a.mapping, b: b.mapping };
  const whole = mappingFile.safeParse(sketch);
  if (questions.length === 0 && whole.success) return whole.data;
  if (options.mappingOut !== undefined) writeMapping(options.mappingOut, sketch);
  const where =
    options.mappingOut === undefined
      ? say('warehouse.command.writeItDown', { sketch: JSON.stringify(sketch, null, 2) })
      : say('warehouse.command.completeIt', { file: options.mappingOut });
  throw new CommandError(EXIT.asked, 'mapping_needed', [...questions, where].join('\n'), { questions, mapping: sketch });
}

function readMapping(file: string): Mapping {
  const refuse = (why: string): never => {
    throw new CommandError(EXIT.usage, 'mapping_unreadable', say('warehouse.command.isNoMapping', { file, why }));
  };
  if (!existsSync(file)) refuse(say('warehouse.command.itDoesNotExist'));
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
  const checked = mappingFile.safeParse(parsed);
  if (checked.success) return checked.data;
  return refuse(checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
}

function writeMapping(file: string, mapping: unknown): void {
  try {
    writeFileSync(file, `${JSON.stringify(mapping, null, 2)}\n`);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

async function lineCounts(engine: Engine, sides: Sides): Promise<number> {
  let lines = 0;
  for (const side of SIDES) lines += Number((await rowsOf(engine, `SELECT count(*) FROM ${sides[side].source}`))[0]?.[0] ?? 0);
  return lines;
}

/** Returns what a run takes, in words. */
function takesOf(engine: Engine, lines: number, rules: number, { memory }: ThereOptions): string {
  const needed = megabytesOf(lines);
  const minutes = Math.max(1, Math.ceil((lines * (1 + rules) * MICROSECONDS_OF_STEP) / 60_000_000));
  if (engine.dialect.name !== 'DuckDB') return say('warehouse.command.itTakesOnAServer', { lines, needed, minutes });
  return say('warehouse.command.itTakes', { lines, memory, needed, minutes });
}

const megabytesOf = (lines: number): number => Math.ceil((lines * BYTES_OF_LINE) / 1_000_000);

/** Says what the run takes, and refuses one that the disk has no room for. */
function checkDisk(engine: Engine, { rules }: RunInput, options: ThereOptions, lines: number, output: Output): void {
  output.note(takesOf(engine, lines, rules.length, options));
  if (engine.dialect.name !== 'DuckDB') return;
  const { bavail, bsize } = statfsSync(options.scratch ?? tmpdir());
  const [needed, free] = [megabytesOf(lines), Math.floor((bavail * bsize) / 1_000_000)];
  if (needed > free) throw new CommandError(EXIT.environment, 'disk', say('warehouse.command.theDiskHasNoRoom', { needed, free }));
}

const OF_A_FILE = /\.(?:parquet|csv|tsv|txt)$/i;

/** The accounts of the book at home: key and name of each side. */
type Accounts = Readonly<Record<Side, string>>;

function accountsOf(names: Readonly<Record<Side, string>>): Accounts {
  const key = (name: string): string =>
    (OF_A_FILE.test(name) ? path.basename(name) : name)
      .replace(OF_A_FILE, '')
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .toLowerCase()
      .slice(-40) || 'table';
  const [a, b] = [key(names.a), key(names.b)];
  return a === b ? { a: `${a}-a`, b: `${b}-b` } : { a, b };
}

/** Refuses a book that has the accounts already, before anything is done. */
async function checkAccounts(options: ThereOptions, accounts: Accounts, output: Output): Promise<void> {
  if (stateOfFolder(options.data) === 'new') return;
  await withSession('reconcile', options, output, async ({ client }) => {
    const keys = new Set((await client.get('streams.list', {})).map(({ key }) => key));
    const taken = SIDES.map((side) => accounts[side]).find((key) => keys.has(key));
    if (taken !== undefined) {
      throw new CommandError(EXIT.usage, 'account_exists', say('warehouse.command.theAccountIsThere', { key: taken, data: options.data }));
    }
  });
}

async function printRehearsal(engine: Engine, input: RunInput, options: ThereOptions, output: Output): Promise<ExitCode> {
  const { rows, load, rules } = await rehearse(engine, input);
  const lines = rows.a + rows.b;
  const open = lines - Math.max(0, ...rules.map(({ estimate }) => estimate.aloneLines));
  const takes = takesOf(engine, lines, rules.length, options);
  output.print({ dry_run: true, engine: engine.dialect.name, rows, load, takes, open_at_most_about: open, rules }, [
    say('commands.reconcile.dryRunNothingWasStored', { name: options.name }),
    say('warehouse.command.rowsOfSides', { a: rows.a, b: rows.b }),
    takes,
    say('warehouse.command.atHomeAtOnce', { lines: RUN_LIMITS.linesAtOnce, most: RUN_LIMITS.linesOfBlock, open }),
    '',
    ...SIDES.map((side) => `${load[side]};`),
    ...rules.flatMap(linesOfRule),
  ]);
  return EXIT.fine;
}

const FORMED_AT_HOME = {
  date: 'warehouse.command.ruleFormsGroupsByDays',
  identifier: 'warehouse.command.ruleFormsGroups',
  subset: 'warehouse.command.ruleAddsUpAnyLines',
} as const;

/** Returns what a rule would do, in words and statements. */
function linesOfRule({ ruleId: id, statements, estimate, isSolvedThere, groups, atHome, isRefused }: RuleRehearsed): string[] {
  const { blocks, alone, compared, rivals, home, largest, unshared } = estimate;
  const way = isSolvedThere
    ? say(groups !== null ? 'warehouse.command.cohortsAreSettledThere' : 'warehouse.command.ruleIsSettledThere', { id })
    : groups !== null
      ? say(FORMED_AT_HOME[groups], { id })
      : say('warehouse.command.ruleIsSolvedAtHome', { id, conditions: atHome.join(', ') });
  return [
    '',
    way,
    say('warehouse.command.estimateOfRule', { blocks, alone, compared, rivals, home, a: unshared.a, b: unshared.b }),
    ...(isRefused ? [say('warehouse.command.ruleWouldBeRefused', { id, largest, most: RUN_LIMITS.linesOfBlock })] : []),
    ...Object.values(statements).flatMap((sql) => (sql === null ? [] : [`${sql};`])),
  ];
}

const MATCH_COLUMNS = ['match', 'side', 'line', 'id', 'rule', 'certainty', 'difference_minor'];

/** The file of settled matches until what is open has come home as well. */
const partOf = (file: string): string => `${file}.part`;

function keepMatches(file: string): void {
  try {
    renameSync(partOf(file), file);
  } catch (error) {
    removePart(partOf(file));
    throw cannotWrite(file, error);
  }
}

/** Writes one line for each line of a match that was settled, beside the file. Returns how many matches that are. */
async function writeMatches(engine: Engine, file: string): Promise<number> {
  const part = partOf(file);
  const lines = (rows: readonly (readonly unknown[])[]): string => csvLines(rows, { newline: '\n', escapeFormulae: FORMULA_BUT_NUMBER });
  let matches = 0;
  try {
    const stream = createWriteStream(part);
    await once(stream, 'open');
    stream.write(lines([MATCH_COLUMNS]));
    let rows: unknown[][] = [];
    const flush = async (): Promise<void> => {
      const linesOf = (wanted: string): number[] => rows.flatMap(([, side, line]) => (side === wanted ? [Number(line)] : []));
      const ids = { a: await idsOf(engine, 'a', linesOf('A')), b: await idsOf(engine, 'b', linesOf('B')) };
      const named = rows.map(([match, side, line, ...rest]) => [
        match,
        side,
        line,
        ids[side === 'A' ? 'a' : 'b'].get(Number(line)) ?? '',
        ...rest,
      ]);
      rows = [];
      if (!stream.write(lines(named))) await once(stream, 'drain');
    };
    for await (const match of matchesThere(engine)) {
      if (match.isHome) continue;
      matches += 1;
      for (const [side, of] of [
        ['A', match.aLines],
        ['B', match.bLines],
      ] as const) {
        for (const line of of) rows.push([matches, side, line, match.ruleId, match.certainty, match.difference]);
      }
      if (rows.length >= 20_000) await flush();
    }
    await flush();
    stream.end();
    await once(stream, 'close');
  } catch (error) {
    removePart(part);
    throw error instanceof WarehouseError ? error : cannotWrite(file, error);
  }
  return matches;
}

interface Homecoming {
  readonly options: ThereOptions;
  readonly names: Readonly<Record<Side, string>>;
  readonly accounts: Accounts;
  readonly bodies: readonly RuleBody[];
  readonly done: RunDone;
  readonly convention: SignConvention;
  readonly signal: AbortSignal;
}

interface Home {
  readonly reconciliationId: number;
  readonly proposed: number;
  readonly matched: number;
}

/** Makes the book of what is open: an account for each table, the rules, and a run that proposes what waits for a person. */
async function bringHome(engine: Engine, given: Homecoming, output: Output): Promise<Home> {
  const { options, names, accounts, bodies, convention } = given;
  return withSession('import', options, output, async (session) => {
    const made: string[] = [];
    try {
      for (const side of SIDES) {
        await session.client.get('streams.create', {
          key: accounts[side],
          name: names[side],
          type: 'warehouse',
          reference_field: 'metadata.reference',
        });
        made.push(accounts[side]);
        await bringLines(engine, session, side, given, output);
      }
      const { reconciliation } = await session.client.get('reconciliations.set_up', {
        name: options.name,
        run_type: 'batch',
        side_a_keys: [accounts.a],
        side_b_keys: [accounts.b],
        sign_convention: convention === 'opposite' ? 'opposite' : 'same',
        default_rules: false,
      });
      await session.client.get('rules.replace', { id: reconciliation.id, rules: [...bodies] });
      const run = await finishedRun(session, await session.client.get('runs.start', { id: reconciliation.id, mode: 'commit' }), output);
      return { reconciliationId: reconciliation.id, proposed: run.proposed_matches, matched: run.matches };
    } catch (error) {
      // Nothing half-brought is left: the accounts were made here.
      for (const key of made) await session.client.call('streams.remove', { key }).catch(() => undefined);
      throw error;
    }
  });
}

/** Requests that are sent before the first is waited for. */
const REQUESTS_AT_ONCE = 20;

async function bringLines(engine: Engine, session: Session, side: Side, given: Homecoming, output: Output): Promise<void> {
  const { names, accounts, done, signal } = given;
  let batch: unknown[] = [];
  let brought = 0;
  const sent: { readonly id: number; readonly count: number }[] = [];
  const settle = async (): Promise<void> => {
    for (const { id, count } of sent.splice(0)) {
      await finishedRequest(session, id, count, names[side]);
      brought += count;
    }
    output.progress(say('warehouse.command.bringing', { table: names[side], brought, total: done.open[side] }));
  };
  const send = async (): Promise<void> => {
    if (batch.length === 0) return;
    if (signal.aborted) throw new WarehouseError('cancelled', say('warehouse.engine.itWasCancelled'));
    const { id } = await session.client.get('bulk_requests.create', { records: batch, on_conflict: 'error' });
    sent.push({ id, count: batch.length });
    batch = [];
    if (sent.length === REQUESTS_AT_ONCE) await settle();
  };
  for await (const records of openThere(engine, done.compiled, side)) {
    for (const record of records) {
      batch.push(recordHome(record, accounts[side], names[side]));
      if (batch.length === BULK_RECORDS) await send();
    }
  }
  await send();
  if (sent.length > 0) await settle();
}

/** Returns a line as the book takes it, with where it came from. */
function recordHome(record: EngineRecord, account: string, table: string) {
  const { day, valueDay, amountMinor, direction, currency, decimalPlaces, description, externalId, reference, metadata } = record;
  return {
    data_stream_key: account,
    date: isoFromDay(day),
    ...(valueDay === null ? {} : { value_date: isoFromDay(valueDay) }),
    amount: amountMinor,
    direction,
    currency,
    decimal_places: decimalPlaces,
    description,
    external_id: externalId,
    metadata: { ...metadata, ...(reference === null ? {} : { reference }), source_table: table, source_line: record.id },
  };
}

const LOOK_EVERY_MS = 50;

/** Waits until the records of a request are in the book. Throws where one is refused. */
async function finishedRequest(session: Session, id: number, count: number, table: string): Promise<void> {
  for (;;) {
    const request = await session.client.get('bulk_requests.get', { id, limit: 1 });
    if (request.status === 'completed' && request.successful_items === count) return;
    if (request.status !== 'pending' && request.status !== 'processing') throw await refusedLine(session, id, count, table);
    await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function refusedLine(session: Session, id: number, count: number, table: string): Promise<CommandError> {
  for (let offset = 0; offset < count; offset += 100) {
    const { results } = await session.client.get('bulk_requests.get', { id, limit: 100, offset });
    const refused = results.data.find(({ status }) => status !== 'successful');
    const message = refused?.error?.errors[0]?.message ?? refused?.error?.message;
    if (message !== undefined)
      return new CommandError(EXIT.problems, 'line_refused', say('warehouse.command.aLineWasRefused', { table, message }));
  }
  return new CommandError(EXIT.problems, 'line_refused', say('warehouse.command.linesWereNotBrought', { table }));
}

function printDone(options: ThereOptions, done: RunDone, home: Home, settled: number | null, output: Output): void {
  const sum = (of: 'settledThere' | 'solvedAtHome' | 'linesHome'): number => done.rules.reduce((total, rule) => total + rule[of], 0);
  const leftOut = done.loaded.a.leftOut + done.loaded.b.leftOut;
  output.print(
    {
      engine: options.engine.split(':')[0],
      lines: { a: done.loaded.a.lines, b: done.loaded.b.lines },
      balances_hold: { a: done.loaded.a.isProved, b: done.loaded.b.isProved },
      left_out: { a: done.loaded.a.leftOut, b: done.loaded.b.leftOut },
      rules: done.rules.map(({ ruleId, settledThere, solvedAtHome, linesHome, proposed }) => ({
        rule: ruleId,
        settled_there: settledThere,
        solved_at_home: solvedAtHome,
        lines_read_home: linesHome,
        proposed,
      })),
      open: done.open,
      reconciliation_id: home.reconciliationId,
      proposed: home.proposed,
      ...(settled === null ? {} : { matches_written: settled }),
    },
    [
      options.name,
      say('warehouse.command.settled', { there: sum('settledThere'), home: sum('solvedAtHome'), lines: sum('linesHome') }),
      say('warehouse.command.cameHome', {
        a: done.open.a,
        ofA: done.loaded.a.lines,
        b: done.open.b,
        ofB: done.loaded.b.lines,
        proposed: home.proposed,
      }),
      ...SIDES.flatMap((side) =>
        done.loaded[side].isProved
          ? [say('warehouse.command.balancesHold', { side: side.toUpperCase(), rows: done.loaded[side].lines })]
          : [],
      ),
      ...(leftOut === 0 ? [] : [say('warehouse.command.leftOut', { count: leftOut })]),
      ...(settled === null ? [] : [say('warehouse.command.matchesWereWritten', { file: options.matchesOut ?? '', count: settled })]),
      say('warehouse.command.openTheBook', { data: options.data }),
    ],
  );
}
