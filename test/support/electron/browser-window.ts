import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import type { Download, Frame, Page, Request as PageRequest, Route } from 'playwright-core';
import { present } from '../../../src-shared/values/assert.ts';
import { app } from './app.ts';
import { defaultSession } from './session.ts';
import { pageScript } from './page-side.ts';
import { shownUrl, state, toldUrl } from './state.ts';

interface FrameStandIn {
  readonly url: string;
  readonly parent: FrameStandIn | null;
  readonly frameTreeNodeId: number;
}

type OpenHandler = (details: { readonly url: string }) => { readonly action: string };

const nodeIds = new WeakMap<Frame, number>();
let lastNodeId = 0;

function frameStandIn(frame: Frame): FrameStandIn {
  if (!nodeIds.has(frame)) nodeIds.set(frame, (lastNodeId += 1));
  const parent = frame.parentFrame();
  return {
    url: toldUrl(frame.url()),
    parent: parent === null ? null : frameStandIn(parent),
    frameTreeNodeId: present(nodeIds.get(frame), 'the node id'),
  };
}

/** Delivers a message; runs in the page. */
function deliver([channel, input]: readonly [string, unknown[]]): void {
  const target = window as unknown as { standInDeliver?: (channel: string, input: unknown[]) => void };
  target.standInDeliver?.(channel, input);
}

class WebContentsStandIn extends EventEmitter {
  page: Page | null = null;
  openHandler: OpenHandler = () => ({ action: 'allow' });
  /** Addresses that the main process loaded itself, not the page. */
  readonly ownLoads = new Set<string>();
  webRtcPolicy: string | null = null;

  get mainFrame(): FrameStandIn {
    return frameStandIn(present(this.page, 'the page').mainFrame());
  }
  getURL(): string {
    return toldUrl(this.page?.url() ?? '');
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  setWebRTCIPHandlingPolicy(policy: string): void {
    this.webRtcPolicy = policy;
  }
  send(channel: string, ...input: unknown[]): void {
    // A page that is closing takes no events, as in Electron.
    this.page?.evaluate(deliver, [channel, input] as const).catch(() => {});
  }
  /** Whether the application allows a frame of this page to navigate to an address. */
  mayNavigate(url: string, isMainFrame: boolean): boolean {
    let isPrevented = false;
    const event = { url: toldUrl(url), isMainFrame, preventDefault: () => (isPrevented = true) };
    this.emit('will-frame-navigate', event);
    if (isMainFrame) this.emit('will-navigate', event, event.url);
    return !isPrevented;
  }
}

/**
 * Pages that the application's page opened. The application is asked about one when it sends its first request. The page is closed only after that,
 * because it would send none if it were closed sooner. Either event may arrive first.
 */
const popups = {
  pages: [] as Page[],
  answers: 0,
  opened(page: Page): void {
    popups.pages.push(page);
    popups.close();
  },
  asked(): void {
    popups.answers += 1;
    popups.close();
  },
  close(): void {
    while (popups.answers > 0 && popups.pages.length > 0) {
      popups.answers -= 1;
      void popups.pages.shift()?.close();
    }
  },
};

/** Electron's window, shown by a page of real Chromium. */
export class BrowserWindow extends EventEmitter {
  static readonly all: BrowserWindow[] = [];
  static getAllWindows(): BrowserWindow[] {
    return [...BrowserWindow.all];
  }
  static of(page: Page): BrowserWindow | undefined {
    return BrowserWindow.all.find((window) => window.webContents.page === page);
  }

  readonly options: Record<string, unknown>;
  readonly webContents = new WebContentsStandIn();
  readonly #opened: Promise<Page>;

  constructor(options: Record<string, unknown>) {
    super();
    if (!state.isReady) throw new Error('Cannot create BrowserWindow before app is ready');
    this.options = options;
    BrowserWindow.all.push(this);
    app.emit('web-contents-created', {}, this.webContents);
    this.#opened = this.#open();
  }

  async #open(): Promise<Page> {
    const { context } = present(state.chromium, 'the browser');
    // The browser begins with a page; later ones may be pages that a page opened, which are no windows.
    const first = BrowserWindow.all[0] === this ? context.pages()[0] : undefined;
    const page = first ?? (await context.newPage());
    this.webContents.page = page;
    const { preload } = this.options['webPreferences'] as { readonly preload?: string };
    if (preload !== undefined) {
      await page.exposeBinding('standInInvoke', ({ frame }, channel: string, input: unknown[]) => this.#invoke(frame, channel, input));
      await page.addInitScript({ content: pageScript(fs.readFileSync(preload, 'utf8')) });
    }
    page.on('popup', (popup) => popups.opened(popup));
    page.on('download', (download) => void this.#onDownload(download));
    page.once('close', () => this.#onClosed());
    return page;
  }

  async #invoke(frame: Frame, channel: string, input: unknown[]): Promise<{ value?: unknown; error?: string }> {
    const handler = state.invokeHandlers.get(channel);
    if (handler === undefined) return { error: `Error: No handler registered for '${channel}'` };
    try {
      return { value: await handler({ senderFrame: frameStandIn(frame), sender: this.webContents }, ...input) };
    } catch (error) {
      return { error: String(error) };
    }
  }

  async #onDownload(download: Download): Promise<void> {
    if (!defaultSession.mayDownload(toldUrl(download.url()), this.webContents)) return download.cancel();
    await download.path();
    state.calls.push({ name: 'download', detail: download.suggestedFilename() });
  }

  async answer(route: Route): Promise<void> {
    const request: PageRequest = route.request();
    const url = request.url();
    const told = toldUrl(url);
    if (!request.isNavigationRequest() || !this.webContents.ownLoads.delete(url)) {
      const isMainFrame = request.isNavigationRequest() && request.frame().parentFrame() === null;
      if (request.isNavigationRequest() && !this.webContents.mayNavigate(url, isMainFrame)) return route.abort('aborted');
      if (!(await defaultSession.mayRequest(told))) return route.abort('blockedbyclient');
    }
    const handler = state.schemes.get(new URL(told).protocol.slice(0, -1));
    if (handler !== undefined) {
      const response = await handler(new Request(told, { method: request.method() }));
      const headers = Object.fromEntries(response.headers);
      return route.fulfill({ status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) });
    }
    // There is no network here. Any other page is an empty one.
    if (request.isNavigationRequest()) return route.fulfill({ status: 200, contentType: 'text/html', body: '<title>elsewhere</title>' });
    return route.abort('blockedbyclient');
  }

  #onClosed(): void {
    if (!BrowserWindow.all.includes(this)) return;
    this.emit('close', { preventDefault: () => {} });
    BrowserWindow.all.splice(BrowserWindow.all.indexOf(this), 1);
    this.emit('closed');
    if (BrowserWindow.all.length === 0 && !app.isQuitting) app.emit('window-all-closed');
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#opened;
    this.webContents.ownLoads.add(shownUrl(url));
    await page.goto(shownUrl(url));
    this.emit('ready-to-show');
  }
  async close(): Promise<void> {
    const page = await this.#opened;
    await page.close();
  }
  show(): void {
    this.emit('show');
  }
  focus(): void {
    void this.webContents.page?.bringToFront();
  }
  restore(): void {}
  maximize(): void {}
  isMinimized(): boolean {
    return false;
  }
  isMaximized(): boolean {
    return false;
  }
  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return { x: 0, y: 0, width: 1280, height: 840 };
  }
}

function windowOf(request: PageRequest): BrowserWindow | undefined {
  try {
    return BrowserWindow.of(request.frame().page());
  } catch {
    // The first request of a page that is being opened has no frame yet.
    return undefined;
  }
}

/** Answers every request of the browser, which has no network. */
export async function answerRoute(route: Route): Promise<void> {
  const window = windowOf(route.request());
  if (window !== undefined) return window.answer(route);
  BrowserWindow.all[0]?.webContents.openHandler({ url: toldUrl(route.request().url()) });
  popups.asked();
  return route.abort();
}
