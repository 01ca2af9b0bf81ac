import { createHash } from 'node:crypto';
import type { Permission } from '../../../src-shared/contract/index.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Database } from '../../database/database.ts';
import type { Clock, Random } from '../../platform/ports.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { answer, refuse, refuseField, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import { type Caller, ENVIRONMENT_IDS, type EnvironmentName, type Handlers } from '../../service/handler.ts';
import { findLiveApiKey, insertApiKey, listApiKeys, revokeApiKey, touchApiKey } from '../store/api-keys.ts';
import { appendAudit } from '../store/audit.ts';

/** The last use is written at most once a minute, so that a busy key does not turn every read into a write. */
const TOUCH_EVERY_MS = 60_000;

/** Returns a key's hash. A key is 32 random bytes, so a plain SHA-256 cannot be reversed by search. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

interface IssuedKey {
  readonly id: number;
  /** Shown once; only its hash is kept. */
  readonly key: string;
  readonly environment: EnvironmentName;
  readonly permission: Permission;
  readonly name: string;
  readonly reconciliation_id: number | null;
}

/** The operations that a sheet link may call. */
interface SheetLink {
  readonly caller: Caller;
  readonly reconciliationId: number;
}

interface ListedKey {
  readonly id: number;
  readonly name: string;
  readonly environment: EnvironmentName;
  readonly permission: Permission;
  readonly reconciliation_id: number | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** Issues, lists, revokes and checks the keys of the `/v1` address. */
export class ApiKeys {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(database: Database, clock: Clock, random: Random) {
    this.#database = database;
    this.#clock = clock;
    this.#random = random;
  }

  /** Issues a key; with a reconciliation a sheet link, whose token is part of an address. */
  issue(
    environment: EnvironmentName,
    permission: Permission,
    name: string,
    actor = 'cli',
    reconciliationId: number | null = null,
  ): IssuedKey {
    const key = `${reconciliationId === null ? `tieout_${environment}` : 'sheet'}_${Buffer.from(this.#random.bytes(32)).toString('base64url')}`;
    const environmentId = ENVIRONMENT_IDS[environment];
    const id = this.#database.write((write) => {
      const atMs = this.#clock.nowMs();
      const created = insertApiKey(write, {
        environment_id: environmentId,
        name,
        permission,
        reconciliation_id: reconciliationId,
        hash: hashOf(key),
        created_at: atMs,
      });
      appendAudit(write, {
        environmentId,
        atMs,
        actor,
        action: 'api_key.issued',
        detail: { api_key_id: created, name, permission, ...(reconciliationId === null ? {} : { reconciliation_id: reconciliationId }) },
      });
      return created;
    });
    return { id, key, environment, permission, name, reconciliation_id: reconciliationId };
  }

  list(environment: EnvironmentName): ListedKey[] {
    return listApiKeys(this.#database, ENVIRONMENT_IDS[environment]).map((row) => ({
      id: row.id,
      name: row.name,
      environment,
      permission: row.permission,
      reconciliation_id: row.reconciliation_id,
      created_at: timestampOf(row.created_at),
      last_used_at: timestampOrNull(row.last_used_at),
      revoked_at: timestampOrNull(row.revoked_at),
    }));
  }

  /** Revokes a key; returns whether there was such a key that was not revoked. */
  revoke(environment: EnvironmentName, id: number, actor = 'cli'): boolean {
    const environmentId = ENVIRONMENT_IDS[environment];
    return this.#database.write((write) => {
      const atMs = this.#clock.nowMs();
      const revoked = revokeApiKey(write, environmentId, id, atMs);
      if (revoked) appendAudit(write, { environmentId, atMs, actor, action: 'api_key.revoked', detail: { api_key_id: id } });
      return revoked;
    });
  }

  /** Returns the caller of a key; null if it is unknown or revoked. The lookup is by hash, so its duration reveals nothing of the key. */
  authenticate(key: string): Caller | null {
    const found = this.#find(key);
    return found === null || found.reconciliationId !== null ? null : found.caller;
  }

  /** Returns what a sheet link may read; null if its token is unknown or revoked. A key is no token. */
  sheetLink(token: string): SheetLink | null {
    const found = this.#find(token);
    return found === null || found.reconciliationId === null ? null : { caller: found.caller, reconciliationId: found.reconciliationId };
  }

  #find(key: string): { readonly caller: Caller; readonly reconciliationId: number | null } | null {
    const row = findLiveApiKey(this.#database, hashOf(key));
    if (row === undefined) return null;
    const nowMs = this.#clock.nowMs();
    const isOld = row.last_used_at === null || nowMs - row.last_used_at > TOUCH_EVERY_MS;
    if (isOld && !this.#database.connection.readonly) {
      this.#database.write((write) => touchApiKey(write, row.id, nowMs));
    }
    const environment: EnvironmentName = row.environment_id === ENVIRONMENT_IDS.test ? 'test' : 'live';
    const { environment_id: environmentId, permission } = row;
    const caller: Caller = { environmentId, environment, permission, surface: 'public', actor: `key:${row.id}` };
    return { caller, reconciliationId: row.reconciliation_id };
  }
}

const ENVIRONMENTS = Object.keys(ENVIRONMENT_IDS) as EnvironmentName[];

/** Returns the handlers for keys in the settings, across all environments of the book. */
export function apiKeyHandlers(
  context: ServiceContext,
): Pick<Handlers, 'environments.list' | 'api_keys.list' | 'api_keys.issue' | 'api_keys.revoke'> {
  const keys = new ApiKeys(context.database, context.clock, context.random);
  const listed = (environments: readonly EnvironmentName[]) =>
    environments.flatMap((environment) => keys.list(environment)).toSorted((left, right) => left.id - right.id);
  return {
    'environments.list': () =>
      answer(
        ENVIRONMENTS.map((name) => {
          const live = keys.list(name).filter((key) => key.revoked_at === null);
          const links = live.filter((key) => key.reconciliation_id !== null).length;
          return { name, live_keys: live.length - links, live_links: links };
        }),
      ),
    'api_keys.list': (_caller, input) => answer(listed(input.environment === undefined ? ENVIRONMENTS : [input.environment])),
    'api_keys.issue': (caller, input) => {
      const { environment, permission, name, reconciliation_id: of } = input;
      if (of !== undefined && permission !== 'read')
        return refuseField('validation_failed', 'permission', phrase('book.refusals.aSheetLinkOnlyReads'));
      if (of !== undefined && findReconciliation(context.database, ENVIRONMENT_IDS[environment], of) === undefined) {
        return refuseField(
          'unknown_reference',
          'reconciliation_id',
          phrase('book.refusals.thereIsNoReconciliationInTheEnvironment', { of, environment }),
        );
      }
      const issued = keys.issue(environment, permission, name, caller.actor, of ?? null);
      context.changed(['api_keys']);
      return answer(issued);
    },
    'api_keys.revoke': (caller, input) => {
      const found = listed(ENVIRONMENTS).find((key) => key.id === input.id);
      if (found === undefined) return refuse('not_found', phrase('book.refusals.thereIsNoApiKey', { id: input.id }));
      if (!keys.revoke(found.environment, found.id, caller.actor)) {
        return refuse('conflict', phrase('book.refusals.theApiKeyWasRevokedAlready', { name: found.name }));
      }
      context.changed(['api_keys']);
      return answer(null);
    },
  };
}
