import { assert } from '../../../src-shared/values/assert.ts';
import { itemAt } from '../collections/typed-arrays.ts';
import type { LedgerInput, LedgerMatch, LedgerRecord } from './input.ts';
import type { OpenReason } from './statement.ts';

/** A cleared match; nets in minor units. */
interface Nets {
  readonly match: LedgerMatch;
  readonly bank: bigint;
  readonly books: bigint;
}

/** A match that leaves its records open. */
interface Holder {
  readonly matchId: number;
  readonly reason: Exclude<OpenReason, 'unmatched'>;
}

export interface Sorted {
  readonly cleared: readonly Nets[];
  /** By place of the record: 1 where it is in a cleared match. */
  readonly isCleared: Uint8Array;
  /** By place of the record: what holds it without clearing it. */
  readonly holders: ReadonlyMap<number, Holder>;
}

/** Places of a match's lines, adjustments left out; null where one of them is dated after the last day or is not among the records. */
function placesOf(
  match: LedgerMatch,
  records: readonly LedgerRecord[],
  placeById: ReadonlyMap<number, number>,
  to: number,
): number[] | null {
  const places: number[] = [];
  for (const id of match.recordIds) {
    const place = placeById.get(id);
    if (place === undefined) return null;
    const record = itemAt(records, place);
    if (record.isAdjustment) continue;
    if (record.day > to) return null;
    places.push(place);
  }
  return places;
}

function netsOf(match: LedgerMatch, places: readonly number[], records: readonly LedgerRecord[]): Nets {
  let bank = 0n;
  let books = 0n;
  for (const place of places) {
    const { side, amount } = itemAt(records, place);
    if (side === 'bank') bank += BigInt(amount);
    else books += BigInt(amount);
  }
  return { match, bank, books };
}

/** Which matches are cleared as of the last day, and what becomes of the records of the others. */
export function clearedMatches({ records, matches, period }: LedgerInput): Sorted {
  const placeById = new Map<number, number>();
  for (let place = 0; place < records.length; place += 1) placeById.set(itemAt(records, place).id, place);
  assert(placeById.size === records.length, 'a record stands twice among those of a period');
  const isCleared = new Uint8Array(records.length);
  const holders = new Map<number, Holder>();
  const cleared: Nets[] = [];
  for (const match of matches) {
    const places = match.status === 'confirmed' ? placesOf(match, records, placeById, period.to) : null;
    if (places === null) {
      const reason = match.status === 'confirmed' ? 'reaches_past' : 'proposed';
      for (const id of match.recordIds) {
        const place = placeById.get(id);
        // A record may be in several proposals; a confirmed match says more than they do.
        if (place !== undefined && (reason === 'reaches_past' || !holders.has(place))) holders.set(place, { matchId: match.id, reason });
      }
      continue;
    }
    if (places.length === 0) continue;
    for (const place of places) {
      assert(isCleared[place] === 0, 'a record is in two cleared matches');
      isCleared[place] = 1;
    }
    cleared.push(netsOf(match, places, records));
  }
  return { cleared, isCleared, holders };
}
