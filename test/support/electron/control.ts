import { present } from '../../../src-shared/values/assert.ts';
import { app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import type { ControlEnvelope, ControlRequest } from './control-messages.ts';
import { defaultSession, sessionOf } from './session.ts';
import { state } from './state.ts';

interface MenuEntry {
  readonly label?: string;
  readonly role?: string;
  readonly click?: () => void;
  readonly submenu?: readonly MenuEntry[];
}

function menuEntry(entries: readonly MenuEntry[], label: string): MenuEntry | undefined {
  for (const entry of entries) {
    if (entry.label === label) return entry;
    const inner = menuEntry(entry.submenu ?? [], label);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function menuNames(entries: readonly MenuEntry[]): string[] {
  return entries.flatMap(({ label, role, submenu = [] }) => [...[label, role].filter((name) => name !== undefined), ...menuNames(submenu)]);
}

const contents = () => present(BrowserWindow.all[0], 'a window').webContents;

async function answer(request: ControlRequest): Promise<unknown> {
  switch (request.kind) {
    case 'next-file':
      state.nextFile = request.path;
      return true;
    case 'window-options':
      return BrowserWindow.all.map((window) => window.options);
    case 'calls':
      return state.calls;
    case 'load-url':
      await present(BrowserWindow.all[0], 'a window').loadURL(request.url);
      return true;
    case 'ask-permission':
      return defaultSession.askPermission(contents(), request.permission);
    case 'check-permission':
      return defaultSession.checkPermission(contents(), request.permission, request.origin);
    case 'ask-device':
      return defaultSession.askDevice(request.device, contents());
    case 'ask-request':
      return (request.partition === undefined ? defaultSession : sessionOf(request.partition)).mayRequest(request.url);
    case 'menu':
      return menuNames(state.menu as readonly MenuEntry[]);
    case 'second-start':
      app.emit('second-instance', {}, ['tieout', ...request.args], process.cwd());
      return true;
    case 'open-file':
      app.emit('open-file', { preventDefault: () => {} }, request.path);
      return true;
    case 'open-url':
      app.emit('open-url', { preventDefault: () => {} }, request.url);
      return true;
    case 'settings':
      return { switches: state.switches, webRtc: contents().webRtcPolicy };
    case 'click-menu':
      present(menuEntry(state.menu as readonly MenuEntry[], request.label)?.click, `the menu entry ${request.label}`)();
      return true;
  }
}

async function serve(envelope: ControlEnvelope): Promise<void> {
  try {
    process.send?.({ kind: 'answer', id: envelope.id, value: await answer(envelope.request) });
  } catch (error) {
    process.send?.({ kind: 'error', id: envelope.id, message: String(error) });
  }
}

process.on('message', (envelope: ControlEnvelope) => void serve(envelope));
// The test has ended, so nothing of it may keep running.
process.on('disconnect', () => app.exit(1));
