import { expect, it } from 'vitest';
import type { Fault } from '../../support/remotes/faults.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { bookOf } from '../remote-book.ts';

const ANSWERS: readonly Fault[] = [
  { kind: 'portal', status: 404 },
  { kind: 'portal', status: 405 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 405 },
  { kind: 'status', status: 501 },
];

it.each(ANSWERS)('takes a remote that answers paths it has not with %o for one of the specification', async (fault) => {
  const remote = new SpecificationRemote();
  seedMonth(remote);
  remote.faults.add(fault, { path: /\/v1\/(?:openapi\.json|data_streams)$/ });
  const { sync } = await bookOf(remote);
  expect(await sync()).toMatchObject({ error: null, remote: { kind: 'specification' }, received: { streams: 2 } });
});
