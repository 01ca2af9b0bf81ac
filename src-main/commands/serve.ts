import { rendererFolder } from '../shell/places.ts';
import type { CommonOptions } from './session.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { withSession } from './session.ts';

export interface ServeOptions extends CommonOptions {
  readonly port: number;
  /** Of one key. */
  readonly requestsPerSecond: number;
}

/** What a key may send at once after a rest, in seconds' worth. */
const BURST_SECONDS = 5;

/** Settles at the first signal that asks to stop. */
function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

/** Serves `/v1` and the window on loopback until a signal comes. */
export async function serve(options: ServeOptions, output: Output): Promise<ExitCode> {
  const stop = stopAsked();
  const { requestsPerSecond } = options;
  const limits = { requestsPerSecond, requestBurst: BURST_SECONDS * requestsPerSecond };
  return withSession(options, output, async ({ backend }) => {
    const server = await backend
      .serveHttp({ port: options.port, uiFolder: rendererFolder(), environment: options.environment, limits })
      .catch((error: unknown) => {
        throw new CommandError(EXIT.environment, 'cannot_listen', error instanceof Error ? error.message : String(error));
      });
    output.print({ base_url: server.baseUrl, ui_url: server.uiUrl, api_key: server.apiKey }, [
      `Tieout serves the book in ${options.data}.`,
      `Window (the address works once):  ${server.uiUrl ?? 'none'}`,
      `API address:                      ${server.baseUrl}`,
      `API key, until Tieout stops:      ${server.apiKey}`,
      'Ctrl+C stops it.',
    ]);
    await stop;
    await server.close();
    return EXIT.fine;
  });
}
