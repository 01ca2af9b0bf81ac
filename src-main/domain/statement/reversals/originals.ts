import { capitalized } from '../../../../src-shared/values/english.ts';
import type { ReversalMark } from '../model/statement.ts';

/** Most days between an original and its return. */
export const MOST_DAYS_TO_RETURN = 60;

/** The content of a stored line that links it to another. */
export interface TellingLine {
  readonly id: number;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly description: string | null;
  readonly externalId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A line with a reversal mark. */
export interface MarkedLine extends TellingLine {
  readonly mark: ReversalMark;
}

/** Lines of the same amount in the other direction, which a marked line may reverse; `isAll` where there are no others. */
export interface Originals {
  readonly lines: readonly TellingLine[];
  readonly isAll: boolean;
}

/** Fields that a return repeats from its original: where both lines have one and it differs, they do not belong together. */
const REPEATED = ['end_to_end_id', 'end_to_end_reference', 'mandate_id', 'mandate_reference', 'check_number'];
const NO_REFERENCE = /^(?:NOTPROVIDED|NONREF|NONE|KEINE)$/i;
/** A word with digits, long enough to be a reference. */
const REFERENCE = /[\p{L}\p{N}](?:[\p{L}\p{N}/_.-]*[\p{L}\p{N}])?/gu;
const SHORTEST = 5;

/**
 * Returns the original of each marked line, by their ids: first by a reference that singles it out, then by being the only line of its amount. Where
 * two marked lines share their only possible original, neither gets it.
 */
export function originalsOf(marked: readonly MarkedLine[], candidatesOf: (line: MarkedLine) => Originals): Map<number, number> {
  const found = new Map<number, number>();
  const taken = new Set<number>();
  const possible = marked.map((line) => ({ line, ...within(line, candidatesOf(line)) }));
  const take = (claims: readonly (readonly [number, number])[]): void => {
    const claimed = Map.groupBy(claims, ([, original]) => original);
    for (const [original, [first, ...others]] of claimed) {
      if (first === undefined || others.length > 0 || taken.has(original)) continue;
      found.set(first[0], original);
      taken.add(original);
    }
  };
  take(possible.flatMap(({ line, lines }) => claimOf(line, named(line, lines))));
  const left = possible.flatMap(({ line, lines, isAll }) => {
    const free = lines.filter(({ id }) => !taken.has(id));
    return found.has(line.id) || !isAll || free.length !== 1 ? [] : claimOf(line, free[0] ?? null);
  });
  take(left);
  return found;
}

function claimOf(line: MarkedLine, original: TellingLine | null): (readonly [number, number])[] {
  return original === null ? [] : [[line.id, original.id]];
}

function within(line: MarkedLine, { lines, isAll }: Originals): Originals {
  const fit = ({ id, day, metadata }: TellingLine): boolean => {
    const days = line.day - day;
    return id !== line.id && days >= 0 && days <= MOST_DAYS_TO_RETURN && !contradicts(line, metadata);
  };
  return { lines: lines.filter(fit), isAll };
}

/** Whether the mark names another line. */
function contradicts({ mark, metadata }: MarkedLine, other: TellingLine['metadata']): boolean {
  const trace = textOf(other['trace_number']);
  if (mark.reference !== null && textOf(metadata['original_trace_number']) === mark.reference && trace !== null) {
    return trace !== mark.reference;
  }
  return REPEATED.some((key) => {
    const [own, others] = [textOf(metadata[key]), textOf(other[key])];
    return own !== null && others !== null && own !== others;
  });
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' || NO_REFERENCE.test(text) ? null : text;
}

/** Returns the only line that references of a marked line name; null where they name none or several. */
function named(line: MarkedLine, candidates: readonly TellingLine[]): TellingLine | null {
  if (candidates.length === 0) return null;
  const references = candidates.map(referencesOf);
  const having = (reference: string): number[] => references.flatMap((each, place) => (each.has(reference) ? [place] : []));
  const { reference } = line.mark;
  if (reference !== null) {
    const places = having(reference.toLowerCase());
    if (places.length === 1) return candidates[places[0] ?? 0] ?? null;
  }
  const places = new Set([...referencesOf(line)].map(having).flatMap((each) => (each.length === 1 ? each : [])));
  const [place] = places;
  // With a single candidate the amount proves as much.
  return places.size === 1 && candidates.length > 1 ? (candidates[place ?? 0] ?? null) : null;
}

/** Returns words with digits in a line's texts, in lower case, and its whole field values. */
function referencesOf({ description, externalId, metadata }: TellingLine): Set<string> {
  const found = new Set<string>();
  const texts = [externalId, ...Object.values(metadata)].map(textOf).filter((text) => text !== null);
  for (const text of texts) if (isReference(text)) found.add(text.toLowerCase());
  for (const text of [description ?? '', ...texts]) {
    for (const [word] of text.matchAll(REFERENCE)) if (isReference(word)) found.add(word.toLowerCase());
  }
  return found;
}

function isReference(text: string): boolean {
  return text.length >= SHORTEST && /\d/.test(text);
}

/** Meanings of return reason codes: ISO 20022 (external return reasons, and those of SEPA) and NACHA. */
const MEANINGS: Readonly<Record<string, string>> = {
  AC01: 'the account number is wrong',
  AC03: 'the account number of the creditor is wrong',
  AC04: 'the account is closed',
  AC06: 'the account is blocked',
  AC13: 'the account is a consumer’s, which may not be debited so',
  AG01: 'the account may not take such payments',
  AG02: 'the bank’s code of the operation is wrong',
  AM04: 'there was not enough money',
  AM05: 'it was made twice',
  AM09: 'the amount is wrong',
  ARDT: 'it was returned before',
  BE04: 'the address of the creditor is missing',
  BE05: 'the creditor is not known',
  CNOR: 'the creditor’s bank is not reached by this way',
  CUST: 'the customer asked for it',
  DNOR: 'the debtor’s bank is not reached by this way',
  DUPL: 'it was made twice',
  FOCR: 'it was called back',
  FRAD: 'fraud is suspected',
  MD01: 'there is no mandate',
  MD02: 'the mandate lacks something',
  MD06: 'the payer asked for the money back',
  MD07: 'the payer has died',
  MS02: 'the customer refused it, without a reason',
  MS03: 'the bank refused it, without a reason',
  NARR: 'the text says why',
  RC01: 'the bank’s code is wrong',
  RC07: 'the bank’s code of the creditor is wrong',
  RR01: 'the payer’s account or name is missing',
  RR02: 'the payer’s name or address is missing',
  RR03: 'the creditor’s name or address is missing',
  RR04: 'the law asks for it',
  SL01: 'the payer allows only certain creditors',
  SVNR: 'the service was not rendered',
  TECH: 'a technical fault',
  TM01: 'it came too late',
  UPAY: 'the payment was not due',
  R01: 'there was not enough money',
  R02: 'the account is closed',
  R03: 'there is no such account, or not of that name',
  R04: 'the account number is not valid',
  R05: 'a debit of a consumer’s account that was not authorized',
  R06: 'the sender’s bank asked for it',
  R07: 'the customer revoked the authorization',
  R08: 'the customer stopped the payment',
  R09: 'the money was not collected yet',
  R10: 'the customer says that it was not authorized',
  R11: 'the customer says that it is not as authorized',
  R12: 'the branch was sold to another bank',
  R13: 'the receiving bank does not take part',
  R14: 'the payee’s representative has died',
  R15: 'the account holder has died',
  R16: 'the account is frozen',
  R17: 'the file has faults',
  R20: 'the account may not take such payments',
  R21: 'the company’s identification is not valid',
  R22: 'the individual’s id is not valid',
  R23: 'the receiver refused the credit',
  R24: 'it was made twice',
  R29: 'the company says that it was not authorized',
  R31: 'it may be returned, as both banks agree',
};
const GENERAL = 'The bank marks it as a return or a reversal';

/** Returns why a line was returned, in words, with the code: `The account is closed (AC04)`. */
export function reasonInWords(by: 'format' | 'words', reason: string | null): string {
  if (reason === null) return GENERAL;
  if (by === 'words') return `Its text says ${reason}`;
  const meaning = MEANINGS[reason];
  return meaning === undefined ? `${GENERAL} (${reason})` : `${capitalized(meaning)} (${reason})`;
}
