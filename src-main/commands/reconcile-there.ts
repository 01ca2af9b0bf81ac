import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, renameSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type Mapping, mappingFile } from '../../src-shared/contract/databases/mapping.ts';
import type { RuleBody, SignConvention } from '../../src-shared/contract/index.ts';
import { presetRules } from '../../src-shared/contract/rules/rule-presets.ts';
import { shownAddress } from '../../src-shared/values/database-address.ts';
import { csvLines, FORMULA_BUT_NUMBER } from '../../src-shared/values/csv.ts';
import { say } from '../../src-shared/words/say.ts';
import { stateOfFolder } from '../book/store/book-folder.ts';
import type { EngineRule } from '../domain/matching/index.ts';
import type { Side } from '../domain/records/fields.ts';
import { systemRandom } from '../platform/system.ts';
import { unstoredRule } from '../rules/operations/rule-input.ts';
import { type Engine, rowsOf, WarehouseError } from '../warehouse/engine.ts';
import { type Accounts, accountsOf, bringHome, type Home } from '../warehouse/home.ts';
import type { Sides } from '../warehouse/lines.ts';
import { faultsOfMapping } from '../warehouse/mapping.ts';
import { openPlace, type Place } from '../warehouse/open.ts';
import { megabytesOf, planOfRule, takesOf } from '../warehouse/plan-words.ts';
import { idsOf, matchesThere, rehearse, type RunDone, RUN_LIMITS, type RunInput, runThere } from '../warehouse/run.ts';
import { type Found, proposalOf, type TableNames, tablesThere } from '../warehouse/tables.ts';
import { finishedRun } from './choose-reconciliation.ts';
import { cannotWrite, CommandError, EXIT, removePart, type ExitCode, type Output } from './output.ts';
import { readRulesFile } from './reconcile.ts';
import { type CommonOptions, untilStopped, withSession } from './session.ts';

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
/** Reconciles two tables where they are, and brings home what is open as a book. */
export async function reconcileThere(options: ThereOptions, output: Output): Promise<ExitCode> {
  try {
    return await reconcileIn(options, output);
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error;
    const exit = PROBLEMS.has(error.code) ? EXIT.problems : ENVIRONMENT.has(error.code) ? EXIT.environment : EXIT.usage;
    throw new CommandError(exit, error.code, error.message);
  }
}

const PROBLEMS: ReadonlySet<string> = new Set(['cancelled', 'line_refused']);

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
  const engine = await openPlace(placeOf(options.engine), { memoryMegabytes: options.memory, scratch: options.scratch });
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
      const coming = { name: options.name, names, accounts, bodies, done, convention, signal };
      const home = await withSession('import', options, output, (session) =>
        bringHome(engine, session.client, {
          ...coming,
          onStep: (words) => output.progress(words),
          finishedRun: (run) => finishedRun(session, run, output),
        }),
      ).catch((error: unknown) => {
        if (options.matchesOut !== undefined) removePart(partOf(options.matchesOut));
        throw error;
      });
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

/** Returns the engine that a command names, and where it is. */
function placeOf(engine: string): Place {
  const room = `tieout_${Buffer.from(systemRandom.bytes(8)).toString('hex')}`;
  if (/^postgres(?:ql)?:\/\//.test(engine)) return { engine: 'postgres', address: engine, password: null, room };
  if (/^spark(?:\+https?)?:\/\//.test(engine)) {
    return { engine: 'spark', address: engine, password: process.env['SPARK_PASSWORD'] ?? null, room };
  }
  const [, kind = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(engine) ?? [];
  if (kind === 'duckdb') return { engine: 'duckdb', address: rest, password: null, room };
  const shown = kind === '' ? shownAddress(engine) : kind;
  throw new CommandError(EXIT.usage, 'usage', say('warehouse.command.unknownEngine', { engine: shown }));
}

/** Returns both tables with their mapping. Throws with the questions where it is not clear what their columns are. */
async function sidesThere(engine: Engine, names: TableNames, options: ThereOptions): Promise<Sides> {
  const found = await tablesThere(engine, names);
  const mapping = options.mapping === undefined ? await proposed(engine, found, options) : readMapping(options.mapping);
  const faults = SIDES.flatMap((side) => faultsOfMapping(side, mapping[side], found[side].columns));
  if (faults.length > 0) throw new CommandError(EXIT.asked, 'mapping_does_not_fit', faults.join('\n'), { faults });
  if (options.mappingOut !== undefined) writeMapping(options.mappingOut, mapping);
  return { a: { ...found.a, mapping: mapping.a }, b: { ...found.b, mapping: mapping.b } };
}

async function proposed(engine: Engine, found: Readonly<Record<Side, Found>>, options: ThereOptions): Promise<Mapping> {
  const [a, b] = [await proposalOf(engine, 'a', found.a), await proposalOf(engine, 'b', found.b)];
  const questions = [...a.questions, ...b.questions].map(({ message }) => message);
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

/** Returns what a run takes, and how it is ended here. */
const takesHere = (engine: Engine, lines: number, rules: number, { memory }: ThereOptions): string =>
  `${takesOf(engine, lines, rules, memory)} ${say('warehouse.command.ctrlCEndsIt')}`;

/** Says what the run takes, and refuses one that the disk has no room for. */
function checkDisk(engine: Engine, { rules }: RunInput, options: ThereOptions, lines: number, output: Output): void {
  output.note(takesHere(engine, lines, rules.length, options));
  if (engine.dialect.name !== 'DuckDB') return;
  const { bavail, bsize } = statfsSync(options.scratch ?? tmpdir());
  const [needed, free] = [megabytesOf(lines), Math.floor((bavail * bsize) / 1_000_000)];
  if (needed > free) throw new CommandError(EXIT.environment, 'disk', say('warehouse.command.theDiskHasNoRoom', { needed, free }));
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
  const takes = takesHere(engine, lines, rules.length, options);
  output.print({ dry_run: true, engine: engine.dialect.name, rows, load, takes, open_at_most_about: open, rules }, [
    say('commands.reconcile.dryRunNothingWasStored', { name: options.name }),
    say('warehouse.command.rowsOfSides', { a: rows.a, b: rows.b }),
    takes,
    say('warehouse.command.atHomeAtOnce', { lines: RUN_LIMITS.linesAtOnce, most: RUN_LIMITS.linesOfBlock, open }),
    '',
    ...SIDES.map((side) => `${load[side]};`),
    ...rules.map(planOfRule).flatMap(({ says, statements }) => ['', ...says, ...statements]),
  ]);
  return EXIT.fine;
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
