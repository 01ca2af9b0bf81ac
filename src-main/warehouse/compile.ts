import type { SignConvention } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import {
  allowedDistances,
  isExact,
  type Leaf,
  needed,
  type ReadyRule,
  rolledRule,
  type RuleNode,
  type Term,
  textOfRaw,
} from '../domain/matching/index.ts';
import { fieldOf, type Side, UNDECLARED } from '../domain/records/fields.ts';
import { type Dialect, sqlText } from './engine.ts';

/** Columns of the tables of lines, beside those of metadata (`m0`, `m1`, ...) and of changed texts (`d0`, `d1`, ...). */
export const LINE = {
  /** Number of the line: lines of side B go on where those of side A end. */
  number: 'n',
  day: 'day',
  valueDay: 'value_day',
  /** Unsigned amount in minor units of the line's own currency, and at the scale of the run. */
  amount: 'amount',
  units: 'units',
  /** Amount at the scale of the run as rules see it, with the sign of the convention. */
  signed: 'signed',
  places: 'places',
  credit: 'credit',
  currency: 'currency',
  description: 'description',
  externalId: 'external_id',
  reference: 'reference',
  stream: 'stream',
  /** Whether the line comes home whatever is found, since its rivals do. */
  bound: 'bound',
} as const;

/** A text after its transforms, which is computed when the lines are loaded. */
export interface ChangedText {
  readonly column: string;
  readonly side: Side;
  readonly term: Term;
  /** SQL that is right for texts of ASCII characters alone; null if the text is always computed at home. */
  readonly ofAscii: string | null;
}

/** How a rule is answered there. */
export interface RuleInSql {
  readonly ready: ReadyRule;
  /** The expressions whose values are equal in all lines that the rule may put together, by side. */
  readonly blocks: readonly { readonly a: string; readonly b: string }[];
  /** Whether a pair of lines `a` and `b` satisfies the rule; null if only the engine at home can tell. */
  readonly condition: string | null;
  /** Conditions that only the engine at home can tell, in the order of the rule. */
  readonly atHome: readonly Leaf[];
  /** How a cohort with one taker is settled there; null for pairs, and where only the engine at home can tell. */
  readonly cohorts: CohortsInSql | null;
}

/** A rule for groups by identifier as SQL: all lines of the many side with one key are a cohort, which one line of the other side takes. */
export interface CohortsInSql {
  readonly many: Side;
  /** Columns that have one value in all lines of a cohort. */
  readonly keys: readonly string[];
  /** Whether a line of a cohort goes with the line that takes it. */
  readonly member: string;
  /** Whether the total of a cohort, as a line, goes with the line that takes it. */
  readonly total: string;
  /** The day of a line, and how many days before the line that takes the cohort it may lie. */
  readonly window: { readonly day: string; readonly days: number } | null;
}

export interface Compiled {
  readonly rules: readonly RuleInSql[];
  /** Metadata fields that the rules read: path, by column. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly changed: readonly ChangedText[];
  /** A minus B in minor units at the finer scale of a pair of lines. */
  readonly difference: string;
}

interface Compilation {
  readonly dialect: Dialect;
  readonly convention: SignConvention;
  /** Decimal places of the run: the most that a currency of its lines has. */
  readonly scale: number;
  /** Decimal places that occur. */
  readonly places: readonly number[];
  readonly metadata: Map<string, string>;
  readonly changed: Map<string, ChangedText>;
}

const TEXT_COLUMNS: Readonly<Record<string, string>> = {
  reference: LINE.reference,
  description: LINE.description,
  external_id: LINE.externalId,
  currency: LINE.currency,
  data_stream_key: LINE.stream,
};

/** Compiles rules that can run. The same rules give the same SQL. */
export function compileRules(
  rules: readonly ReadyRule[],
  given: Pick<Compilation, 'dialect' | 'convention' | 'scale' | 'places'>,
): Compiled {
  const compilation: Compilation = { ...given, metadata: new Map(), changed: new Map() };
  for (const ready of rules) noteMetadata(ready, compilation.metadata);
  const inSql = rules.map((ready) =>
    ready.rule.cardinality === 'many_to_one' ? groupsInSql(ready, compilation) : pairsInSql(ready, compilation),
  );
  return {
    rules: inSql,
    metadata: compilation.metadata,
    changed: [...compilation.changed.values()],
    difference: differenceIn(compilation),
  };
}

/** Notes the metadata that a rule reads, whether there or at home. */
function noteMetadata({ rule, compiled }: ReadyRule, metadata: Map<string, string>): void {
  const paths = [
    ...compiled.leaves.flatMap(({ key, value }) => [key.field.path, value.field.path]),
    ...[...rule.groupBy, rule.rollup?.date_field ?? ''].flatMap((name) => fieldOf(name)?.path ?? []),
  ];
  for (const path of paths) if (path !== '' && ![...metadata.values()].includes(path)) metadata.set(`m${metadata.size}`, path);
}

function pairsInSql(ready: ReadyRule, compilation: Compilation): RuleInSql {
  const { root, leaves, namesCurrency } = ready.compiled;
  const blocks = needed(root).flatMap((leaf) => blockOf(leaf, compilation) ?? []);
  const atHome = leaves.filter((leaf) => leafTest(leaf, compilation) === null);
  const tree = atHome.length > 0 ? null : nodeTest(root, compilation);
  const currency = { a: `a.${LINE.currency}`, b: `b.${LINE.currency}` };
  return {
    ready,
    blocks: namesCurrency ? blocks : [...blocks, currency],
    condition: tree === null || namesCurrency ? tree : `(${tree} AND ${currency.a} = ${currency.b})`,
    atHome,
    cohorts: null,
  };
}

/**
 * Returns the blocks of a rule for groups, which the engine at home searches. A group is never split: one by identifier is told apart only by what its
 * own fields say, and the others are formed within what must be equal in any case.
 */
function groupsInSql(ready: ReadyRule, compilation: Compilation): RuleInSql {
  const { rule, compiled } = ready;
  const rolled = rolledRule(rule, compiled, UNDECLARED, compilation.convention);
  const ofMany = (leaf: Leaf): string => (rolled.manySide === 'a' ? leaf.key : leaf.value).field.name;
  const isSafe = (leaf: Leaf): boolean =>
    rolled.isOfTotal[leaf.index] !== true && (rolled.kind !== 'identifier' || rule.groupBy.includes(ofMany(leaf)));
  const leaves = rolled.compiled.leaves.map((leaf, index) => ({ ...leaf, index }));
  const own = needed(compiled.root).filter(isSafe);
  const further = leaves.slice(compiled.leaves.length).filter(isSafe);
  const blocks = [...own, ...further].flatMap((leaf) => blockOf(leaf, compilation) ?? []);
  const currency = { a: `a.${LINE.currency}`, b: `b.${LINE.currency}` };
  const isOfCurrency = rolled.kind !== 'identifier' && !rolled.compiled.namesCurrency;
  return {
    ready,
    blocks: isOfCurrency ? [...blocks, currency] : blocks,
    condition: null,
    atHome: compiled.leaves,
    cohorts: cohortsInSql(rolled, compilation),
  };
}

/** Returns how a cohort and its one taker are compared, or null where SQL cannot say it exactly: alternatives, numbers and days in texts, lists, edits. */
function cohortsInSql(rolled: ReturnType<typeof rolledRule>, compilation: Compilation): CohortsInSql | null {
  const { compiled, manySide: many, date, lookbackDays, isOfTotal, balances, exactBalance } = rolled;
  if (rolled.kind !== 'identifier' || !isConjunction(compiled.root)) return null;
  const day = date === null ? null : dayColumn(date.field.name, many);
  if (date !== null && day === null) return null;
  const test = (leaf: Leaf): string | null => leafTest(leaf, compilation);
  const keys = rolled.groups.map((leaf) => (leaf.kind === 'number' ? null : termOf(leaf, many, compilation)));
  const ofTotal = compiled.leaves.filter((_, index) => isOfTotal[index] === true).map(test);
  const ofMembers = compiled.leaves.filter((_, index) => isOfTotal[index] !== true).map(test);
  const balanced = [...balances.flatMap((leaf) => leaf ?? []), exactBalance].map(test);
  if ([...keys, ...ofTotal, ...ofMembers, ...balanced].includes(null)) return null;
  const currency = `a.${LINE.currency} = b.${LINE.currency}`;
  return {
    many,
    keys: keys.flatMap((key) => key ?? []),
    member: ['1 = 1', ...ofMembers, ...(compiled.namesCurrency ? [] : [currency])].join(' AND '),
    total: [`(${balanced.join(' OR ')})`, ...ofTotal].join(' AND '),
    window: day === null || lookbackDays === null ? null : { day, days: lookbackDays },
  };
}

function isConjunction(node: RuleNode): boolean {
  return node.type === 'leaf' || (node.operand === 'and' && node.children.every(isConjunction));
}

function dayColumn(name: string, side: Side): string | null {
  return name === 'date' ? `${side}.${LINE.day}` : name === 'value_date' ? `${side}.${LINE.valueDay}` : null;
}

/** Returns the expressions that are equal wherever an equality holds, or null for a condition that is none. */
function blockOf(leaf: Leaf, compilation: Compilation): { readonly a: string; readonly b: string } | null {
  if (!isExact(leaf)) return null;
  const [a, b] = [termOf(leaf, 'a', compilation), termOf(leaf, 'b', compilation)];
  if (a === null || b === null) return null;
  const unit = leaf.tolerance?.unit;
  const coarse = (day: string): string =>
    unit === 'month' ? compilation.dialect.monthOf(day) : unit === 'business_day' ? businessDay(day) : day;
  return leaf.kind === 'date' ? { a: coarse(a), b: coarse(b) } : { a, b };
}

function nodeTest(node: RuleNode, compilation: Compilation): string {
  if (node.type === 'leaf') return present(leafTest(node, compilation), 'a condition that is no engine’s alone');
  const tests = node.children.map((child) => nodeTest(child, compilation));
  return tests.length === 1 ? (tests[0] ?? '') : `(${tests.join(node.operand === 'or' ? ' OR ' : ' AND ')})`;
}

/** Returns whether a condition holds, in SQL that is null or false if not; null if it cannot be said exactly. */
function leafTest(leaf: Leaf, compilation: Compilation): string | null {
  const [a, b] = [termOf(leaf, 'a', compilation), termOf(leaf, 'b', compilation)];
  if (a === null || b === null) return null;
  switch (leaf.operand) {
    case 'eq':
      return equalityTest(leaf, a, b, compilation);
    case 'eq_or_missing':
      return `(${a} IS NULL OR ${b} IS NULL OR ${a} = ${b})`;
    case 'neq':
      return `${a} <> ${b}`;
    case 'contains':
      return `${compilation.dialect.places(a, b)} > 0`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      // Texts are ordered by UTF-16 code units, which no engine does.
      return leaf.kind === 'text' ? null : `${a} ${ORDERS[leaf.operand]} ${b}`;
    default:
      // The members of a list are read at home.
      return null;
  }
}

const ORDERS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function equalityTest(leaf: Leaf, a: string, b: string, { dialect, scale, places }: Compilation): string | null {
  const { tolerance } = leaf;
  if (tolerance === null) return `${a} = ${b}`;
  const units = Number(tolerance.amount.units);
  switch (tolerance.unit) {
    case 'edit':
      return null;
    case 'day':
      return `abs(${a} - ${b}) <= ${units}`;
    case 'month':
      return `${dialect.monthOf(a)} = ${dialect.monthOf(b)}`;
    case 'business_day':
      return `abs(${businessDay(a)} - ${businessDay(b)}) <= ${units}`;
    case 'percent': {
      const wide = (value: string): string => `CAST(${value} AS ${dialect.wide})`;
      const hundred = 100n * 10n ** BigInt(tolerance.amount.scale);
      return `abs(${wide(a)} - ${wide(b)}) * ${hundred} <= ${wide(`greatest(abs(${a}), abs(${b}))`)} * ${BigInt(tolerance.amount.units)}`;
    }
    default: {
      const allowed = allowedDistances(tolerance, scale, 0, scale);
      const cases = places.map((each) => `WHEN ${each} THEN ${allowed[each] ?? 0}`);
      const distance = places.length === 1 ? String(allowed[places[0] ?? 0] ?? 0) : `CASE ${finerPlaces()} ${cases.join(' ')} END`;
      return `abs(${a} - ${b}) <= ${distance}`;
    }
  }
}

function finerPlaces(): string {
  return `greatest(a.${LINE.places}, b.${LINE.places})`;
}

/** Days since 1970-01-01 are counted so that Saturday and Sunday are the Monday after them. Lines lie after the year -9999. */
function businessDay(day: string): string {
  // A whole number of weeks makes the day positive, since engines round the quotient of a negative number in different ways.
  const weeks = 600_000;
  const since = `(${day} + ${3 + weeks * 7})`;
  return `(CAST((${since} - ${since} % 7) / 7 AS BIGINT) * 5 + least(${since} % 7, 5))`;
}

/** Returns the SQL of one side of a condition; null if it cannot be said exactly. */
function termOf(leaf: Leaf, side: Side, compilation: Compilation): string | null {
  const term = side === 'a' ? leaf.key : leaf.value;
  const isList = leaf.operand === 'in' || leaf.operand === 'not_in';
  if (isList) return null;
  const name = term.field.name;
  if (leaf.kind === 'number') {
    if (name !== 'amount' && name !== 'signed_amount') return null;
    return term.transforms.numbers.reduce<string>(
      (value, step) => (step === 'negate' ? `(-${value})` : `abs(${value})`),
      `${side}.${name === 'amount' ? LINE.units : LINE.signed}`,
    );
  }
  if (leaf.kind === 'date') return dayColumn(name, side);
  return textTerm(term, side, compilation);
}

function textTerm(term: Term, side: Side, compilation: Compilation): string | null {
  const column = textColumn(term, compilation);
  if (column === null || term.type !== null) return null;
  if (term.transforms.texts.length === 0) return `${side}.${column}`;
  const key = `${side} ${term.field.name} ${JSON.stringify(term.transforms.names)}`;
  const known = compilation.changed.get(key);
  if (known !== undefined) return `${side}.${known.column}`;
  const made: ChangedText = {
    column: `d${compilation.changed.size}`,
    side,
    term,
    ofAscii: changedInSql(column, term.transforms.names, compilation.dialect),
  };
  compilation.changed.set(key, made);
  return `${side}.${made.column}`;
}

/** Returns the column that holds a text as it is; null for a direction, whose words no rule needs there. */
function textColumn({ field }: Term, { metadata }: Pick<Compilation, 'metadata'>): string | null {
  if (field.kind !== 'metadata') return TEXT_COLUMNS[field.name] ?? (field.name === 'direction' ? DIRECTION : null);
  return [...metadata].find(([, path]) => path === field.path)?.[0] ?? null;
}

/** Column with the word of the direction. */
export const DIRECTION = 'direction';

/** Returns the SQL of transforms of a text of ASCII characters; null if one of them is always computed at home. */
function changedInSql(column: string, names: readonly string[], dialect: Dialect): string | null {
  let sql: string | null = column;
  for (const name of names) {
    if (sql === null) return null;
    const [transform = '', count = ''] = name.split(' ');
    sql = stepInSql(sql, transform, count, dialect);
  }
  return sql;
}

/** What `trim` removes of ASCII characters, as SQL. */
const SPACES = String.raw`chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || ' '`;

function stepInSql(text: string, transform: string, count: string, dialect: Dialect): string | null {
  switch (transform) {
    case 'lowercase':
      return `lower(${text})`;
    case 'uppercase':
      return `upper(${text})`;
    case 'alphanumeric_only':
      return dialect.without(text, 'A-Za-z0-9', true);
    case 'digits_only':
      return dialect.without(text, '0-9', true);
    case 'trim':
      return dialect.trimEnd(dialect.trimStart(text, SPACES), SPACES);
    case 'strip_leading_zeros':
      return dialect.trimStart(text, "'0'");
    case 'remove_accents':
      return text;
    case 'first_n_chars':
      return `left(${text}, ${Number(count)})`;
    case 'last_n_chars':
      return `right(${text}, ${Number(count)})`;
    default:
      return null;
  }
}

/** Characters beyond ASCII that JavaScript trims. */
const WIDE_SPACES = '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** Returns SQL that is null for a text without a visible character, else the text itself. */
export function filledText(text: string, dialect: Dialect): string {
  const all = `${SPACES} || ${sqlText(WIDE_SPACES)}`;
  // Nearly every text begins with a visible character of ASCII, and to trim is slow.
  return `CASE WHEN ${text} >= '!' AND ${text} < '~' THEN ${text} WHEN ${dialect.trimStart(text, all)} = '' THEN NULL ELSE ${text} END`;
}

/** Returns what a text is after its transforms, as the engine at home computes it. */
export function changedText({ term }: ChangedText, raw: string): string | null {
  const text = textOfRaw(term, raw);
  return typeof text === 'string' ? text : null;
}

function differenceIn({ convention, scale, places }: Compilation): string {
  const column = convention === 'any' ? LINE.units : LINE.signed;
  const difference = `(a.${column} - b.${column})`;
  if (places.length === 1) return places[0] === scale ? difference : `CAST(${difference} / ${10 ** (scale - (places[0] ?? 0))} AS BIGINT)`;
  const cases = places.map((each) => `WHEN ${each} THEN CAST(${difference} / ${10 ** (scale - each)} AS BIGINT)`);
  return `CASE ${finerPlaces()} ${cases.join(' ')} END`;
}
