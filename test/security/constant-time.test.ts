import { createHash } from 'node:crypto';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiKeys } from '../../src-main/book/operations/api-keys.ts';
import { createSession } from '../../src-main/transport/access/session.ts';
import { testClock, testFolder, testRandom } from '../support/books/backend.ts';
import { openTestDatabase } from '../support/books/quiet-book.ts';

const compared = vi.hoisted(() => [] as [number, number][]);
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  return {
    ...real,
    timingSafeEqual: (left: Buffer, right: Buffer) => {
      compared.push([left.length, right.length]);
      return real.timingSafeEqual(left, right);
    },
  };
});
afterEach(() => {
  compared.length = 0;
});

describe('keys are compared in constant time', () => {
  it('the session key by its hash, whatever is given and however long', () => {
    const session = createSession(testRandom());
    for (const given of ['', 'x', session.apiKey.slice(0, -1), `${session.apiKey}x`, 'x'.repeat(10_000)]) {
      expect(session.isSessionKey(given)).toBe(false);
    }
    expect(session.isSessionKey(session.apiKey)).toBe(true);
    expect(compared).toEqual(Array.from({ length: 6 }, () => [32, 32]));
  });

  it('the window’s secret with every open window, so that neither the first nor the last is found sooner', () => {
    const session = createSession(testRandom());
    const secrets = [session.newWindow(), session.newWindow(), session.exchange(session.newTicket()) ?? ''];
    for (const secret of [...secrets, 'wrong']) {
      compared.length = 0;
      session.isWindow(secret);
      expect(compared).toEqual([0, 1, 2].map(() => [32, 32]));
    }
  });

  it('a stored key never reaches the database: it is looked up by its hash, of which nobody can choose the first letters', () => {
    const database = openTestDatabase(testFolder());
    const keys = new ApiKeys(database, testClock(), testRandom());
    const { key } = keys.issue('live', 'read', 'Sheet');
    const probe = new SqliteDatabase(':memory:');
    const prototype = Object.getPrototypeOf(probe.prepare('SELECT 1')) as SqliteDatabase.Statement;
    const asked = vi.spyOn(prototype, 'get');
    const given = [key, `${key}x`, key.slice(0, -1), ''];
    const parameters = given.map((each) => {
      asked.mockClear();
      expect(keys.authenticate(each) !== null).toBe(each === key);
      return JSON.stringify(asked.mock.calls);
    });
    asked.mockRestore();
    probe.close();
    expect(
      parameters.map((all, index) =>
        all.includes(
          createHash('sha256')
            .update(given[index] ?? '')
            .digest('hex'),
        ),
      ),
    ).toEqual(given.map(() => true));
    expect(parameters.join('\n')).not.toContain(key.slice(12, 30));
  });
});
