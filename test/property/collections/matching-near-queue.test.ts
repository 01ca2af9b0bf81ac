import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BucketQueue,
  HeapQueue,
  type NearQueue,
  WIDEST_BUCKETED,
} from '../../../src-main/domain/matching/one-to-one/oversized/oversized-component.ts';
import { runs } from '../../support/long.ts';

/** What waits at first, and for each that is taken off what is pushed then: so much further away, or as near and so many places before it. */
const waiting = fc.record({
  first: fc.array(fc.record({ distance: fc.nat({ max: 6 }), place: fc.nat({ max: 90 }) }), { maxLength: 120 }),
  pushed: fc.array(fc.record({ further: fc.nat({ max: 5 }), before: fc.integer({ min: 1, max: 9 }), isPushed: fc.boolean() }), {
    maxLength: 200,
  }),
  scale: fc.constantFrom(1, 7, 300),
});

/** Places with their distances as they come. */
function taken(queue: NearQueue, { first, pushed, scale }: typeof waiting extends fc.Arbitrary<infer T> ? T : never): [number, number][] {
  const come: [number, number][] = [];
  for (const { distance, place } of first) queue.push(distance * scale, place);
  for (let turn = 0; queue.next(); turn += 1) {
    come.push([queue.distance, queue.place]);
    const more = pushed[turn];
    if (more === undefined || !more.isPushed) continue;
    const distance = queue.distance + more.further * scale;
    const place = queue.place - (more.further === 0 ? more.before : 0);
    if (place >= 0 && distance <= WIDEST_BUCKETED) queue.push(distance, place);
  }
  return come;
}

test('a list for each distance hands out what a heap does, one time after another', () => {
  const [buckets, heap] = [new BucketQueue(), new HeapQueue()];
  fc.assert(
    fc.property(waiting, (given) => {
      expect(taken(buckets, given)).toEqual(taken(heap, given));
    }),
    { numRuns: runs(1_000) },
  );
});
