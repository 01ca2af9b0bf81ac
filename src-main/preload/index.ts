import { contextBridge, ipcRenderer } from 'electron';
import { type Bridge, CHANNELS } from '../../src-shared/contract/wire.ts';

/** All that the window can reach of the main process. The listener gets the event alone, never Electron's own object. */
const bridge: Bridge = {
  request: (operation, input) => ipcRenderer.invoke(CHANNELS.request, operation, input),
  subscribe: (listener) => {
    const relay = (_: unknown, event: unknown): void => listener(event);
    ipcRenderer.on(CHANNELS.event, relay);
    return () => void ipcRenderer.off(CHANNELS.event, relay);
  },
  chooseFile: () => ipcRenderer.invoke(CHANNELS.chooseFile),
  chooseFolder: (purpose) => ipcRenderer.invoke(CHANNELS.chooseFolder, purpose),
  showInFolder: (backup) => ipcRenderer.invoke(CHANNELS.showInFolder, backup),
  takeOpened: () => ipcRenderer.invoke(CHANNELS.takeOpened),
};

contextBridge.exposeInMainWorld('tieout', bridge);
