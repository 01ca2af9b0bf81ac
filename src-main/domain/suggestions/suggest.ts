import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { capitalized, counted } from '../../../src-shared/values/english.ts';
import { decimalText, signedMinor } from '../../../src-shared/values/money.ts';
import { itemAt } from '../collections/typed-arrays.ts';
import { isSwapped } from '../evidence/comparison/levels.ts';
import { piecesOf } from '../evidence/groups/group-words.ts';
import { findSums, SUM_LIMITS } from '../groups/sums.ts';
import { compareText, inContentOrder, visibleContent } from '../records/content.ts';
import { fieldOf, type Side } from '../records/fields.ts';
import type { EngineRecord } from '../records/record.ts';
import { grouped } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';

/** Bounds of a search, besides that of the lines that it is given. */
const LIMITS = {
  /** Most lines of one key, and most of one party, that make up a group. */
  group: 100,
  party: 24,
  /** Lines among which any sum is searched, the most lines of it, and its steps, some 15 ms. */
  sums: 400,
  sumRecords: 4,
  steps: 300_000,
  /** Reasons of each suggestion. */
  reasons: 5,
} as const;

/** A reason for a suggestion, strong or weak, or a reason against it. */
type Strength = 'strong' | 'fair' | 'against';

export interface SuggestionReason {
  readonly kind: 'reference' | 'party' | 'amount' | 'day' | 'rivals';
  readonly strength: Strength;
  readonly words: string;
}

export interface SuggestionInput {
  readonly line: EngineRecord;
  readonly side: Side;
  readonly convention: SignConvention;
  /** Open lines of the line's own side and of the other one, in its currency and without it. */
  readonly own: readonly EngineRecord[];
  readonly others: readonly EngineRecord[];
  /** Whether records may be matched with each other: not if a person took them apart, or if their period is closed. */
  readonly mayMatch: (records: readonly EngineRecord[]) => boolean;
  readonly wanted: number;
}

export interface Suggestion {
  /** Lines of the line's own side besides it. */
  readonly own: readonly EngineRecord[];
  readonly others: readonly EngineRecord[];
  /** More is better; comparable among the suggestions of one line. */
  readonly score: number;
  readonly reasons: readonly SuggestionReason[];
}

/**
 * What a group is worth whose sum is exact, by what its lines have in common, and what a sum is worth that is only near. A single line is weighed by
 * `WEIGHTS`. A shared document outweighs everything else, a sum that chance may bring nothing.
 */
const EXACT = { reference: 14, key: 11.5, party: 10, day: 6.5, chance: 2.5 } as const;
const NEAR = { reference: 8, party: 4 } as const;
const WEIGHTS = {
  amount: { equal: 6, swapped: 2.5, near: 2, close: 0.5, apart: -4 },
  reference: { rare: 7, usual: 3.5 },
  party: { same: 4, similar: 2, other: -1 },
} as const;
/** Least score of a suggestion, and the least of a fair and of a strong one. */
const LEAST = { listed: 0, fair: 5, strong: 9 } as const;

/** A sum within one part in this many of a line is near it; of named documents a larger part may be missing. */
const NEAR_PART = { named: 4, other: 20 } as const;
const RARE_HOLDERS = 3;
/** A key or word on more than this share of a side's lines says nothing, once there are enough lines to tell. */
const COMMON_SHARE = 0.3;
const ENOUGH_LINES = 8;
const SAME_PARTY = 0.6;
const SIMILAR_PARTY = 0.34;
const LEAST_WORD = 3;
const FAR_DAYS = 10;

/** A value that lines of one side may share, with the name of its field. */
interface Key {
  readonly label: string;
  readonly text: string;
}

/** A line with its features. Units are signed, at the scale of the search. */
interface Read {
  readonly record: EngineRecord;
  readonly units: number;
  /** By key: the reference as it is written. */
  readonly references: ReadonlyMap<string, string>;
  readonly words: readonly string[];
  readonly keys: ReadonlyMap<string, Key>;
}

interface Draft {
  readonly own: readonly Read[];
  readonly others: readonly Read[];
  readonly score: number;
  readonly reasons: readonly SuggestionReason[];
}

/** Returns how strong a suggestion is in a word. */
export function strengthOf({ score }: Pick<Suggestion, 'score'>): 'strong' | 'fair' | 'weak' {
  return score >= LEAST.strong ? 'strong' : score >= LEAST.fair ? 'fair' : 'weak';
}

/**
 * Returns what may belong to an open line, the best first: groups that share a document or a party before sums that only add up, and exact sums
 * before near ones; single lines by what they have in common. The same lines in any order give the same answer.
 */
export function suggestionsFor(input: SuggestionInput): Suggestion[] {
  const search = new Search(input);
  const drafts = [...search.groupsOfOthers(), ...search.groupsWithOwn(), ...search.singles()].filter(({ score }) => score >= LEAST.listed);
  const sure = search.best(drafts);
  if (sure.filter(({ score }) => score >= LEAST.fair).length >= input.wanted) return sure;
  return search.best([...drafts, ...search.anySums()]);
}

/** Returns the texts of a record that may name a document or a party. */
function textsOf({ description, reference, externalId, metadata }: EngineRecord): string[] {
  const values = Object.values(metadata).filter((value) => typeof value === 'string');
  return [...new Set([description ?? '', reference ?? '', externalId ?? '', ...values])];
}

/** Returns the references of a record, as they are written. */
export function documentsOf(record: EngineRecord): string[] {
  return [...new Set(piecesOf([record], textsOf).references.values())];
}

/** Returns the values of a record by which lines of one side belong together, as a deposit slip: its fields, by name and value. */
function keysOf({ reference, externalId, metadata }: EngineRecord): Map<string, Key> {
  const keys = new Map<string, Key>();
  const add = (name: string, label: string, value: unknown): void => {
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const text = String(value).trim();
    if (text !== '') keys.set(JSON.stringify([name, text.toUpperCase()]), { label, text });
  };
  add('reference', 'reference', reference);
  add('external_id', 'reference', externalId);
  for (const [name, value] of Object.entries(metadata)) add(name, fieldOf(`metadata.${name}`)?.label ?? name, value);
  return keys;
}

function totalOf(lines: readonly Read[]): number {
  return lines.reduce((sum, { units }) => sum + units, 0);
}

function lines(count: number): string {
  return counted(count, 'line');
}

class Search {
  readonly #input: SuggestionInput;
  readonly #scale: number;
  readonly #line: Read;
  readonly #own: readonly Read[];
  readonly #others: readonly Read[];
  /** By word: on how many lines of either side it is. */
  readonly #wordCounts: ReadonlyMap<string, number>;

  constructor(input: SuggestionInput) {
    const { line, own, others } = input;
    this.#input = input;
    this.#scale = [line, ...own, ...others].reduce((finest, { decimalPlaces }) => Math.max(finest, decimalPlaces), 0);
    this.#line = this.#read(line);
    const all = (records: readonly EngineRecord[]): Read[] =>
      inContentOrder(records)
        .map((record) => this.#read(record))
        .filter(({ units }) => units !== 0 && Math.abs(units) <= SUM_LIMITS.units);
    this.#own = all(own);
    this.#others = all(others);
    const counts = new Map<string, number>();
    for (const { words } of [this.#line, ...this.#own, ...this.#others])
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    this.#wordCounts = counts;
  }

  /** Groups of the other side that make up the line. */
  groupsOfOthers(): Draft[] {
    const drafts: Draft[] = [];
    for (const [key, text] of this.#line.references) {
      const named = this.#holders(this.#others, key);
      if (named.length < 2) continue;
      drafts.push(...this.#group([], named, 'reference', sharedReference(named.length, text)));
      const part = this.#partOf(named);
      if (part !== null) drafts.push(...this.#group([], part, 'reference', sharedReference(part.length, text)));
    }
    for (const { members, words } of this.#ownKeys(this.#others)) drafts.push(...this.#group([], members, 'key', words));
    const party = this.#ofParty(this.#others);
    if (party.length >= 2) {
      const part = this.#partOf(party);
      for (const members of part === null ? [party] : [party, part]) {
        drafts.push(...this.#group([], members, 'party', this.#partyWords(members)));
      }
    }
    for (const members of this.#daysOf(this.#others)) drafts.push(...this.#group([], members, 'day', ofOneDay(members.length)));
    return drafts;
  }

  /** Groups of the own side, with the line, that make up a line of the other side. */
  groupsWithOwn(): Draft[] {
    const drafts: Draft[] = [];
    const byUnits = Map.groupBy(this.#others, ({ units }) => units);
    const exact = (own: readonly Read[], bond: 'key' | 'party' | 'day', words: string): void => {
      const found = this.#wantedOf(this.#line.units + totalOf(own)).flatMap((units) => byUnits.get(units) ?? []);
      for (const target of this.#nearest(found, LIMITS.reasons)) drafts.push(...this.#group(own, [target], bond, words));
    };
    for (const [key, { label, text }] of this.#line.keys) {
      const own = this.#own.filter(({ keys }) => keys.has(key));
      if (own.length > 0 && own.length < LIMITS.group && !isCommon(own.length, this.#own.length)) {
        exact(own, 'key', ofOneKey(own.length + 1, label, text));
      }
    }
    for (const [key, text] of this.#line.references) {
      const own = this.#holders(this.#own, key);
      if (own.length === 0) continue;
      for (const target of this.#holders(this.#others, key)) {
        drafts.push(...this.#group(own, [target], 'reference', sharedReference(own.length + 2, text)));
      }
      exact(own, 'key', ofOneKey(own.length + 1, 'reference', text));
    }
    const party = this.#ofParty(this.#own);
    if (party.length > 0) exact(party, 'party', this.#partyWords(party));
    const ofDay = this.#own.filter(
      ({ record }) => record.day === this.#line.record.day && record.direction === this.#line.record.direction,
    );
    if (ofDay.length > 0 && ofDay.length < LIMITS.group) exact(ofDay, 'day', ofOneDay(ofDay.length + 1));
    return drafts;
  }

  /** Single lines of the other side, by what they have in common with the line. */
  singles(): Draft[] {
    const equal = this.#others.filter(({ units }) => this.#apart(this.#line.units, units) === 0);
    return this.#others.flatMap((other) => {
      const reasons: SuggestionReason[] = [];
      const amount = this.#weighAmount(other, equal.length, reasons);
      const reference = this.#weighReference(other, reasons);
      const party = this.#weighParty(other, reasons);
      if (this.#apart(this.#line.units, other.units) !== 0 && reference <= 0 && party <= 0) return [];
      const day = this.#weighDays([other], reasons);
      return [{ own: [], others: [other], score: amount + reference + party + day, reasons }];
    });
  }

  /** Any few lines of the other side that add up to the line: weak, because chance brings such sums. */
  anySums(): Draft[] {
    const pool = this.#nearest(this.#others, LIMITS.sums);
    const day = this.#line.record.day;
    const found = findSums({
      candidates: pool.map(({ record, units }) => ({ units, days: Math.abs(record.day - day), likeness: () => visibleContent(record) })),
      ranges: this.#wantedOf(this.#line.units)
        .filter((units) => units !== 0)
        .map((units) => ({ low: units, high: units })),
      least: 2,
      most: LIMITS.sumRecords,
      work: LIMITS.steps,
      wanted: this.#input.wanted,
    });
    const isOnly = found.count === 1 && !found.gaveUp;
    return found.combinations.flatMap(({ members }) => {
      const others = members.map((place) => itemAt(pool, place));
      const rivals: SuggestionReason = {
        kind: 'rivals',
        strength: isOnly ? 'fair' : 'against',
        words: isOnly ? phrase('matches.suggest.noOtherLinesNearbyAdd') : phrase('matches.suggest.otherLinesAddUpToIt'),
      };
      return this.#group([], others, 'chance', null).map((draft) => ({
        ...draft,
        score: draft.score + (isOnly ? 2 : 0),
        reasons: [...draft.reasons, rivals],
      }));
    });
  }

  /** Returns the best of some drafts, each set of records once. */
  best(drafts: readonly Draft[]): Suggestion[] {
    const byRecords = new Map<string, Draft>();
    for (const draft of drafts) {
      const key = [...draft.own, ...draft.others].map(({ record }) => record.id).toSorted((left, right) => left - right);
      const known = byRecords.get(key.join());
      if (known === undefined || known.score < draft.score) byRecords.set(key.join(), draft);
    }
    const size = ({ own, others }: Draft): number => own.length + others.length;
    const text = ({ others, own }: Draft): string => [...others, ...own].map(({ record }) => visibleContent(record)).join('\n');
    const found: Suggestion[] = [];
    const ranked = [...byRecords.values()].toSorted(
      (left, right) => right.score - left.score || size(left) - size(right) || compareText(text(left), text(right)),
    );
    for (const { own, others, score, reasons } of ranked) {
      if (found.length === this.#input.wanted) break;
      const [ofOwn, ofOthers] = [own.map(({ record }) => record), others.map(({ record }) => record)];
      if (!this.#input.mayMatch([this.#line.record, ...ofOwn, ...ofOthers])) continue;
      found.push({ own: ofOwn, others: ofOthers, score, reasons: reasons.slice(0, LIMITS.reasons) });
    }
    return found;
  }

  #read(record: EngineRecord): Read {
    const { words, references } = piecesOf([record], textsOf);
    return {
      record,
      units: signedMinor(record.amountMinor, record.direction) * 10 ** (this.#scale - record.decimalPlaces),
      references,
      words: words.filter((word) => word.length >= LEAST_WORD),
      keys: keysOf(record),
    };
  }

  /** Returns what the other side must come to for a total of the own side. */
  #wantedOf(total: number): number[] {
    const { convention } = this.#input;
    return convention === 'same' ? [total] : convention === 'opposite' ? [0 - total] : [total, 0 - total];
  }

  #apart(own: number, other: number): number {
    return Math.min(...this.#wantedOf(own).map((wanted) => Math.abs(wanted - other)));
  }

  /** Returns the lines with a reference, unless they are too many to name a document. */
  #holders(all: readonly Read[], key: string): Read[] {
    const holders = all.filter(({ references }) => references.has(key));
    return holders.length > LIMITS.group || isCommon(holders.length, all.length) ? [] : holders;
  }

  /** Returns the groups of lines that share a value of a field, or a reference, and come to the line exactly. */
  #ownKeys(all: readonly Read[]): { readonly members: Read[]; readonly words: string }[] {
    const byKey = new Map<string, Key & { readonly members: Read[] }>();
    for (const read of all) {
      const keys = new Map(read.keys);
      for (const [key, text] of read.references) keys.set(key, { label: 'reference', text });
      for (const [key, { label, text }] of keys) {
        const known = byKey.get(key);
        if (known === undefined) byKey.set(key, { label, text, members: [read] });
        else known.members.push(read);
      }
    }
    return [...byKey.values()].flatMap(({ label, text, members }) => {
      const isGroup = members.length >= 2 && members.length <= LIMITS.group && this.#apart(this.#line.units, totalOf(members)) === 0;
      return isGroup ? [{ members, words: ofOneKey(members.length, label, text) }] : [];
    });
  }

  /** Returns the part of some lines that adds up to the line exactly, if not all of them do; null if there is none. */
  #partOf(all: readonly Read[]): Read[] | null {
    if (this.#apart(this.#line.units, totalOf(all)) === 0 || all.length < 3 || all.length > LIMITS.party) return null;
    const day = this.#line.record.day;
    const [combination] = findSums({
      candidates: all.map(({ record, units }) => ({ units, days: Math.abs(record.day - day), likeness: () => visibleContent(record) })),
      ranges: this.#wantedOf(this.#line.units)
        .filter((units) => units !== 0)
        .map((units) => ({ low: units, high: units })),
      least: 2,
      most: SUM_LIMITS.records,
      work: LIMITS.steps,
      wanted: 1,
    }).combinations;
    return combination === undefined ? null : combination.members.map((place) => itemAt(all, place));
  }

  /** Returns the lines of the line's party, the nearest in days. */
  #ofParty(all: readonly Read[]): Read[] {
    return this.#nearest(
      all.filter((other) => this.#likeness(other) >= SAME_PARTY),
      LIMITS.party,
    );
  }

  /** Returns the lines of each day that are all receipts or all payments. */
  #daysOf(all: readonly Read[]): Read[][] {
    const days = Map.groupBy(all, ({ record }) => `${record.day} ${record.direction}`);
    return [...days.values()].filter(({ length }) => length >= 2 && length <= LIMITS.group);
  }

  #nearest(all: readonly Read[], most: number): Read[] {
    const away = ({ record }: Read): number => Math.abs(record.day - this.#line.record.day);
    return all.length <= most ? [...all] : all.toSorted((left, right) => away(left) - away(right)).slice(0, most);
  }

  /** Returns a group with its score, or nothing if its sum is not near. Only named lines may be apart. */
  #group(own: readonly Read[], others: readonly Read[], bond: keyof typeof EXACT, words: string | null): Draft[] {
    const total = this.#line.units + totalOf(own);
    const apart = this.#apart(total, totalOf(others));
    const near = bond === 'reference' ? NEAR_PART.named : NEAR_PART.other;
    if (apart !== 0 && (!(bond in NEAR) || apart * near > Math.abs(total))) return [];
    const worth = apart === 0 ? EXACT[bond] : NEAR[bond as keyof typeof NEAR] - 4 * (apart / Math.abs(total));
    const reasons: SuggestionReason[] = [];
    if (words !== null)
      reasons.push({ kind: bond === 'party' ? 'party' : bond === 'day' ? 'day' : 'reference', strength: 'strong', words });
    reasons.push(
      apart === 0
        ? {
            kind: 'amount',
            strength: 'strong',
            words: phrase('matches.suggest.addUpExactly', { lines: capitalized(lines(Math.max(own.length + 1, others.length))) }),
          }
        : {
            kind: 'amount',
            strength: 'against',
            words: phrase('matches.suggest.theAmountsDifferBy', { amountText: this.#amountText(apart) }),
          },
    );
    if (bond !== 'party' && bond !== 'reference' && own.length === 0 && this.#ofParty(others).length === others.length) {
      reasons.push({ kind: 'party', strength: 'fair', words: this.#partyWords(others) });
    }
    const several = own.length > 0 ? own : others;
    const isMixed = several.some(({ record }) => record.direction !== itemAt(several, 0).record.direction);
    if (isMixed) reasons.push({ kind: 'amount', strength: 'against', words: phrase('matches.suggest.receiptsAndPaymentsAreMixed') });
    const days = this.#weighDays([...own, ...others], reasons);
    return [{ own, others, score: worth + Math.min(0, days) / 2 - (isMixed ? 1 : 0), reasons }];
  }

  #weighAmount(other: Read, equal: number, reasons: SuggestionReason[]): number {
    const { units } = this.#line;
    const apart = this.#apart(units, other.units);
    const [left, right] = [Math.abs(units), Math.abs(other.units)];
    if (apart === 0) {
      reasons.push({
        kind: 'amount',
        strength: 'strong',
        words: phrase('matches.suggest.sameAmount', { amountText: this.#amountText(left) }),
      });
      if (equal === 1) reasons.push({ kind: 'rivals', strength: 'fair', words: phrase('matches.suggest.noOtherOpenLineNearby') });
      else
        reasons.push({
          kind: 'rivals',
          strength: 'against',
          words: phrase('matches.suggest.moreOfThisAmountNearby', { lines: capitalized(lines(equal - 1)) }),
        });
      return WEIGHTS.amount.equal - Math.min(3, Math.log2(equal)) * 0.75;
    }
    const isSameWay = apart < right;
    const isExchanged = isSameWay && isSwapped(left, right);
    const words = isExchanged
      ? phrase('matches.suggest.twoDigitsAreExchanged')
      : phrase('matches.suggest.theAmountsDifferBy', { amountText: this.#amountText(apart) });
    reasons.push({ kind: 'amount', strength: 'against', words });
    if (isExchanged) return WEIGHTS.amount.swapped;
    const part = apart / Math.max(left, right);
    return part <= 0.01 ? WEIGHTS.amount.near : part <= 0.06 ? WEIGHTS.amount.close : WEIGHTS.amount.apart;
  }

  #weighReference(other: Read, reasons: SuggestionReason[]): number {
    let best = 0;
    let text = '';
    for (const [key, written] of this.#line.references) {
      if (!other.references.has(key)) continue;
      const holders = Math.max(this.#holders(this.#others, key).length, this.#holders(this.#own, key).length + 1);
      if (this.#holders(this.#others, key).length === 0) continue;
      const worth = holders <= RARE_HOLDERS ? WEIGHTS.reference.rare : WEIGHTS.reference.usual;
      if (worth > best) [best, text] = [worth, written];
    }
    if (best > 0)
      reasons.push({
        kind: 'reference',
        strength: best === WEIGHTS.reference.rare ? 'strong' : 'fair',
        words: phrase('matches.suggest.sameReference', { text }),
      });
    return best;
  }

  #weighParty(other: Read, reasons: SuggestionReason[]): number {
    const likeness = this.#likeness(other);
    if (likeness >= SAME_PARTY) {
      reasons.push({ kind: 'party', strength: 'strong', words: this.#partyWords([other]) });
      return WEIGHTS.party.same;
    }
    if (likeness >= SIMILAR_PARTY) {
      reasons.push({
        kind: 'party',
        strength: 'fair',
        words: phrase('matches.suggest.wordsInCommon', { sharedWords: this.#sharedWords([other]).join(' ') }),
      });
      return WEIGHTS.party.similar;
    }
    return likeness === 0 && this.#line.words.length > 0 && other.words.length > 0 ? WEIGHTS.party.other : 0;
  }

  #weighDays(others: readonly Read[], reasons: SuggestionReason[]): number {
    const away = Math.max(...others.map(({ record }) => Math.abs(record.day - this.#line.record.day)));
    const words =
      away === 0
        ? phrase('matches.suggest.sameDay')
        : others.length > 1
          ? `Within ${counted(away, 'day')}`
          : `${capitalized(counted(away, 'day'))} apart`;
    reasons.push({ kind: 'day', strength: away > FAR_DAYS ? 'against' : 'fair', words });
    return away === 0 ? 1.5 : away <= 3 ? 1 : away <= 7 ? 0.25 : away <= FAR_DAYS ? -0.5 : Math.max(-2, -1 - away / 40);
  }

  /** Returns how much of the telling words of the line and of another one is common to both, from 0 to 1. */
  #likeness(other: Read): number {
    const lineWeight = this.#weightOf(this.#line.words);
    const otherWeight = this.#weightOf(other.words);
    const shared = this.#weightOf(this.#sharedWords([other]));
    return shared === 0 ? 0 : shared / Math.min(lineWeight, otherWeight);
  }

  #sharedWords(others: readonly Read[]): string[] {
    return this.#line.words.filter((word) => this.#weightOf([word]) > 0 && others.every(({ words }) => words.includes(word)));
  }

  #weightOf(words: readonly string[]): number {
    const count = 1 + this.#own.length + this.#others.length;
    return words.reduce((sum, word) => {
      const held = this.#wordCounts.get(word) ?? 1;
      return isCommon(held, count) ? sum : sum + Math.log2(1 + count / held);
    }, 0);
  }

  #partyWords(others: readonly Read[]): string {
    const shared = this.#sharedWords(others);
    return shared.length === 0 ? phrase('matches.suggest.similarNames') : phrase('matches.suggest.sameParty', { shared: shared.join(' ') });
  }

  #amountText(units: number): string {
    return grouped(decimalText(units, this.#scale));
  }
}

function isCommon(holders: number, all: number): boolean {
  return all >= ENOUGH_LINES && holders > all * COMMON_SHARE && holders > 2;
}

function sharedReference(count: number, text: string): string {
  return phrase('matches.suggest.sameReferenceOnAll', { count, text });
}

function ofOneKey(count: number, label: string, text: string): string {
  return phrase('matches.suggest.allHaveThe', { count, label, text });
}

function ofOneDay(count: number): string {
  return phrase('matches.suggest.allOfOneDay', { lines: lines(count) });
}
