import type { Errors, Failure, Input, OperationId, Output, Permission, Surface } from '../../src-shared/contract/index.ts';
import type { AnswerMeta } from '../../src-shared/contract/wire.ts';

export type EnvironmentName = 'live' | 'test';

/** The caller of an operation. Data is limited to its environment; only the window and the command line may use the app surface. */
export interface Caller {
  readonly environmentId: number;
  readonly environment: EnvironmentName;
  readonly permission: Permission;
  readonly surface: Surface;
  /** The actor in the audit log: `app`, `cli`, or `key:<id>`. */
  readonly actor: string;
  /** The Idempotency-Key header of this call. */
  readonly idempotencyKey?: string | undefined;
  /** Aborted when no client waits for this call's answer, if the transport can tell. */
  readonly gone?: AbortSignal | undefined;
}

export const ENVIRONMENT_IDS: Readonly<Record<EnvironmentName, number>> = { live: 1, test: 2 };

/** Returns the caller of the window or of the command line, who may do everything in an environment. */
export function ownCaller(environment: EnvironmentName, actor: 'app' | 'cli'): Caller {
  return { environmentId: ENVIRONMENT_IDS[environment], environment, permission: 'read_write', surface: 'app', actor };
}

type HandlerAnswer<K extends OperationId> =
  | { readonly ok: true; readonly value: Output<K>; readonly meta?: AnswerMeta | undefined }
  | { readonly ok: false; readonly error: Failure<Errors<K>> };

/** Handles one operation. Before it is called, the input is validated, the permission checked, and ids turned into integers. */
interface Handler<K extends OperationId> {
  (caller: Caller, input: Input<K>): HandlerAnswer<K> | Promise<HandlerAnswer<K>>;
  /** Returns the stored answer before the input is checked, for an operation that answers a repeated Idempotency-Key whatever the input is. */
  readonly replay?: (caller: Caller) => HandlerAnswer<K> | null;
}

/** One handler per operation of the contract. A missing one, or one that returns an undeclared error, does not compile. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };

/** Runs an operation by name: validates, checks permission, calls the handler, and turns bugs into `internal_error`. Never throws. */
export type Dispatch = (
  operation: string,
  input: unknown,
  caller: Caller,
) => Promise<import('../../src-shared/contract/wire.ts').Outcome<unknown>>;
