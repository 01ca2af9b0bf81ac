import type { BookEvent, LocalPortSettings } from '../../src-shared/contract/index.ts';
import { failed, success } from '../../src-shared/values/result.ts';
import type { ApiKeys } from '../book/operations/api-keys.ts';
import { type Caller, type Dispatch, ownCaller } from '../service/handler.ts';
import { ListenError } from '../transport/http/listen-error.ts';
import type { HttpServerOptions } from '../transport/http/server.ts';
import { LocalPort } from './local-port.ts';
import type { BackendOptions, HttpOptions, HttpServer } from './types.ts';

/** What the servers of one backend stand on. */
export interface HttpParts {
  readonly options: BackendOptions;
  readonly dispatch: Dispatch;
  readonly subscribe: (listener: (event: BookEvent) => void) => () => void;
  readonly keys: Pick<ApiKeys, 'authenticate'>;
  readonly acceptUpload: HttpServerOptions['acceptUpload'];
}

/** All servers of a backend: those that a command or a shell asks for, and the address for other programs. */
export class HttpServers {
  readonly localPort: LocalPort;
  readonly #parts: () => HttpParts;
  readonly #servers = new Set<HttpServer>();

  constructor(parts: () => HttpParts, options: BackendOptions) {
    this.#parts = parts;
    this.localPort = new LocalPort((place) => this.#openForPrograms(place), options.log);
  }

  /** Serves the window, and `/v1` unless it is told not to; with `/v1` it is the address for other programs while it lasts. */
  readonly serve = async (http: HttpOptions): Promise<HttpServer> => {
    const serves = { programs: http.programs ?? true, window: true };
    const server = await this.#listen(http, serves);
    this.#servers.add(server);
    const ended = serves.programs ? this.localPort.servedByCommand(server, http.address) : () => {};
    return {
      ...server,
      close: () => {
        ended();
        this.#servers.delete(server);
        return server.close();
      },
    };
  };

  async close(): Promise<void> {
    await Promise.all([this.localPort.close(), ...[...this.#servers].map((server) => server.close())]);
  }

  async #openForPrograms({ address, port }: Pick<LocalPortSettings, 'address' | 'port'>) {
    const http: HttpOptions = { address, port: port ?? 0, uiFolder: null, environment: 'live' };
    try {
      return success(await this.#listen(http, { programs: true, window: false }));
    } catch (error) {
      if (error instanceof ListenError) return failed(error.failure);
      throw error;
    }
  }

  async #listen(http: HttpOptions, serves: NonNullable<HttpServerOptions['serves']>): Promise<HttpServer> {
    // Loaded by need: the command line's short commands do without the server.
    const { startHttpServer } = await import('../transport/http/server.ts');
    const { options, dispatch, subscribe, keys, acceptUpload } = this.#parts();
    const { allowedOrigins = [], hostNames = [] } = http;
    const session: Caller = { ...ownCaller(http.environment, 'cli'), surface: 'public', actor: 'session' };
    const rules = () => {
      const { allowed_origins: origins, host_names: names } = this.localPort.settings();
      return { allowed_origins: [...allowedOrigins, ...origins], host_names: [...hostNames, ...names] };
    };
    return startHttpServer({
      ...http,
      serves,
      // The settings speak of the address for programs; the window's own has no other names.
      ...(serves.programs ? { rules } : {}),
      dispatch,
      subscribe,
      authenticate: (apiKey) => keys.authenticate(apiKey),
      windowCaller: ownCaller(http.environment, 'app'),
      sessionCaller: serves.programs && serves.window ? session : null,
      acceptUpload,
      clock: options.clock,
      limits: http.limits ?? {},
      random: options.random,
      log: options.log,
      version: options.version,
    });
  }
}
