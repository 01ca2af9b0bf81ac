import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSession } from '../../../src-main/transport/access/session.ts';
import { seededRandom } from '../../contract/support.ts';

describe('the secrets of a server', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('knows its own key and no other', () => {
    const session = createSession(seededRandom('a'));
    expect(session.apiKey).toMatch(/^tieout_session_[A-Za-z0-9_-]{43}$/);
    expect(session.isSessionKey(session.apiKey)).toBe(true);
    expect(session.isSessionKey(`${session.apiKey}x`)).toBe(false);
    expect(session.isSessionKey('')).toBe(false);
    expect(createSession(seededRandom('b')).isSessionKey(session.apiKey)).toBe(false);
  });

  it('exchanges a ticket for a window’s secret, once', () => {
    const session = createSession(seededRandom('a'));
    const ticket = session.newTicket();
    const secret = session.exchange(ticket);
    expect(secret).not.toBeNull();
    expect(session.isWindow(secret ?? '')).toBe(true);
    expect(session.exchange(ticket)).toBeNull();
    expect(session.isWindow(ticket)).toBe(false);
    expect(session.exchange(secret ?? '')).toBeNull();
  });

  it('knows the secrets of its own windows alone', () => {
    const session = createSession(seededRandom('a'));
    const [first, second] = [session.newWindow(), session.newWindow()];
    expect(first).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect([first, second, `${first}x`, '', session.apiKey].map(session.isWindow)).toEqual([true, true, false, false, false]);
    expect(createSession(seededRandom('b')).isWindow(first)).toBe(false);
    expect(session.exchange(first)).toBeNull();
  });

  it('forgets an unused ticket after fifteen seconds', () => {
    const session = createSession(seededRandom('a'));
    const [early, late] = [session.newTicket(), session.newTicket()];
    vi.advanceTimersByTime(15_000 - 1);
    expect(session.exchange(early)).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(session.exchange(late)).toBeNull();
  });

  it('keeps the newest sixteen tickets', () => {
    const session = createSession(seededRandom('a'));
    const tickets = Array.from({ length: 17 }, () => session.newTicket());
    expect(session.exchange(tickets[0] ?? '')).toBeNull();
    expect(session.exchange(tickets[1] ?? '')).not.toBeNull();
  });
});
