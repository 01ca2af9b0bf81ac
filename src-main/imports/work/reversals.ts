import type { ReadHandle } from '../../database/database.ts';
import {
  type MarkedLine,
  MOST_DAYS_TO_RETURN,
  type Originals,
  originalsOf,
  type ReversalMark,
  type TellingLine,
} from '../../domain/statement/index.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { linkReversal, mayBeTakenBack, openReversals, recordsOfAmount, type TellingRow } from '../../records/store/reversals.ts';

/** Marked lines that one import looks at, the newest ones. */
const MOST_MARKED = 10_000;
/** So many records of one amount are looked through, the newest ones. If there are more, nothing is linked by the amount alone: another one may fit. */
const MOST_OF_AMOUNT = 20_000;
/** Lines of one amount, near in days, whose references are compared. */
const MOST_COMPARED = 500;
/** Links written in one transaction. */
const LINKS_AT_ONCE = 500;

/** The batch whose lines are stored, and not seen yet. */
interface BatchToLink {
  readonly environmentId: number;
  readonly streamId: number;
  readonly batchId: number;
}

/**
 * Looks for the lines that marked lines take back: marked ones of the batch, and those that waited for a line of the batch. `days`: of the lines of the batch, since
 * 1970-01-01. What is linked shows once the batch does.
 */
export function linkReversals(
  context: Pick<TaskContext, 'database' | 'isCancelled'>,
  batch: BatchToLink,
  days: { readonly firstDay: number; readonly lastDay: number } | null,
): void {
  if (days === null) return;
  const { database, isCancelled } = context;
  const { firstDay, lastDay } = { firstDay: days.firstDay, lastDay: days.lastDay + MOST_DAYS_TO_RETURN };
  const marked = openReversals(database, { ...batch, firstDay, lastDay }, MOST_MARKED);
  if (marked.length === 0) return;
  const lookUp = new LookUp(database, batch);
  const rows = new Map(marked.map((row) => [row.id, row]));
  // Those of one amount come together, so that it is looked up once.
  const lines = marked
    .toSorted((one, other) => one.amount - other.amount || one.id - other.id)
    .map((row): MarkedLine => ({ ...tellingLine(row), mark: JSON.parse(row.mark) as ReversalMark }));
  const found = [
    ...originalsOf(lines, (line) => {
      const row = rows.get(line.id);
      return row === undefined || isCancelled() ? { lines: [], isAll: false } : lookUp.originalsOf(row);
    }),
  ];
  for (let start = 0; start < found.length && !isCancelled(); start += LINKS_AT_ONCE) {
    const links = found.slice(start, start + LINKS_AT_ONCE);
    database.write((write) => {
      for (const [recordId, originalId] of links) linkReversal(write, recordId, originalId);
    });
  }
}

/** Looks up lines by their amount; the last amount is remembered. */
class LookUp {
  readonly #read: ReadHandle;
  readonly #batch: BatchToLink;
  #last: { readonly key: string; readonly found: ReturnType<typeof recordsOfAmount> } | null = null;

  constructor(read: ReadHandle, batch: BatchToLink) {
    this.#read = read;
    this.#batch = batch;
  }

  originalsOf({ day, amount, direction, currency, decimal_places: places }: TellingRow): Originals {
    const { ofStream, isCut } = this.#ofAmount(amount, 1 - direction, currency);
    const near = ofStream.filter((row) => row.day <= day && row.day >= day - MOST_DAYS_TO_RETURN).map(({ id }) => id);
    const compared = near.slice(0, MOST_COMPARED);
    const rows = mayBeTakenBack(this.#read, compared, this.#batch.batchId).filter((row) => row.decimal_places === places);
    return { lines: rows.map(tellingLine), isAll: !isCut && compared.length === near.length };
  }

  #ofAmount(amount: number, direction: number, currency: string): ReturnType<typeof recordsOfAmount> {
    const key = `${amount} ${direction} ${currency}`;
    if (this.#last?.key !== key) {
      const { environmentId, streamId } = this.#batch;
      const found = recordsOfAmount(this.#read, { environmentId, streamId, currency, direction, amount }, MOST_OF_AMOUNT);
      this.#last = { key, found };
    }
    return this.#last.found;
  }
}

function tellingLine({ id, day, description, external_id: externalId, metadata }: TellingRow): TellingLine {
  return { id, day, description, externalId, metadata: JSON.parse(metadata) as Record<string, unknown> };
}
