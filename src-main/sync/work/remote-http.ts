import { isDeeper, LIMITS } from '../../../src-shared/contract/common.ts';
import { isLoopback } from '../../../src-shared/values/network.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Clock, Random } from '../../platform/ports.ts';
import { LostAnswer, SyncStop } from './answers.ts';
import type { SyncProgress } from './progress.ts';

function causeCode(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return error instanceof Error ? error.name : '';
}

const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_MISMATCH)/;

/** Whether a retry cannot help. */
function isHopeless(error: unknown): boolean {
  return TLS.test(causeCode(error));
}

/** Whether no connection was made, so that nothing of the request was sent. */
function isUnsent(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(causeCode(error));
}

/** Returns the stop for a request that failed, with its cause in words. */
function unreachable(host: string, error: unknown): SyncStop {
  const code = causeCode(error);
  if (TLS.test(code)) {
    return new SyncStop('tls_failed', phrase('sync.remoteHttp.noSafeConnectionToCouldBeMade', { host, code }));
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new SyncStop('unreachable', phrase('sync.remoteHttp.isNotKnown', { host }));
  }
  const why =
    code === 'ECONNREFUSED'
      ? phrase('sync.remoteHttp.nothingAnswersThere')
      : code === 'TimeoutError'
        ? phrase('sync.remoteHttp.itDoesNotAnswer')
        : code || phrase('sync.remoteHttp.noAnswer');
  return new SyncStop('unreachable', phrase('sync.remoteHttp.cannotBeReached', { host, why }));
}

/** Returns code and message of an error body, whatever its form. */
function sentenceOf(value: unknown, status: number): { readonly code: string; readonly message: string } {
  const body = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const { error, message, code, detail } = body;
  const nested = typeof error === 'object' && error !== null ? (error as Record<string, unknown>)['message'] : error;
  const words = [message, nested, detail].find((each) => typeof each === 'string' && each !== '');
  return {
    code: typeof code === 'string' ? code : `http_${status}`,
    message: typeof words === 'string' ? words.slice(0, 1_000) : phrase('sync.remoteHttp.itAnswered', { status }),
  };
}

/** Far more than a page of records can have. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The depth of a record's metadata, and of the levels around it. */
const DEEPEST = LIMITS.jsonDepth + 8;

/** Returns the text of an answer; null if it was cut off. */
async function textOf(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > MAX_BYTES) {
        await reader.cancel();
        throw new SyncStop('answer_too_large', phrase('sync.remoteHttp.anAnswerOfTheOtherSide'));
      }
      parts.push(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    if (error instanceof SyncStop) throw error;
    return null;
  }
  parts.push(decoder.decode());
  return parts.join('');
}

/** Returns the value of a JSON text, or that it is not JSON. Throws a SyncStop if it is nested too deeply. */
export function jsonOf(text: string): { readonly isJson: boolean; readonly value: unknown } {
  if (text === '') return { isJson: true, value: null };
  try {
    const value = JSON.parse(text) as unknown;
    // No page of records is nested this deeply, and code that compares or stores values recurses.
    if (isDeeper(value, DEEPEST))
      throw new SyncStop('answer_too_deep', phrase('sync.remoteHttp.answerIsNestedTooDeep', { deepest: DEEPEST }));
    return { isJson: true, value };
  } catch (error) {
    if (error instanceof SyncStop) throw error;
    return { isJson: false, value: null };
  }
}

/** Whether a text is a web page, such as the login page that some networks return for every request. */
function isWebPage(text: string, contentType: string | null): boolean {
  return contentType?.includes('text/html') === true || /^\s*</.test(text);
}

/** The ports of requests; tests pass their own `fetch` and `wait`. */
export interface HttpPorts {
  readonly fetch: typeof globalThis.fetch;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Called with the state before each retry, and with null once the request succeeds. */
  readonly waits: SyncProgress['waits'];
  /** The most often a request is sent; six times by default. */
  readonly tries?: number;
}

export interface HttpRequest {
  readonly method: string;
  /** The path below the base URL with its query, or a link from an answer. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
  /** Whether it may be repeated when it is unknown whether it arrived. */
  readonly isRepeatable: boolean;
  /** Whether the remote may lack the path; then any refusal counts as an answer, even a web page. */
  readonly mayBeAbsent?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly value: unknown;
  readonly message: string;
  readonly code: string;
  readonly location: string | null;
}

const TRIES = 6;
const TIMEOUT_MS = 60_000;
const START_MS = 30_000;
const SILENCE_MS = 10 * 60_000;
const FIRST_BACKOFF_MS = 250;
const MAX_WAIT_MS = 60_000;
const BUSY = new Set([429, 502, 503, 504]);
/** Statuses of a failure at the remote. Proxies have codes of their own for it. */
const BROKE = new Set([500, 520, 521, 522, 523, 524, 530]);

function isOnThisComputer(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** Sends requests to one remote with its key. The key goes to no other origin. */
export class Http {
  readonly baseUrl: string;
  readonly #apiKey: string;
  readonly #ports: HttpPorts;
  /** When the last answer arrived, in monotonic milliseconds; null before the first. */
  #heardAtMs: number | null = null;
  readonly #startedAtMs: number;

  constructor(baseUrl: string, apiKey: string, ports: HttpPorts) {
    this.baseUrl = baseUrl;
    this.#apiKey = apiKey;
    this.#ports = ports;
    this.#startedAtMs = ports.clock.monotonicMs();
  }

  get host(): string {
    return new URL(this.baseUrl).host;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const url = linkWithin(this.baseUrl, request.path.startsWith('/') ? `${this.baseUrl}${request.path}` : request.path);
    if (url === null)
      throw new SyncStop('foreign_link', phrase('sync.remoteHttp.theOtherSideLeadsToWhere', { hostOf: hostOf(request.path) }));
    return this.#tries(request, url);
  }

  /** Requests a link from an answer; it may be relative to the base URL. */
  follow(link: string): Promise<HttpAnswer> {
    const url = linkWithin(this.baseUrl, link);
    return this.send({ method: 'GET', path: url ?? link, isRepeatable: true });
  }

  async #tries(request: HttpRequest, url: string): Promise<HttpAnswer> {
    const sinceMs = this.#ports.clock.nowMs();
    for (let tries = 1; ; tries += 1) {
      this.#ports.signal.throwIfAborted();
      const got = await this.#once(request, url).catch((error: unknown) => {
        if (error instanceof SyncStop) throw error;
        return { error };
      });
      if (!('error' in got) && !BUSY.has(got.status) && !this.#isTriedAgain(request, got, tries)) {
        this.#heardAtMs = this.#ports.clock.monotonicMs();
        if (tries > 1) this.#ports.waits(null);
        // The failure may have come before or after the request took effect.
        if (got.status >= 500 && !request.isRepeatable) throw lost(request);
        return got;
      }
      this.#ports.signal.throwIfAborted();
      const isRefused = 'error' in got ? isUnsent(got.error) : got.status === 429 || got.retryAfterMs !== null;
      if (!request.isRepeatable && !isRefused) throw lost(request);
      const waitMs = this.#waitBefore(tries, 'error' in got ? null : got.retryAfterMs);
      if (tries >= (this.#ports.tries ?? TRIES) || this.#isTooLate(waitMs) || ('error' in got && isHopeless(got.error)))
        throw this.#gaveUp(got);
      this.#tellWaiting(sinceMs, tries, waitMs, got);
      await this.#ports.wait(waitMs);
    }
  }

  /**
   * Whether a request that failed at the remote is retried. Reads get all tries; a change of a single object gets two, because one that always fails
   * would hold up all others. The outcome of the last try counts as the answer.
   */
  #isTriedAgain({ method, isRepeatable }: HttpRequest, { status }: HttpAnswer, tries: number): boolean {
    if (!BROKE.has(status) || !isRepeatable) return false;
    const most = Math.min(this.#ports.tries ?? TRIES, method === 'GET' ? TRIES : 2);
    return tries < most && !this.#isTooLate(this.#waitBefore(tries, null));
  }

  #tellWaiting(sinceMs: number, tries: number, waitMs: number, got: { readonly error: unknown } | HttpAnswer): void {
    const { clock, waits } = this.#ports;
    const nowMs = clock.nowMs();
    const leftMs =
      this.#heardAtMs === null
        ? START_MS - (clock.monotonicMs() - this.#startedAtMs)
        : SILENCE_MS - (clock.monotonicMs() - this.#heardAtMs);
    waits({ sinceMs, tries, of: TRIES, nextAtMs: nowMs + waitMs, givesUpAtMs: nowMs + leftMs, reason: this.#gaveUp(got).message });
  }

  #waitBefore(tries: number, askedMs: number | null): number {
    const jitter = (this.#ports.random.bytes(1)[0] ?? 0) / 255;
    const backoff = Math.round(FIRST_BACKOFF_MS * 2 ** (tries - 1) * (0.5 + jitter));
    return Math.max(Math.min(MAX_WAIT_MS, backoff), askedMs ?? 0);
  }

  #isTooLate(waitMs: number): boolean {
    const soonMs = this.#ports.clock.monotonicMs() + waitMs;
    return this.#heardAtMs === null ? soonMs - this.#startedAtMs > START_MS : soonMs - this.#heardAtMs > SILENCE_MS;
  }

  #gaveUp(got: { readonly error: unknown } | HttpAnswer): SyncStop {
    if ('error' in got) return unreachable(this.host, got.error);
    const what = BUSY.has(got.status) ? phrase('sync.remoteHttp.isBusy') : 'failed';
    return new SyncStop(
      'remote_busy',
      phrase('sync.remoteHttp.andAnswersAgainAndAgain', { host: this.host, what, status: got.status, got: got.message }),
    );
  }

  async #once(request: HttpRequest, url: string): Promise<HttpAnswer & { readonly retryAfterMs: number | null }> {
    const leftMs = this.#heardAtMs === null ? Math.max(1, START_MS - (this.#ports.clock.monotonicMs() - this.#startedAtMs)) : TIMEOUT_MS;
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const response = await this.#ports.fetch(url, {
      method: request.method,
      redirect: 'manual',
      signal: AbortSignal.any([this.#ports.signal, AbortSignal.timeout(Math.ceil(Math.min(TIMEOUT_MS, leftMs)))]),
      headers: {
        accept: 'application/json',
        'x-api-key': this.#apiKey,
        // Compressing each page takes longer than the transfer on one machine: a tenth of the time to receive 100,000 records.
        ...(isOnThisComputer(this.baseUrl) ? { 'accept-encoding': 'identity' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400) throw this.#redirected(location);
    const text = await textOf(response);
    if (text === null) throw new Error('cut off');
    const { isJson, value } = jsonOf(text);
    const isPage = !isJson && isWebPage(text, response.headers.get('content-type'));
    if (isPage && !isPageOfRefusal(response, request)) throw webPage(this.host);
    if (!isJson && response.ok) throw new Error('cut off');
    return {
      status: response.status,
      value,
      ...this.#saidBy(value, response.status),
      location,
      retryAfterMs: retryAfterMs(response.headers, this.#ports.clock.nowMs()),
    };
  }

  /** Removes the key from code and message, which people read and the book keeps: a remote may repeat it. */
  #saidBy(value: unknown, status: number): { readonly code: string; readonly message: string } {
    const { code, message } = sentenceOf(value, status);
    return {
      code: code.replaceAll(this.#apiKey, phrase('sync.remoteHttp.theKey')),
      message: message.replaceAll(this.#apiKey, phrase('sync.remoteHttp.theKey')),
    };
  }

  #redirected(location: string | null): SyncStop {
    const where = location === null ? 'elsewhere' : hostOf(location, this.baseUrl);
    return new SyncStop('redirected', phrase('sync.remoteHttp.sendsOnToWhereTheApi', { host: this.host, where }));
  }
}

const LOGIN_WANTED = 511;

/** Whether a web page is the refusal of this request: a proxy's page about a failure behind it, or a service's page about a missing path. */
function isPageOfRefusal({ ok, status }: Response, { mayBeAbsent }: HttpRequest): boolean {
  return !ok && status !== LOGIN_WANTED && (status >= 500 || mayBeAbsent === true);
}

function lost({ method, path }: HttpRequest): LostAnswer {
  return new LostAnswer(`${method} ${path}`);
}

/**
 * Returns how many milliseconds a remote asks to wait, given in seconds or as a time. A time is relative to the remote's own clock if it states it,
 * because the local clock may be wrong.
 */
function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const asked = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Number(asked) * 1_000;
  const until = Date.parse(asked);
  if (Number.isNaN(until)) return null;
  const date = Date.parse(headers.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(date) ? nowMs : date));
}

function hostOf(link: string, base?: string): string {
  return URL.parse(link, base)?.host ?? phrase('sync.remoteHttp.anotherPlace');
}

function webPage(host: string): SyncStop {
  return new SyncStop('not_a_service', phrase('sync.remoteHttp.answersWithAWebPage', { host }));
}

/** Returns the normal form of a base URL: no slash at the end. Throws a SyncStop unless it is http or https without user name and password. */
export function baseUrlOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new SyncStop('invalid_url', phrase('sync.remoteHttp.isNoAddressOfAConnection', { stringify: JSON.stringify(text) }));
  }
  if (url.username !== '' || url.password !== '') {
    throw new SyncStop('invalid_url', phrase('sync.remoteHttp.theAddressOfTheConnection'));
  }
  let path = url.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  return `${url.origin}${path}`;
}

/**
 * Returns the address of a link, which may be absolute or relative to the base URL. Returns null if it leads to another origin, where the key must
 * not go.
 */
function linkWithin(baseUrl: string, link: string): string | null {
  const base = new URL(baseUrl);
  const url = URL.parse(link, `${baseUrl}/`);
  return url === null || url.origin !== base.origin || url.username !== '' ? null : url.href;
}
