import { protocol } from 'electron';
import { answerFile, SCHEME } from './app-pages.ts';

/** Declares `app://` as a secure, standard scheme. Call it before the application is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

/** Serves the built renderer at `app://tieout/`. */
export function serveAppScheme(folder: string): void {
  protocol.handle(SCHEME, (request) => answerFile(folder, request));
}
