/** What a test asks of the stand-in's process, over the channel of a forked process. */
export type ControlRequest =
  /** What the next open dialog answers; null is a dialog that was closed. */
  | { readonly kind: 'next-file'; readonly path: string | null }
  /** The options that every window was made with. */
  | { readonly kind: 'window-options' }
  /** What the application did to the outside: browser openings, message boxes. */
  | { readonly kind: 'calls' }
  /** Loads an address as the main process itself would, past the block of the network: no `will-navigate` is asked. */
  | { readonly kind: 'load-url'; readonly url: string }
  | { readonly kind: 'ask-permission'; readonly permission: string }
  /** As a page's own look at what it may do, from an origin. */
  | { readonly kind: 'check-permission'; readonly permission: string; readonly origin: string }
  /** What a page gets that asks for a device of a kind or for the screen, when there is one: null is nothing. */
  | { readonly kind: 'ask-device'; readonly device: DeviceKind }
  /** Whether the application lets a request out: of a page, a worker, or of Chromium itself. */
  | { readonly kind: 'ask-request'; readonly url: string }
  /** Labels and roles of all menu entries. */
  | { readonly kind: 'menu' }
  /** What was set for Chromium and for each page before it was shown. */
  | { readonly kind: 'settings' }
  | { readonly kind: 'click-menu'; readonly label: string };

export type DeviceKind = 'serial' | 'hid' | 'usb' | 'bluetooth' | 'bluetooth-pairing' | 'known-device' | 'display-media';

/** Something that the application did to the outside. */
export interface OutsideCall {
  readonly name: string;
  readonly detail: unknown;
}

export type ControlAnswers = {
  readonly 'next-file': true;
  readonly 'window-options': readonly Record<string, unknown>[];
  readonly calls: readonly OutsideCall[];
  readonly 'load-url': true;
  readonly 'ask-permission': boolean;
  readonly 'check-permission': boolean;
  readonly 'ask-device': unknown;
  readonly 'ask-request': boolean;
  readonly menu: readonly string[];
  readonly settings: { readonly switches: Readonly<Record<string, string>>; readonly webRtc: string | null };
  readonly 'click-menu': true;
};

export interface ControlEnvelope {
  readonly id: number;
  readonly request: ControlRequest;
}

export type FromStandIn =
  | { readonly kind: 'ready'; readonly debuggingPort: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly message: string };
