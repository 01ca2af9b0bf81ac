import type { Failure, Input, Rule, RuleBody } from '../../../src-shared/contract/index.ts';
import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import { ruleBody } from '../../../src-shared/contract/rules/rules.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { answer, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { listRules } from '../../rules/store/rules.ts';
import { ruleView } from '../../service/views.ts';
import { streamByKey } from '../../streams/store/streams.ts';
import { type ConnectionRow, findConnection, updateConnection } from '../store/connections.ts';
import { ownerOf, reachOf } from './connections.ts';
import type { DatabasePlace, TableOrder } from './table-life.ts';

type Choices = Input<'table_runs.plan'>;

async function placeOf({ sync }: ServiceContext, { environment }: Caller, row: ConnectionRow): Promise<DatabasePlace> {
  return { engine: row.engine, address: row.address, password: await sync.keys.read(ownerOf(environment, row)) };
}

/** Returns a stored rule as a rules file holds it. */
function bodyOf(rule: Rule): RuleBody {
  const members = Object.entries(rule).filter(([name, value]) => Object.hasOwn(ruleBody.shape, name) && value !== null);
  return ruleBody.parse(Object.fromEntries(members));
}

/** Returns what a run over two tables does. Refuses a reconciliation that is not there, or that has no rule in use. */
function orderOf(
  { database }: ServiceContext,
  { environmentId }: Caller,
  { name, a, b, mapping, sign_convention: convention, rules_of: from }: Choices,
): Result<TableOrder, Failure<'unknown_reference'>> {
  const order = { name, names: { a, b }, mapping, convention };
  if (from === null) return success({ ...order, bodies: presetRules('amount_and_date') });
  const isThere = findReconciliation(database, environmentId, from) !== undefined;
  const rules = isThere
    ? listRules(database, from)
        .map(ruleView)
        .filter(({ status, paused }) => status === 'active' && !paused)
    : [];
  if (rules.length === 0) return refuseField('unknown_reference', 'rules_of', phrase('databases.runs.noRules'));
  return success({ ...order, bodies: rules.map(bodyOf) });
}

type Handled = 'connections.try' | `table_runs.${'tables' | 'propose' | 'plan' | 'start' | 'get' | 'cancel'}`;

/** Returns the handlers of runs over tables in a database. */
export function tableRunHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database, tables, clock, sync } = context;
  const rowOf = ({ environmentId }: Caller, id: number): ConnectionRow | undefined => findConnection(database, environmentId, id);
  return {
    'connections.try': async (caller, { id, engine, ...given }) => {
      const reach = reachOf(engine, given);
      if (!reach.ok) return reach;
      const row = id === undefined ? undefined : rowOf(caller, id);
      if (id !== undefined && row === undefined) return missing('connection', id);
      const { address } = reach.value;
      // A kept password is for its own address alone.
      const password = reach.value.password ?? (row?.address === address ? await sync.keys.read(ownerOf(caller.environment, row)) : null);
      return tables.look({ engine, address, password }, caller.gone);
    },
    'table_runs.tables': async (caller, { id }) => {
      const row = rowOf(caller, id);
      if (row === undefined) return missing('connection', id);
      const seen = await tables.look(await placeOf(context, caller, row), caller.gone);
      return seen.ok ? answer([...seen.value.tables]) : seen;
    },
    'table_runs.propose': async (caller, { id, a, b }) => {
      const row = rowOf(caller, id);
      return row === undefined ? missing('connection', id) : tables.propose(await placeOf(context, caller, row), { a, b }, caller.gone);
    },
    'table_runs.plan': async (caller, choices) => {
      const row = rowOf(caller, choices.id);
      if (row === undefined) return missing('connection', choices.id);
      const order = orderOf(context, caller, choices);
      return order.ok ? tables.plan(await placeOf(context, caller, row), order.value, caller.gone) : failed(order.error);
    },
    'table_runs.start': startHandler(context),
    'table_runs.get': (caller, { id }) => (rowOf(caller, id) === undefined ? missing('connection', id) : answer(tables.run(id))),
    'table_runs.cancel': (caller, { id }) => {
      const row = rowOf(caller, id);
      if (row === undefined) return missing('connection', id);
      const run = tables.cancel(id);
      if (run === null) return refuse('conflict', phrase('databases.runs.nothingIsUnderWay', { name: row.name }));
      const { environmentId, actor } = caller;
      const detail = { connection_id: id, name: row.name };
      database.write((write) => appendAudit(write, { environmentId, atMs: clock.nowMs(), actor, action: 'table_run.cancelled', detail }));
      return answer(run);
    },
  };
}

function startHandler(context: ServiceContext): Handlers['table_runs.start'] {
  const { database, tables, clock, changed } = context;
  return async (caller, choices) => {
    const { environmentId, environment, actor } = caller;
    const row = findConnection(database, environmentId, choices.id);
    if (row === undefined) return missing('connection', choices.id);
    const order = orderOf(context, caller, choices);
    if (!order.ok) return failed(order.error);
    const place = await placeOf(context, caller, row);
    const { id, ...kept } = choices;
    const accounts = tables.accountsOf(order.value.names, (key) => streamByKey(database, environmentId, key) !== undefined);
    const run = tables.start({ connectionId: id, environment, place, order: order.value, accounts });
    if (run === null) return refuse('conflict', phrase('databases.runs.isUnderWay', { name: row.name }));
    database.write((write) => {
      updateConnection(write, id, { last_choices: JSON.stringify(kept), coming_home: JSON.stringify([accounts.a, accounts.b]) });
      const detail = { connection_id: id, name: row.name, tables: [choices.a, choices.b] };
      appendAudit(write, { environmentId, atMs: clock.nowMs(), actor, action: 'table_run.started', detail });
    });
    changed(['databases']);
    return answer(run);
  };
}
