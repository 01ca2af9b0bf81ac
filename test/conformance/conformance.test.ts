import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicErrorCodes, publicOperationIds } from './coverage.ts';
import { startGround } from './ground.ts';
import { LINES } from './lines.ts';
import { type Service, serviceOn } from './service.ts';

let close: () => Promise<void>;
let service: Service;
beforeAll(async () => {
  const started = await startGround();
  close = started.close;
  service = serviceOn(started.ground);
});
afterAll(() => close());

describe('the specification, line by line', () => {
  it.each(LINES)('$id: $says', async (line) => {
    await expect(line.proves(service)).resolves.toBeUndefined();
  });

  it('has one line of each id', () => {
    const ids = LINES.map((line) => line.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('has a line of each public operation', () => {
    const looked = new Set(LINES.flatMap((line) => line.operations));
    expect(publicOperationIds().filter((id) => !looked.has(id))).toEqual([]);
  });

  it('has a line of each error code that a client of /v1 can be answered', () => {
    const answered = new Set(LINES.flatMap((line) => line.codes ?? []));
    expect(publicErrorCodes().filter((code) => !answered.has(code))).toEqual([]);
  });
});
