import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import type { EngineFailure } from '../matching/model/input.ts';
import { decideLinks } from './budget/decide-links.ts';
import { type FreePairs, freePairs } from './comparison/free-lines.ts';
import { lowerContradicted } from './estimation/contradictions.ts';
import { learn, type Learned, oddsOf } from './estimation/learn.ts';
import { parametersOf, restored } from './estimation/stored-parameters.ts';
import { type Book, readBook } from './estimation/read-book.ts';
import { verdictsOf } from './estimation/verdicts.ts';
import { Families } from './groups/families.ts';
import { familyNames } from './groups/family-names.ts';
import { withGroups } from './groups/find-groups.ts';
import { changedPairs } from './marginals/changed-pairs.ts';
import { likelyPairs } from './marginals/likely-pairs.ts';
import type { ChangedPair } from './model/committed.ts';
import type { EvidenceInput } from './model/input.ts';
import type { LinkSink } from './model/link.ts';
import { type EvidenceParameters, PARAMETERS_FORMAT } from './model/parameters.ts';
import type { RuleEvidence } from './model/rule-evidence.ts';

const CANCELLED: EngineFailure = { code: 'cancelled', message: 'The run was cancelled.' };

/** The book and what was learned of it, the pairs of free lines, and those that earlier runs committed and that would no longer be. */
interface WeighedPairs {
  readonly book: Book;
  readonly learned: Learned;
  readonly free: FreePairs;
  readonly changed: readonly ChangedPair[];
}

/** Null when cancelled. Pairs of lines that are not free, or as good as impossible, are let go of here. */
function weighPairsOfBook(input: EvidenceInput, known: EvidenceParameters | null): WeighedPairs | null {
  const read = readBook(input, known);
  if (read === null) return null;
  const { book, pairs } = read;
  const learned = known === null ? learn(pairs, book.counted, verdictsOf(input), input.watch.isCancelled) : restored(known, book);
  if (learned === null) return null;
  const odds = new Float64Array(pairs.count);
  oddsOf(pairs, book.counted, learned, odds);
  lowerContradicted(pairs, book, learned, odds);
  if (input.watch.isCancelled()) return null;
  const free = freePairs(input, pairs, odds);
  return { book, learned, free, changed: changedPairs(input, book, learned, pairs, odds, free) };
}

/** Ties lines by the evidence for them. Links go to the sink in the order in which they are stored: by row of A, then of B. */
export function weighEvidence(input: EvidenceInput, sink: LinkSink): Result<RuleEvidence, EngineFailure> {
  const known = input.parameters?.format === PARAMETERS_FORMAT ? input.parameters : null;
  const weighed = weighPairsOfBook(input, known);
  if (weighed === null) return failed(CANCELLED);
  const { book, learned, free, changed } = weighed;
  if (input.watch.isCancelled()) return failed(CANCELLED);
  const likely = likelyPairs(input, book, learned, free.pairs, free.odds);
  if (input.watch.isCancelled()) return failed(CANCELLED);
  const families = new Families(familyNames(input, book), known?.families ?? []);
  const found = withGroups(input, book, learned, free, likely, families);
  if (found === null) return failed(CANCELLED);
  const outcome = decideLinks(input, book, found, sink);
  return success({ outcome, parameters: known ?? parametersOf(book, learned, families.learned()), changed });
}
