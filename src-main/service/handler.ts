import type { Errors, Failure, Input, OperationId, Output, Permission, Surface } from '../../src-shared/contract/index.ts';
import type { AnswerMeta } from '../../src-shared/contract/wire.ts';

export type EnvironmentName = 'live' | 'test';

/** Who calls. Data is scoped to the environment; the app surface is open to the window and the command line alone. */
export interface Caller {
  readonly environmentId: number;
  readonly environment: EnvironmentName;
  readonly permission: Permission;
  readonly surface: Surface;
  /** For the audit log: `app`, `cli`, or `key:<id>`. */
  readonly actor: string;
  /** For this call alone: the header Idempotency-Key. */
  readonly idempotencyKey?: string | undefined;
  /** For this call alone: aborted when nobody waits for the answer any more, if the transport can tell. */
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

/** Input is validated, permission checked and ids turned into integers before a handler sees them. */
interface Handler<K extends OperationId> {
  (caller: Caller, input: Input<K>): HandlerAnswer<K> | Promise<HandlerAnswer<K>>;
  /** For an operation that answers a repeated Idempotency-Key whatever the input is: the stored answer, before the input is checked. */
  readonly replay?: (caller: Caller) => HandlerAnswer<K> | null;
}

/** One handler per operation of the contract; a missing one, or one that answers an undeclared error, does not compile. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };

/** Runs an operation by name: validation, permission, handler, and bugs turned into `internal_error`. Never throws. */
export type Dispatch = (
  operation: string,
  input: unknown,
  caller: Caller,
) => Promise<import('../../src-shared/contract/wire.ts').Outcome<unknown>>;
