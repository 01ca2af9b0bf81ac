import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launchChromium } from './chromium.ts';
import { state } from './state.ts';

class AppStandIn extends EventEmitter {
  isQuitting = false;
  /** Whether the build is a packaged one, as users have it; a test sets it. */
  readonly isPackaged = process.env['TIEOUT_STANDIN_PACKAGED'] === '1';
  readonly commandLine = {
    appendSwitch: (name: string, value = ''): void => {
      if (state.isReady) throw new Error('a switch of Chromium has no effect once the application is ready');
      state.switches[name] = value;
    },
  };
  readonly #paths = new Map<string, string>();
  readonly #ready = this.#launch();

  async #launch(): Promise<void> {
    state.chromium = await launchChromium();
    await state.chromium.context.route('**/*', state.answerRoute);
    state.isReady = true;
    process.send?.({ kind: 'ready', debuggingPort: state.chromium.debuggingPort });
  }
  whenReady(): Promise<void> {
    return this.#ready;
  }
  getPath(name: string): string {
    const known = this.#paths.get(name) ?? fs.mkdtempSync(path.join(os.tmpdir(), `tieout-${name}-`));
    this.#paths.set(name, known);
    return known;
  }
  setPath(name: string, folder: string): void {
    this.#paths.set(name, folder);
  }
  getVersion(): string {
    return '0.1.0';
  }
  requestSingleInstanceLock(): boolean {
    return true;
  }
  enableSandbox(): void {
    if (state.isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
  }
  showAboutPanel(): void {
    state.calls.push({ name: 'app.showAboutPanel', detail: null });
  }
  /** Quits as Electron does: `before-quit` may prevent it; else the windows close and the process ends. */
  quit(): void {
    let isPrevented = false;
    this.emit('before-quit', { preventDefault: () => (isPrevented = true) });
    if (!isPrevented) this.exit(0);
  }
  exit(code: number): void {
    this.isQuitting = true;
    void this.#end(code);
  }
  async #end(code: number): Promise<void> {
    await this.#ready;
    await state.chromium?.close();
    // The application asked to end, so nothing that it left running may keep the process alive.
    process.exit(code);
  }
}

export const app = new AppStandIn();
