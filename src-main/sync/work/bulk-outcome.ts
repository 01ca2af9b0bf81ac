import { nothingTakenOn, SyncStop } from './answers.ts';
import { valueOf } from './side-pages.ts';
import type { Side } from './side.ts';

export interface BulkOutcome {
  readonly status: 'taken' | 'refused';
  /** Null if the answer does not say. */
  readonly recordKey: string | null;
  readonly code: string;
  readonly message: string;
}

interface Result {
  readonly index: number;
  readonly status: string;
  readonly record_id?: number | null;
  readonly error?: unknown;
}
interface Progress {
  readonly status: string;
  readonly successful_items?: number | null | undefined;
  readonly results?:
    | readonly Result[]
    | { readonly data: readonly Result[]; readonly has_more?: boolean | null | undefined }
    | null
    | undefined;
}

const ENDED = new Set(['completed', 'failed', 'cancelled']);
const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 1_000;
/** The factor between polls. Doubling instead would notice the end of a request up to half of its duration late. */
const LATER = 1.5;
/** Results of one page. */
const PAGE = 100;
const SILENCE_MS = 10 * 60_000;

export interface Waiting {
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Returns why the side makes no progress, or null. */
  readonly trouble: () => string | null;
}

interface BulkSent {
  readonly id: number;
  readonly count: number;
}

const ask = (side: Side, { id }: BulkSent, page: { readonly limit: number; readonly offset?: number }): Promise<Progress> =>
  valueOf(side.call, 'bulk_requests.get', { id, ...page }) as Promise<Progress>;

/** Waits for the end of a bulk request and returns it with its first results. Stops the sync after ten minutes without an end. */
async function ended(side: Side, request: BulkSent, limit: number, { wait, trouble }: Waiting): Promise<Progress> {
  let waitedMs = 0;
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(LONGEST_LOOK_MS, lookMs * LATER)) {
    const progress = await ask(side, request, { limit });
    if (ENDED.has(progress.status)) return progress;
    const words = trouble();
    if (words !== null) throw nothingTakenOn(words);
    if (waitedMs > SILENCE_MS)
      throw new SyncStop('no_progress', `A bulk request is ${progress.status} for ten minutes: nothing goes on there.`);
    await wait(lookMs);
    waitedMs += lookMs;
  }
}

function wordsOf(error: unknown): { code: string; message: string } {
  if (typeof error === 'string') return { code: '', message: error };
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : 'It was not taken.' };
}

function outcomeOf({ status, record_id: record, error }: Result): BulkOutcome {
  const recordKey = record === null || record === undefined ? null : String(record);
  if (status === 'failed') return { status: 'refused', recordKey: null, ...wordsOf(error) };
  // Skipped without an error means that the same content is there already; with an error, the content differs.
  const { code, message } = wordsOf(error ?? '');
  return { status: 'taken', recordKey, code, message };
}

/** Returns the results of a page, and whether more follow. */
function resultsOf({ results }: Progress): { readonly data: readonly Result[]; readonly hasMore: boolean } {
  if (results === undefined || results === null) return { data: [], hasMore: false };
  if (Array.isArray(results)) return { data: results as readonly Result[], hasMore: false };
  const page = results as { readonly data: readonly Result[]; readonly has_more?: boolean | null | undefined };
  return { data: page.data, hasMore: page.has_more === true && page.data.length > 0 };
}

/**
 * Derives all ids from the first and the last: if every item was taken and the range holds as many ids as items, ids that grow must fill it. Returns
 * null if this does not follow.
 */
async function allInOrder(side: Side, request: BulkSent, progress: Progress): Promise<BulkOutcome[] | null> {
  const { count } = request;
  if (progress.status !== 'completed' || progress.successful_items !== count) return null;
  const [first] = resultsOf(progress).data;
  const [last] = resultsOf(await ask(side, request, { limit: 1, offset: count - 1 })).data;
  const [from, to] = [first?.record_id ?? null, last?.record_id ?? null];
  if (first?.index !== 0 || last?.index !== count - 1 || from === null || to === null || to - from !== count - 1) return null;
  return Array.from({ length: count }, (_, place) => ({ status: 'taken', recordKey: String(from + place), code: '', message: '' }));
}

/**
 * Returns the outcome of each item of a bulk request, null where the answer has none. If the side numbers items in order, two results stand for a
 * thousand: ten pages would cost a Tieout a tenth of the time it works on the items. Pages after the first are requested together: each waits for the
 * side's work on the next request, and in sequence they took longer than that work.
 */
export async function bulkOutcomes(side: Side, request: BulkSent, waiting: Waiting): Promise<(BulkOutcome | null)[]> {
  const { numbersInOrder } = side.dialect;
  const progress = await ended(side, request, numbersInOrder ? 1 : PAGE, waiting);
  const known = numbersInOrder ? await allInOrder(side, request, progress) : null;
  if (known !== null) return known;
  const outcomes: (BulkOutcome | null)[] = Array.from({ length: request.count }, () => null);
  const first = resultsOf(numbersInOrder ? await ask(side, request, { limit: PAGE }) : progress);
  const offsets: number[] = [];
  if (first.hasMore) for (let offset = first.data.length; offset < request.count; offset += first.data.length) offsets.push(offset);
  const pages = await Promise.all(offsets.map((offset) => ask(side, request, { limit: PAGE, offset })));
  for (const { data } of [first, ...pages.map(resultsOf)]) {
    for (const result of data) if (result.index < outcomes.length) outcomes[result.index] = outcomeOf(result);
  }
  return outcomes;
}
