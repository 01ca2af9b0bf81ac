import type { ImportPreview, ImportResult } from '../../src-shared/contract/index.ts';
import type { ChosenFile } from '../../src-shared/contract/wire.ts';

/** One file of several. `look`: somebody must decide something; the file is then opened by itself. */
export interface QueueLine {
  readonly file: ChosenFile;
  readonly state: 'waiting' | 'reading' | 'importing' | 'done' | 'look' | 'failed' | 'cancelled' | 'opened';
  /** What came of it, or why it waits for somebody. */
  readonly words: string;
  readonly result: ImportResult | null;
}

export function queueOf(files: readonly ChosenFile[]): readonly QueueLine[] {
  return files.map((file) => ({ file, state: 'waiting', words: '', result: null }));
}

/** The stream that a file of several goes to by itself: the one that was chosen, else that of its recipe; null where somebody must choose. */
export function streamOf(preview: ImportPreview, chosenKey: string | null): string | null {
  if (chosenKey !== null) return chosenKey;
  return preview.suggestion.is_known ? preview.suggestion.stream_key : null;
}

/** Why a file of several does not go in by itself; null when it does. */
export function reasonToLook(
  preview: ImportPreview,
  chosenKey: string | null,
): { readonly state: 'look' | 'failed'; readonly words: string } | null {
  const { result } = preview;
  const fatal = result.problems.find((problem) => problem.severity === 'fatal');
  const look = (words: string) => ({ state: 'look', words }) as const;
  // Of a table somebody can say how it is read.
  if (fatal !== undefined)
    return preview.head.length > 0 || preview.sheets.length > 1 ? look(fatal.message) : { state: 'failed', words: fatal.message };
  if (preview.accounts.length > 1) return look('It holds several accounts: choose one.');
  if (streamOf(preview, chosenKey) === null) return look('Choose the stream that its lines go into.');
  if (result.recipe?.state === 'doubtful') return look('The recipe kept for its header does not seem to fit.');
  if (result.recipe?.state === 'guessed' && result.problems.some(({ code }) => code === 'sheets_left_out')) {
    return look('Several of its sheets hold transactions: choose one.');
  }
  if (result.rejected > 0) return look(`${result.rejected} of its rows cannot be read.`);
  return result.proof === 'broken' ? look('Its balances do not agree.') : null;
}

/** The queue with one line changed. */
export function withLine(lines: readonly QueueLine[], index: number, change: Partial<QueueLine>): readonly QueueLine[] {
  return lines.map((line, at) => (at === index ? { ...line, ...change } : line));
}

/** What is still to be done is let go. */
export function cancelled(lines: readonly QueueLine[]): readonly QueueLine[] {
  return lines.map((line) => (line.state === 'waiting' ? { ...line, state: 'cancelled', words: 'Cancelled before it was read.' } : line));
}

export function isWorking(lines: readonly QueueLine[]): boolean {
  return lines.some(({ state }) => state === 'waiting' || state === 'reading' || state === 'importing');
}
