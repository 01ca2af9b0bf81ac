import type { ReversalMark } from '../model/statement.ts';

/** A mark of the format. */
export function markOfFormat(reason: string | null = null, reference: string | null = null): ReversalMark {
  return { by: 'format', reason, reference };
}
