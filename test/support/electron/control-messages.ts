/** What a test asks of the stand-in's process, over the channel of a forked process. */
export type ControlRequest =
  /** What the next open dialog answers; null is a dialog that was closed. */
  | { readonly kind: 'next-file'; readonly path: string | null }
  /** The options that every window was made with. */
  | { readonly kind: 'window-options' }
  /** What the application did to the outside: browser openings, message boxes. */
  | { readonly kind: 'calls' }
  /** Loads an address as the main process itself would: no `will-navigate` is asked. */
  | { readonly kind: 'load-url'; readonly url: string }
  | { readonly kind: 'ask-permission'; readonly permission: string }
  | { readonly kind: 'click-menu'; readonly label: string };

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
