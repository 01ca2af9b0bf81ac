import { nothingTakenOn, SyncStop } from './answers.ts';
import { valueOf } from './side-pages.ts';
import type { Side } from './side.ts';

export interface BulkOutcome {
  readonly status: 'taken' | 'refused';
  /** Null where the answer does not tell. */
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
/** Looks come later and later, and not twice as late: then the end of a request is seen half its time too late. */
const LATER = 1.5;
/** Results of a page. */
const PAGE = 100;
const SILENCE_MS = 10 * 60_000;

export interface Waiting {
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Why the side does not go on, where that is known. */
  readonly trouble: () => string | null;
}

interface BulkSent {
  readonly id: number;
  readonly count: number;
}

const ask = (side: Side, { id }: BulkSent, page: { readonly limit: number; readonly offset?: number }): Promise<Progress> =>
  valueOf(side.call, 'bulk_requests.get', { id, ...page }) as Promise<Progress>;

/** Waits for the end of a bulk request, and answers it with its first results. Ten minutes without an end are too long. */
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
  // Skipped without a word is there already, as it was sent; with other content it is another matter.
  const { code, message } = wordsOf(error ?? '');
  return { status: 'taken', recordKey, code, message };
}

/** Results of a page, and whether more follow. */
function resultsOf({ results }: Progress): { readonly data: readonly Result[]; readonly hasMore: boolean } {
  if (results === undefined || results === null) return { data: [], hasMore: false };
  if (Array.isArray(results)) return { data: results as readonly Result[], hasMore: false };
  const page = results as { readonly data: readonly Result[]; readonly has_more?: boolean | null | undefined };
  return { data: page.data, hasMore: page.has_more === true && page.data.length > 0 };
}

/**
 * Where all items went in, and as many ids lie from the first to the last as there are items, these are the ids in between: ids grow, and no two are the same. Null
 * where that does not tell.
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
 * What became of each item of a bulk request; null for items that the answer says nothing of. Two results tell of a thousand where the side numbers in order: ten
 * pages of them cost a Tieout a tenth of the time that it works on the items. Pages after the first are asked for at once: each waits for the work that the other
 * side does on the next request, and one after another they took longer than that work.
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
