import type { DatabaseConnection, Failure } from '../../../src-shared/contract/index.ts';
import { withoutPassword } from '../../../src-shared/values/database-address.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { answer, missing, refuse, refuseField, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, EnvironmentName, Handlers } from '../../service/handler.ts';
import { type KeyOwner, keptKey } from '../../sync/operations/sync-life.ts';
import { type ConnectionRow, findConnection, insertConnection, listConnections, updateConnection } from '../store/connections.ts';

/** The owner of a password. It names the address, so that another address written into the book does not receive the password. */
export function ownerOf(environment: EnvironmentName, { id, address }: Pick<ConnectionRow, 'id' | 'address'>): KeyOwner {
  return { environment, baseUrl: `database ${id} ${address}` };
}

async function viewOf({ sync }: ServiceContext, { environment }: Caller, row: ConnectionRow): Promise<DatabaseConnection> {
  const { id, name, engine, address, created_at: createdAt, last_choices: choices } = row;
  return {
    id,
    name,
    engine,
    address,
    password_kept: await sync.keys.where(ownerOf(environment, row)),
    created_at: timestampOf(createdAt),
    last_choices: choices === null ? null : storedJson('database_connections.last_choices', choices, id),
  };
}

const SCHEMES = { postgres: ['postgres://', 'postgresql://'], spark: ['spark://', 'spark+http://', 'spark+https://'] } as const;

interface Reach {
  readonly address: string;
  readonly password: string | null;
}

/** Returns an address and a password as they are kept, or why the address is none. The refusal does not repeat what was given. */
export function reachOf(
  engine: ConnectionRow['engine'],
  given: { readonly address: string; readonly password?: string | undefined },
): Result<Reach, Failure<'database_unusable'>> {
  if (engine === 'duckdb') return success({ address: given.address, password: null });
  const { address, password } = withoutPassword(given.address);
  if (!SCHEMES[engine].some((scheme) => address.startsWith(scheme)) || !URL.canParse(address)) {
    const words = engine === 'postgres' ? 'databases.connections.isNoAddressOfPostgres' : 'databases.connections.isNoAddressOfSpark';
    return refuseField('database_unusable', 'address', phrase(words));
  }
  return success({ address, password: given.password ?? password });
}

type Handled = 'connections.list' | 'connections.create' | 'connections.update' | 'connections.remove' | 'connections.restore';

const taken = (name: string) => refuseField('conflict', 'name', phrase('databases.connections.thereIsOne', { name }));

/** Returns what the handlers of connections share. */
function sharedBy(context: ServiceContext) {
  const { database, clock, changed } = context;
  const isTaken = ({ environmentId }: Caller, name: string, ownId?: number): boolean =>
    listConnections(database, environmentId).some((row) => row.id !== ownId && row.name.toLowerCase() === name.toLowerCase());
  const audited = (
    caller: Caller,
    action: `connection.${'created' | 'updated' | 'deleted' | 'restored'}`,
    work: (write: WriteHandle, atMs: number) => ConnectionRow | undefined,
  ): ConnectionRow | undefined => {
    const done = database.write((write) => {
      const atMs = clock.nowMs();
      const row = work(write, atMs);
      if (row === undefined) return undefined;
      const { id, name, engine, address } = row;
      const detail = { connection_id: id, name, engine, address };
      appendAudit(write, { environmentId: caller.environmentId, atMs, actor: caller.actor, action, detail });
      return row;
    });
    changed(['databases']);
    return done;
  };
  const answered = async (caller: Caller, row: ConnectionRow | undefined, id: number) =>
    row === undefined ? missing('connection', id) : answer(await viewOf(context, caller, row));
  return { isTaken, audited, answered };
}

function updateHandler(context: ServiceContext): Handlers['connections.update'] {
  const { database, sync } = context;
  const { isTaken, audited, answered } = sharedBy(context);
  return async (caller, { id, name, ...given }) => {
    const { environmentId, environment } = caller;
    const before = findConnection(database, environmentId, id);
    if (before === undefined) return missing('connection', id);
    if (name !== undefined && isTaken(caller, name, id)) return taken(name);
    const reach = reachOf(before.engine, { address: given.address ?? before.address, password: given.password });
    if (!reach.ok) return reach;
    const { address } = reach.value;
    const formerOwner = ownerOf(environment, before);
    const owner = ownerOf(environment, { id, address });
    // A person who moves a connection moves its password with it.
    const password = reach.value.password ?? (address === before.address ? null : await sync.keys.read(formerOwner));
    const key = password === null ? success(null) : await keptKey(sync.keys, owner, password, 'database_unusable');
    if (!key.ok) return key;
    if (address !== before.address) await sync.keys.forget(formerOwner);
    const row = audited(caller, 'connection.updated', (write) => {
      updateConnection(write, id, { name: name ?? before.name, address });
      return findConnection(write, environmentId, id);
    });
    return answered(caller, row, id);
  };
}

/** Returns the handlers of connections to databases. A name is taken in whatever case. Passwords are outside of the book. */
export function connectionHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database, sync, tables } = context;
  const { isTaken, audited, answered } = sharedBy(context);
  return {
    'connections.list': async (caller) =>
      answer(await Promise.all(listConnections(database, caller.environmentId).map((row) => viewOf(context, caller, row)))),
    'connections.create': async (caller, { name, engine, ...given }) => {
      if (isTaken(caller, name)) return taken(name);
      const reach = reachOf(engine, given);
      if (!reach.ok) return reach;
      const { address, password } = reach.value;
      const { environmentId, environment } = caller;
      const row = audited(caller, 'connection.created', (write, atMs) => {
        const id = insertConnection(write, { environment_id: environmentId, name, engine, address, created_at: atMs });
        return findConnection(write, environmentId, id);
      });
      const key =
        password === null || row === undefined
          ? success(null)
          : await keptKey(sync.keys, ownerOf(environment, row), password, 'database_unusable');
      return key.ok ? answered(caller, row, 0) : key;
    },
    'connections.update': updateHandler(context),
    'connections.remove': async (caller, { id }) => {
      const row = findConnection(database, caller.environmentId, id);
      if (row === undefined) return missing('connection', id);
      if (tables.run(id)?.state === 'running') return refuse('conflict', phrase('databases.runs.isUnderWay', { name: row.name }));
      audited(caller, 'connection.deleted', (write, atMs) => {
        updateConnection(write, id, { removed_at: atMs });
        return row;
      });
      await sync.keys.forget(ownerOf(caller.environment, row));
      return answer(null);
    },
    'connections.restore': async (caller, { id }) => {
      const row = findConnection(database, caller.environmentId, id, true);
      if (row === undefined) return missing(phrase('databases.connections.deletedConnection'), id);
      if (isTaken(caller, row.name)) return taken(row.name);
      audited(caller, 'connection.restored', (write) => {
        updateConnection(write, id, { removed_at: null });
        return row;
      });
      return answered(caller, row, id);
    },
  };
}
