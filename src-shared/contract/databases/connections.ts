import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { sideMapping } from './mapping.ts';

const ADDRESS_LENGTH = 2_000;

const engine = z.enum(['duckdb', 'postgres', 'spark']);
export type DatabaseEngine = z.output<typeof engine>;

const table = z.string().trim().min(1).max(1_000).meta({ description: 'A table or a view there, or the path of a Parquet or CSV file' });

/** What a person chose for a run over two tables. */
export const tableChoices = {
  name: common.name.meta({ description: 'Of the reconciliation that comes home' }),
  a: table,
  b: table,
  mapping: z.strictObject({ a: sideMapping, b: sideMapping }),
  sign_convention: z.enum(['same', 'opposite']),
  rules_of: common.idInput
    .nullable()
    .meta({ description: 'The reconciliation whose rules are used; null: the default rules by reference, amount and day' }),
};

/** The choices as they are kept with a connection. */
export const keptChoices = z.object({ ...tableChoices, rules_of: common.id.nullable() });

const connection = z
  .object({
    id: common.id,
    name: z.string(),
    engine,
    address: z.string().meta({ description: 'Never with a password; for DuckDB the path of the database, or empty for files alone' }),
    password_kept: z.enum(['secret_store', 'encrypted_file', 'none']),
    created_at: common.timestamp,
    last_choices: keptChoices.nullable().meta({ description: 'Those of the last run that was started' }),
  })
  .meta({ id: 'DatabaseConnection' });
export type DatabaseConnection = z.output<typeof connection>;

const address = z
  .string()
  .trim()
  .max(ADDRESS_LENGTH)
  .meta({ description: 'A password in it is taken out and kept like one that is given' });
const password = z.string().min(1).max(common.LIMITS.passwordLength);

const look = z.object({
  tables: z.array(z.string()).meta({ description: 'Tables and views that the user may read' }),
  reads_only: z.boolean().nullable().meta({ description: 'Whether the user can change none of them; null where the engine does not tell' }),
});
export type DatabaseLook = z.output<typeof look>;

export const connections = {
  'connections.list': operation({
    id: 'connections.list',
    method: 'GET',
    path: '/connections',
    summary: 'The connections to databases, by name',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: z.array(connection),
    example: {},
  }),
  'connections.create': operation({
    id: 'connections.create',
    method: 'POST',
    path: '/connections',
    summary: 'Keep a connection to a database under a name; its password is kept outside of the book',
    surface: 'app',
    permission: 'read_write',
    inverse: 'connections.remove',
    status: 201,
    input: z.strictObject({ name: common.name, engine, address, password: password.optional() }),
    output: connection,
    errors: ['conflict', 'database_unusable'],
    example: { name: 'Payments', engine: 'duckdb', address: '' },
  }),
  'connections.update': operation({
    id: 'connections.update',
    method: 'PATCH',
    path: '/connections/{id}',
    summary: 'Name a connection otherwise, or give it another address or password',
    surface: 'app',
    permission: 'read_write',
    inverse: 'connections.update',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      name: common.name.optional(),
      address: address.optional(),
      password: password.optional(),
    }),
    output: connection,
    errors: ['conflict', 'database_unusable'],
    example: { id: '1', name: 'Payments of June' },
  }),
  'connections.remove': operation({
    id: 'connections.remove',
    method: 'DELETE',
    path: '/connections/{id}',
    summary: 'Delete a connection with its password; what came home through it stays',
    surface: 'app',
    permission: 'read_write',
    inverse: 'connections.restore',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['conflict'],
    example: { id: '1' },
  }),
  'connections.restore': operation({
    id: 'connections.restore',
    method: 'POST',
    path: '/connections/{id}/restore',
    summary: 'Bring a deleted connection back, without its password; one whose name another has by now stays deleted',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: connection,
    errors: ['conflict'],
    example: { id: '1' },
  }),
  'connections.try': operation({
    id: 'connections.try',
    method: 'POST',
    path: '/connections/try',
    summary: 'Connect, and say what can be read there and whether the user can change it; nothing is kept or written',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({
      id: common.idInput.optional().meta({ description: 'The connection whose password is used where none is given' }),
      engine,
      address,
      password: password.optional(),
    }),
    output: look,
    errors: ['database_unusable'],
    example: { engine: 'duckdb', address: 'nowhere.duckdb' },
  }),
} as const;
