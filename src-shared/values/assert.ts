/** A broken assumption inside Tieout: a bug, never the user's fault. */
class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** Throws if `condition` is false. For what the code itself guarantees, never for input. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Returns the value. Throws if it is null or undefined, although the code guarantees one. */
export function present<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `${what} is missing`);
  return value;
}
