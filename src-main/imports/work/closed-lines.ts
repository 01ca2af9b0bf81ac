import type { Problem } from '../../../src-shared/contract/index.ts';
import { type ClosedSpan, closedSpansOfStream } from '../../close/store/closed-spans.ts';
import type { ReadHandle } from '../../database/database.ts';
import { closedName, counted, dayText } from '../../domain/ledger/index.ts';
import { note } from '../../domain/statement/index.ts';

/** New lines of a file that are dated within the closed periods of its stream, the last of which is `span`. */
export interface ClosedLines {
  readonly count: number;
  readonly span: ClosedSpan;
}

/** The closed period of a stream that ends last: nothing new may be dated on or before its last day. */
export function lastClosed(read: ReadHandle, streamId: number | null): ClosedSpan | undefined {
  return streamId === null ? undefined : closedSpansOfStream(read, streamId).at(-1);
}

function closedLinesText(lines: number, span: ClosedSpan): string {
  const are = lines === 1 ? 'is' : 'are';
  const rows = lines === 1 ? 'its row' : 'their rows';
  return `${counted(lines, 'new line', 'new lines')} of this file ${are} dated ${dayText(span.lastDay)} or earlier, and ${closedName(span)} is closed. Reopen it with a reason, or leave ${rows} out.`;
}

/** The problem of a file with new lines that are dated within a closed period; null where none is. */
export function closedProblem({ count, span }: ClosedLines): Problem | null {
  return count === 0 ? null : note(PERIOD_CLOSED, closedLinesText(count, span));
}

const PERIOD_CLOSED = 'period_closed';

/** Whether a file has that problem. */
export function isClosed({ problems }: { readonly problems: readonly Problem[] }): boolean {
  return problems.some(({ code }) => code === PERIOD_CLOSED);
}
