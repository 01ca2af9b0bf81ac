import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicOperationIds } from './coverage.ts';
import { some } from '../support/long.ts';
import { startGround } from './ground.ts';
import type { Line } from './line.ts';
import { LINES } from './lines.ts';
import { MUTATIONS } from './mutations.ts';
import { mutated, type Service, serviceOn } from './service.ts';

let close: () => Promise<void>;
let service: Service;
beforeAll(async () => {
  const started = await startGround();
  close = started.close;
  service = serviceOn(started.ground);
});
afterAll(() => close());

/** The id of a line about the operation that a service does not keep, or null. */
async function broken(mutant: Service, near: string): Promise<string | null> {
  const lines = LINES.filter((line) => mutant.focus !== null && line.operations.includes(mutant.focus));
  const rank = (line: Line) => (line.id.includes(near) ? 0 : line.slow === true ? 2 : 1);
  for (const line of lines.toSorted((left, right) => rank(left) - rank(right))) {
    const fails = await line.proves(mutant).then(
      () => false,
      () => true,
    );
    if (fails) return line.id;
  }
  return null;
}

/** The suite tested: each fault that is put between the service and its client breaks a line. */
describe('a faulty service', () => {
  it.each(some(publicOperationIds(), 5))(
    '%s: each of its faults is found',
    async (operation) => {
      const faults = MUTATIONS.filter((mutation) => mutation.operation === operation);
      expect(faults.length).toBeGreaterThanOrEqual(3);
      const survivors: string[] = [];
      for (const fault of faults) if ((await broken(mutated(service, fault), fault.near)) === null) survivors.push(fault.name);
      expect(survivors).toEqual([]);
    },
    120_000,
  );

  it('is told from one without faults', async () => {
    expect(await broken(mutated(service, { operation: 'bank_accounts.get' }), '')).toBeNull();
  });
});
