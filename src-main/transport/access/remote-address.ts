import type { Socket } from 'node:net';
import { isLoopback } from '../../../src-shared/values/network.ts';

type Ends = Pick<Socket, 'localAddress' | 'remoteAddress'>;

/** The holder of all programs of this machine, whichever of its addresses they use. */
export const THIS_MACHINE = 'this machine';
const GROUPS = 8;
const GROUPS_OF_A_NETWORK = 4;

/** Returns an IPv4 address that arrived at an IPv6 socket as IPv4. */
export function plainAddress(address: string | undefined): string {
  return address?.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '') ?? '';
}

/** Whether both ends of a connection are this machine. */
export function isOwnConnection({ localAddress, remoteAddress }: Ends): boolean {
  const remote = plainAddress(remoteAddress);
  return isLoopback(remote) || (remote !== '' && remote === plainAddress(localAddress));
}

/**
 * Returns the holder that a connection counts for: this machine, an IPv4 address, or the network of an IPv6 address, since one machine can have any
 * number of these.
 */
export function holderOfConnection(socket: Ends): string {
  if (isOwnConnection(socket)) return THIS_MACHINE;
  const remote = plainAddress(socket.remoteAddress);
  if (!remote.includes(':')) return remote;
  const [head = [], tail] = remote.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : GROUPS - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])].slice(0, GROUPS_OF_A_NETWORK).join(':');
}
