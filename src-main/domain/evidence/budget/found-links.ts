import { idAt } from '../../matching/record-columns.ts';
import type { EvidenceInput } from '../model/input.ts';
import type { EvidenceLink, EvidenceOutcome, LinkKind, LinkSink } from '../model/link.ts';
import type { Weight } from '../model/weight.ts';
import type { Book } from '../estimation/read-book.ts';
import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { type Candidate, committedBy, ranked } from './decide.ts';

/** Books with fewer lines on a side lean on general experience. */
export const SMALL_BOOK = 50;

/** A link that is more likely than not, before it is decided what is committed. Rows are those of all lines. */
export interface FoundLink extends Candidate {
  readonly kind: LinkKind;
  readonly rowsA: readonly number[];
  readonly rowsB: readonly number[];
  readonly certainty: Certainty;
  readonly differenceMinor: number;
  readonly weight: Weight;
}

/** Commits the links within the budget, proposes the others, and hands them all over in the order in which they were found. */
export function decideLinks(input: EvidenceInput, book: Book, found: readonly FoundLink[], sink: LinkSink): EvidenceOutcome {
  const { rule } = input;
  const committedBefore = input.committedBefore.logOdds;
  const order = ranked(found);
  const decided = committedBy(found, order, committedBefore, rule.budget);
  let committed = 0;
  found.forEach((link, place) => {
    const isCommitted = decided.isCommitted[place] === 1;
    if (isCommitted) committed += 1;
    sink(linkOf(input, link, isCommitted));
  });
  const lines = Math.min(book.a.count, book.b.count);
  return {
    committed: decided.figures,
    atBudgets: [1, 10, 100].map((budget) => committedBy(found, order, committedBefore, budget).figures),
    proposed: found.length - committed,
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
