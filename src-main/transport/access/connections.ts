import type { Socket } from 'node:net';
import { holderOfConnection, THIS_MACHINE } from './remote-address.ts';

export interface ConnectionLimits {
  /** Open at a time. */
  readonly connections: number;
  /** Of these, as many as another machine may have. */
  readonly connectionsPerAddress: number;
  /** Of these, as many as programs with a key leave to the window and to newcomers; a tenth at most. */
  readonly connectionsForWindow: number;
}

/** What a request on a connection has shown: the secret of a window, or a key. */
type Proof = 'window' | 'key';

interface Entry {
  readonly holder: string;
  proof: Proof | null;
}

/**
 * The open connections of a server. A new one is always let in while there is one that has shown neither key nor secret: where there
 * are too many, the oldest of those gives way, so that nobody who sends slowly or nothing locks others out.
 */
export class Connections {
  readonly #open = new Map<Socket, Entry>();
  /** In the order in which they came, or failed to show what they must. */
  readonly #unproved = new Set<Socket>();
  readonly #limits: ConnectionLimits;
  readonly #forKeys: number;
  readonly #onLetGo: (holder: string) => void;
  #withKeys = 0;

  constructor(limits: ConnectionLimits, onLetGo: (holder: string) => void) {
    this.#limits = limits;
    this.#forKeys = limits.connections - Math.min(limits.connectionsForWindow, Math.floor(limits.connections / 10));
    this.#onLetGo = onLetGo;
  }

  accept(socket: Socket): void {
    const holder = holderOfConnection(socket);
    this.#open.set(socket, { holder, proof: null });
    this.#unproved.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (holder !== THIS_MACHINE && this.#countOf(holder) > this.#limits.connectionsPerAddress) {
      this.#letGo(this.#oldest((each) => this.#open.get(each)?.holder === holder && each !== socket) ?? socket);
    } else if (this.#open.size > this.#limits.connections) {
      this.#letGo(this.#oldest((each) => each !== socket) ?? socket);
    }
  }

  /** Notes what the newest request has shown, null where it failed to. Answers whether the connection may stay open behind it. */
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

  #letGo(socket: Socket): void {
    const holder = this.#open.get(socket)?.holder ?? '';
    this.#forget(socket);
    socket.destroy();
    this.#onLetGo(holder);
  }

  #forget(socket: Socket): void {
    const entry = this.#open.get(socket);
    if (entry === undefined) return;
    if (entry.proof === 'key') this.#withKeys -= 1;
    this.#open.delete(socket);
    this.#unproved.delete(socket);
  }
}
