import { countedNoun, SYNC_NOUNS } from '../../../src-shared/values/english.ts';
import type { Resource } from './resources.ts';

/** What goes with a whole object, or what a resource has. */
export const TAKEN = ['records', 'matches', 'rules', 'properties', 'balances', 'notes', 'periods', 'exceptions', 'overdue'] as const;
export type Taken = Partial<Record<(typeof TAKEN)[number], number>>;

/** One object that a sync would delete, or the lines of one stream, or the matches of one reconciliation. */
export interface Deletion {
  readonly side: 'here' | 'there';
  readonly resource: Resource;
  readonly name: string;
  /** Itself, and all that goes with it. */
  readonly count: number;
  /** Of lines and matches: how many their stream or reconciliation has; null of a whole object. */
  readonly of: number | null;
  readonly takes: Taken;
  /** The first of those that go. */
  readonly examples: readonly string[];
}

export interface Deletions {
  readonly count: number;
  readonly here: number;
  readonly there: number;
  /** Whether it is more than goes without a person's word, and why, a sentence each. */
  readonly wants_word: boolean;
  readonly why: readonly string[];
  readonly list: readonly Deletion[];
}

export const NO_DELETIONS: Deletions = { count: 0, here: 0, there: 0, wants_word: false, why: [], list: [] };

/** So many go without a word, whatever share they are. */
const HANDFUL = 5;
const FEW_PERCENT = 5;

export function isMany(count: number, of: number): boolean {
  return count > HANDFUL && count * 100 > FEW_PERCENT * of;
}

/** `Stream Bank with 554 lines and 2 properties`, `7 of 9 lines of Bank`. */
export function deletionWords({ resource, name, count, of, takes }: Deletion): string {
  if (of !== null) return `${count} of ${countedNoun(of, resource)} of ${name}`;
  const parts = TAKEN.flatMap((each) => ((takes[each] ?? 0) === 0 ? [] : [countedNoun(takes[each] ?? 0, each)]));
  const noun = SYNC_NOUNS[resource]?.[0] ?? resource;
  const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${name}`;
  if (parts.length === 0) return title;
  const last = parts.pop() ?? '';
  return `${title} with ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}`;
}
