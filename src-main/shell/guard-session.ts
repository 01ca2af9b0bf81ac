import type { Event, Session, WebContents } from 'electron';
import type { Log } from '../platform/ports.ts';
import { isAppUrl, isOwnDownload, isOwnRequest } from './app-pages.ts';

/** Whether a permission is granted. Our own page may write to the clipboard, for the buttons that copy a key or an address; it may not read it. */
function isGranted(permission: string, url: string): boolean {
  return permission === 'clipboard-sanitized-write' && isAppUrl(url);
}

/** Chooses no device. Without this, Electron would take the first one. */
function chooseNone(event: Pick<Event, 'preventDefault'>, choose: (device: string) => void): void {
  event.preventDefault();
  choose('');
}

function refuseDevices(session: Session): void {
  session.setDevicePermissionHandler(() => false);
  session.on('select-serial-port', (event, _ports, _contents, choose) => chooseNone(event, choose));
  session.on('select-hid-device', (event, _details, choose) => chooseNone(event, choose));
  session.on('select-usb-device', (event, _details, choose) => chooseNone(event, choose));
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  // On macOS the system pairs devices, and Electron has no such handler.
  if (process.platform !== 'darwin') session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
}

/** Refuses Bluetooth devices, which a page rather than the session chooses. */
export function refuseBluetooth(contents: WebContents): void {
  contents.on('select-bluetooth-device', (event, _devices, choose) => chooseNone(event, choose));
}

/** Returns the origin of a refused address, without the parts that may be private. */
function originOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/**
 * Sets limits for every page of a session, independent of the page's own policy: no permission but writing to the clipboard, no device, no screen, no
 * download but what our page made, and no request to another address. `mayInspect` lets the developer tools load.
 */
export function guardSession(session: Session, mayInspect: boolean, log: Log): void {
  session.setPermissionRequestHandler((contents, permission, answer) => answer(isGranted(permission, contents.getURL())));
  session.setPermissionCheckHandler((_, permission, origin) => isGranted(permission, origin));
  refuseDevices(session);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const isOwn = isOwnRequest(url, mayInspect);
    if (!isOwn) log.warning('A request to elsewhere was refused', { origin: originOf(url) });
    answer({ cancel: !isOwn });
  });
  session.on('will-download', (event, item, contents) => {
    if (isOwnDownload(item.getURL()) && isAppUrl(contents.getURL())) return;
    event.preventDefault();
    log.warning('A download was refused', { origin: originOf(item.getURL()) });
  });
}
