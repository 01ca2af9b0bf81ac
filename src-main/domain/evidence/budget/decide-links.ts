import { idAt } from '../../records/record-columns.ts';
import type { Book } from '../estimation/read-book.ts';
import type { EvidenceInput } from '../model/input.ts';
import type { EvidenceLink, EvidenceOutcome, LinkSink } from '../model/link.ts';
import { committedBy, ranked } from './decide.ts';
import { type FoundLink, type FoundLinks, SMALL_BOOK } from './found-links.ts';

/** Commits the links that fit into the budget, proposes the others that are worth it, and passes all of them to `sink` in order of their rows of A, then of B. */
export function decideLinks(input: EvidenceInput, book: Book, found: FoundLinks, sink: LinkSink): EvidenceOutcome {
  const { rule } = input;
  const { committedBefore } = input;
  const places = found.proposable();
  const candidates = found.candidates(places);
  const order = ranked(candidates);
  const decided = committedBy(candidates, order, committedBefore, rule.budget);
  let committed = 0;
  places.forEach((place, at) => {
    const isCommitted = decided.isCommitted[at] === 1;
    if (isCommitted) committed += 1;
    sink(linkOf(input, found.at(place), isCommitted));
  });
  const lines = Math.min(book.a.count, book.b.count);
  return {
    committed: decided.figures,
    atBudgets: [1, 10, 100].map((budget) => committedBy(candidates, order, committedBefore, budget).figures),
    proposed: places.length - committed,
    cappedLines: book.capped,
    lines,
    leansOnPrior: lines < SMALL_BOOK,
  };
}

function linkOf(
  { a, b }: EvidenceInput,
  { kind, rowsA, rowsB, certainty, differenceMinor, weight }: FoundLink,
  isCommitted: boolean,
): EvidenceLink {
  return {
    kind,
    aIds: rowsA.map((row) => idAt(a.all, row)),
    bIds: rowsB.map((row) => idAt(b.all, row)),
    status: isCommitted ? 'matched' : 'proposed',
    certainty,
    differenceMinor,
    weight,
  };
}
