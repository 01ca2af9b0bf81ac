import { clearingTimes, lateOf } from './ageing.ts';
import { type Cause, type Causes, type Found, idsOf, type LookedAt, ranked } from './cause.ts';
import { afterCutOff, byAmount, byDigits, byReference, bySign } from './counterparts.ts';
import { documentsOf, ofDocuments, ofProposals, proposalsOf } from './documents.ts';
import { type LedgerInput, type LedgerRecord, otherSide } from './input.ts';
import { counted, dayText, labelOf, sideName } from './ledger-words.ts';
import { CAUSE_LIMITS } from './limits.ts';
import { type Ground, groundOf } from './open-lines.ts';
import { byImport, byWords, plainCause } from './plain-causes.ts';
import { repeats } from './repeats.ts';
import type { OpenItem, Statement } from './statement.ts';
import { sumsOf, sumsOfReferences } from './sums.ts';

const FINDERS = [byReference, byAmount, byDigits, bySign, afterCutOff, repeats] as const;
/** For a line that names several documents, or is one of them. */
const BUT_PAIRS = FINDERS.filter((finder) => finder !== byReference && finder !== byAmount && finder !== byDigits);
/** At most so sure is what speaks of other lines than those that a rule proposes. */
const BEHIND_PROPOSAL = 0.45;
/** With a cause as sure as this nobody searches for sums. */
const SURE = 0.8;

/** The items that are looked at: all of them, else the largest, in their order. */
function lookedAtOf(items: readonly OpenItem[]): readonly OpenItem[] {
  if (items.length <= CAUSE_LIMITS.items) return items;
  const magnitudes = Float64Array.from(items, ({ record }) => Math.abs(record.amount)).toSorted();
  const least = magnitudes[magnitudes.length - CAUSE_LIMITS.items] ?? 0;
  // Larger ones first; of those as large as the least, as many as there is room for.
  let room = CAUSE_LIMITS.items - items.filter(({ record }) => Math.abs(record.amount) > least).length;
  return items.filter(({ record }) => {
    const magnitude = Math.abs(record.amount);
    if (magnitude === least) room -= 1;
    return magnitude > least || (magnitude === least && room >= 0);
  });
}

/** By id: the records of each match that are dated after the last day. */
function laterMembers({ matches, records, period }: LedgerInput, items: readonly OpenItem[]): ReadonlyMap<number, readonly LedgerRecord[]> {
  const wanted = new Set(items.flatMap(({ reason, matchId }) => (reason === 'reaches_past' && matchId !== null ? [matchId] : [])));
  if (wanted.size === 0) return new Map();
  const later = new Map(records.filter(({ day, isAdjustment }) => day > period.to && !isAdjustment).map((record) => [record.id, record]));
  return new Map(
    matches.filter(({ id }) => wanted.has(id)).map(({ id, recordIds }) => [id, recordIds.flatMap((recordId) => later.get(recordId) ?? [])]),
  );
}

/** Its match reaches past the last day: nothing is surer. */
function byLateMatch(input: LedgerInput, { record }: OpenItem, later: readonly LedgerRecord[]): Found {
  const { to } = input.period;
  const last = later.reduce<LedgerRecord | null>((latest, line) => (latest === null || line.day > latest.day ? line : latest), null);
  const rest =
    last === null
      ? `a line dated after ${dayText(to)}`
      : `a line of ${sideName(input, last.side)} (${labelOf(last) ?? 'no reference'}) of ${dayText(last.day)}, ${counted(last.day - to, 'day', 'days')} after the last day of the period`;
  return { kind: 'near_cut_off', weight: 1, amount: record.amount, recordIds: idsOf(later), sentence: () => `It is matched with ${rest}.` };
}

/** What a pair says counts less where a rule proposes others: those of the proposal come first. */
function asProposed(
  causes: readonly Found[],
  { bank, books }: Readonly<Record<'bank' | 'books', readonly LedgerRecord[]>>,
  item: LedgerRecord,
): Found[] {
  const partners = item.side === 'bank' ? books : bank;
  if (partners.length === 0) return [...causes];
  const ids = new Set(idsOf(partners));
  return causes.map((cause) =>
    cause.recordIds.some((id) => ids.has(id)) || cause.recordIds.length === 0
      ? cause
      : { ...cause, weight: Math.min(cause.weight, BEHIND_PROPOSAL) },
  );
}

function searchSums(ground: Ground, found: ReadonlyMap<number, Found[]>): { readonly sums: number; readonly sumsOf: number } {
  const unsure = ground.items.filter(({ record }) => (found.get(record.id) ?? []).every(({ weight }) => weight < SURE));
  const searched = unsure
    .toSorted((left, right) => Math.abs(right.record.amount) - Math.abs(left.record.amount))
    .slice(0, CAUSE_LIMITS.sums);
  for (const { record } of searched) for (const [line, cause] of sumsOf(ground, record)) found.get(line.id)?.push(cause);
  return { sums: searched.length, sumsOf: unsure.length };
}

function lookedAt(items: number, itemsOf: number, sums: number, sumsOf: number): LookedAt {
  const isAll = items === itemsOf && sums === sumsOf;
  const compared =
    items === itemsOf
      ? `all ${counted(itemsOf, 'open item', 'open items')}`
      : `the ${counted(items, 'largest', 'largest')} of ${counted(itemsOf, 'open item', 'open items')}`;
  const searched =
    sums === sumsOf
      ? 'and searched sums for each that had no better cause'
      : `and searched sums for the ${counted(sums, 'largest', 'largest')} of ${counted(sumsOf, 'item', 'items')} without a better cause`;
  return {
    items,
    itemsOf,
    sums,
    sumsOf,
    isAll,
    sentence: itemsOf === 0 ? 'There are no open items.' : `Compared ${compared}, ${searched}.`,
  };
}

/** The likely causes of each open item, the likeliest first. */
export function causesOf(input: LedgerInput, { openItems, clearedMatches }: Pick<Statement, 'openItems' | 'clearedMatches'>): Causes {
  const items = lookedAtOf(openItems);
  const ground = groundOf(input, items);
  const documents = documentsOf(ground);
  const proposals = proposalsOf(input, items);
  const times = clearingTimes(input, { clearedMatches });
  const imports = new Map(input.imports.map((brought) => [brought.id, brought]));
  const later = laterMembers(input, openItems);
  const found = new Map<number, Found[]>();
  for (const item of items) {
    const causes: Found[] = [];
    // A line that belongs to several is no pair with one of them.
    const finders = documents.isGrouped.has(item.record.id) ? BUT_PAIRS : FINDERS;
    for (const finder of finders) causes.push(...finder(ground, item.record));
    if (item.reason === 'reaches_past') causes.push(byLateMatch(input, item, later.get(item.matchId ?? -1) ?? []));
    // Words say nothing of a line whose counterpart is known.
    if (causes.every(({ weight }) => weight < SURE)) causes.push(...byWords(input, item.record));
    causes.push(...byImport(input, imports, item.record));
    const proposal = item.reason === 'proposed' ? proposals.get(item.matchId ?? -1) : undefined;
    found.set(item.record.id, proposal === undefined ? causes : asProposed(causes, proposal, item.record));
  }
  const together = [...ofProposals(ground, proposals), ...ofDocuments(ground, documents), ...sumsOfReferences(ground)];
  for (const [line, cause] of together) found.get(line.id)?.push(cause);
  const { sums, sumsOf } = searchSums(ground, found);
  const of = (item: OpenItem): readonly Cause[] => {
    const { record } = item;
    const known = found.get(record.id);
    const isLonely = known !== undefined && ground.open[otherSide(record.side)].ofAmount(record.amount).length === 0;
    return ranked([...(known ?? []), plainCause({ input, isLonely, late: lateOf(times, record) }, item)], CAUSE_LIMITS.causes);
  };
  return { of, lookedAt: lookedAt(items.length, openItems.length, sums, sumsOf) };
}
