/** Requests of a test to the process of the stand-in, over the channel of a forked process. */
export type ControlRequest =
  /** Sets the answer of the next open dialog; null closes it without a choice. */
  | { readonly kind: 'next-file'; readonly path: string | null }
  /** Returns the options of every window. */
  | { readonly kind: 'window-options' }
  /** Returns the calls of the application to the outside, such as opened browsers and message boxes. */
  | { readonly kind: 'calls' }
  /** Loads an address as the main process would, without the block of the network and without `will-navigate`. */
  | { readonly kind: 'load-url'; readonly url: string }
  | { readonly kind: 'ask-permission'; readonly permission: string }
  /** Returns whether a page of an origin has a permission, as the page itself can query. */
  | { readonly kind: 'check-permission'; readonly permission: string; readonly origin: string }
  /** Returns what a page gets when it asks for an existing device of a kind, or for the screen; null for nothing. */
  | { readonly kind: 'ask-device'; readonly device: DeviceKind }
  /** Returns whether the application allows a request of a page, a worker or Chromium itself, or of the session of a partition. */
  | { readonly kind: 'ask-request'; readonly url: string; readonly partition?: string }
  /** Returns labels and roles of all menu entries. */
  | { readonly kind: 'menu' }
  /** Returns the settings of Chromium and of each page from before it was shown. */
  | { readonly kind: 'settings' }
  | { readonly kind: 'click-menu'; readonly label: string }
  /** Opens a file or a link as macOS does, such as one that is dropped on the icon. */
  | { readonly kind: 'open-file'; readonly path: string }
  | { readonly kind: 'open-url'; readonly url: string }
  /** Starts the application a second time with these arguments, as the system does for a file or a link. */
  | { readonly kind: 'second-start'; readonly args: readonly string[] };

export type DeviceKind = 'serial' | 'hid' | 'usb' | 'bluetooth' | 'bluetooth-pairing' | 'known-device' | 'display-media';

/** A call of the application to the outside. */
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
  readonly 'open-file': true;
  readonly 'open-url': true;
  readonly 'second-start': true;
};

export interface ControlEnvelope {
  readonly id: number;
  readonly request: ControlRequest;
}

export type FromStandIn =
  | { readonly kind: 'ready'; readonly debuggingPort: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly message: string };
