/** Limits of the search for causes, so that 10,000 open items take less than a second. */
export const CAUSE_LIMITS = {
  /** Open items that are compared with others, the largest first. */
  items: 20_000,
  /** Causes of one item. */
  causes: 4,
  /** Items for which sums are searched: those without a better cause, the largest first. */
  sums: 400,
  /** Lines of the other side that may be part of a sum, the nearest by day. */
  sumLines: 24,
  /** Lines of one sum. */
  sumMembers: 6,
  /** Days between an item and the parts of a sum. */
  sumDays: 14,
  /** Steps of one search. */
  sumWork: 20_000,
  /** A reference on more open lines of a side identifies nothing. */
  linesOfReference: 32,
  /** Lines that one line of the other side may name. */
  documents: 200,
  /** Days after which a line of the books no longer counts as in transit, if too few similar ones are known. */
  onItsWay: 30,
  /** Days between two lines of one reference, between two of one amount, and between the last day and a later line. */
  referenceDays: 62,
  amountDays: 31,
  cutOffDays: 31,
  /** Days between two lines that may be duplicates. */
  repeatDays: 5,
} as const;
