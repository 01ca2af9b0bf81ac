import type { Call, OperationId, Output } from '../contract/index.ts';
import type { Bridge, Outcome } from '../contract/wire.ts';

/**
 * Carries one call to the service and its answer back: the IPC bridge, fetch, or a direct dispatch. Resolves to a failure that the service answers,
 * and rejects when the service cannot be reached. It validates neither `input` nor the answer.
 */
export type Transport = (operation: OperationId, input: Readonly<Record<string, unknown>>) => Promise<Outcome<unknown>>;

/** `client.call('records.list', {...})` resolves to an outcome. `client.get(...)` resolves to the value and throws a `ServiceError` on failure. */
export interface Client {
  call<K extends OperationId>(operation: K, input: Call<K>): Promise<Outcome<Output<K>>>;
  get<K extends OperationId>(operation: K, input: Call<K>): Promise<Output<K>>;
}

/** A failed answer as an exception, for callers that prefer to catch. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: Extract<Outcome<unknown>, { ok: false }>['error'];
  constructor(failure: Extract<Outcome<unknown>, { ok: false }>['error']) {
    super(failure.message);
    this.failure = failure;
  }
}

export function createClient(transport: Transport): Client {
  async function call<K extends OperationId>(operation: K, input: Call<K>): Promise<Outcome<Output<K>>> {
    const answer = await transport(operation, input as Readonly<Record<string, unknown>>);
    if (!answer.ok) return answer;
    // Parsing would cost as much as the page; the parity test proves that answers fit their schema.
    return { ...answer, value: answer.value as Output<K> };
  }
  return {
    call,
    async get(operation, input) {
      const answer = await call(operation, input);
      if (!answer.ok) throw new ServiceError(answer.error);
      return answer.value;
    },
  };
}

/** The client's transport over Electron's preload bridge. */
export function createBridgeTransport(bridge: Pick<Bridge, 'request'>): Transport {
  return (operation, input) => bridge.request(operation, input);
}
