import type { EngineRule } from '../../../src-main/domain/matching/index.ts';
import { type Engine, rowsOf } from '../../../src-main/warehouse/engine.ts';
import { faultsOfMapping } from '../../../src-main/warehouse/mapping.ts';
import type { SideMapping } from '../../../src-shared/contract/databases/mapping.ts';
import { type RunDone, runThere } from '../../../src-main/warehouse/run.ts';
import { engineRule } from '../inputs/matching-records.ts';

const MAPPING: SideMapping = {
  day: 'booked',
  amount: 'amount',
  unit: 'major',
  sign: 'positive_in',
  currency: 'EUR',
  reference: 'ref',
  id: 'id',
};

/** Types of the columns that differ from case to case. */
interface Types {
  readonly booked?: string;
  readonly amount?: string;
}

/** A table that no run may read in silence: the one row that it has, in SQL of every engine. */
interface BadInput {
  readonly name: string;
  readonly types: Types;
  /** Day, amount and a word. */
  readonly row: readonly [string, string, string];
  readonly mapping: Partial<SideMapping>;
  readonly code: string;
  readonly words: string;
}

const DAY = "DATE '2026-06-01'";

function bad(
  name: string,
  row: BadInput['row'],
  code: string,
  words: string,
  { types = {}, mapping = {} }: Partial<Pick<BadInput, 'types' | 'mapping'>> = {},
): BadInput {
  return { name, types, row, mapping, code, words };
}

/** What is refused in every engine, by the code and the words of the refusal. */
export const BAD_INPUT: readonly BadInput[] = [
  bad('floats for money', [DAY, '10.5', "'x'"], 'does_not_fit', 'holds floating point numbers', { types: { amount: 'FLOAT' } }),
  bad('floats that print more decimal places than the currency has', [DAY, '10.005', "'x'"], 'too_many_places', 'more decimal places', {
    types: { amount: 'FLOAT' },
    mapping: { floats: 'as_printed' },
  }),
  bad('more decimal places than the currency has', [DAY, '10.005', "'x'"], 'too_many_places', 'never rounded', {
    types: { amount: 'DECIMAL(12, 3)' },
  }),
  bad('decimals in a currency without any', [DAY, '10.50', "'x'"], 'too_many_places', 'never rounded', { mapping: { currency: 'JPY' } }),
  bad('a text that spells no amount', [DAY, "'1,234.50'", "'x'"], 'no_amount', 'spells no amount', { types: { amount: 'VARCHAR(40)' } }),
  bad('an amount beyond what is exact', [DAY, '99999999999999999.00', "'x'"], 'amount_out_of_range', 'too large', {
    types: { amount: 'DECIMAL(30, 2)' },
  }),
  bad('an amount of very many digits', [DAY, '12345678901234567890123456.00', "'x'"], 'amount_out_of_range', 'too large', {
    types: { amount: 'DECIMAL(30, 2)' },
  }),
  bad('no day', ['NULL', '10.00', "'x'"], 'empty_rows', 'without a day, an amount or a currency'),
  bad('no amount', [DAY, 'NULL', "'x'"], 'empty_rows', 'without a day, an amount or a currency'),
  bad('no currency', [DAY, '10.00', 'NULL'], 'empty_rows', 'without a day, an amount or a currency', {
    mapping: { currency: { column: 'word' } },
  }),
  bad('a word that is no currency', [DAY, '10.00', "'Euro'"], 'no_currency', 'is no currency code', {
    mapping: { currency: { column: 'word' } },
  }),
  bad('a word that is no direction', [DAY, '10.00', "'?'"], 'no_direction', 'neither among the words', {
    mapping: { sign: { column: 'word', in: ['C'], out: ['D'] } },
  }),
  bad('a text with the day before the month', ["'03/06/2026'", '10.00', "'x'"], 'no_day', 'is not guessed', {
    types: { booked: 'VARCHAR(40)' },
  }),
  bad('a text of the year 0', ["'0000-06-03'", '10.00', "'x'"], 'no_day', 'spells no day', { types: { booked: 'VARCHAR(40)' } }),
  bad('numbers for days', ['20260603', '10.00', "'x'"], 'does_not_fit', 'which is no day', { types: { booked: 'INTEGER' } }),
];

/** The type of instants, by engine. */
const INSTANTS: Readonly<Record<string, string>> = { DuckDB: 'TIMESTAMPTZ', PostgreSQL: 'TIMESTAMPTZ', Spark: 'TIMESTAMP' };

/** Makes a table with one row for both sides in the engine's own room, and runs rules on it. */
async function ranOn(
  engine: Engine,
  { types, row, mapping }: Pick<BadInput, 'types' | 'row' | 'mapping'>,
  rules: readonly EngineRule[],
): Promise<RunDone | string> {
  const { booked = 'DATE', amount = 'DECIMAL(12, 2)' } = types;
  const [day, sum, word] = row;
  await engine.run('DROP TABLE IF EXISTS given');
  await engine.run(`CREATE TABLE given (booked ${booked}, amount ${amount}, ref VARCHAR(40), id VARCHAR(40), word VARCHAR(40))`);
  await engine.run(`INSERT INTO given VALUES (${day}, ${sum}, 'R', 'x', ${word})`);
  const side = { name: 'given', source: 'given', columns: await engine.columns('given'), mapping: { ...MAPPING, ...mapping } };
  const faults = faultsOfMapping('a', side.mapping, side.columns);
  if (faults.length > 0) return `does_not_fit: ${faults.join(' ')}`;
  try {
    return await runThere(engine, { sides: { a: side, b: side }, rules, convention: 'same' }, () => undefined);
  } catch (error) {
    return error instanceof Error && 'code' in error ? `${String(error.code)}: ${error.message}` : String(error);
  }
}

/** Returns the code and the words of a refusal, or what was done instead. */
export async function refusalOf(engine: Engine, given: BadInput): Promise<string> {
  const done = await ranOn(engine, given, [engineRule(1, [{ key: 'reference', value: 'reference' }])]);
  return typeof done === 'string' ? done : `not refused: ${JSON.stringify(done.rules)}`;
}

/** Returns the day, since 1970-01-01, on which an instant is read in a time zone, or why it is not. */
export async function dayOfInstant(engine: Engine, zone: string | null): Promise<string> {
  const type = INSTANTS[engine.dialect.name] ?? '';
  const row = [`CAST('2026-06-30 22:30:00+00:00' AS ${type})`, '10.00', "'x'"] as const;
  const done = await ranOn(engine, { types: { booked: type }, row, mapping: zone === null ? {} : { time_zone: zone } }, []);
  if (typeof done === 'string') return done;
  return String((await rowsOf(engine, 'SELECT day FROM a'))[0]?.[0]);
}
