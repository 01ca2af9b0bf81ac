import type { ReversalMark } from '../model/statement.ts';

/** Returns a mark by the file's format. */
export function markOfFormat(reason: string | null = null, reference: string | null = null): ReversalMark {
  return { by: 'format', reason, reference };
}
