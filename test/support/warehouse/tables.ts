import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalText, signedMinor } from '../../../src-shared/values/money.ts';
import type { EngineRule } from '../../../src-main/domain/matching/index.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { type Dialect, type Engine } from '../../../src-main/warehouse/engine.ts';
import type { SideMapping } from '../../../src-shared/contract/databases/mapping.ts';
import { matchesThere, type MatchThere, openThere, type RunDone, type RunLimits, runThere } from '../../../src-main/warehouse/run.ts';

const METADATA = ['code', 'total', 'due', 'list', 'paid', 'order.id'] as const;

/** The mapping of the tables that tests make. */
export const TEST_MAPPING: SideMapping = {
  day: 'booked',
  value_day: 'valued',
  amount: 'amount',
  unit: 'major',
  sign: 'positive_in',
  currency: { column: 'currency' },
  description: 'text',
  reference: 'ref',
  id: 'id',
  metadata: Object.fromEntries(METADATA.map((name) => [name, `x_${name}`])),
};

/** Returns the SQL that writes records into a table. */
function filledBy(table: string, records: readonly EngineRecord[], { literal }: Dialect): readonly string[] {
  const text = (value: string | null): string => (value === null ? 'NULL' : literal(value));
  const day = (value: number | null): string => (value === null ? 'NULL' : `DATE '${isoFromDay(value)}'`);
  const rows = records.map((record) => {
    const metadata = METADATA.map((name) => {
      const value = record.metadata[name];
      return text(typeof value === 'string' ? value : null);
    });
    const amount = decimalText(signedMinor(record.amountMinor, record.direction), record.decimalPlaces);
    return `(${[day(record.day), day(record.valueDay), amount, text(record.currency), text(record.description), text(record.reference), text(record.externalId), ...metadata].join(', ')})`;
  });
  return rows.length === 0 ? [] : [`INSERT INTO ${table} VALUES ${rows.join(', ')}`];
}

/** Returns the columns of the tables that tests make, in SQL. */
export function sideColumns(quotedName: Dialect['quoted']): string {
  const metadata = METADATA.map((name) => `${quotedName(`x_${name}`)} VARCHAR(200)`).join(', ');
  return `booked DATE, valued DATE, amount DECIMAL(20, 4), currency VARCHAR(3), text VARCHAR(200), ref VARCHAR(200), id VARCHAR(200), ${metadata}`;
}

/** Fills the tables `side_a` and `side_b`, and makes them in the engine's own room unless they are there, empty. */
export async function makeSides(
  engine: Engine,
  sides: { readonly a: readonly EngineRecord[]; readonly b: readonly EngineRecord[] },
  areThere: boolean,
): Promise<void> {
  for (const side of ['a', 'b'] as const) {
    if (!areThere) await engine.run(`CREATE TABLE side_${side} (${sideColumns(engine.dialect.quoted)})`);
    for (const statement of filledBy(`side_${side}`, sides[side], engine.dialect)) await engine.run(statement);
  }
}

/** What a run in an engine brought, in the words of the engine at home. */
export interface Brought {
  readonly done: RunDone;
  readonly matches: readonly MatchThere[];
  readonly open: { readonly a: readonly EngineRecord[]; readonly b: readonly EngineRecord[] };
}

export async function broughtBy(
  engine: Engine,
  rules: readonly EngineRule[],
  convention: SignConvention,
  limits?: RunLimits,
): Promise<Brought> {
  const side = async (name: string) => ({ name, source: name, columns: await engine.columns(name), mapping: TEST_MAPPING });
  const sides = { a: await side('side_a'), b: await side('side_b') };
  const done = await runThere(engine, { sides, rules, convention, ...(limits === undefined ? {} : { limits }) }, () => undefined);
  const matches: MatchThere[] = [];
  for await (const match of matchesThere(engine)) matches.push(match);
  const open = { a: [] as EngineRecord[], b: [] as EngineRecord[] };
  for (const which of ['a', 'b'] as const) for await (const page of openThere(engine, done.compiled, which)) open[which].push(...page);
  return { done, matches, open };
}
