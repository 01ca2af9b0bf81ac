import type { StatementLine } from '../model/statement.ts';
import { meaningsOf } from '../vocabulary/header-words.ts';
import { isToken } from './column-facts.ts';

/** A field that may stand for the reference: `description` or `metadata.<key>`, and the header it comes from. */
interface ReferenceCandidate {
  readonly field: string;
  readonly header: string;
}

/** Lines that are looked at for the reference. */
export const REFERENCE_SAMPLE = 5_000;

interface TokenFacts {
  readonly filled: number;
  readonly tokens: number;
  readonly withDigit: number;
  readonly distinct: number;
}

/**
 * The field that ties a line to its counterpart: named as a reference and holding tokens, else tokens alone; null when none is evident. `sample`
 * are lines evenly all over the file.
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
  // Only the description: a column of unnamed codes may be anything.
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
