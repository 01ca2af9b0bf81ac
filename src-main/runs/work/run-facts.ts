import { storedJson } from '../../database/json-columns.ts';
import type { MetadataTypes } from '../../domain/records/fields.ts';
import type { RunFacts } from '../../rules/work/explained-matches.ts';

/**
 * Everything that a run used besides records, in its stored form. The reasons of its matches are made from it when they are read, as the run saw
 * them.
 */
export interface StoredFacts extends RunFacts {
  /** The reference field of each stream. */
  readonly references: ReadonlyMap<number, string | null>;
}

interface Stored extends Pick<RunFacts, 'rules' | 'signConvention'> {
  readonly types: { readonly a: [string, string][]; readonly b: [string, string][] };
  readonly references: [number, string | null][];
}

export function factsText(facts: StoredFacts): string {
  const { rules, signConvention, types, references } = facts;
  const stored: Stored = { rules, signConvention, types: { a: [...types.a], b: [...types.b] }, references: [...references] };
  return JSON.stringify(stored);
}

export function factsOf(text: string, runId: number): StoredFacts {
  const { rules, signConvention, types, references } = storedJson('run_facts.body', text, runId);
  const typed: MetadataTypes = { a: new Map(types.a), b: new Map(types.b) };
  return { rules, signConvention, types: typed, references: new Map(references) };
}
