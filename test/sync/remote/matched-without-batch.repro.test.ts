import { expect, it } from 'vitest';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { bookOf, NOTHING, outcomeOf, recordsIn } from '../remote-book.ts';

it('brings a record that has no batch, when a match of the remote shows it', async () => {
  const remote = new SpecificationRemote();
  const { match } = seedMonth(remote);
  const { book, sync, verify } = await bookOf(remote);
  const preview = await sync({ preview: true });
  const result = await sync();
  expect(result).toMatchObject({ ok: true, received: { matches: 1 }, remote: { cannot_move: [] } });
  expect(result.received).toEqual(preview.received);
  expect((await recordsIn(book)).map(({ external_id }) => external_id)).toContain('L-1');
  const asked = remote.log.entries.length;
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  // A match that both sides know is not looked into again.
  const later = remote.log.lines().slice(asked);
  expect(later.filter((line) => line.includes(`reconciliation_match_id=${match.id}`))).toEqual([]);
  expect(await verify()).toEqual({ ok: true, value: { equal: true, differences: [] } });
});
