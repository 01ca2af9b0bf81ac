import { SyncStop } from './answers.ts';
import type { RemoteKind } from './sync-result.ts';
import { contract } from '../../../src-shared/contract/index.ts';
import { LIVE, OLDER_TIEOUT, SPECIFICATION, TIEOUT, type Dialect } from './dialect.ts';
import { checked, stopOf } from './remote-calls.ts';
import type { Http, HttpAnswer } from './remote-http.ts';

export const DIALECTS: Readonly<Record<RemoteKind, Dialect>> = { tieout: TIEOUT, live: LIVE, specification: SPECIFICATION };

/** Returns `info` of an OpenAPI document. */
function infoOf(value: unknown): { readonly title: unknown; readonly version: unknown } {
  const info: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'info') : undefined;
  if (typeof info !== 'object' || info === null) return { title: null, version: null };
  return { title: Reflect.get(info, 'title'), version: Reflect.get(info, 'version') };
}

/** The book and environment that answer, and the state of their history. */
export interface RemoteIdentity {
  readonly instanceId: string;
  /** Shared by all copies and backups of a book; null if the remote does not state it. */
  readonly bookId: string | null;
  readonly environment: string;
  readonly entries: number;
  readonly head: string | null;
  /** The hash of the entry that was asked for; null if the history is shorter or no entry was asked for. */
  readonly asked: string | null;
}

export interface Probed {
  readonly dialect: Dialect;
  /** The version of another Tieout; null for other remotes. */
  readonly version: string | null;
  /** Null if the remote cannot state it. */
  readonly identity: RemoteIdentity | null;
}

/** Returns the identity that a remote states. `entry` is a number of its history whose hash is wanted, or null. */
export async function identityOf(http: Http, entry: number | null): Promise<RemoteIdentity | null> {
  const value = await optional(http, entry === null ? '/instance' : `/instance?entry=${entry}`);
  if (value === null) return null;
  const told = checked('instance.get', { status: 200, value, message: '', code: '', location: null }) as ToldInstance;
  const { entries, head, asked } = told.history;
  return {
    instanceId: told.instance_id,
    bookId: told.book_id ?? null,
    environment: told.environment,
    entries,
    head: head ?? null,
    asked: asked ?? null,
  };
}

interface ToldInstance {
  readonly instance_id: string;
  readonly book_id?: string | null;
  readonly environment: string;
  readonly history: { readonly entries: number; readonly head?: string | null; readonly asked?: string | null };
}

const NOT_IMPLEMENTED = 501;

const isGood = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300;

/** Whether a Tieout has the resource of imported files, according to its OpenAPI document. */
function hasImports(described: unknown): boolean {
  const paths: unknown = typeof described === 'object' && described !== null ? Reflect.get(described, 'paths') : undefined;
  return typeof paths === 'object' && paths !== null && contract['imported_files.create'].path in paths;
}

/** Finds out which kind of remote answers and that the key is accepted, by reading only. Throws a SyncStop if the remote is unusable. */
export async function probe(http: Http): Promise<Probed> {
  const reconciliations = await http.send({ method: 'GET', path: '/reconciliations?limit=1', isRepeatable: true });
  const stop = stopOf(http.host, reconciliations);
  if (stop !== null) throw stop;
  if (!isGood(reconciliations)) throw notAService(http, reconciliations);
  checked('reconciliations.list', reconciliations);
  const described = await optional(http, '/openapi.json');
  const { title, version } = infoOf(described);
  if (title === 'Tieout')
    return {
      dialect: hasImports(described) ? TIEOUT : OLDER_TIEOUT,
      version: typeof version === 'string' ? version : null,
      identity: await identityOf(http, null),
    };
  const isLive = Array.isArray(await optional(http, '/data_streams'));
  return { dialect: isLive ? DIALECTS.live : DIALECTS.specification, version: null, identity: null };
}

/** Requests what only some remotes have. Returns null if it is refused; throws if the remote fails, because its kind is then unknown. */
async function optional(http: Http, path: string): Promise<unknown> {
  const answer = await http.send({ method: 'GET', path, isRepeatable: true, mayBeAbsent: true });
  if (isGood(answer)) return answer.value;
  if (answer.status < 500 || answer.status === NOT_IMPLEMENTED) return null;
  throw new SyncStop('remote_failed', `${http.host} answers ${answer.status} to ${path}: ${answer.message} Try again later.`);
}

function notAService({ host, baseUrl }: Http, { status }: HttpAnswer): SyncStop {
  const hint = baseUrl.endsWith('/v1') ? '' : ' The address ends with /v1 as a rule.';
  return new SyncStop(
    'not_a_service',
    `${host} answers ${status} where the list of reconciliations should be: this is no reconciliation service.${hint}`,
  );
}
