import { bankLessBooks, type Found, idsOf } from './cause.ts';
import { type LedgerInput, type LedgerRecord, otherSide } from './input.ts';
import { amountText, begun, counted, labelOf, listed, sideHas, sideName } from './ledger-words.ts';
import { CAUSE_LIMITS } from './limits.ts';
import { type Ground, keysOf } from './open-lines.ts';
import type { OpenItem } from './statement.ts';

/** Lines that a sentence lists. */
const LISTED = 6;
/** A difference that is larger than this share of either side is no deduction. */
const MOST_APART = 4;

/** What belongs together: one line, and the lines of the other side that share a reference with it. */
export interface Documents {
  readonly one: LedgerRecord;
  readonly others: readonly LedgerRecord[];
}

/** One line that names several of the other side, and which lines are told of by it instead of pair by pair. */
export interface DocumentsOfItems {
  readonly groups: readonly Documents[];
  readonly isGrouped: ReadonlySet<number>;
}

/** Open lines of the other side that share a reference with a line, by day; null where there are too many of them. */
function namedBy(ground: Ground, line: LedgerRecord): LedgerRecord[] | null {
  const named = new Set<LedgerRecord>();
  for (const key of keysOf(ground, line)) {
    const lines = ground.open[otherSide(line.side)].ofKey(key);
    if (lines.length > CAUSE_LIMITS.documents) return null;
    for (const other of lines) named.add(other);
    if (named.size > CAUSE_LIMITS.documents) return null;
  }
  return [...named].toSorted((left, right) => left.day - right.day || left.id - right.id);
}

/** The groups of one line and several documents in which each document is named by that line alone. */
export function documentsOf(ground: Ground): DocumentsOfItems {
  const groups: Documents[] = [];
  const isGrouped = new Set<number>();
  for (const { record: one } of ground.items) {
    const others = namedBy(ground, one);
    if (others === null || others.length < 2) continue;
    const isOwn = others.every((other) => {
      for (const key of keysOf(ground, other)) if (ground.open[one.side].ofKey(key).some(({ id }) => id !== one.id)) return false;
      return true;
    });
    if (!isOwn || !isNear(one.amount, totalOf(others))) continue;
    groups.push({ one, others });
    for (const { id } of [one, ...others]) isGrouped.add(id);
  }
  return { groups, isGrouped };
}

function totalOf(lines: readonly LedgerRecord[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

/** Whether one amount may be the other with something taken off or put on. */
function isNear(amount: number, total: number): boolean {
  if (amount < 0 !== total < 0 || !Number.isSafeInteger(total)) return false;
  return Math.abs(amount - total) * MOST_APART <= Math.max(Math.abs(amount), Math.abs(total));
}

function partText({ decimalPlaces }: LedgerInput, part: LedgerRecord): string {
  const label = labelOf(part);
  return `${amountText(part.amount, decimalPlaces)}${label === null ? '' : ` (${label})`}`;
}

function partsText(input: LedgerInput, parts: readonly LedgerRecord[]): string {
  const texts = parts.slice(0, LISTED).map((part) => partText(input, part));
  const rest = parts.length - texts.length;
  return listed(rest === 0 ? texts : [...texts, counted(rest, 'other', 'others')]);
}

/** `20.00 is missing`: by how much one line is off what several come to. */
function apartText(input: LedgerInput, one: LedgerRecord, total: number): string {
  const apart = Math.abs(one.amount) - Math.abs(total);
  return `${amountText(Math.abs(apart), input.decimalPlaces)} is ${apart < 0 ? 'missing' : 'too much'}`;
}

/** What is said of one line and several of the other side that belong together, where they add up and where they do not. */
function ofTogether(
  { input }: Ground,
  { one, others }: Documents,
  weight: number,
  why: string,
): readonly (readonly [LedgerRecord, Found])[] {
  const total = totalOf(others);
  const written = (amount: number): string => amountText(amount, input.decimalPlaces);
  const isSum = total === one.amount;
  const amount = isSum ? one.amount : bankLessBooks(one, { ...one, side: otherSide(one.side), amount: total });
  const end = isSum ? '' : `; ${sideHas(input, one.side)} ${written(one.amount)}: ${apartText(input, one, total)}`;
  const kind = isSum ? 'adds_up' : 'amount_differs';
  const lines = `${counted(others.length, 'line', 'lines')} of ${sideName(input, otherSide(one.side))}`;
  const whole = (): string => `${begun(lines)} ${why} add up to ${written(total)}: ${partsText(input, others)}${end}.`;
  const ofOne: Found = { kind, weight, amount, recordIds: idsOf(others), sentence: whole };
  return [
    [one, ofOne],
    ...others.map((part): readonly [LedgerRecord, Found] => {
      const rest = others.filter((other) => other !== part);
      const reaches = isSum ? `it adds up to ${partText(input, one)}` : `it comes to ${written(total)}`;
      const sentence = (): string => {
        const label = labelOf(one);
        const ended = isSum ? ` of ${sideName(input, one.side)}` : `${end}${label === null ? '' : ` (${label})`}`;
        return `With ${partsText(input, rest)} ${reaches}${ended}.`;
      };
      return [part, { kind, weight, amount: isSum ? part.amount : amount, recordIds: idsOf([one, ...rest]), sentence }];
    }),
  ];
}

/** One payment that names several documents, told of each of its lines. */
export function ofDocuments(ground: Ground, { groups }: DocumentsOfItems): readonly (readonly [LedgerRecord, Found])[] {
  return groups.flatMap((group) =>
    ofTogether(ground, group, totalOf(group.others) === group.one.amount ? 0.98 : 0.94, 'with its references'),
  );
}

/** Of each proposal that nobody decided: its lines by side. */
export function proposalsOf(
  input: LedgerInput,
  items: readonly OpenItem[],
): ReadonlyMap<number, Readonly<Record<'bank' | 'books', readonly LedgerRecord[]>>> {
  const wanted = new Set(items.flatMap(({ reason, matchId }) => (reason === 'proposed' && matchId !== null ? [matchId] : [])));
  if (wanted.size === 0) return new Map();
  const openById = new Map(items.map(({ record }) => [record.id, record]));
  return new Map(
    input.matches
      .filter(({ id, status }) => status === 'proposed' && wanted.has(id))
      .map(({ id, recordIds }) => {
        const lines = recordIds.flatMap((recordId) => openById.get(recordId) ?? []);
        const whole = lines.length === recordIds.length ? lines : [];
        return [id, { bank: whole.filter(({ side }) => side === 'bank'), books: whole.filter(({ side }) => side === 'books') }];
      }),
  );
}

/** A group that a rule proposes and nobody decided: one line of a side with several of the other. */
export function ofProposals(ground: Ground, proposals: ReturnType<typeof proposalsOf>): readonly (readonly [LedgerRecord, Found])[] {
  return [...proposals.values()].flatMap(({ bank, books }) => {
    const [one, others] = bank.length === 1 ? [bank[0], books] : [books[0], bank];
    if (one === undefined || (bank.length !== 1 && books.length !== 1) || others.length < 2 || others.length > CAUSE_LIMITS.documents)
      return [];
    return ofTogether(ground, { one, others }, 0.985, 'in a proposal that waits for a decision');
  });
}
