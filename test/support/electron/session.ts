import { EventEmitter } from 'node:events';
import type { DeviceKind } from './control-messages.ts';

type PermissionHandler = (contents: unknown, permission: string, answer: (granted: boolean) => void) => void;
type CheckHandler = (contents: unknown, permission: string, origin: string) => boolean;
type RequestListener = (details: { readonly url: string }, answer: (response: { readonly cancel?: boolean }) => void) => void;
type DisplayHandler = (request: unknown, answer: (streams: unknown) => void) => void;
type PairingHandler = (details: unknown, answer: (response: { readonly confirmed: boolean }) => void) => void;
type ContentsEvents = Pick<EventEmitter, 'emit' | 'listenerCount'>;

const FOUND = 'device-1';
/** Events of the choosers. Electron takes the first device where no listener prevents it. */
const CHOOSERS = { serial: 'select-serial-port', hid: 'select-hid-device', usb: 'select-usb-device' } as const;

/**
 * Electron's default session: what the application has set, and what a page would get. Whatever is not set is granted, so that a test notices what
 * was forgotten.
 */
class SessionStandIn extends EventEmitter {
  #permission: PermissionHandler | null = null;
  #check: CheckHandler | null = null;
  #device: ((details: unknown) => boolean) | null = null;
  #display: DisplayHandler | null = null;
  #pairing: PairingHandler | null = null;
  #beforeRequest: RequestListener | null = null;
  readonly webRequest = {
    onBeforeRequest: (listener: RequestListener): void => {
      this.#beforeRequest = listener;
    },
  };

  setPermissionRequestHandler(handler: PermissionHandler): void {
    this.#permission = handler;
  }
  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler;
  }
  setDevicePermissionHandler(handler: (details: unknown) => boolean): void {
    this.#device = handler;
  }
  setDisplayMediaRequestHandler(handler: DisplayHandler): void {
    this.#display = handler;
  }
  setBluetoothPairingHandler(handler: PairingHandler): void {
    this.#pairing = handler;
  }

  askPermission(contents: unknown, permission: string): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#permission === null) resolve(true);
      else this.#permission(contents, permission, resolve);
    });
  }
  checkPermission(contents: unknown, permission: string, origin: string): boolean {
    return this.#check?.(contents, permission, origin) ?? true;
  }
  /** Whether the application allows a request. */
  mayRequest(url: string): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#beforeRequest === null) resolve(true);
      else this.#beforeRequest({ url }, ({ cancel }) => resolve(cancel !== true));
    });
  }
  /** Whether a download that a page has started continues, because no listener prevents it. */
  mayDownload(url: string, contents: unknown): boolean {
    let isPrevented = false;
    const item = { getURL: () => url, getFilename: () => 'file' };
    this.emit('will-download', { preventDefault: () => (isPrevented = true) }, item, contents, null);
    return !isPrevented;
  }
  /** Returns what a page gets when it asks for a device or a screen that exists; null for nothing. */
  askDevice(kind: DeviceKind, contents: ContentsEvents): Promise<unknown> {
    if (kind === 'known-device') return Promise.resolve(this.#device?.({ deviceType: 'usb', origin: 'app://tieout', device: {} }) ?? true);
    return new Promise((resolve) => {
      const given = (device: unknown): void => resolve(device === '' || device === undefined ? null : device);
      if (kind === 'display-media') (this.#display ?? ((_, answer) => answer({ video: 'screen' })))({}, given);
      else if (kind === 'bluetooth-pairing') {
        (this.#pairing ?? ((_, answer) => answer({ confirmed: true })))({}, ({ confirmed }) => resolve(confirmed));
      } else choose(kind, this, contents, given);
    });
  }
}

/** Chooses a device: as in Electron the first one, unless a listener prevents it. */
function choose(
  kind: 'serial' | 'hid' | 'usb' | 'bluetooth',
  session: ContentsEvents,
  contents: ContentsEvents,
  given: (device: unknown) => void,
): void {
  let isPrevented = false;
  const event = { preventDefault: () => (isPrevented = true) };
  const devices = [{ deviceId: FOUND, portId: FOUND }];
  const name = kind === 'bluetooth' ? 'select-bluetooth-device' : CHOOSERS[kind];
  const target = kind === 'bluetooth' ? contents : session;
  if (kind === 'serial') target.emit(name, event, devices, contents, given);
  else if (kind === 'bluetooth') target.emit(name, event, devices, given);
  else target.emit(name, event, { deviceList: devices }, given);
  if (!isPrevented) given(FOUND);
}

export const defaultSession = new SessionStandIn();

const partitions = new Map<string, SessionStandIn>();

/** Returns the session of a partition, which is another one than the default. */
export function sessionOf(partition: string): SessionStandIn {
  const known = partitions.get(partition) ?? new SessionStandIn();
  partitions.set(partition, known);
  return known;
}
