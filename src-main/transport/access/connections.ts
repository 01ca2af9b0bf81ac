import type { Socket } from 'node:net';
import { isLoopback } from '../../../src-shared/values/network.ts';

type Ends = Pick<Socket, 'localAddress' | 'remoteAddress'>;

/** The holder of all programs of this machine, whichever of its addresses they use. */
const THIS_MACHINE = 'this machine';
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

export interface ConnectionLimits {
  /** Most connections open at a time. */
  readonly connections: number;
  /** How many of these connections one other machine may hold at most. */
  readonly connectionsPerAddress: number;
  /** Connections that programs with a key leave to the window and to new clients; at most a tenth of all. */
  readonly connectionsForWindow: number;
}

/** Credential that a connection has shown: the secret of a window, or a key. */
type Proof = 'window' | 'key';

interface Entry {
  readonly holder: string;
  proof: Proof | null;
}

/**
 * The open connections of a server.
 *  A new connection is accepted while another one has shown neither key nor secret: beyond the limit the oldest of those is closed. So a client that
 * sends slowly or nothing locks no other out. Where all others have shown one, the new connection is closed.
 */
export class Connections {
  readonly #open = new Map<Socket, Entry>();
  /** Connections without a credential, in the order in which they opened or failed to show one. */
  readonly #unproved = new Set<Socket>();
  readonly #limits: ConnectionLimits;
  readonly #forKeys: number;
  readonly #onEvicted: (holder: string) => void;
  #withKeys = 0;

  constructor(limits: ConnectionLimits, onEvicted: (holder: string) => void) {
    this.#limits = limits;
    this.#forKeys = limits.connections - Math.min(limits.connectionsForWindow, Math.floor(limits.connections / 10));
    this.#onEvicted = onEvicted;
  }

  accept(socket: Socket): void {
    const holder = holderOfConnection(socket);
    this.#open.set(socket, { holder, proof: null });
    this.#unproved.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (holder !== THIS_MACHINE && this.#countOf(holder) > this.#limits.connectionsPerAddress) {
      this.#evict(this.#oldest((each) => this.#open.get(each)?.holder === holder && each !== socket) ?? socket);
    } else if (this.#open.size > this.#limits.connections) {
      this.#evict(this.#oldest((each) => each !== socket) ?? socket);
    }
  }

  /** Records the credential of the newest request, null where it had none or a wrong one. Returns whether the connection may stay open after it. */
  show(socket: Socket, proof: Proof | null): boolean {
    const entry = this.#open.get(socket);
    if (entry === undefined) return false;
    if (entry.proof !== proof) {
      this.#withKeys += Number(proof === 'key') - Number(entry.proof === 'key');
      entry.proof = proof;
      if (proof === null) this.#unproved.add(socket);
      else this.#unproved.delete(socket);
    }
    return proof !== 'key' || this.#withKeys <= this.#forKeys;
  }

  #countOf(holder: string): number {
    let count = 0;
    for (const entry of this.#open.values()) if (entry.holder === holder) count += 1;
    return count;
  }

  #oldest(fits: (socket: Socket) => boolean): Socket | undefined {
    for (const socket of this.#unproved) if (fits(socket)) return socket;
    return undefined;
  }

  #evict(socket: Socket): void {
    const holder = this.#open.get(socket)?.holder ?? '';
    this.#forget(socket);
    socket.destroy();
    this.#onEvicted(holder);
  }

  #forget(socket: Socket): void {
    const entry = this.#open.get(socket);
    if (entry === undefined) return;
    if (entry.proof === 'key') this.#withKeys -= 1;
    this.#open.delete(socket);
    this.#unproved.delete(socket);
  }
}
