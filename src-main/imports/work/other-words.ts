import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { StatementLine } from '../../domain/statement/index.ts';
import { isRareAmount, possibleDuplicates as sameContent } from '../store/possible-duplicates.ts';
import { recordsToJoin } from '../store/wordings.ts';
import { type ComparedLines, type IdOfLine, overlapsWith, type StoredLine } from './overlap.ts';

/** A line that came over the interface. `amount` is signed: money out is negative. */
export interface CameLine {
  readonly date: string;
  readonly value_date: string | null;
  readonly amount: number;
  readonly direction: 'credit' | 'debit';
  readonly currency: string;
  readonly decimal_places: number;
  readonly description: string | null;
  readonly external_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface InOtherWords {
  /** A line by its place, and the record that may be the same in other words. */
  readonly pairs: readonly { readonly place: number; readonly recordId: number }[];
  /** Places of lines of which others of the same day and amount have as good a claim on the record. */
  readonly contested: readonly number[];
}

const NONE: InOtherWords = { pairs: [], contested: [] };

function textsOf(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value ?? null)]),
  );
}

function lineOf({
  date,
  value_date: valueDate,
  amount,
  direction,
  currency,
  decimal_places,
  description,
  ...line
}: CameLine): StatementLine {
  return {
    row: 1,
    day: present(dayFromIso(date), 'date'),
    valueDay: valueDate === null ? null : present(dayFromIso(valueDate), 'value_date'),
    amountMinor: Math.abs(amount),
    direction,
    currency,
    decimalPlaces: decimal_places,
    description,
    externalId: line.external_id,
    metadata: textsOf(line.metadata),
  };
}

/** External ids that a sync made say nothing. */
const MADE = /^tieout-[0-9a-f]{24}$/;

/** What an id looks like: ids of one issuer look alike. */
const shapeOf = (id: string): string => id.replaceAll(/\p{N}+/gu, '9').replaceAll(/\p{L}+/gu, 'a');

/** Nobody says who gave the ids of a line that comes over the interface: another id is another line where both look alike. */
function isOtherId(ids: readonly IdOfLine[], externalId: string): boolean {
  if (MADE.test(externalId)) return false;
  return ids.some(({ externalId: own }) => own !== externalId && !MADE.test(own) && shapeOf(own) === shapeOf(externalId));
}

interface Stream {
  readonly environmentId: number;
  readonly streamId: number;
}

function compared(
  read: ReadHandle,
  stream: Stream,
  lines: readonly StatementLine[],
  which: Pick<ComparedLines, 'isNamed' | 'isOwn'>,
): InOtherWords {
  const { pairs, contested, isBeyondChance } = overlapsWith(read, stream, lines, {
    places: [...lines.keys()],
    ...which,
    isIdentified: () => false,
    isOtherId,
  });
  return isBeyondChance ? { pairs: pairs.map(({ place, recordId }) => ({ place, recordId })), contested } : NONE;
}

/** Which of some lines of another instance may be one of the `candidates`, records of the stream that it is not known to have: as a file is compared. */
export function sameInOtherWords(
  read: ReadHandle,
  stream: Stream,
  lines: readonly CameLine[],
  candidates: ReadonlySet<number>,
): InOtherWords {
  return compared(read, stream, lines.map(lineOf), { isNamed: ({ id }) => !candidates.has(id) });
}

/** Of records that came over the interface, which older ones of their streams, of another request or of none, may be the same lines in other words. */
function recordsInOtherWords(read: ReadHandle, environmentId: number, recordIds: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  const rows = recordsToJoin(read, recordIds).filter((row) => isRareAmount(read, { environment_id: environmentId, ...row }));
  for (const [streamId, own] of Map.groupBy(rows, ({ stream_id: id }) => id)) {
    const batches = new Set(own.flatMap(({ batch_id: id }) => id ?? []));
    const oldest = Math.min(...own.map(({ id }) => id));
    const lines = own.map((row): StatementLine => ({
      row: 1,
      day: row.day,
      valueDay: row.value_day,
      amountMinor: row.amount,
      direction: row.direction === 1 ? 'credit' : 'debit',
      currency: row.currency,
      decimalPlaces: row.decimal_places,
      description: row.description,
      externalId: row.external_id,
      metadata: textsOf(JSON.parse(row.metadata) as Record<string, unknown>),
    }));
    // Only what was there before them: the later one is the duplicate.
    const isOwn = (id: number): boolean => id >= oldest;
    const isNamed = ({ batchId }: StoredLine): boolean => batchId !== null && batches.has(batchId);
    const { pairs } = compared(read, { environmentId, streamId }, lines, { isNamed, isOwn });
    const older = recordsToJoin(
      read,
      pairs.map(({ recordId }) => recordId),
    );
    const placesOf = new Map(older.map(({ id, decimal_places: places }) => [id, places]));
    for (const { place, recordId } of pairs) {
      const row = present(own[place], 'record');
      if (placesOf.get(recordId) === row.decimal_places) found.set(row.id, recordId);
    }
  }
  return found;
}

/** Of records that came over the interface those that an older record of the stream may be already: one of the same content, else one in other words. */
export function possibleDuplicates(read: ReadHandle, environmentId: number, recordIds: readonly number[]): Map<number, number> {
  const same = sameContent(read, recordIds);
  const left = recordIds.filter((id) => !same.has(id));
  return left.length === 0 ? same : new Map([...recordsInOtherWords(read, environmentId, left), ...same]);
}
