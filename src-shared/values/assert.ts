/** A broken assumption inside Tieout: a bug, never the user's fault. */
class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** Throws when `condition` does not hold. For what the code itself guarantees, never for input. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Narrows away null and undefined where the code guarantees a value. */
export function present<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `${what} is missing`);
  return value;
}
