import type { SideMapping } from '../../src-shared/contract/databases/mapping.ts';
import { existsSync, realpathSync } from 'node:fs';
import { say } from '../../src-shared/words/say.ts';
import type { Side } from '../domain/records/fields.ts';
import { type Engine, rowsOf, WarehouseError } from './engine.ts';
import type { SideThere, Sides } from './lines.ts';
import { faultsOfMapping, type Proposal, proposeMapping, SAMPLE_ROWS } from './mapping.ts';

/** The tables of both sides, as a person named them. */
export type TableNames = Readonly<Record<Side, string>>;

/** A table whose columns are not said yet. */
export type Found = Omit<SideThere, 'mapping'>;

/** Returns where a table is, the same for every name of one file. */
function placeOf(engine: Engine, name: string): string {
  return engine.source(existsSync(name) ? realpathSync(name) : name);
}

async function tableThere(engine: Engine, name: string): Promise<Found> {
  const source = engine.source(name);
  return { name, source, columns: await engine.columns(source) };
}

/** Returns both tables with their columns. Refuses one table on both sides. */
export async function tablesThere(engine: Engine, names: TableNames): Promise<Readonly<Record<Side, Found>>> {
  if (placeOf(engine, names.a) === placeOf(engine, names.b)) {
    throw new WarehouseError('same_table', say('warehouse.command.bothSidesAreOne', { name: names.a }));
  }
  return { a: await tableThere(engine, names.a), b: await tableThere(engine, names.b) };
}

/** Returns what the names and the first rows of a table show of its columns. */
export async function proposalOf(engine: Engine, side: Side, { source, columns }: Found): Promise<Proposal> {
  const cells = columns.map(({ name }) => `CAST(${engine.dialect.quoted(name)} AS ${engine.dialect.string})`).join(', ');
  const rows = await rowsOf(engine, `SELECT ${cells} FROM ${source} LIMIT ${SAMPLE_ROWS}`);
  return proposeMapping(side, columns, rows, engine.dialect.hasOrder);
}

/** Returns both sides of a run. Refuses a mapping that does not fit, with all faults. */
export function sidesOf(found: Readonly<Record<Side, Found>>, mapping: Readonly<Record<Side, SideMapping>>): Sides {
  const faults = (['a', 'b'] as const).flatMap((side) => faultsOfMapping(side, mapping[side], found[side].columns));
  if (faults.length > 0) throw new WarehouseError('mapping_does_not_fit', faults.join('\n'));
  return { a: { ...found.a, mapping: mapping.a }, b: { ...found.b, mapping: mapping.b } };
}
