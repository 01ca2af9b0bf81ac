import { assert } from '../../../src-shared/values/assert.ts';
import { RadixSorter } from '../../domain/collections/radix-sort.ts';
import { intAt } from '../../domain/collections/typed-arrays.ts';
import type { FoundMatches } from '../../domain/matching/index.ts';

/** Members of matches, in the order of their records. */
export interface MembersByRecord {
  readonly length: number;
  readonly recordAt: (index: number) => number;
  /** The place of the member's match. */
  readonly matchAt: (index: number) => number;
  readonly isSideBAt: (index: number) => boolean;
}

/** Ids are stored as 32-bit distances from the smallest. */
const MOST_APART = 2 ** 31;

/** Returns every member of every match, ordered by record. */
export function membersByRecord(matches: FoundMatches): MembersByRecord {
  const length = matches.memberCount;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let member = 0; member < length; member += 1) {
    const id = matches.idAt(member);
    if (id < least) least = id;
    if (id > most) most = id;
  }
  assert(most - least < MOST_APART, 'ids of records are of 32 bits');
  const span = length === 0 ? 0 : most - least;
  const [records, places] = (span < MOST_GAPS * length ? placed(matches, least, span) : null) ?? sortedMembers(matches, least, span);
  return {
    length,
    recordAt: (index) => intAt(records, index) + least,
    matchAt: (index) => intAt(places, index) >> 1,
    isSideBAt: (index) => (intAt(places, index) & 1) === 1,
  };
}

/** Ids as distances from `least`, and places of matches with the side in the lowest bit. */
type Members = readonly [Int32Array, Int32Array];

/** The most missing ids per existing one for which each id gets its own slot. */
const MOST_GAPS = 4;

/** Puts each member directly into its slot; returns null if a record is in several matches. */
function placed(matches: FoundMatches, least: number, span: number): Members | null {
  const slots = new Int32Array(span + 1);
  let member = 0;
  for (let match = 0; match < matches.length; match += 1) {
    const middle = member + matches.sideASizeAt(match);
    const end = member + matches.sizeAt(match);
    for (; member < end; member += 1) {
      const number = matches.idAt(member) - least;
      if (slots[number] !== 0) return null;
      slots[number] = match * 2 + (member < middle ? 0 : 1) + 1;
    }
  }
  const records = new Int32Array(member);
  let next = 0;
  // Closes the gaps: members move up in the order of their ids.
  for (let number = 0; number <= span; number += 1) {
    const place = intAt(slots, number);
    if (place === 0) continue;
    records[next] = number;
    slots[next] = place - 1;
    next += 1;
  }
  return [records, slots];
}

function sortedMembers(matches: FoundMatches, least: number, span: number): Members {
  const length = matches.memberCount;
  const numbers = new Uint32Array(length);
  const ofMatches = new Int32Array(length);
  let member = 0;
  for (let match = 0; match < matches.length; match += 1) {
    const middle = member + matches.sideASizeAt(match);
    const end = member + matches.sizeAt(match);
    for (; member < end; member += 1) {
      numbers[member] = matches.idAt(member) - least;
      ofMatches[member] = match * 2 + (member < middle ? 0 : 1);
    }
  }
  new RadixSorter().sort(numbers, ofMatches, span);
  return [new Int32Array(numbers.buffer), ofMatches];
}
