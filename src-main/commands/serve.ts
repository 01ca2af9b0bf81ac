import { isLoopback } from '../../src-shared/values/network.ts';
import { rendererFolder } from '../shell/places.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { type CommonOptions, type OwnSession, withOwnSession } from './session.ts';
import { say } from '../../src-shared/words/say.ts';

export interface ServeOptions extends CommonOptions {
  readonly port: number;
  /** IP address to listen on. One that other machines can reach needs `allowOtherMachines`. */
  readonly host: string;
  readonly allowOtherMachines: boolean;
  readonly hostName: readonly string[];
  readonly allowOrigin: readonly string[];
  /** Limit for each key. */
  readonly requestsPerSecond: number;
}

/** Size of a burst, as seconds of the allowed rate. */
const BURST_SECONDS = 5;

/** Resolves at the first signal that asks to stop. */
function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

/** Throws where other machines could reach the host without permission. Called before the book is opened. */
function checkHost({ host, allowOtherMachines }: ServeOptions): void {
  if (isLoopback(host) || allowOtherMachines) return;
  const message = say('commands.serve.withHostOtherMachines', { host });
  throw new CommandError(EXIT.usage, 'sentence_missing', message);
}

/** Serves `/v1` and the window until a signal comes: on loopback, or on the address that the command line names. */
export async function serve(options: ServeOptions, output: Output): Promise<ExitCode> {
  checkHost(options);
  const stop = stopAsked();
  const { requestsPerSecond, host: address, port, environment } = options;
  const limits = { requestsPerSecond, requestBurst: BURST_SECONDS * requestsPerSecond };
  const served = async ({ backend, client }: OwnSession): Promise<ExitCode> => {
    const allowed = { allowedOrigins: options.allowOrigin, hostNames: options.hostName };
    const server = await backend
      .serveHttp({ address, port, uiFolder: rendererFolder(), environment, limits, ...allowed })
      .catch((error: unknown) => {
        throw new CommandError(EXIT.environment, 'cannot_listen', error instanceof Error ? error.message : String(error));
      });
    const { other_urls: others } = await client.get('local_port.get', {});
    if (!isLoopback(address)) {
      output.note(say('commands.serve.otherMachinesMayReach'));
      for (const url of others) output.note(say('commands.serve.fromOtherMachines', { url }));
    }
    output.print({ base_url: server.baseUrl, ui_url: server.uiUrl, api_key: server.apiKey }, [
      say('commands.serve.tieoutServesTheBook', { data: options.data }),
      say('commands.serve.windowForYouAlone', { uiUrl: server.uiUrl ?? 'none' }),
      say('commands.serve.apiAddress', { baseUrl: server.baseUrl }),
      say('commands.serve.apiKeyUntilTieout', { apiKey: server.apiKey }),
      'Ctrl+C stops it.',
    ]);
    await stop;
    await server.close();
    return EXIT.fine;
  };
  return withOwnSession('serve', { ...options, whenUnsound: 'read' }, output, served);
}
