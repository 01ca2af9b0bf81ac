import { expect, test } from 'vitest';
import { bulkOutcomes } from '../../../src-main/sync/work/sending.ts';
import { type Dialect, LIVE, TIEOUT } from '../../../src-main/sync/work/dialect.ts';
import { Side } from '../../../src-main/sync/work/side.ts';

const COUNT = 250;
const waiting = { wait: () => Promise.resolve(), trouble: () => null };

/** A side whose bulk request made records with these ids; null where an item was refused. */
function sideWith(ids: readonly (number | null)[], dialect: Dialect, status = 'completed') {
  const asked: number[] = [];
  let looks = 0;
  const side = new Side(
    (_operation, input) => {
      const { limit = 20, offset = 0 } = input as { readonly limit?: number; readonly offset?: number };
      looks += 1;
      asked.push(limit);
      const data = ids.slice(offset, offset + limit).map((id, place) => ({
        index: offset + place,
        status: id === null ? 'failed' : 'successful',
        record_id: id,
        error: id === null ? { code: 'wrong', message: 'It is wrong.' } : null,
      }));
      const results = { data, has_more: offset + limit < ids.length };
      const done = ids.filter((id) => id !== null).length;
      return Promise.resolve({
        ok: true,
        value: looks === 1 ? { status: 'processing', successful_items: 1, results } : { status, successful_items: done, results },
      });
    },
    dialect,
    dialect,
  );
  return { asked, keys: async () => (await bulkOutcomes(side, { id: 1, count: COUNT }, waiting)).map((one) => one?.recordKey ?? null) };
}

const from = (first: number) => Array.from({ length: COUNT }, (_, place) => first + place);
const keysOf = (ids: readonly (number | null)[]) => ids.map((id) => (id === null ? null : String(id)));

test('a Tieout that took all under ids without a gap is asked for the first and the last', async () => {
  const { keys, asked } = sideWith(from(7), TIEOUT);
  expect(await keys()).toEqual(keysOf(from(7)));
  expect(asked).toEqual([1, 1, 1]);
});

test.each([
  ['others put records in between', [...from(7).slice(0, 100), ...from(200).slice(0, 150)], 'completed'],
  ['one was refused', [...from(7).slice(0, 99), null, ...from(106).slice(0, 150)], 'completed'],
  ['the last one was refused', [...from(7).slice(0, COUNT - 1), null], 'completed'],
  ['it was cancelled', from(7).slice(0, 100), 'cancelled'],
])('where %s, every result is read', async (_why, ids, status) => {
  const { keys } = sideWith(ids, TIEOUT, status);
  expect(await keys()).toEqual([...keysOf(ids), ...Array.from({ length: COUNT - ids.length }, () => null)]);
});

test('of another remote every result is read, whatever its ids are', async () => {
  const { keys, asked } = sideWith(from(7), LIVE);
  expect(await keys()).toEqual(keysOf(from(7)));
  expect(asked).toEqual([100, 100, 100, 100]);
});
