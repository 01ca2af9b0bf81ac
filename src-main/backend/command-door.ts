import { createHash, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BookEvent } from '../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { failed, success } from '../../src-shared/values/result.ts';
import { phrase } from '../../src-shared/words/say.ts';
import type { DoorAddress } from '../book/store/folder-lock.ts';
import type { Random } from '../platform/ports.ts';
import type { EnvironmentName } from '../service/handler.ts';
import type { Backend } from './types.ts';

/**
 * Lets commands work beside an open window. A command that finds its folder in use sends its requests to the Tieout that holds it, over a local
 * socket (a named pipe on Windows). The address and a secret are in the holder file of the folder, which only its owner can read. A message is a
 * frame: four bytes of length, then that many bytes of JSON.
 */

const LENGTH_BYTES = 4;
/** The longest frame before the secret was received: a greeting. */
const GREETING_BYTES = 1_024;
const FRAME_BYTES = 1_024 * 1_024 * 1_024;
const SECRET_BYTES = 32;

interface Greeting {
  readonly secret: string;
  readonly environment: EnvironmentName;
}

type FromCommand =
  | { readonly id: number; readonly operation: string; readonly input: unknown }
  | { readonly id: number; readonly file: string; readonly part?: string | undefined };

type ToCommand =
  | { readonly kind: 'welcome' }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome<unknown> }
  | { readonly kind: 'event'; readonly event: BookEvent };

/** Cuts the data of a socket into frames. */
class FrameReader {
  limitBytes = GREETING_BYTES;
  #parts: Buffer[] = [];
  #heldBytes = 0;

  /** Returns the frames that `chunk` completes. Throws on a frame over the limit, or one that is not JSON. */
  push(chunk: Buffer): unknown[] {
    this.#parts.push(chunk);
    this.#heldBytes += chunk.length;
    const frames: unknown[] = [];
    while (this.#heldBytes >= LENGTH_BYTES) {
      const head = this.#joined();
      const length = head.readUInt32BE(0);
      if (length > this.limitBytes) throw new Error(`A message of ${length} bytes is longer than ${this.limitBytes}.`);
      if (head.length < LENGTH_BYTES + length) break;
      frames.push(JSON.parse(head.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + length)) as unknown);
      this.#parts = [head.subarray(LENGTH_BYTES + length)];
      this.#heldBytes = head.length - LENGTH_BYTES - length;
    }
    return frames;
  }

  /** Returns the held bytes as one buffer if they contain a whole frame; while a long frame arrives, returns only its first part. */
  #joined(): Buffer {
    const [first = Buffer.alloc(0)] = this.#parts;
    const isShort = first.length < LENGTH_BYTES || this.#heldBytes >= LENGTH_BYTES + first.readUInt32BE(0);
    if (this.#parts.length > 1 && isShort) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] ?? first;
  }
}

function sendFrame(socket: Socket, message: ToCommand | FromCommand | Greeting): void {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  socket.write(length);
  socket.write(body);
}

interface DoorOptions extends Pick<Backend, 'dispatch' | 'subscribe' | 'ownCaller' | 'registerFile'> {
  readonly random: Random;
}

interface CommandDoor {
  readonly address: DoorAddress;
  readonly close: () => Promise<void>;
}

/** Opens the door of a backend. Rejects if no local socket can be created. */
export async function openCommandDoor(options: DoorOptions): Promise<CommandDoor> {
  const hex = Buffer.from(options.random.bytes(8)).toString('hex');
  const secret = Buffer.from(options.random.bytes(SECRET_BYTES)).toString('base64url');
  // The socket has its own folder under the system's temporary files: a socket's path may have about 100 bytes, and a data folder's path may be
  // longer.
  const folder = process.platform === 'win32' ? null : mkdtempSync(path.join(tmpdir(), 'tieout-'));
  const place = folder === null ? `\\\\.\\pipe\\tieout-${hex}` : path.join(folder, 'door');
  const guests = new Set<Socket>();
  const server = createServer((socket) => {
    guests.add(socket);
    socket.once('close', () => guests.delete(socket));
    receiveGuest(socket, options, secret);
  });
  const removeFolder = (): void => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(place, resolve));
  } catch (error) {
    removeFolder();
    throw error;
  }
  // The door alone does not keep the process alive.
  server.unref();
  return {
    address: { place, secret },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const guest of guests) guest.destroy();
      await closed;
      removeFolder();
    },
  };
}

function isGreeting(frame: unknown, secret: string): frame is Greeting {
  if (typeof frame !== 'object' || frame === null || !('secret' in frame) || !('environment' in frame)) return false;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const isSecret = timingSafeEqual(digest(String(frame.secret)), digest(secret));
  return isSecret && (frame.environment === 'live' || frame.environment === 'test');
}

/** Serves one command until it disconnects. Disconnects a client that does not begin with the secret. */
function receiveGuest(socket: Socket, options: DoorOptions, secret: string): void {
  const frames = new FrameReader();
  let answer: ((message: FromCommand) => Promise<Outcome<unknown>>) | null = null;
  const admit = ({ environment }: Greeting): void => {
    const caller = options.ownCaller(environment, 'cli');
    answer = async (message) => {
      if ('operation' in message) return options.dispatch(message.operation, message.input, caller);
      const file = options.registerFile(message.file, message.part);
      return file.ok ? success(file.value) : failed({ code: 'file_unreadable' as const, message: file.error.message });
    };
    frames.limitBytes = FRAME_BYTES;
    const unsubscribe = options.subscribe((event) => sendFrame(socket, { kind: 'event', event }));
    socket.once('close', unsubscribe);
    sendFrame(socket, { kind: 'welcome' });
  };
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const frame of frames.push(chunk)) {
        if (answer === null) {
          if (!isGreeting(frame, secret)) return socket.destroy();
          admit(frame);
          continue;
        }
        const message = frame as FromCommand;
        void answer(message).then((outcome) => socket.destroyed || sendFrame(socket, { kind: 'answer', id: message.id, outcome }));
      }
    } catch {
      socket.destroy();
    }
    return undefined;
  });
}

/** A command's end of the door. */
export interface DoorGuest {
  readonly request: (operation: string, input: unknown) => Promise<Outcome<unknown>>;
  /** Returns a token for a file, given its absolute path and, for an archive, the name of its part. */
  readonly registerFile: (file: string, part?: string) => Promise<Outcome<ChosenFile>>;
  readonly subscribe: (listener: (event: BookEvent) => void) => () => void;
  /** Resolves when the other Tieout disconnects. */
  readonly hungUp: Promise<void>;
  readonly close: () => void;
}

const HUNG_UP: Outcome<never> = failed({
  code: 'internal_error',
  message: phrase('book.commandDoor.closedDuringTheCommand'),
});

/** Returns a connection to the Tieout behind a door; null if nothing answers there. */
export async function enterDoor({ place, secret }: DoorAddress, environment: EnvironmentName): Promise<DoorGuest | null> {
  const socket = connect(place);
  const frames = new FrameReader();
  frames.limitBytes = FRAME_BYTES;
  const listeners = new Set<(event: BookEvent) => void>();
  const waiting = new Map<number, (outcome: Outcome<unknown>) => void>();
  let lastId = 0;
  const admitted = new Promise<boolean>((resolve) => {
    const receive = (message: ToCommand): void => {
      if (message.kind === 'welcome') return resolve(true);
      if (message.kind === 'event') return listeners.forEach((listener) => listener(message.event));
      waiting.get(message.id)?.(message.outcome);
      waiting.delete(message.id);
      return undefined;
    };
    socket.on('data', (chunk: Buffer) => frames.push(chunk).forEach((frame) => receive(frame as ToCommand)));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
  const hungUp = new Promise<void>((resolve) => {
    socket.once('close', () => {
      for (const settle of waiting.values()) settle(HUNG_UP);
      waiting.clear();
      resolve();
    });
  });
  socket.once('connect', () => sendFrame(socket, { secret, environment }));
  if (!(await admitted)) {
    socket.destroy();
    return null;
  }
  const ask = (message: (id: number) => FromCommand): Promise<Outcome<unknown>> => {
    if (socket.destroyed) return Promise.resolve(HUNG_UP);
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      sendFrame(socket, message(id));
    });
  };
  return {
    request: (operation, input) => ask((id) => ({ id, operation, input })),
    registerFile: (file, part) => ask((id) => ({ id, file, part })) as Promise<Outcome<ChosenFile>>,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hungUp,
    close: () => socket.destroy(),
  };
}
