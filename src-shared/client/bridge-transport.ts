import type { Bridge } from '../contract/wire.ts';
import type { Transport } from './client.ts';

/** The client's transport over Electron's preload bridge. */
export function createBridgeTransport(bridge: Pick<Bridge, 'request'>): Transport {
  return (operation, input) => bridge.request(operation, input);
}
