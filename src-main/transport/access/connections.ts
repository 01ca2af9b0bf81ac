import type { Socket } from 'node:net';
import { holderOfConnection, THIS_MACHINE } from './remote-address.ts';

export interface ConnectionLimits {
  /** Most connections open at a time. */
  readonly connections: number;
  /** Most of these that one other machine may hold. */
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
