import type { Route } from 'playwright-core';
import type { OutsideCall } from './control-messages.ts';
import type { RunningChromium } from './chromium.ts';

/** Plain Chromium has no custom schemes, so `app://HOST/` is shown under an https origin that no name server knows. */
const SHOWN_SUFFIX = '.app-scheme.invalid';

export function shownUrl(url: string): string {
  return url.replace(/^app:\/\/([^/]*)/, (_, host: string) => `https://${host}${SHOWN_SUFFIX}`);
}

/** Returns the address that Electron would report for one that Chromium shows. */
export function toldUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  if (url.startsWith('blob:')) return `blob:${toldUrl(url.slice('blob:'.length))}`;
  const { hostname } = new URL(url);
  return hostname.endsWith(SHOWN_SUFFIX) ? url.replace(/^https:\/\/[^/]*/, `app://${hostname.slice(0, -SHOWN_SUFFIX.length)}`) : url;
}

export type Invoke = (event: unknown, ...input: unknown[]) => unknown;
export type SchemeHandler = (request: Request) => Response | Promise<Response>;

/** State of the stand-in, as the application and the test have set it. */
export const state = {
  chromium: null as RunningChromium | null,
  isReady: false,
  nextFile: null as string | null,
  calls: [] as OutsideCall[],
  invokeHandlers: new Map<string, Invoke>(),
  schemes: new Map<string, SchemeHandler>(),
  /** Set by browser-window.ts, which app.ts does not import. */
  answerRoute: async (route: Route): Promise<void> => route.abort(),
  menu: [] as readonly unknown[],
  /** Command-line switches of Chromium. */
  switches: {} as Record<string, string>,
};
