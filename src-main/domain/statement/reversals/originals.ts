import { capitalized } from '../../../../src-shared/values/english.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import type { ReversalMark } from '../model/statement.ts';
import { normaliseHeader } from '../vocabulary/meaning.ts';

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
  AC01: phrase('statement.originals.theAccountNumberIsWrong'),
  AC03: phrase('statement.originals.accountNumberOfTheCreditorIsWrong'),
  AC04: phrase('statement.originals.theAccountIsClosed'),
  AC06: phrase('statement.originals.theAccountIsBlocked'),
  AC13: phrase('statement.originals.theAccountIsAConsumers'),
  AG01: phrase('statement.originals.theAccountMayNotTake'),
  AG02: phrase('statement.originals.bankCodeOfTheOperationIsWrong'),
  AM04: phrase('statement.originals.thereWasNotEnoughMoney'),
  AM05: phrase('statement.originals.itWasMadeTwice'),
  AM09: phrase('statement.originals.theAmountIsWrong'),
  ARDT: phrase('statement.originals.itWasReturnedBefore'),
  BE04: phrase('statement.originals.theAddressOfTheCreditor'),
  BE05: phrase('statement.originals.theCreditorIsNotKnown'),
  CNOR: phrase('statement.originals.creditorsBankIsNotReached'),
  CUST: phrase('statement.originals.theCustomerAskedForIt'),
  DNOR: phrase('statement.originals.debtorsBankIsNotReached'),
  DUPL: phrase('statement.originals.itWasMadeTwice'),
  FOCR: phrase('statement.originals.itWasCalledBack'),
  FRAD: phrase('statement.originals.fraudIsSuspected'),
  MD01: phrase('statement.originals.thereIsNoMandate'),
  MD02: phrase('statement.originals.theMandateLacksSomething'),
  MD06: phrase('statement.originals.payerAskedForTheMoneyBack'),
  MD07: phrase('statement.originals.thePayerHasDied'),
  MS02: phrase('statement.originals.theCustomerRefusedItWithout'),
  MS03: phrase('statement.originals.theBankRefusedItWithout'),
  NARR: phrase('statement.originals.theTextSaysWhy'),
  RC01: phrase('statement.originals.theBanksCodeIsWrong'),
  RC07: phrase('statement.originals.bankCodeOfTheCreditorIsWrong'),
  RR01: phrase('statement.originals.thePayersAccountOrName'),
  RR02: phrase('statement.originals.thePayersNameOrAddress'),
  RR03: phrase('statement.originals.theCreditorsNameOrAddress'),
  RR04: phrase('statement.originals.theLawAsksForIt'),
  SL01: phrase('statement.originals.thePayerAllowsOnlyCertain'),
  SVNR: phrase('statement.originals.theServiceWasNotRendered'),
  TECH: phrase('statement.originals.aTechnicalFault'),
  TM01: phrase('statement.originals.itCameTooLate'),
  UPAY: phrase('statement.originals.thePaymentWasNotDue'),
  R01: phrase('statement.originals.thereWasNotEnoughMoney'),
  R02: phrase('statement.originals.theAccountIsClosed'),
  R03: phrase('statement.originals.thereIsNoSuchAccount'),
  R04: phrase('statement.originals.accountNumberIsNotValid'),
  R05: phrase('statement.originals.aDebitOfAConsumers'),
  R06: phrase('statement.originals.sendersBankAskedForIt'),
  R07: phrase('statement.originals.theCustomerRevokedTheAuthorization'),
  R08: phrase('statement.originals.theCustomerStoppedThePayment'),
  R09: phrase('statement.originals.theMoneyWasNotCollected'),
  R10: phrase('statement.originals.theCustomerSaysThatIt'),
  R11: phrase('statement.originals.notAsAuthorized'),
  R12: phrase('statement.originals.branchWasSoldToAnotherBank'),
  R13: phrase('statement.originals.receivingBankDoesNotTakePart'),
  R14: phrase('statement.originals.thePayeesRepresentativeHasDied'),
  R15: phrase('statement.originals.theAccountHolderHasDied'),
  R16: phrase('statement.originals.theAccountIsFrozen'),
  R17: phrase('statement.originals.theFileHasFaults'),
  R20: phrase('statement.originals.theAccountMayNotTake'),
  R21: phrase('statement.originals.companysIdentificationIsNotValid'),
  R22: phrase('statement.originals.individualsIdIsNotValid'),
  R23: phrase('statement.originals.theReceiverRefusedTheCredit'),
  R24: phrase('statement.originals.itWasMadeTwice'),
  R29: phrase('statement.originals.theCompanySaysThatIt'),
  R31: phrase('statement.originals.itMayBeReturned'),
};
const GENERAL = phrase('statement.originals.bankMarksItAsAReturn');

/** Returns why a line was returned, in words, with the code: `The account is closed (AC04)`. */
export function reasonInWords(by: 'format' | 'words', reason: string | null): string {
  if (reason === null) return GENERAL;
  if (by === 'words') return phrase('statement.originals.itsTextSays', { reason });
  const meaning = MEANINGS[reason];
  return meaning === undefined ? `${GENERAL} (${reason})` : `${capitalized(meaning)} (${reason})`;
}

/** A quick test before the longer one: a file may have millions of lines. */
const STEMS =
  /retour|return|revers|r(?:ü|ue?|u\u0308)ck|storn|sztorn|extorn|estorn|extourn|rejet|reject|unpaid|bounced|charge.?back|contre|impay|annul|anula|terugbo|insolut|devol|devuel|retroces|retrocess|zwrot|vr[aá]t?c|vr[aá]ten|tilbake|tilbage|iade|возврат|возвращ|сторн|退|冲正|沖正|組戻|组戻/iu;

/** Goods that a shop takes back: a word before them does not concern a payment. */
const GOODS =
  '(?! (?:goods|merchandise|purchases?|parcels?|orders?|products?|stock|articles?|shipments?|visit|ticket|flight|ware[n]?|paket|artikel))';

/** Words that a bank writes on a reversal, without accents and in lower case. A shop's refund is a payment of its own. */
const WORDS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    // English
    `returned${GOODS}`,
    '(?:payment|ach|item|cheque|check|direct debit|dd|wire|transfer|eft|nsf) (?:return|returns)',
    'return(?:s)? (?:of )?(?:payment|item|cheque|check|direct debit|dd|wire|transfer|eft|ach|unpaid)',
    'reversal|reversed|revers',
    'charge ?back',
    'unpaid (?:dd|direct debit|cheque|check|item|so|standing order)|bounced(?: (?:cheque|check))?',
    'rejected (?:payment|transfer|dd|direct debit)',
    // German
    `retoure${GOODS}`,
    'storno|stornierung|storniert|stornobuchung|stornogutschrift',
    '(?:sepa )?(?:rucklastschrift|ruecklastschrift|ruckuberweisung|rueckueberweisung|ruckbuchung|rueckbuchung|rucklaufer|ruecklaeufer)',
    'lastschrift ?(?:ruckgabe|rueckgabe)|(?:ruckgabe|rueckgabe) (?:lastschrift|scheck|uberweisung)|scheck ?(?:ruckgabe|rueckgabe)',
    // French
    'rejet|(?:prelevement|prlv|cheque|virement|vir|paiement) (?:rejete|retourne|impaye)e?|extourne|contre ?passation|impayes?|annulation',
    // Dutch
    'stornering|gestorneerd|terugboeking|retourboeking',
    // Italian
    'stornat[oa]|insolut[oa]',
    // Spanish, Portuguese
    'devolucion (?:de )?(?:recibo|adeudo|transferencia|cheque|remesa)|(?:recibo|cheque|transferencia) devuelt[oa]|retrocesion|anulacion|extorno',
    'estorno|estornad[oa]|devolucao (?:de )?(?:cheque|debito|transferencia|pix|ted|doc)|(?:cheque|pix|ted) devolvid[oa]',
    // Polish, Czech, Slovak, Hungarian
    'zwrot (?:przelewu|platnosci|srodkow)|vracena platba|vratena platba|sztorno|sztornozas',
    // Nordic
    'returnerad|returnert|returneret|tilbakefort|tilbagefort',
    // Turkish, Russian
    '(?:havale|eft|odeme) iade(?:si)?|сторно|возврат (?:платежа|перевода)',
  ].join('|')})(?![\\p{L}\\p{N}])|退汇|退匯|退票|冲正|沖正|組戻|组戻`,
  'u',
);

/** Returns the mark of a line whose text says that it reverses another; null for any other line. Most lines fail the quick test. */
export function markOfWords(description: string | null): ReversalMark | null {
  if (description === null || !STEMS.test(description)) return null;
  const found = WORDS.exec(normaliseHeader(description));
  return found === null ? null : { by: 'words', reason: found[0].toUpperCase(), reference: null };
}

/** Returns a mark by the file's format. */
export function markOfFormat(reason: string | null = null, reference: string | null = null): ReversalMark {
  return { by: 'format', reason, reference };
}
