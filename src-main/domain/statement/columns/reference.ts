import type { StatementLine } from '../model/statement.ts';
import { meaningsOf } from '../vocabulary/header-words.ts';
import { isToken } from './column-facts.ts';

/** A field that may be the reference: `description` or `metadata.<key>`, and its header. */
interface ReferenceCandidate {
  readonly field: string;
  readonly header: string;
}

/** Most lines that are examined for the reference. */
export const REFERENCE_SAMPLE = 5_000;

interface TokenFacts {
  readonly filled: number;
  readonly tokens: number;
  readonly withDigit: number;
  readonly distinct: number;
}

/**
 * Returns the field that ties a line to its counterpart: one named as a reference that holds tokens, or else one of tokens alone; null when no field
 * is evident. `sample`: lines spread evenly over the file.
 */
export function referenceAmong(sample: readonly StatementLine[], candidates: readonly ReferenceCandidate[]): string | null {
  if (sample.length === 0) return null;
  let best: { field: string; score: number } | null = null;
  for (const candidate of candidates) {
    const score = scoreOf(candidate, sample);
    if (score > (best?.score ?? 0)) best = { field: candidate.field, score };
  }
  return best?.field ?? null;
}

function valueOf(line: StatementLine, field: string): string {
  if (field === 'description') return line.description ?? '';
  return line.metadata[field.slice('metadata.'.length)] ?? '';
}

function scoreOf(candidate: ReferenceCandidate, sample: readonly StatementLine[]): number {
  const facts = tokenFacts(sample.map((line) => valueOf(line, candidate.field)));
  if (facts.filled === 0 || facts.distinct * 2 < facts.filled) return 0;
  const named = meaningsOf(candidate.header).find((found) => found.meaning === 'reference')?.rank ?? 0;
  const filledShare = facts.filled / sample.length;
  if (named > 0) {
    if (facts.tokens * 2 < facts.filled) return 0;
    return named + 2 * filledShare - (filledShare < 0.2 ? 6 : 0);
  }
  const evident = facts.tokens >= facts.filled * 0.8 && facts.withDigit >= facts.filled * 0.4 && facts.distinct >= facts.filled * 0.8;
  // Only the description qualifies: a column of unnamed codes may be anything.
  return candidate.field === 'description' && evident && filledShare >= 0.5 ? 3 : 0;
}

function tokenFacts(values: readonly string[]): TokenFacts {
  const filled = values.filter((value) => value !== '');
  const tokens = filled.filter(isToken);
  return {
    filled: filled.length,
    tokens: tokens.length,
    withDigit: tokens.filter((token) => /\d/.test(token)).length,
    distinct: new Set(filled).size,
  };
}
