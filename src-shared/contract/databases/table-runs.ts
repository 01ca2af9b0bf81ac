import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { tableChoices } from './connections.ts';
import { mappingQuestion, sideMapping } from './mapping.ts';

const bySide = z.object({ a: z.int(), b: z.int() });

const side = z.object({
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string().meta({ description: 'In the words of the database' }),
      is_float: z.boolean().meta({ description: 'Whether it cannot hold all amounts exactly' }),
      has_zone: z.boolean().meta({ description: 'Whether it holds instants, whose day depends on a time zone' }),
    }),
  ),
  mapping: sideMapping.partial().meta({ description: 'What is sure' }),
  questions: z.array(mappingQuestion).meta({ description: 'What a person must say' }),
});
export type TableProposal = z.output<typeof side>;

const tables = { id: common.idInput, a: tableChoices.a, b: tableChoices.b };
const choices = { id: common.idInput, ...tableChoices };

const plan = z.object({
  rows: bySide,
  open_at_most_about: z.int(),
  takes: z.string().meta({ description: 'Memory, disk and time, in words' }),
  load: z.object({ a: z.string(), b: z.string() }).meta({ description: 'The statements that read both sides' }),
  rules: z.array(z.object({ says: z.array(z.string()), statements: z.array(z.string()), is_refused: z.boolean() })),
});
export type TablePlan = z.output<typeof plan>;

const tableRun = z
  .object({
    connection_id: common.id,
    state: z.enum(['running', 'completed', 'failed', 'cancelled']),
    step: z.string().meta({ description: 'What is done now, in words' }),
    started_at: common.timestamp,
    ended_at: common.timestamp.nullable(),
    message: z.string().nullable().meta({ description: 'Why it failed or was cancelled' }),
    connection_lost: z
      .boolean()
      .meta({ description: 'Whether the connection was lost: the same run can be started again, and begins anew' }),
    result: z
      .object({
        reconciliation_id: common.id,
        stream_keys: z.object({ a: z.string(), b: z.string() }),
        lines: bySide,
        open: bySide,
        left_out: z.int(),
        settled_there: z.int(),
        solved_at_home: z.int(),
        proposed: z.int(),
      })
      .nullable(),
  })
  .meta({ id: 'TableRun' });
export type TableRun = z.output<typeof tableRun>;

export const tableRuns = {
  'table_runs.tables': operation({
    id: 'table_runs.tables',
    method: 'GET',
    path: '/connections/{id}/tables',
    summary: 'The tables and views that a connection can read',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: z.array(z.string()),
    errors: ['database_unusable'],
    example: { id: '1' },
  }),
  'table_runs.propose': operation({
    id: 'table_runs.propose',
    method: 'GET',
    path: '/connections/{id}/columns',
    summary: 'The columns of two tables, and what each is as far as names and first rows show it',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject(tables),
    output: z.object({ a: side, b: side }),
    errors: ['database_unusable'],
    example: { id: '1', a: 'ledger', b: 'bank' },
  }),
  'table_runs.plan': operation({
    id: 'table_runs.plan',
    method: 'POST',
    path: '/connections/{id}/plan',
    summary: 'What a run would do: its statements, the estimated rows of each step, and what would come home; nothing is read or written',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject(choices),
    output: plan,
    errors: ['database_unusable', 'unknown_reference'],
    example: exampleChoices(),
  }),
  'table_runs.start': operation({
    id: 'table_runs.start',
    method: 'POST',
    path: '/connections/{id}/run',
    summary: 'Reconcile two tables where they are, and bring home what is open, as a reconciliation of its own',
    surface: 'app',
    permission: 'read_write',
    status: 202,
    input: z.strictObject(choices),
    output: tableRun,
    errors: ['conflict', 'unknown_reference', 'database_unusable'],
    example: exampleChoices(),
  }),
  'table_runs.get': operation({
    id: 'table_runs.get',
    method: 'GET',
    path: '/connections/{id}/run',
    summary: 'The run of a connection that is under way, or the last one since Tieout started; null if there was none',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: tableRun.nullable(),
    example: { id: '1' },
  }),
  'table_runs.cancel': operation({
    id: 'table_runs.cancel',
    method: 'POST',
    path: '/connections/{id}/run/cancel',
    summary: 'Cancel the run of a connection; nothing of it stays, there or here',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: tableRun,
    errors: ['conflict'],
    example: { id: '1' },
  }),
} as const;

function exampleChoices() {
  const mapping = { day: 'day', amount: 'amount', unit: 'major', sign: 'positive_in', currency: 'EUR' } as const;
  return {
    id: '1',
    name: 'Payments',
    a: 'ledger',
    b: 'bank',
    mapping: { a: mapping, b: mapping },
    sign_convention: 'same',
    rules_of: null,
  } as const;
}
