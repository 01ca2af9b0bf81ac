import { capitalized, countedNoun, SYNC_NOUNS } from '../../../src-shared/values/english.ts';
import type { Resource } from './resources.ts';

/** The resources that are deleted together with a whole object. */
export const TAKEN = ['records', 'matches', 'rules', 'properties', 'balances', 'notes', 'periods', 'exceptions', 'overdue'] as const;
export type Taken = Partial<Record<(typeof TAKEN)[number], number>>;

/** One object that a sync would delete, or the records of one stream, or the matches of one reconciliation. */
export interface Deletion {
  readonly side: 'here' | 'there';
  readonly resource: Resource;
  readonly name: string;
  /** The number of objects, including everything deleted with them. */
  readonly count: number;
  /** How many records or matches the stream or reconciliation has; null for a whole object. */
  readonly of: number | null;
  readonly takes: Taken;
  /** Names of the first deleted objects. */
  readonly examples: readonly string[];
}

export interface Deletions {
  readonly count: number;
  readonly here: number;
  readonly there: number;
  /** Whether a person must allow the deletions, and the reasons, a sentence each. */
  readonly wants_word: boolean;
  readonly why: readonly string[];
  readonly list: readonly Deletion[];
}

/** Error code: the sync would delete more than it may without a person's permission. */
export const DELETIONS_WAIT = 'deletions_wait';

export const NO_DELETIONS: Deletions = { count: 0, here: 0, there: 0, wants_word: false, why: [], list: [] };

/** Up to this many deletions need no permission, whatever their share. */
const HANDFUL = 5;
const FEW_PERCENT = 5;

export function isMany(count: number, of: number): boolean {
  return count > HANDFUL && count * 100 > FEW_PERCENT * of;
}

/** Returns a deletion in words: `Stream Bank with 554 lines and 2 properties`, `7 of 9 lines of Bank`. */
export function deletionWords({ resource, name, count, of, takes }: Deletion): string {
  if (of !== null) return `${count} of ${countedNoun(of, resource)} of ${name}`;
  const parts = TAKEN.flatMap((each) => ((takes[each] ?? 0) === 0 ? [] : [countedNoun(takes[each] ?? 0, each)]));
  const noun = SYNC_NOUNS[resource]?.[0] ?? resource;
  const title = `${capitalized(noun)} ${name}`;
  if (parts.length === 0) return title;
  const last = parts.pop() ?? '';
  return `${title} with ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}`;
}
