import { decimalPlacesOf } from '../../src-shared/values/money.ts';
import { present } from '../../src-shared/values/assert.ts';
import { say } from '../../src-shared/words/say.ts';
import type { SideMapping } from '../../src-shared/contract/databases/mapping.ts';
import type { SignConvention } from '../../src-shared/contract/index.ts';
import type { ReadyRule } from '../domain/matching/index.ts';
import type { Side } from '../domain/records/fields.ts';
import { changedText, type Compiled, compileRules, DIRECTION, filledText, LINE } from './compile.ts';
import { type Cell, type Engine, numberOf, rowsOf, type SourceColumn, sqlText, WarehouseError } from './engine.ts';
import { amountColumns, columnsOfMapping } from './mapping.ts';

/** A table there with what its columns are. */
export interface SideThere {
  /** As a person named it. */
  readonly name: string;
  readonly source: string;
  readonly columns: readonly SourceColumn[];
  readonly mapping: SideMapping;
}

export interface Sides {
  readonly a: SideThere;
  readonly b: SideThere;
}

/** The scale of a run, and what it found of amounts. */
export interface Scale {
  readonly scale: number;
  /** The decimal places that occur, ascending. */
  readonly places: readonly number[];
  /** The currencies that occur. */
  readonly currencies: ReadonlySet<string>;
}

/** Amounts up to this one, at the scale of the run, have sums and differences that are exact everywhere. */
const MOST_UNITS = 2 ** 51;

const SIDES = ['a', 'b'] as const;

/** Returns the decimal places of the currencies of both sides. Refuses rows whose currency is no code. */
export async function scaleOf(engine: Engine, sides: Sides): Promise<Scale> {
  const currencies = new Set<string>();
  for (const side of SIDES) {
    const { mapping, source } = sides[side];
    if (typeof mapping.currency === 'string') {
      currencies.add(mapping.currency);
      continue;
    }
    const column = engine.dialect.quoted(mapping.currency.column);
    const found = await rowsOf(
      engine,
      `SELECT DISTINCT CAST(${column} AS ${engine.dialect.string}) FROM ${source} WHERE ${column} IS NOT NULL LIMIT 1001`,
    );
    const wrong = found.map(([code]) => String(code)).find((code) => !/^[A-Z]{3}$/.test(code));
    if (wrong !== undefined) {
      throw new WarehouseError(
        'no_currency',
        say('warehouse.lines.isNoCurrency', { side: side.toUpperCase(), value: wrong, column: mapping.currency.column }),
      );
    }
    for (const [code] of found) currencies.add(String(code));
  }
  const places = [...new Set([...currencies].map(decimalPlacesOf))].toSorted((left, right) => left - right);
  return { scale: places.at(-1) ?? 2, places: places.length === 0 ? [2] : places, currencies };
}

/** The SQL of a side's values, by what they are, over its table. */
interface Values {
  /** The table with its minor units, which are computed once for each row. */
  readonly from: string;
  readonly day: string;
  readonly valueDay: string;
  /** Signed as the table has it, in minor units, not yet whole. */
  readonly minor: string;
  readonly credit: string;
  readonly currency: string;
  readonly places: string;
  readonly text: (column: string | undefined) => string;
}

/** Returns the day of a column, in SQL; null where a text spells none. */
function dayIn({ dialect }: Engine, { mapping, columns }: SideThere, name: string): string {
  const column = dialect.quoted(name);
  const kind = columns.find((each) => each.name === name)?.kind;
  if (kind === 'text') return dialect.dayOf(dialect.dateOfText(column));
  const date =
    kind === 'instant_with_zone' ? dialect.dateIn(column, dialect.literal(mapping.time_zone ?? 'UTC')) : `CAST(${column} AS DATE)`;
  // Some engines have days beyond, and an infinite one.
  return dialect.dayOf(`CASE WHEN ${date} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN ${date} END`);
}

/** Column of the minor units beside those of a table. */
const MINOR = 'tieout_minor';

function valuesOf(engine: Engine, there: SideThere, scale: Scale): Values {
  const { mapping, columns } = there;
  const { dialect } = engine;
  const kinds = new Map(columns.map((each) => [each.name, each.kind]));
  const currency =
    typeof mapping.currency === 'string'
      ? dialect.text(dialect.literal(mapping.currency))
      : dialect.text(dialect.quoted(mapping.currency.column));
  const places = placesIn(currency, scale);
  const minorOf = (name: string): string => {
    const amount = dialect.quoted(name);
    const kind = kinds.get(name);
    const decimal =
      kind === 'float' || kind === 'text' ? dialect.decimalOfText(`CAST(${amount} AS ${dialect.string})`) : dialect.decimalOf(amount);
    return mapping.unit === 'minor'
      ? decimal
      : dialect.times(
          decimal,
          byPlaces(places, scale, (each) => 10 ** each),
        );
  };
  const [first = '', second] = amountColumns(mapping);
  const units = second === undefined ? minorOf(first) : netOf({ dialect }, [first, second], minorOf);
  const minor = MINOR;
  return {
    from: `(SELECT s.*, ${units} AS ${MINOR} FROM ${there.source} AS s) AS v`,
    day: dayIn(engine, there, mapping.day),
    valueDay: mapping.value_day === undefined ? 'CAST(NULL AS INTEGER)' : dayIn(engine, there, mapping.value_day),
    minor,
    credit: creditIn(engine, mapping, minor),
    currency,
    places,
    text: (column) => (column === undefined ? dialect.text('NULL') : filledText(dialect.text(dialect.quoted(column)), dialect)),
  };
}

/** Returns money in less money out, or null where either is filled with what is no amount. */
function netOf({ dialect }: Pick<Engine, 'dialect'>, columns: readonly string[], minorOf: (name: string) => string): string {
  const read = columns.map((name) => `(${dialect.quoted(name)} IS NULL OR ${minorOf(name)} IS NOT NULL)`);
  const [paidIn, paidOut] = columns.map((name) => `coalesce(${minorOf(name)}, 0)`);
  return `CASE WHEN ${read.join(' AND ')} THEN ${paidIn} - ${paidOut} END`;
}

/** Returns the decimal places of a currency, in SQL. */
function placesIn(currency: string, { places, currencies }: Scale): string {
  const [only, ...others] = places;
  if (others.length === 0) return String(only);
  const cases = others.map((each) => {
    const codes = [...currencies].filter((code) => decimalPlacesOf(code) === each).map(sqlText);
    return `WHEN ${currency} IN (${codes.join(', ')}) THEN ${each}`;
  });
  return `CASE ${cases.join(' ')} ELSE ${only} END`;
}

/** Returns a number by decimal places, in SQL. */
function byPlaces(places: string, scale: Pick<Scale, 'places'>, numberOfPlaces: (places: number) => number): string {
  const [only = 2, ...others] = scale.places;
  if (others.length === 0) return String(numberOfPlaces(only));
  return `CASE ${places} ${scale.places.map((each) => `WHEN ${each} THEN ${numberOfPlaces(each)}`).join(' ')} END`;
}

/** Returns whether a line is money in: true, false, or null where a column of words says neither. */
function creditIn({ dialect }: Engine, { sign }: SideMapping, minor: string): string {
  if (sign === 'positive_in') return `(${minor} >= 0)`;
  if (sign === 'positive_out') return `(${minor} < 0)`;
  const word = `CAST(${dialect.quoted(sign.column)} AS ${dialect.string})`;
  const list = (words: readonly string[]): string => words.map(dialect.literal).join(', ');
  return `CASE WHEN ${word} IN (${list(sign.in)}) THEN ${minor} >= 0 WHEN ${word} IN (${list(sign.out)}) THEN ${minor} < 0 END`;
}

/** Counts what cannot be a line, and refuses it in words. Returns the rows that are left out because the mapping says so. */
async function checkSide(
  engine: Engine,
  side: Side,
  there: SideThere,
  scale: Scale,
): Promise<{ readonly rows: number; readonly empty: number }> {
  const { mapping } = there;
  const { quoted } = engine.dialect;
  const values = valuesOf(engine, there, scale);
  const empty = `NOT (${notEmpty(engine, mapping)})`;
  const count = (condition: string): string => `count(CASE WHEN ${condition} THEN 1 END)`;
  const days = [...new Set([mapping.day, mapping.value_day ?? mapping.day])];
  const unreadDays = days.map((name) => count(`${quoted(name)} IS NOT NULL AND ${dayIn(engine, there, name)} IS NULL`));
  const [row = []] = await rowsOf(
    engine,
    `SELECT count(*), ${count(empty)}, ${count(`(${filledAmount(engine, mapping)}) AND ${values.minor} IS NULL`)}, ${count(`${values.minor} <> floor(${values.minor})`)}, ${count(`${notEmpty(engine, mapping)} AND ${values.credit} IS NULL`)}, ${count(`abs(${values.minor}) > ${byPlaces(values.places, scale, (each) => Math.floor(MOST_UNITS / 10 ** (scale.scale - each)))}`)}, ${unreadDays.join(', ')} FROM ${values.from}`,
  );
  const [rows = 0, empties = 0, unread = 0, fractions = 0, undirected = 0, large = 0, ...undated] = row.map(Number);
  const name = side.toUpperCase();
  const refuse = (code: string, message: string): never => {
    throw new WarehouseError(code, message);
  };
  if (empties > 0 && mapping.empty_rows === undefined)
    refuse('empty_rows', say('warehouse.lines.rowsAreEmpty', { side: name, count: empties }));
  for (const [index, rowsOfDay] of undated.entries()) {
    const column = days[index] ?? '';
    const isText = there.columns.find((each) => each.name === column)?.kind === 'text';
    const key = isText ? 'warehouse.lines.daysAreUnread' : 'warehouse.lines.daysAreOutOfRange';
    if (rowsOfDay > 0) refuse('no_day', say(key, { side: name, count: rowsOfDay, column }));
  }
  const amounts = amountColumns(mapping);
  const column = amounts.join(', ');
  const areNumbers = there.columns.every(({ name: of, kind }) => !amounts.includes(of) || kind === 'integer' || kind === 'decimal');
  // A number that is none in the type of amounts has too many digits for it.
  if (unread > 0 && areNumbers)
    refuse('amount_out_of_range', say('warehouse.lines.amountsAreTooLarge', { side: name, count: unread, column }));
  if (unread > 0) refuse('no_amount', say('warehouse.lines.amountsAreUnread', { side: name, count: unread, column }));
  if (fractions > 0) refuse('too_many_places', say('warehouse.lines.moreDecimalPlaces', { side: name, count: fractions, column }));
  if (undirected > 0 && typeof mapping.sign !== 'string')
    refuse('no_direction', say('warehouse.lines.noDirection', { side: name, count: undirected, column: mapping.sign.column }));
  if (large > 0) refuse('amount_out_of_range', say('warehouse.lines.amountsAreTooLarge', { side: name, count: large, column }));
  return { rows, empty: empties };
}

/**
 * Proves all rows of a side by their balances: each follows from the one before it and the amount between, in the order of the rows or against it, whichever sign the
 * balances have. Returns false if the side has none.
 */
async function proveSide(engine: Engine, side: Side, there: SideThere, scale: Scale): Promise<boolean> {
  const { balance: column } = there.mapping;
  if (column === undefined || !engine.dialect.hasOrder) return false;
  const { from, minor, credit, places } = valuesOf(engine, there, scale);
  const { dialect } = engine;
  const balance = dialect.times(
    dialect.decimalOfText(`CAST(${dialect.quoted(column)} AS ${dialect.string})`),
    byPlaces(places, scale, (each) => 10 ** each),
  );
  const rows = `SELECT CASE WHEN ${credit} THEN abs(${minor}) ELSE -abs(${minor}) END AS amount, ${balance} AS balance FROM ${from} WHERE ${notEmpty(engine, there.mapping)}`;
  const steps = `SELECT amount, lag(amount) OVER () AS before, balance - lag(balance) OVER () AS step, row_number() OVER () AS n FROM (${rows}) AS r`;
  const broken = ['step = amount', 'step = -amount', 'step = before', 'step = -before'].map(
    (holds) => `count(CASE WHEN n > 1 AND (${holds}) IS NOT TRUE THEN 1 END)`,
  );
  const [row = []] = await rowsOf(engine, `SELECT count(*), ${broken.join(', ')} FROM (${steps}) AS s`);
  const [count = 0, ...breaks] = row.map(Number);
  const fewest = Math.min(...breaks);
  if (fewest === 0) return true;
  throw new WarehouseError(
    'balances_broken',
    say('warehouse.lines.balancesAreBroken', { side: side.toUpperCase(), column, count: fewest, rows: count }),
  );
}

/** What was loaded of a side. */
export interface Loaded {
  readonly lines: number;
  readonly leftOut: number;
  /** Whether all lines were proved by balances. */
  readonly isProved: boolean;
}

/** Columns of the tables of lines, in their order. */
export function lineColumns(compiled: Pick<Compiled, 'metadata' | 'changed'>, side: Side): string[] {
  const own = [...Object.values(LINE), DIRECTION].filter((name) => name !== LINE.bound);
  const changed = compiled.changed.filter((each) => each.side === side).map(({ column }) => column);
  return [...own, ...compiled.metadata.keys(), ...changed, LINE.bound];
}

/** What tells the lines of a side apart, for engines that have no order of their own. */
const TELLING = [
  LINE.externalId,
  LINE.day,
  LINE.valueDay,
  LINE.amount,
  LINE.credit,
  LINE.currency,
  LINE.description,
  LINE.reference,
] as const;

/** Returns the query that makes lines of a side's rows. `first`: the number before that of its first line. */
export function linesQuery(engine: Engine, side: Side, there: SideThere, compiled: Compiled, given: LinesGiven): string {
  const { convention, scale, first, mapped } = given;
  const { mapping } = there;
  const values = valuesOf(engine, there, scale);
  const metadata = [...compiled.metadata].map(([column, path]) => `${values.text(mapping.metadata?.[path])} AS ${column}`);
  const isTurned = side === 'b' && convention === 'opposite';
  const factor = byPlaces(LINE.places, scale, (each) => 10 ** (scale.scale - each));
  const changed = compiled.changed.filter((each) => each.side === side);
  const telling = [...TELLING, ...compiled.metadata.keys()];
  const raw = `SELECT ${values.day} AS ${LINE.day}, ${values.valueDay} AS ${LINE.valueDay}, ${wholeIn(values.minor)} AS ${LINE.amount}, ${values.places} AS ${LINE.places}, CASE WHEN ${values.credit} THEN 1 WHEN NOT ${values.credit} THEN 0 END AS ${LINE.credit}, ${values.currency} AS ${LINE.currency}, ${values.text(mapping.description)} AS ${LINE.description}, ${values.text(mapping.id)} AS ${LINE.externalId}, ${values.text(mapping.reference)} AS ${LINE.reference}${metadata.map((each) => `, ${each}`).join('')} FROM ${values.from} WHERE ${notEmpty(engine, mapping)}${engine.dialect.lineOrder(telling)}`;
  const numbered = `SELECT CAST(${engine.dialect.lineNumber(first, telling)} AS BIGINT) AS ${LINE.number}, ${LINE.day}, ${LINE.valueDay}, ${LINE.amount}, ${LINE.amount} * ${factor} AS ${LINE.units}, CASE WHEN ${LINE.credit} = ${isTurned ? 0 : 1} THEN ${LINE.amount} ELSE -${LINE.amount} END * ${factor} AS ${LINE.signed}, ${LINE.places}, ${LINE.credit}, ${LINE.currency}, ${LINE.description}, ${LINE.externalId}, ${LINE.reference}, ${engine.dialect.text(sqlText(STREAM[side]))} AS ${LINE.stream}, ${engine.dialect.text(`CASE WHEN ${LINE.credit} = 1 THEN 'credit' ELSE 'debit' END`)} AS ${DIRECTION}${[...compiled.metadata.keys()].map((each) => `, ${each}`).join('')} FROM (${raw}) AS r`;
  const texts = changed.map(({ column, term, ofAscii }) => {
    const from = present(textSource(compiled, term.field.name, term.field.path), 'the column of a text');
    const known = mapped.get(column) ?? null;
    const home = known === null ? `CAST(NULL AS ${engine.dialect.string})` : `${column}_.changed`;
    const ascii = ofAscii === null ? home : filledText(ofAscii, engine.dialect);
    return `CASE WHEN ${engine.dialect.isAscii(`l.${from}`)} THEN ${ascii} ELSE ${home} END AS ${column}`;
  });
  const joins = changed.flatMap(({ column, term }) => {
    const table = mapped.get(column);
    return table === undefined
      ? []
      : [
          ` LEFT JOIN ${table} AS ${column}_ ON ${column}_.raw = l.${present(textSource(compiled, term.field.name, term.field.path), 'the column of a text')}`,
        ];
  });
  const own = lineColumns(compiled, side).filter((name) => name !== LINE.bound && !changed.some(({ column }) => column === name));
  return `SELECT ${[...own.map((name) => `l.${name}`), ...texts, `CAST(0 AS INTEGER) AS ${LINE.bound}`].join(', ')} FROM (${numbered}) AS l${joins.join('')}`;
}

/** Returns the unsigned whole number of minor units, or null for what is none, which a table may have come to hold since it was checked. */
function wholeIn(minor: string): string {
  return `CASE WHEN ${minor} = floor(${minor}) AND abs(${minor}) <= ${MOST_UNITS} THEN CAST(abs(${minor}) AS BIGINT) END`;
}

/** Refuses lines that are not those that were checked: the table was changed between. */
async function checkLoaded(engine: Engine, side: Side, there: SideThere, { currencies }: Scale, rows: number): Promise<number> {
  const unknown =
    typeof there.mapping.currency === 'string'
      ? []
      : [`${LINE.currency} NOT IN (${[...currencies, ''].map(engine.dialect.literal).join(', ')})`];
  const wrong = [...[LINE.day, LINE.amount, LINE.credit].map((column) => `${column} IS NULL`), ...unknown].join(' OR ');
  const [row = []] = await rowsOf(engine, `SELECT count(*), count(CASE WHEN ${wrong} THEN 1 END) FROM ${side}`);
  const [lines = 0, changed = 0] = row.map(Number);
  if (lines !== rows || changed > 0)
    throw new WarehouseError('table_changed', say('warehouse.lines.theTableChanged', { table: there.name }));
  return lines;
}

export interface LinesGiven {
  readonly convention: SignConvention;
  readonly scale: Scale;
  readonly first: number;
  /** Tables of texts that were changed at home, by the column that takes them. */
  readonly mapped: ReadonlyMap<string, string>;
}

/** The streams that the lines of the sides are in, as rules read them. */
export const STREAM: Readonly<Record<Side, string>> = { a: 'side_a', b: 'side_b' };

function notEmpty(engine: Engine, mapping: SideMapping): string {
  const columns = [mapping.day, ...(typeof mapping.currency === 'string' ? [] : [mapping.currency.column])];
  const filled = columns.map((name) => `${engine.dialect.quoted(name)} IS NOT NULL`);
  return [...filled, `(${filledAmount(engine, mapping)})`].join(' AND ');
}

function filledAmount({ dialect }: Engine, mapping: SideMapping): string {
  return amountColumns(mapping)
    .map((name) => `${dialect.quoted(name)} IS NOT NULL`)
    .join(' OR ');
}

const PLAIN_TEXTS: Readonly<Record<string, string>> = {
  reference: LINE.reference,
  description: LINE.description,
  external_id: LINE.externalId,
  currency: LINE.currency,
  data_stream_key: LINE.stream,
  direction: DIRECTION,
};

/** Returns the column of the lines that a text is changed from. */
function textSource({ metadata }: Compiled, name: string, path: string): string | undefined {
  return path === '' ? PLAIN_TEXTS[name] : [...metadata].find(([, of]) => of === path)?.[0];
}

/** Rows of changed texts that are written at once. */
const TEXTS_AT_ONCE = 20_000;

/** Computes texts at home that SQL cannot change exactly, once for each different text. Returns the table that holds them, or null if there are none. */
async function changeAtHome(engine: Engine, there: SideThere, compiled: Compiled, scale: Scale, index: number): Promise<string | null> {
  const each = present(compiled.changed[index], 'a changed text');
  const { field } = each.term;
  const named = columnsOfMapping(there.mapping).find(([what]) => what === (field.name === 'external_id' ? 'id' : field.name))?.[1];
  const table = `changed_${each.column}`;
  // A currency, a direction or a stream has few values, all of ASCII characters.
  const values = named === undefined ? null : valuesOf(engine, there, scale).text(named);
  const fixed = named === undefined ? (FIXED[field.name] ?? []) : [];
  const { isAscii, text } = engine.dialect;
  const which = each.ofAscii === null ? '' : ` AND NOT (${isAscii('raw')})`;
  const query =
    values === null ? null : `SELECT DISTINCT raw FROM (SELECT ${values} AS raw FROM ${there.source}) AS t WHERE raw IS NOT NULL${which}`;
  const known =
    query === null ? fixed.length : await numberOf(engine, `SELECT count(*) FROM (SELECT 1 FROM (${query}) AS q LIMIT 1) AS one`);
  if (known === 0) return null;
  await engine.run(engine.dialect.makeTable(table, `SELECT ${text("''")} AS raw, ${text("''")} AS changed WHERE 1 = 0`));
  let rows: (readonly Cell[])[] = fixed.map((raw) => [raw, changedText(each, raw)]);
  if (query !== null) {
    await engine.run(engine.dialect.makeTable(`${table}_raw`, query));
    for await (const page of engine.pages(`SELECT raw FROM ${table}_raw`)) {
      rows.push(...page.map(([raw]): readonly Cell[] => [raw ?? null, changedText(each, String(raw))]));
      if (rows.length < TEXTS_AT_ONCE) continue;
      const full = rows;
      rows = [];
      await engine.insert(table, full);
    }
  }
  await engine.insert(table, rows);
  return table;
}

const FIXED: Readonly<Record<string, readonly string[]>> = { direction: ['credit', 'debit'], data_stream_key: Object.values(STREAM) };

/** Loads the lines of both sides into tables `a` and `b`. The tables there are read once and not again, so that a change under the run cannot tear it. */
export async function loadLines(
  engine: Engine,
  sides: Sides,
  compiled: Compiled,
  given: Pick<LinesGiven, 'convention' | 'scale'>,
): Promise<Record<Side, Loaded>> {
  const loaded: Partial<Record<Side, Loaded>> = {};
  let first = 0;
  for (const side of SIDES) {
    const { rows, empty } = await checkSide(engine, side, sides[side], given.scale);
    const isProved = await proveSide(engine, side, sides[side], given.scale);
    const mapped = new Map<string, string>();
    for (const [index, { column, side: of }] of compiled.changed.entries()) {
      const table = of === side ? await changeAtHome(engine, sides[side], compiled, given.scale, index) : null;
      if (table !== null) mapped.set(column, table);
    }
    await engine.makeLines(side, linesQuery(engine, side, sides[side], compiled, { ...given, first, mapped }), first);
    const lines = await checkLoaded(engine, side, sides[side], given.scale, rows - empty);
    loaded[side] = { lines, leftOut: empty, isProved };
    first += lines;
  }
  return { a: present(loaded.a, 'side A'), b: present(loaded.b, 'side B') };
}

/** Returns rules as SQL for the lines of both sides. */
export function compileFor(engine: Engine, rules: readonly ReadyRule[], convention: SignConvention, scale: Scale): Compiled {
  return compileRules(rules, { dialect: engine.dialect, convention, ...scale });
}
