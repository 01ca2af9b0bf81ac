import type { Certainty, SignConvention } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { say } from '../../src-shared/words/say.ts';
import { type EngineRule, matchColumns, readyRules, type ReadyRule } from '../domain/matching/index.ts';
import { type Side, UNDECLARED } from '../domain/records/fields.ts';
import { columnsOfRecords } from '../domain/records/record-columns.ts';
import type { EngineRecord } from '../domain/records/record.ts';
import { type CohortsInSql, type Compiled, LINE, type RuleInSql } from './compile.ts';
import { type Cell, type Engine, numberOf, type Page, rowsOf, WarehouseError } from './engine.ts';
import { compileFor, lineColumns, linesQuery, loadLines, type Loaded, scaleOf, type Sides } from './lines.ts';

/** Bounds of a run. Only tests use others than these. */
export interface RunLimits {
  /** Most pairs of lines of one block that are compared there; the lines of a larger block are compared at home. */
  readonly pairsOfBlock: number;
  /** Lines that are at home at the same time, unless one block has more. */
  readonly linesAtOnce: number;
  /** Most lines of one block: with more, the rule is refused. */
  readonly linesOfBlock: number;
}

export const RUN_LIMITS: RunLimits = { pairsOfBlock: 64, linesAtOnce: 100_000, linesOfBlock: 2_000_000 };

export interface RunInput {
  readonly sides: Sides;
  readonly rules: readonly EngineRule[];
  readonly convention: SignConvention;
  readonly limits?: RunLimits;
  /** Whether the ids of all lines are kept until the end, to name the lines of what was settled. */
  readonly keepsIds?: boolean;
}

/** Called with what is being done, in words. */
export type OnStep = (words: string) => void;

/** What one rule did. */
interface RuleDone {
  readonly ruleId: number;
  /** Pairs that were settled there, by SQL alone. */
  readonly settledThere: number;
  /** Matches that the engine at home found and that take effect. */
  readonly solvedAtHome: number;
  /** Lines that were read to the engine at home. */
  readonly linesHome: number;
  /** Matches that wait for a person; their lines and their rivals come home open. */
  readonly proposed: number;
}

export interface RunDone {
  readonly loaded: Readonly<Record<Side, Loaded>>;
  readonly rules: readonly RuleDone[];
  /** Lines that come home open, by side. */
  readonly open: Readonly<Record<Side, number>>;
  readonly compiled: Compiled;
}

/** A match as the run stores it there. */
export interface MatchThere {
  readonly ruleId: number;
  readonly certainty: Certainty;
  /** A minus B, in minor units at the finer scale. */
  readonly difference: number;
  /** Whether it waits for a person: the book at home finds it again. */
  readonly isHome: boolean;
  readonly aLines: readonly number[];
  readonly bLines: readonly number[];
}

const SIDES = ['a', 'b'] as const;
const CERTAINTIES: readonly Certainty[] = ['unique', 'best', 'interchangeable', 'contested'];

interface State {
  readonly engine: Engine;
  readonly onStep: OnStep;
  readonly compiled: Compiled;
  readonly input: RunInput;
  readonly limits: RunLimits;
  /** Number of the next group match. */
  nextGroup: number;
}

/**
 * Runs rules where the lines are. Pairs of lines that have no other candidate are settled there; all lines of a block with rivals are read to the engine
 * at home and solved as in any run. What waits for a person comes home with all of its rivals, so that a run at home decides about it as if it had seen
 * every line.
 */
export async function runThere(engine: Engine, input: RunInput, onStep: OnStep): Promise<RunDone> {
  const { compiled, scale } = await compiledOf(engine, input);
  onStep(say('warehouse.run.loading'));
  const loaded = await loadLines(engine, input.sides, compiled, { convention: input.convention, scale });
  await makeTables(engine, compiled, input.keepsIds ?? false);
  const state: State = { engine, onStep, compiled, input, limits: input.limits ?? RUN_LIMITS, nextGroup: 1 };
  const rules: RuleDone[] = [];
  for (const rule of compiled.rules) {
    rules.push(await runRule(state, rule));
  }
  const open = { a: await openLines(engine, 'a'), b: await openLines(engine, 'b') };
  return { loaded, rules, open, compiled };
}

/** Returns the rules as SQL, with the decimal places of amounts. Refuses those that cannot be run there, before anything is loaded. */
async function compiledOf(engine: Engine, input: RunInput) {
  const ready = readyRules(input.rules, UNDECLARED);
  if (!ready.ok) throw new WarehouseError('invalid_rule', ready.error.message);
  refuseEvidence(input.rules);
  refuseRulesAfterGroups(ready.value);
  refuseUnmapped(ready.value, input.sides);
  const scale = await scaleOf(engine, input.sides);
  return { compiled: compileFor(engine, ready.value, input.convention, scale), scale };
}

/** Rules of evidence weigh what all lines together say, which is not computed there. */
function refuseEvidence(rules: readonly EngineRule[]): void {
  const weighing = rules.find(({ evidence }) => evidence !== undefined);
  if (weighing !== undefined) throw new WarehouseError('rule_of_evidence', say('warehouse.run.evidenceIsNotWeighed', { id: weighing.id }));
}

/** What later rules settle there would be missing from the groups that the book at home forms by an earlier rule. */
function refuseRulesAfterGroups(rules: readonly ReadyRule[]): void {
  const groups = rules.slice(0, -1).find(({ rule }) => rule.cardinality === 'many_to_one');
  if (groups !== undefined) throw new WarehouseError('rule_after_groups', say('warehouse.run.groupsComeLast', { id: groups.rule.id }));
}

/** A field that no column holds would be empty in every line, and its conditions would never hold. */
function refuseUnmapped(rules: readonly ReadyRule[], sides: Sides): void {
  const isMapped = (side: Side, name: string): boolean => {
    const { mapping } = sides[side];
    const columns: Readonly<Record<string, string | undefined>> = {
      reference: mapping.reference,
      description: mapping.description,
      external_id: mapping.id,
      value_date: mapping.value_day,
    };
    if (name.startsWith('metadata.')) return mapping.metadata?.[name.slice('metadata.'.length)] !== undefined;
    return !Object.hasOwn(columns, name) || columns[name] !== undefined;
  };
  for (const { rule, compiled } of rules) {
    const ofMany = rule.rollup?.many_side ?? 'a';
    const read = [
      ...compiled.leaves.flatMap(({ key, value }) => [['a', key.field.name] as const, ['b', value.field.name] as const]),
      ...[...rule.groupBy, ...(rule.rollup?.date_field ? [rule.rollup.date_field] : [])].map((name) => [ofMany, name] as const),
    ];
    const missing = read.find(([side, name]) => !isMapped(side, name));
    if (missing === undefined) continue;
    const [side, field] = missing;
    throw new WarehouseError('field_not_mapped', say('warehouse.run.aFieldHasNoColumn', { id: rule.id, side: side.toUpperCase(), field }));
  }
}

function openLines(engine: Engine, side: Side): Promise<number> {
  return numberOf(engine, `SELECT (SELECT count(*) FROM ${side}) + (SELECT count(*) FROM home_${side})`);
}

async function makeTables(engine: Engine, compiled: Compiled, keepsIds: boolean): Promise<void> {
  const { dialect } = engine;
  for (const side of SIDES) {
    if (keepsIds) await engine.run(dialect.makeTable(`ids_${side}`, `SELECT ${LINE.number}, ${LINE.externalId} FROM ${side}`));
    await engine.run(dialect.makeTable(`home_${side}`, `SELECT ${lineColumns(compiled, side).join(', ')} FROM ${side} WHERE 1 = 0`));
  }
  const whole = (name: string): string => `CAST(0 AS BIGINT) AS ${name}`;
  const pair = ['rule', 'a_line', 'b_line', 'certainty', 'difference', 'is_home'].map(whole).join(', ');
  await engine.run(dialect.makeTable('pairs', `SELECT ${pair} WHERE 1 = 0`));
  const group = ['match_number', 'rule', 'certainty', 'difference', 'is_home'].map(whole).join(', ');
  await engine.run(dialect.makeTable('group_matches', `SELECT ${group} WHERE 1 = 0`));
  await engine.run(dialect.makeTable('group_members', `SELECT ${['match_number', 'is_b', 'line'].map(whole).join(', ')} WHERE 1 = 0`));
}

/** The block of a line, in SQL: a number that is equal for all lines that the rule may put together. */
function blockKey({ blocks }: RuleInSql, side: Side, engine: Engine): { readonly key: string; readonly filled: string } {
  if (blocks.length === 0) return { key: engine.dialect.hash(['1']), filled: '1 = 1' };
  const values = blocks.map((block) => block[side]);
  return { key: engine.dialect.hash(values), filled: values.map((value) => `${value} IS NOT NULL`).join(' AND ') };
}

/** The statements of a rule, in their order, as a rehearsal shows them. */
interface RuleStatements {
  readonly blocks: string;
  readonly settle: string | null;
  readonly rivals: string | null;
  /** The cohorts that one line alone may take, with their totals, and those that it takes. */
  readonly cohorts: string | null;
  readonly takers: string | null;
}

/** Returns the SQL of a rule. */
function statementsOf(engine: Engine, compiled: Compiled, rule: RuleInSql, limits: RunLimits = RUN_LIMITS): RuleStatements {
  const [a, b] = [blockKey(rule, 'a', engine), blockKey(rule, 'b', engine)];
  const blocks = `SELECT block, sum(of_a) AS of_a, sum(of_b) AS of_b, max(a_line) AS a_line, max(b_line) AS b_line, max(bound) AS bound FROM (SELECT ${a.key} AS block, 1 AS of_a, 0 AS of_b, a.n AS a_line, CAST(NULL AS BIGINT) AS b_line, a.bound FROM a WHERE ${a.filled} UNION ALL SELECT ${b.key}, 0, 1, CAST(NULL AS BIGINT), b.n, b.bound FROM b WHERE ${b.filled}) AS keyed GROUP BY block HAVING sum(of_a) > 0 AND sum(of_b) > 0`;
  if (rule.condition === null) {
    const { cohorts } = rule;
    const inSql = cohorts === null ? { cohorts: null, takers: null } : cohortStatements(engine, compiled, rule, cohorts);
    return { blocks, settle: null, rivals: null, ...inSql };
  }
  const pair = `a.n AS a_line, b.n AS b_line, ${compiled.difference} AS difference, k.bound`;
  return {
    blocks,
    settle: `SELECT ${pair} FROM blocks AS k JOIN a ON a.n = k.a_line JOIN b ON b.n = k.b_line WHERE k.of_a = 1 AND k.of_b = 1 AND ${rule.condition}`,
    rivals: `SELECT ${pair}, k.block FROM blocks AS k JOIN a ON ${a.key} = k.block JOIN b ON ${b.key} = k.block WHERE k.of_a * k.of_b BETWEEN 2 AND ${limits.pairsOfBlock} AND ${a.filled} AND ${b.filled} AND ${rule.condition}`,
    cohorts: null,
    takers: null,
  };
}

const otherOf = (side: Side): Side => (side === 'a' ? 'b' : 'a');

/** Sums up to this one are exact everywhere. A cohort with a larger one is read home. */
const MOST_OF_COHORT = 2 ** 51;

/** A block is settled there if one line may take it and all lines of the other side in it are one cohort. A line alone is a cohort as well. */
function cohortStatements(engine: Engine, compiled: Compiled, rule: RuleInSql, { many, keys, member, total, window }: CohortsInSql) {
  const one = otherOf(many);
  const { key, filled } = blockKey(rule, many, engine);
  const sum = `sum(CAST(${many}.${LINE.signed} AS ${engine.dialect.wide}))`;
  const days = window === null ? '' : `, min(${window.day}) AS first_day, max(${window.day}) AS last_day, count(${window.day}) AS dated`;
  const isOne = [...keys, `${many}.${LINE.currency}`].map((each) => `min(${each}) = max(${each}) AND count(${each}) = count(*)`);
  const inWindow =
    window === null
      ? ''
      : ` AND ${many}.dated = ${many}.members AND ${many}.first_day >= ${one}.${LINE.day} - ${window.days} AND ${many}.last_day <= ${one}.${LINE.day}`;
  return {
    cohorts: `SELECT k.block, max(k.${one}_line) AS single_line, max(k.bound) AS bound, min(${many}.n) AS first_line, count(*) AS members, CAST(${sum} AS BIGINT) AS ${LINE.signed}, CAST(abs(${sum}) AS BIGINT) AS ${LINE.units}, max(${many}.${LINE.places}) AS ${LINE.places}${days} FROM blocks AS k JOIN ${many} ON ${key} = k.block WHERE k.of_${one} = 1 AND ${filled} GROUP BY k.block HAVING ${isOne.join(' AND ')} AND abs(${sum}) <= ${MOST_OF_COHORT}`,
    takers: `SELECT f.* FROM (SELECT ${many}.block, ${many}.single_line, ${many}.bound, ${many}.first_line, ${many}.members, ${compiled.difference} AS difference FROM cohorts AS ${many} JOIN ${one} ON ${one}.n = ${many}.single_line WHERE ${total}${inWindow}) AS f JOIN (SELECT k.block FROM cohorts AS k JOIN ${one} ON ${one}.n = k.single_line JOIN ${many} ON ${key} = k.block WHERE ${filled} GROUP BY k.block HAVING min(CASE WHEN ${member} THEN 1 ELSE 0 END) = 1) AS m ON m.block = f.block`,
  };
}

async function runRule(state: State, rule: RuleInSql): Promise<RuleDone> {
  const { engine, compiled, limits } = state;
  const { dialect } = engine;
  const { id, outcome, commitCertainty } = rule.ready.rule;
  const statements = statementsOf(engine, compiled, rule, limits);
  state.onStep(say('warehouse.run.blocksAreFormed', { id }));
  await engine.run(dialect.makeTable('blocks', statements.blocks));
  const cohorts = statements.cohorts ?? `SELECT block FROM blocks WHERE 1 = 0`;
  await engine.run(dialect.makeTable('cohorts', cohorts));
  await refuseLargeBlocks(state, rule);
  const commits = outcome === 'match' && commitCertainty.includes('unique');
  const isHome = commits ? 'bound' : '1';
  let there = 0;
  let seen = 0;
  const settled = async (query: string): Promise<void> => {
    await engine.run(
      `INSERT INTO pairs SELECT ${id}, a_line, b_line, ${CERTAINTIES.indexOf('unique')}, difference, ${isHome} FROM (${query}) AS q`,
    );
  };
  await engine.run(dialect.makeTable('rivals', `SELECT block, a_line AS line, 0 AS is_b FROM blocks WHERE 1 = 0`));
  if (statements.settle !== null && statements.rivals !== null) {
    state.onStep(say('warehouse.run.pairsAreCompared', { id }));
    await settled(statements.settle);
    await engine.run(dialect.makeTable('candidates', statements.rivals));
    const alone = `SELECT c.* FROM candidates AS c JOIN (SELECT a_line FROM candidates GROUP BY a_line HAVING count(*) = 1) AS x ON x.a_line = c.a_line JOIN (SELECT b_line FROM candidates GROUP BY b_line HAVING count(*) = 1) AS y ON y.b_line = c.b_line`;
    await engine.run(dialect.makeTable('alone', alone));
    await settled('SELECT a_line, b_line, difference, bound FROM alone');
    there = await numberOf(engine, `SELECT count(*) FROM pairs WHERE rule = ${id} AND is_home = 0`);
    seen = await numberOf(engine, `SELECT count(*) FROM pairs WHERE rule = ${id} AND is_home = 1`);
    // A line whose only candidate has another one is a rival as well.
    for (const [column, isB] of [
      ['a_line', 0],
      ['b_line', 1],
    ] as const) {
      await engine.run(
        `INSERT INTO rivals SELECT DISTINCT c.block, c.${column}, ${isB} FROM candidates AS c LEFT JOIN alone AS s ON s.${column} = c.${column} WHERE s.${column} IS NULL`,
      );
    }
    await engine.run('DROP TABLE alone');
    await engine.run('DROP TABLE candidates');
  }
  if (statements.takers !== null && rule.cohorts !== null) {
    const settledCohorts = await settleCohorts(state, rule, rule.cohorts, statements.takers, isHome);
    there += settledCohorts.there;
    seen += settledCohorts.seen;
  }
  const homeBlocks = rule.condition === null ? 'k.of_a > 0' : `k.of_a * k.of_b > ${limits.pairsOfBlock}`;
  for (const [side, isB] of [
    ['a', 0],
    ['b', 1],
  ] as const) {
    const { key, filled } = blockKey(rule, side, engine);
    await engine.run(
      `INSERT INTO rivals SELECT k.block, ${side}.n, ${isB} FROM blocks AS k JOIN ${side} ON ${key} = k.block LEFT JOIN cohorts AS c ON c.block = k.block WHERE c.block IS NULL AND ${homeBlocks} AND ${filled}`,
    );
  }
  const home = await solveAtHome(state, rule);
  await closeRule(state, rule);
  return { ruleId: id, settledThere: there, solvedAtHome: home.matched, linesHome: home.lines, proposed: seen + home.proposed };
}

/** Stores the cohorts that their one taker takes. */
async function settleCohorts(state: State, rule: RuleInSql, { many }: CohortsInSql, takers: string, isHome: string) {
  const { engine } = state;
  const { id } = rule.ready.rule;
  state.onStep(say('warehouse.run.cohortsAreAddedUp', { id }));
  const number = `row_number() OVER (ORDER BY t.block) + ${state.nextGroup - 1} AS match_number`;
  await engine.run(engine.dialect.makeTable('takers', `SELECT t.*, ${number} FROM (${takers}) AS t`));
  const facts = `${CERTAINTIES.indexOf('unique')}, difference, ${isHome}`;
  const lines = many === 'a' ? 'first_line, single_line' : 'single_line, first_line';
  await engine.run(`INSERT INTO pairs SELECT ${id}, ${lines}, ${facts} FROM takers WHERE members = 1`);
  await engine.run(`INSERT INTO group_matches SELECT match_number, ${id}, ${facts} FROM takers WHERE members > 1`);
  const { key, filled } = blockKey(rule, many, engine);
  const [isB, isOther] = many === 'b' ? [1, 0] : [0, 1];
  await engine.run(
    `INSERT INTO group_members SELECT t.match_number, ${isB}, ${many}.n FROM takers AS t JOIN ${many} ON ${key} = t.block WHERE t.members > 1 AND ${filled}`,
  );
  await engine.run(`INSERT INTO group_members SELECT match_number, ${isOther}, single_line FROM takers WHERE members > 1`);
  const isSeen = isHome === '1' ? '1 = 1' : 'bound = 1';
  const [row = []] = await rowsOf(engine, `SELECT count(*), count(CASE WHEN ${isSeen} THEN 1 END) FROM takers`);
  const [all = 0, seen = 0] = row.map(Number);
  await engine.run('DROP TABLE takers');
  state.nextGroup += all;
  return { there: all - seen, seen };
}

/** Refuses a rule that puts more lines into one block than fit at home: without a further condition it would compare each of them with each. */
async function refuseLargeBlocks({ engine, limits }: State, rule: RuleInSql): Promise<void> {
  const test = rule.condition === null ? '1 = 1' : `of_a * of_b > ${limits.pairsOfBlock}`;
  const [row] = await rowsOf(
    engine,
    `SELECT of_a, of_b FROM blocks AS k LEFT JOIN cohorts AS c ON c.block = k.block WHERE c.block IS NULL AND ${test} ORDER BY of_a + of_b DESC LIMIT 1`,
  );
  const [ofA = 0, ofB = 0] = (row ?? []).map(Number);
  if (ofA + ofB <= limits.linesOfBlock) return;
  throw blockTooLarge(rule, ofA, ofB, limits);
}

function blockTooLarge({ ready }: RuleInSql, ofA: number, ofB: number, { linesOfBlock }: RunLimits): WarehouseError {
  return new WarehouseError('block_too_large', say('warehouse.run.aBlockIsTooLarge', { id: ready.rule.id, ofA, ofB, most: linesOfBlock }));
}

interface SolvedAtHome {
  readonly matched: number;
  readonly proposed: number;
  readonly lines: number;
}

/** Lines of whole blocks that are solved together. */
interface Batch {
  readonly records: Record<Side, EngineRecord[]>;
  readonly blockOf: Map<number, string>;
  readonly boundBlocks: Set<string>;
}

function emptyBatch(): Batch {
  return { records: { a: [], b: [] }, blockOf: new Map(), boundBlocks: new Set() };
}

/** Reads the lines with rivals in the order of their blocks, and solves whole blocks together. */
async function solveAtHome(state: State, rule: RuleInSql): Promise<SolvedAtHome> {
  const { engine, compiled, limits } = state;
  await engine.run(engine.dialect.makeTable('bound_lines', `SELECT line, is_b FROM rivals WHERE 1 = 0`));
  const fields = fieldsHome(compiled);
  const of = (side: Side, isB: number): string =>
    `SELECT CAST(r.block AS ${engine.dialect.string}) AS block, r.is_b, ${fields.map((name) => `${side}.${name}`).join(', ')} FROM rivals AS r JOIN ${side} ON ${side}.n = r.line WHERE r.is_b = ${isB}`;
  let batch = emptyBatch();
  const done = { matched: 0, proposed: 0, lines: 0 };
  const total = await numberOf(engine, 'SELECT count(*) FROM rivals');
  const { id } = rule.ready.rule;
  const solve = async (): Promise<void> => {
    const { matched, proposed } = await solveBatch(state, rule, batch);
    done.matched += matched;
    done.proposed += proposed;
    done.lines += batch.blockOf.size;
    if (total > 0) state.onStep(say('warehouse.run.rivalsAreSolved', { id, lines: done.lines, total }));
    batch = emptyBatch();
  };
  let latest: Cell = null;
  for await (const page of engine.pages(
    `SELECT * FROM (${of('a', 0)} UNION ALL ${of('b', 1)}) AS h ORDER BY block, is_b, ${LINE.number}`,
  )) {
    for (const row of page) {
      const [block = null, isB = null, ...cells] = row;
      if (block !== latest && batch.blockOf.size >= limits.linesAtOnce) await solve();
      latest = block;
      takeLine(batch, String(block), isB === 1 ? 'b' : 'a', cells, compiled);
    }
  }
  await solve();
  return done;
}

/** Columns that make a record at home, in their order. */
function fieldsHome(compiled: Compiled): string[] {
  const { number, day, valueDay, amount, places, credit, currency, description, externalId, reference, stream, bound } = LINE;
  return [
    number,
    day,
    valueDay,
    amount,
    places,
    credit,
    currency,
    description,
    externalId,
    reference,
    stream,
    bound,
    ...compiled.metadata.keys(),
  ];
}

const textCell = (cell: Cell | undefined): string | null => (cell === null || cell === undefined ? null : String(cell));

function recordOf(cells: readonly Cell[], compiled: Compiled): { readonly record: EngineRecord; readonly isBound: boolean } {
  const [n, day, valueDay, amount, places, credit, currency, description, externalId, reference, stream, bound, ...metadata] = cells;
  const paths = [...compiled.metadata.values()];
  return {
    isBound: Number(bound) === 1,
    record: {
      id: Number(n),
      day: Number(day),
      valueDay: valueDay === null || valueDay === undefined ? null : Number(valueDay),
      amountMinor: Number(amount),
      decimalPlaces: Number(places),
      direction: Number(credit) === 1 ? 'credit' : 'debit',
      currency: String(currency),
      description: textCell(description),
      externalId: textCell(externalId),
      reference: textCell(reference),
      streamKey: String(stream),
      metadata: Object.fromEntries(
        paths.flatMap((path, index) => (metadata[index] === null ? [] : [[path, String(metadata[index])] as const])),
      ),
    },
  };
}

function takeLine(batch: Batch, block: string, side: Side, cells: readonly Cell[], compiled: Compiled): void {
  const { record, isBound } = recordOf(cells, compiled);
  batch.records[side].push(record);
  batch.blockOf.set(record.id, block);
  if (isBound) batch.boundBlocks.add(block);
}

/** Solves whole blocks by the engine at home and stores there what it found. */
async function solveBatch(state: State, rule: RuleInSql, batch: Batch): Promise<{ readonly matched: number; readonly proposed: number }> {
  if (batch.blockOf.size === 0) return { matched: 0, proposed: 0 };
  const { engine, input } = state;
  const result = matchColumns(
    {
      sideA: columnsOfRecords(batch.records.a),
      sideB: columnsOfRecords(batch.records.b),
      rules: [rule.ready.rule],
      signConvention: input.convention,
      types: UNDECLARED,
      separations: new Set(),
    },
    { onProgress: () => undefined, isCancelled: () => false },
  );
  if (!result.ok) throw new WarehouseError(result.error.code, result.error.message);
  const found = [...result.value.matches];
  const blockOf = (id: number | undefined): string => present(batch.blockOf.get(id ?? -1), 'the block of a line');
  const homeBlocks = new Set(batch.boundBlocks);
  for (const match of found) if (match.status === 'proposed') homeBlocks.add(blockOf(match.aIds[0]));
  if (rule.ready.rule.cardinality === 'many_to_one') {
    for (const block of openOnBothSides(batch, new Set(found.flatMap(({ aIds, bIds }) => [...aIds, ...bIds])))) homeBlocks.add(block);
  }
  const pairs: (readonly Cell[])[] = [];
  const groups: (readonly Cell[])[] = [];
  const members: (readonly Cell[])[] = [];
  let matched = 0;
  for (const match of found) {
    const isHome = homeBlocks.has(blockOf(match.aIds[0])) ? 1 : 0;
    matched += 1 - isHome;
    const facts = [CERTAINTIES.indexOf(match.certainty), match.differenceMinor, isHome];
    if (match.aIds.length + match.bIds.length === 2) pairs.push([match.ruleId, match.aIds[0] ?? 0, match.bIds[0] ?? 0, ...facts]);
    else {
      groups.push([state.nextGroup, match.ruleId, ...facts]);
      for (const id of match.aIds) members.push([state.nextGroup, 0, id]);
      for (const id of match.bIds) members.push([state.nextGroup, 1, id]);
      state.nextGroup += 1;
    }
  }
  await engine.insert('pairs', pairs);
  await engine.insert('group_matches', groups);
  await engine.insert('group_members', members);
  if (homeBlocks.size > 0) await engine.insert('bound_lines', boundLines(batch, homeBlocks));
  return { matched, proposed: found.length - matched };
}

/** Without the lines that were matched, the lines that are left on both sides could make up other groups in the book at home. */
function openOnBothSides({ records, blockOf }: Batch, matched: ReadonlySet<number>): readonly string[] {
  const open = (side: Side): Set<string> => new Set(records[side].flatMap(({ id }) => (matched.has(id) ? [] : [blockOf.get(id) ?? ''])));
  const ofB = open('b');
  return [...open('a')].filter((block) => ofB.has(block));
}

function boundLines({ records, blockOf }: Batch, blocks: ReadonlySet<string>): Page {
  return SIDES.flatMap((side) =>
    records[side].flatMap(({ id }) => (blocks.has(blockOf.get(id) ?? '') ? [[id, side === 'b' ? 1 : 0] as const] : [])),
  );
}

/** Takes the lines of a rule's matches out of those that are free. Lines of what waits for a person are kept for home. */
async function closeRule({ engine, compiled }: State, rule: RuleInSql): Promise<void> {
  const { dialect } = engine;
  const { id } = rule.ready.rule;
  for (const [side, column, isB] of [
    ['a', 'a_line', 0],
    ['b', 'b_line', 1],
  ] as const) {
    const columns = lineColumns(compiled, side);
    const own = columns.filter((name) => name !== LINE.bound).map((name) => `l.${name}`);
    await engine.run(
      dialect.makeTable(
        'used',
        `SELECT ${column} AS line, is_home FROM pairs WHERE rule = ${id} UNION ALL SELECT m.line, g.is_home FROM group_members AS m JOIN group_matches AS g ON g.match_number = m.match_number WHERE g.rule = ${id} AND m.is_b = ${isB}`,
      ),
    );
    await engine.run(
      `INSERT INTO home_${side} SELECT ${[...own, 'l.bound'].join(', ')} FROM ${side} AS l JOIN used AS u ON u.line = l.n WHERE u.is_home = 1`,
    );
    await engine.run(
      dialect.makeTable(
        `next_${side}`,
        `SELECT ${own.join(', ')}, CASE WHEN x.line IS NULL THEN l.bound ELSE 1 END AS bound FROM ${side} AS l LEFT JOIN used AS u ON u.line = l.n LEFT JOIN (SELECT line FROM bound_lines WHERE is_b = ${isB}) AS x ON x.line = l.n WHERE u.line IS NULL`,
      ),
    );
    await engine.run(`DROP TABLE ${side}`);
    await engine.run(`ALTER TABLE next_${side} RENAME TO ${side}`);
    await engine.run('DROP TABLE used');
  }
  for (const table of ['blocks', 'cohorts', 'rivals', 'bound_lines']) await engine.run(`DROP TABLE ${table}`);
}

/** Yields all matches of a run, pairs before groups. */
export async function* matchesThere(engine: Engine): AsyncIterable<MatchThere> {
  const facts = (rule: Cell, certainty: Cell, difference: Cell, isHome: Cell): Omit<MatchThere, 'aLines' | 'bLines'> => ({
    ruleId: Number(rule),
    certainty: CERTAINTIES[Number(certainty)] ?? 'contested',
    difference: Number(difference),
    isHome: Number(isHome) === 1,
  });
  for await (const page of engine.pages('SELECT rule, certainty, difference, is_home, a_line, b_line FROM pairs ORDER BY rule, a_line')) {
    for (const [rule = null, certainty = null, difference = null, isHome = null, a, b] of page) {
      yield { ...facts(rule, certainty, difference, isHome), aLines: [Number(a)], bLines: [Number(b)] };
    }
  }
  let latest = -1;
  let open: (Omit<MatchThere, 'aLines' | 'bLines'> & { readonly aLines: number[]; readonly bLines: number[] }) | null = null;
  const query =
    'SELECT g.match_number, g.rule, g.certainty, g.difference, g.is_home, m.is_b, m.line FROM group_matches AS g JOIN group_members AS m ON m.match_number = g.match_number ORDER BY g.match_number, m.is_b, m.line';
  for await (const page of engine.pages(query)) {
    for (const [number, rule = null, certainty = null, difference = null, isHome = null, isB, line] of page) {
      if (number !== latest) {
        if (open !== null) yield open;
        open = { ...facts(rule, certainty, difference, isHome), aLines: [], bLines: [] };
        latest = Number(number);
      }
      open?.[isB === 1 ? 'bLines' : 'aLines'].push(Number(line));
    }
  }
  if (open !== null) yield open;
}

/** Returns the ids of some lines, by their numbers, for a run that keeps them. */
export async function idsOf(engine: Engine, side: Side, lines: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const ids = new Map<number, string>();
  if (lines.length === 0) return ids;
  await engine.run(engine.dialect.makeTable('asked', 'SELECT CAST(0 AS BIGINT) AS line WHERE 1 = 0'));
  await engine.insert(
    'asked',
    lines.map((line) => [line]),
  );
  for await (const page of engine.pages(
    `SELECT i.${LINE.number}, i.${LINE.externalId} FROM ids_${side} AS i JOIN asked AS k ON k.line = i.${LINE.number}`,
  )) {
    for (const [line, id] of page) if (id !== null) ids.set(Number(line), String(id));
  }
  await engine.run('DROP TABLE asked');
  return ids;
}

/** Yields the lines of a side that come home open, as the book takes them. */
export async function* openThere(engine: Engine, compiled: Compiled, side: Side): AsyncIterable<readonly EngineRecord[]> {
  const fields = fieldsHome(compiled).join(', ');
  for await (const page of engine.pages(
    `SELECT ${fields} FROM (SELECT ${fields} FROM ${side} UNION ALL SELECT ${fields} FROM home_${side}) AS o ORDER BY ${LINE.number}`,
  )) {
    yield page.map((cells) => recordOf(cells, compiled).record);
  }
}

/** What a rule would do if no earlier rule took a line, near the right numbers. */
interface RuleEstimate {
  /** Blocks that both sides have a line of. */
  readonly blocks: number;
  /** Blocks with one pair of lines, or with one line that may take a cohort: they are compared there and have no rival. */
  readonly alone: number;
  /** Lines in these blocks. */
  readonly aloneLines: number;
  /** Pairs of lines that are compared in blocks with more of them. */
  readonly compared: number;
  /** Lines that are read home whatever is found, and those that are if they have rivals. */
  readonly home: number;
  readonly rivals: number;
  /** Lines of the largest block that is read home. More than `linesOfBlock` are refused. */
  readonly largest: number;
  /** Lines of each side in no block of the other side. */
  readonly unshared: Readonly<Record<Side, number>>;
}

/** What a rehearsal says of one rule. */
export interface RuleRehearsed {
  readonly ruleId: number;
  readonly statements: RuleStatements;
  readonly isSolvedThere: boolean;
  /** How its groups are formed; null for a rule for pairs. */
  readonly groups: 'date' | 'identifier' | 'subset' | null;
  /** The conditions that only the engine at home can tell. */
  readonly atHome: readonly string[];
  readonly estimate: RuleEstimate;
  readonly isRefused: boolean;
}

export interface Rehearsed {
  readonly rows: Readonly<Record<Side, number>>;
  readonly load: Readonly<Record<Side, string>>;
  readonly rules: readonly RuleRehearsed[];
}

/** Returns what a run would do, without loading a line. Refuses a first rule that a run would refuse. */
export async function rehearse(engine: Engine, input: RunInput): Promise<Rehearsed> {
  const { compiled, scale } = await compiledOf(engine, input);
  const counts = { a: 0, b: 0 };
  for (const side of SIDES) counts[side] = await numberOf(engine, `SELECT count(*) FROM ${input.sides[side].source}`);
  const given = { convention: input.convention, scale, mapped: new Map<string, string>() };
  const load = {
    a: linesQuery(engine, 'a', input.sides.a, compiled, { ...given, first: 0 }),
    b: linesQuery(engine, 'b', input.sides.b, compiled, { ...given, first: counts.a }),
  };
  const limits = input.limits ?? RUN_LIMITS;
  const rules: RuleRehearsed[] = [];
  for (const rule of compiled.rules) {
    const { estimate, ofA, ofB } = await estimateOf(engine, rule, { load, counts, limits, compiled });
    const isRefused = estimate.largest > limits.linesOfBlock;
    if (isRefused && rules.length === 0) throw blockTooLarge(rule, ofA, ofB, limits);
    rules.push({
      ruleId: rule.ready.rule.id,
      statements: statementsOf(engine, compiled, rule, limits),
      isSolvedThere: rule.condition !== null || rule.cohorts !== null,
      groups: rule.ready.rule.cardinality === 'many_to_one' ? (rule.ready.rule.rollup?.group_by_kind ?? 'date') : null,
      atHome: rule.atHome.map(({ key, value, operand }) => `${key.field.name} ${operand} ${value.field.name}`),
      estimate,
      isRefused,
    });
  }
  return { rows: counts, load, rules };
}

interface ToEstimate {
  readonly load: Readonly<Record<Side, string>>;
  readonly counts: Readonly<Record<Side, number>>;
  readonly limits: RunLimits;
  readonly compiled: Compiled;
}

/** Counts the blocks of a rule over the rows as they are there now. */
async function estimateOf(engine: Engine, rule: RuleInSql, { load, counts, limits, compiled }: ToEstimate) {
  const { blocks } = statementsOf(engine, compiled, rule, limits);
  const pairs = 'of_a * of_b';
  const one = rule.cohorts === null ? null : `of_${otherOf(rule.cohorts.many)}`;
  const [isAlone, isCompared, isHome] =
    rule.condition !== null
      ? [`${pairs} = 1`, `${pairs} BETWEEN 2 AND ${limits.pairsOfBlock}`, `${pairs} > ${limits.pairsOfBlock}`]
      : one !== null
        ? [`${one} = 1`, '1 = 0', `${one} > 1`]
        : ['1 = 0', '1 = 0', '1 = 1'];
  const sum = (condition: string, value: string): string => `coalesce(sum(CASE WHEN ${condition} THEN ${value} END), 0)`;
  const figures = [
    'count(*)',
    sum(isAlone, '1'),
    sum(isAlone, 'of_a + of_b'),
    sum(isCompared, pairs),
    sum(isHome, 'of_a + of_b'),
    sum(isCompared, 'of_a + of_b'),
    `coalesce(max(CASE WHEN ${isHome} THEN of_a + of_b END), 0)`,
    'coalesce(sum(of_a), 0)',
    'coalesce(sum(of_b), 0)',
  ];
  const counted = `WITH a AS (${load.a}), b AS (${load.b}), k AS (${blocks})`;
  const [row = []] = await rowsOf(engine, `${counted} SELECT ${figures.map((each) => `CAST(${each} AS BIGINT)`).join(', ')} FROM k`);
  const [shared = 0, alone = 0, aloneLines = 0, compared = 0, home = 0, rivals = 0, largest = 0, inA = 0, inB = 0] = row.map(Number);
  const estimate: RuleEstimate = {
    blocks: shared,
    alone,
    aloneLines,
    compared,
    home,
    rivals,
    largest,
    unshared: { a: counts.a - inA, b: counts.b - inB },
  };
  if (largest <= limits.linesOfBlock) return { estimate, ofA: 0, ofB: 0 };
  const [most = []] = await rowsOf(engine, `${counted} SELECT of_a, of_b FROM k ORDER BY of_a + of_b DESC LIMIT 1`);
  return { estimate, ofA: Number(most[0]), ofB: Number(most[1]) };
}
