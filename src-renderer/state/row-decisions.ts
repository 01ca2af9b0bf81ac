import type { ImportOverrule, ImportPreview, ImportRow } from '../../src-shared/contract/index.ts';

/** A row as the window lists it. `replaces` is the record with the same id and other content. */
export type ListedRow = ImportPreview['rows'][number] & { readonly replaces?: number | null };

type Place = Pick<ImportOverrule, 'row' | 'occurrence'>;

function isAt(one: Place, other: Place): boolean {
  return one.row === other.row && one.occurrence === other.occurrence;
}

/** Returns the decisions with one more. It replaces an earlier one about the same row. */
export function withDecision(decisions: readonly ImportOverrule[], decision: ImportOverrule): ImportOverrule[] {
  return [...withoutDecision(decisions, decision), decision];
}

export function withoutDecision(decisions: readonly ImportOverrule[], place: Place): ImportOverrule[] {
  return decisions.filter((other) => !isAt(other, place));
}

/** Returns a row that was left out, as it looks after the decisions about it. */
export function listedRow(row: ImportRow, decisions: readonly ImportOverrule[]): ListedRow {
  const { code, outcome, record_id: recordId, ...rest } = row;
  const replaces = code === 'same_id_other_content' ? recordId : null;
  const asRead = { ...rest, replaces, reference: null, is_overruled: code === 'left_out', outcome: outcomeOf(outcome, code) } as const;
  const decision = decisions.find((each) => isAt(each, row));
  if (decision === undefined) return asRead;
  const line = decision.action === 'edit' ? editedOf(decision.line) : {};
  return { ...asRead, ...line, is_overruled: true, outcome: decision.action === 'leave_out' ? 'left_out' : 'new', message: null };
}

function outcomeOf(outcome: ImportRow['outcome'], code: string): ListedRow['outcome'] {
  if (outcome === 'rejected') return 'rejected';
  return code === 'left_out' ? 'left_out' : 'duplicate';
}

function editedOf({ date, amount, direction, description }: Extract<ImportOverrule, { action: 'edit' }>['line']): Partial<ListedRow> {
  return { date, amount, direction, ...(description === undefined ? {} : { description }) };
}

/**
 * Returns the decisions for another import of the same file, so that only newly decided rows are imported. The file's other rows are in the stream
 * already, except those that were left out by hand.
 */
export function decisionsAgain(earlier: readonly ImportOverrule[], decisions: readonly ImportOverrule[]): ImportOverrule[] {
  return decisions.reduce<ImportOverrule[]>(
    (all, decision) => (decision.action === 'leave_out' ? all : withDecision(withoutDecision(all, decision), decision)),
    earlier.filter(({ action }) => action === 'leave_out'),
  );
}
