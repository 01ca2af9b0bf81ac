import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSession } from '../../src-main/transport/session.ts';
import { seededRandom } from '../contract/support.ts';

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

  it('exchanges a token once', () => {
    const session = createSession(seededRandom('a'));
    const token = session.newToken();
    const cookie = session.exchange(token);
    expect(cookie).not.toBeNull();
    expect(session.isWindow(cookie ?? '')).toBe(true);
    expect(session.exchange(token)).toBeNull();
    expect(session.isWindow(token)).toBe(false);
    expect(session.exchange(cookie ?? '')).toBeNull();
  });

  it('forgets an unused token after ten minutes', () => {
    const session = createSession(seededRandom('a'));
    const [early, late] = [session.newToken(), session.newToken()];
    vi.advanceTimersByTime(10 * 60_000 - 1);
    expect(session.exchange(early)).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(session.exchange(late)).toBeNull();
  });

  it('keeps the newest sixteen tokens', () => {
    const session = createSession(seededRandom('a'));
    const tokens = Array.from({ length: 17 }, () => session.newToken());
    expect(session.exchange(tokens[0] ?? '')).toBeNull();
    expect(session.exchange(tokens[1] ?? '')).not.toBeNull();
  });
});
