import { networkInterfaces } from 'node:os';
import type { Failure, LocalPort as LocalPortAnswer, LocalPortSettings } from '../../src-shared/contract/index.ts';
import { authorityOf, isEveryAddress, isLoopback, LOOPBACK } from '../../src-shared/values/network.ts';
import { type Result, success } from '../../src-shared/values/result.ts';
import { LOCAL_PORT_AT_FIRST } from '../book/operations/local-port.ts';
import type { Log } from '../platform/ports.ts';
import type { PortLife } from '../service/context.ts';
import type { HttpServer } from './types.ts';

type Place = Pick<LocalPortSettings, 'address' | 'port'>;
type ListenFailure = Failure<'port_in_use' | 'port_not_usable' | 'address_not_here'>;
type Opened = Result<HttpServer, ListenFailure>;

interface Running {
  readonly server: HttpServer;
  readonly place: Place;
}

/**
 * Manages the address for other programs. It is closed (for a command that serves nothing), follows the settings (after a window was opened on the
 * book), or belongs to a command (`tieout serve`, whatever the settings are).
 */
export class LocalPort implements PortLife {
  readonly #open: (place: Place) => Promise<Opened>;
  readonly #log: Log;
  #settings: LocalPortSettings = LOCAL_PORT_AT_FIRST;
  #isBySettings = false;
  #started: Promise<void> = Promise.resolve();
  #isClosed = false;
  #running: Running | null = null;
  #failure: ListenFailure | null = null;
  #command: Running | null = null;

  constructor(open: (place: Place) => Promise<Opened>, log: Log) {
    this.#open = open;
    this.#log = log;
  }

  /** Sets the settings of the book; call it before anything is opened. */
  begin(settings: LocalPortSettings): void {
    this.#settings = settings;
  }

  readonly settings = (): LocalPortSettings => this.#settings;

  /** Follows the settings from now on; call it when a window is open on the book. The state reports a port that cannot be opened. */
  startBySettings(): Promise<void> {
    this.#isBySettings = true;
    this.#started = this.#openAtStart();
    return this.#started;
  }

  async #openAtStart(): Promise<void> {
    if (!this.#settings.enabled) return;
    const opened = await this.#start(this.#settings);
    if (opened.ok) return;
    this.#failure = opened.error;
    this.#log.warning('The local address could not be opened', { code: opened.error.code, message: opened.error.message });
  }

  /** Notes that `tieout serve` serves the address. Returns a function to call when it stops. */
  servedByCommand(server: HttpServer, address: string = LOOPBACK): () => void {
    this.#command = { server, place: { address, port: server.port } };
    return () => {
      this.#command = null;
    };
  }

  readonly state = (): Omit<LocalPortAnswer, keyof LocalPortSettings> => {
    const shown = this.#command ?? this.#running;
    return {
      status: shown === null ? (this.#failure === null ? 'off' : 'failed') : 'on',
      served_by: this.#command === null ? 'settings' : 'command',
      base_url: shown?.server.baseUrl ?? null,
      docs_url: shown?.server.baseUrl.replace(/\/v1$/, '/docs') ?? null,
      other_urls: shown === null ? [] : otherUrls(shown),
      message: this.#failure?.message ?? null,
    };
  };

  readonly change = async (next: LocalPortSettings, isMoved: boolean): Promise<Result<() => Promise<void>, ListenFailure>> => {
    // Otherwise both would open the same port.
    await this.#started;
    const [before, running, failure] = [this.#settings, this.#running, this.#failure];
    const fitted = isMoved && this.#isBySettings ? await this.#fit(next) : success(null);
    if (!fitted.ok) return fitted;
    this.#settings = next;
    return success(async () => {
      this.#settings = before;
      if (this.#running !== running) {
        await this.#stop();
        if (running !== null) await this.#again(running);
      }
      if (running === null) this.#failure = failure;
    });
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop();
  }

  async #fit(next: LocalPortSettings): Promise<Result<null, ListenFailure>> {
    const running = this.#running;
    if (!next.enabled) {
      await this.#stop();
      return success(null);
    }
    if (running !== null && running.place.address === next.address && running.place.port === next.port) return success(null);
    // A port cannot be opened twice, not even at another address. On another port, the old address answers until the new one does.
    const isSamePort = running !== null && running.server.port === next.port;
    if (isSamePort) await this.#stop();
    const opened = await this.#start(next);
    if (!opened.ok) {
      if (isSamePort) await this.#again(running);
      return opened;
    }
    if (!isSamePort) await running?.server.close();
    return success(null);
  }

  async #start(place: Place): Promise<Opened> {
    const opened = await this.#open(place);
    if (!opened.ok) return opened;
    // The book was closed meanwhile.
    if (this.#isClosed) await opened.value.close();
    else this.#running = { server: opened.value, place: { address: place.address, port: place.port } };
    this.#failure = null;
    return opened;
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    this.#failure = null;
    await running?.server.close();
  }

  /** Listens at the former address again. The state reports it if another program has taken the port meanwhile. */
  async #again({ server, place }: Running): Promise<void> {
    const opened = await this.#open({ address: place.address, port: server.port });
    if (opened.ok) this.#running = { server: opened.value, place };
    else this.#failure = opened.error;
  }
}

/** Returns the addresses at which other machines reach a server. */
function otherUrls({ server, place }: Running): string[] {
  if (isLoopback(place.address)) return [];
  if (!isEveryAddress(place.address)) return [server.baseUrl];
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const reachable = all.filter((each) => !each.internal && each.family === 'IPv4');
  return reachable.map((each) => `http://${authorityOf(each.address, server.port)}/v1`);
}
