import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import type { EngineFailure } from '../matching/types.ts';
import { decideLinks } from './budget/decide-links.ts';
import { freePairs } from './comparison/free-lines.ts';
import { learn, oddsOf } from './estimation/learn.ts';
import { parametersOf, restored } from './estimation/parameters.ts';
import { readBook } from './estimation/read-book.ts';
import { verdictsOf } from './estimation/verdicts.ts';
import { Families } from './groups/families.ts';
import { familyNames } from './groups/family-names.ts';
import { withGroups } from './groups/find-groups.ts';
import { changedPairs } from './marginals/changed-pairs.ts';
import { likelyPairs } from './marginals/likely-pairs.ts';
import type { EvidenceInput } from './model/input.ts';
import type { LinkSink } from './model/link.ts';
import { PARAMETERS_FORMAT } from './model/parameters.ts';
import type { RuleEvidence } from './model/rule-evidence.ts';

const CANCELLED: EngineFailure = { code: 'cancelled', message: 'The run was cancelled.' };

/** Ties lines by the evidence for them. Links go to the sink in the order in which they are stored: by row of A, then of B. */
export function weighEvidence(input: EvidenceInput, sink: LinkSink): Result<RuleEvidence, EngineFailure> {
  const known = input.parameters?.format === PARAMETERS_FORMAT ? input.parameters : null;
  const book = readBook(input, known);
  if (book === null) return failed(CANCELLED);
  const learned = known === null ? learn(book.pairs, book.counted, verdictsOf(input), input.watch.isCancelled) : restored(known, book);
  if (learned === null) return failed(CANCELLED);
  const odds = new Float64Array(book.pairs.count);
  oddsOf(book.pairs, book.counted, learned, odds);
  const free = freePairs(input, book.pairs, odds);
  const likely = likelyPairs(input, book, learned, free.pairs, free.odds);
  const families = new Families(familyNames(input, book), known?.families ?? []);
  const found = withGroups(input, book, learned, free, likely, families);
  if (found === null) return failed(CANCELLED);
  const outcome = decideLinks(input, book, found, sink);
  const changed = changedPairs(input, book, learned, odds, free);
  return success({ outcome, parameters: known ?? parametersOf(book, learned, families.learned()), changed });
}
