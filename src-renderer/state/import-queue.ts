import { createStore } from 'zustand/vanilla';
import type { Failure, ImportPreview, ImportResult } from '../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { isUnprovedPdf } from '../../src-shared/contract/imports/imports.ts';
import { say } from '../../src-shared/words/say.ts';
import type { JobProgress } from '../api/follow-job.ts';
import { lockOf } from './import-flow.ts';

/** Files that were opened from outside of the window and wait for the import screen. */
export const openedFiles = createStore<{ readonly files: readonly ChosenFile[] }>()(() => ({ files: [] }));

/** The queue of the import. It is worked through while other screens are open. */
export const importQueue = createStore<{ readonly lines: readonly QueueLine[]; readonly progress: JobProgress | null }>()(() => ({
  lines: [],
  progress: null,
}));

/** One file of several. `look` means that a person must decide something, in the file's own screen. */
export interface QueueLine {
  readonly file: ChosenFile;
  readonly state: 'waiting' | 'reading' | 'importing' | 'done' | 'look' | 'failed' | 'cancelled' | 'opened';
  /** The result of the file, or the reason why it waits for a person. */
  readonly words: string;
  readonly result: ImportResult | null;
}

export function queueOf(files: readonly ChosenFile[]): readonly QueueLine[] {
  return files.map((file) => ({ file, state: 'waiting', words: '', result: null }));
}

type Parts = Outcome<{ readonly files: readonly { readonly file_token: string; readonly name: string; readonly byte_length: number }[] }>;

/**
 * Returns the files, with each archive of several files replaced by its contents. An archive that cannot be read is reported in `failures` and
 * omitted.
 */
export async function unpacked(
  chosen: readonly ChosenFile[],
  partsOf: (token: string) => Promise<Parts>,
): Promise<{ readonly files: readonly ChosenFile[]; readonly failures: readonly { readonly name: string; readonly failure: Failure }[] }> {
  const files: ChosenFile[] = [];
  const failures: { name: string; failure: Failure }[] = [];
  for (const file of chosen) {
    // A workbook is a zip archive as well, but it is one file, and opening a large one takes time.
    const parts = /\.xls\w?$/i.test(file.name) ? null : await partsOf(file.token);
    if (parts !== null && !parts.ok) failures.push({ name: file.name, failure: parts.error });
    else if (parts === null || parts.value.files.length === 0) files.push(file);
    else files.push(...parts.value.files.map(({ file_token: token, name, byte_length: byteLength }) => ({ token, name, byteLength })));
  }
  return { files, failures };
}

/** Returns the stream that a file of several goes to without a question: the chosen one, else that of its recipe; null when a person must choose. */
export function streamOf(preview: ImportPreview, chosenKey: string | null): string | null {
  if (chosenKey !== null) return chosenKey;
  return preview.suggestion.is_known ? preview.suggestion.stream_key : null;
}

/** Notes that need a person, because the file may mean something else. A recipe that was followed settles all of them except the currency. */
const ASKED: Readonly<Record<string, string>> = {
  currency_differs: say('imports.asked.currencyDiffers'),
  sheets_left_out: say('imports.asked.sheetsLeftOut'),
  date_order_assumed: say('imports.asked.dateOrderAssumed'),
  decimal_mark_assumed: say('imports.asked.decimalMarkAssumed'),
  date_notations_mixed: say('imports.asked.dateNotationsMixed'),
  columns_assumed: say('imports.asked.columnsAssumed'),
  fees_assumed: say('imports.asked.feesAssumed'),
  signs_assumed: say('imports.asked.signsAssumed'),
  sent_amounts_assumed: say('imports.asked.sentAmountsAssumed'),
  returns_in_amounts: say('imports.asked.returnsInAmounts'),
};

/** Returns why a file of several needs a person or failed; null when it can be imported. */
export function reasonToLook(
  preview: ImportPreview,
  chosenKey: string | null,
): { readonly state: 'look' | 'failed'; readonly words: string } | null {
  const { result } = preview;
  const fatal = result.problems.find((problem) => problem.severity === 'fatal');
  const look = (words: string) => ({ state: 'look', words }) as const;
  const lock = lockOf(preview);
  if (lock !== null) return look(say('imports.importQueue.itNeedsAPassword'));
  // A person can say how to read a table.
  if (fatal !== undefined)
    return preview.head.length > 0 || preview.sheets.length > 1 ? look(fatal.message) : { state: 'failed', words: fatal.message };
  if (preview.accounts.length > 1) return look(say('imports.importQueue.itHoldsSeveralAccounts'));
  if (streamOf(preview, chosenKey) === null) return look(say('imports.importQueue.chooseTheStreamThatItsLines'));
  const wrong = result.problems.find(({ code }) => code === 'wrong_currency');
  if (wrong !== undefined) return look(wrong.message);
  const closed = result.problems.find(({ code }) => code === 'period_closed');
  if (closed !== undefined) return look(closed.message);
  if (result.misfits[0] !== undefined) return look(result.misfits[0].message);
  if (result.questions[0] !== undefined) return look(result.questions[0].message);
  if (result.recipe?.state === 'doubtful') return look(say('imports.importQueue.theRecipeKeptForItsHeader'));
  const asked = result.problems.find(({ code }) => code in ASKED && (result.recipe?.state === 'guessed' || code === 'currency_differs'));
  if (asked !== undefined) return look(ASKED[asked.code] ?? '');
  if (result.rejected > 0) return look(say('imports.importQueue.ofItsRowsCannotBeRead', { rejected: result.rejected }));
  const cut = result.problems.find(({ code }) => code === 'file_cut_off');
  if (result.proof === 'broken') return look(cut?.message ?? say('imports.importQueue.itsBalancesDoNotAgree'));
  if (isUnprovedPdf(result)) return look(say('imports.importQueue.noBalanceProvesItsLines'));
  return null;
}

/** Returns the queue with one line changed. */
export function withLine(lines: readonly QueueLine[], index: number, change: Partial<QueueLine>): readonly QueueLine[] {
  return lines.map((line, at) => (at === index ? { ...line, ...change } : line));
}

/** Returns the queue with all waiting files cancelled. */
export function cancelled(lines: readonly QueueLine[]): readonly QueueLine[] {
  return lines.map((line) =>
    line.state === 'waiting' ? { ...line, state: 'cancelled', words: say('imports.importQueue.cancelledBeforeItWasRead') } : line,
  );
}

export function isWorking(lines: readonly QueueLine[]): boolean {
  return lines.some(({ state }) => state === 'waiting' || state === 'reading' || state === 'importing');
}

/**
 * Returns the finished share of the queue, 0 to 100, weighted by file size. `percent` is that of the running job: reading a file is the first half of
 * its work, importing it the second.
 */
export function shareOfQueue(lines: readonly QueueLine[], percent: number): number {
  let done = 0;
  let total = 0;
  for (const { file, state } of lines) {
    const size = Math.max(1, file.byteLength);
    total += size;
    if (state === 'reading') done += (size * percent) / 200;
    else if (state === 'importing') done += size * (0.5 + percent / 200);
    else if (state !== 'waiting') done += size;
  }
  return total === 0 ? 0 : (100 * done) / total;
}
