import { failed, success } from '../../../src-shared/values/result.ts';
import type { Backend } from '../../../src-main/backend/types.ts';
import { silentLog } from '../../../src-main/platform/system.ts';
import { startWindow } from '../../../src-main/shell/start.ts';

/**
 * Shows a window over a minimal backend: `start-window.ts DATA_FOLDER ELECTRON`, where ELECTRON is a program or the reason why there is none. The
 * folder `in use` makes the backend refuse.
 */
const [dataFolder = '', electron = ''] = process.argv.slice(2);
const note = (text: string): void => void process.stdout.write(`${text}\n`);

const backend: Partial<Backend> = {
  serveHttp: async (options) => {
    note(`serving ${options.environment}, programs ${options.programs ?? true}`);
    const uiUrl = 'http://127.0.0.1:1/#token=secret';
    const close = async (): Promise<void> => note('server closed');
    return { port: 1, baseUrl: 'http://127.0.0.1:1/v1', uiUrl, apiKey: 'key', newUiUrl: () => 'http://127.0.0.1:1/open/ticket', close };
  },
  openLocalPort: async () => note('local port as the settings say'),
  close: async () => note('backend closed'),
};

// Keeps the process alive until the window closes, as a listening server would.
const alive = setInterval(() => {}, 1_000);
process.exitCode = await startWindow({
  dataFolder,
  log: silentLog,
  startBackend: async () =>
    dataFolder === 'in use'
      ? failed({ code: 'folder_in_use', message: 'Another Tieout has this book open.' })
      : success(backend as Backend),
  findElectron: async () => (electron.startsWith('/') ? success(electron) : failed(electron)),
});
clearInterval(alive);
