/** Result of a search that proposed nothing. */
interface Search {
  /** Number of records examined. */
  readonly counts: { readonly a: number; readonly b: number };
  /** Number of rules left out because they exist already or were dismissed. */
  readonly wereExcluded: number;
  /** Whether keys match records whose amounts are equal under the opposite sign convention. */
  readonly isContrary: boolean;
}

/** Returns why nothing is proposed, and what to do about it. */
export function nothingFound({ counts, wereExcluded, isContrary }: Search): string {
  if (counts.a === 0 || counts.b === 0) {
    const side = counts.a === 0 ? (counts.b === 0 ? 'Neither side' : 'Side A') : 'Side B';
    return `${side} has ${side === 'Neither side' ? 'a record' : 'no record'} to look at. Import or add records first.`;
  }
  if (isContrary) {
    return 'Records that carry the same reference have amounts of the other sign. Change the sign convention of the reconciliation, then look again.';
  }
  if (wereExcluded > 0) {
    return 'All that the data speaks for are rules that are here already or that you dismissed.';
  }
  return (
    `In ${counts.a} records of side A and ${counts.b} of side B no field of one side stands often enough on the other, and equal amounts ` +
    'close in date are no more frequent than by chance. Match some records by hand: what they have in common is learnt from.'
  );
}
