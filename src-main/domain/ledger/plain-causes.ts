import { capitalized, counted } from '../../../src-shared/values/english.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { isSwapped } from '../evidence/comparison/levels.ts';
import { normaliseHeader } from '../statement/index.ts';
import { type Cause, CAUSE_LIMITS, type CauseKind, type Found, idsOf, ranked } from './cause.ts';
import { type LedgerImport, type LedgerInput, type LedgerRecord, otherSide } from './input.ts';
import { amountText, labelOf, sideHas, sideName } from './ledger-words.ts';
import type { ClearedMatch, OpenItem, Statement } from './statement.ts';

/** Normalized words: lower case, without accents, separated by spaces. */
const INTEREST = wordsOf([
  // English
  'interest|int (?:paid|earned|charged|cr|dr|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|overdraft int',
  // German, Dutch, Nordic
  '\\p{L}*zins(?:en)?|zinsertrag|zinsabschluss|rente(?:baten|lasten)?|creditrente|debetrente|ranta|rantor|renter|korko|korot|vextir',
  // French, Italian, Spanish, Portuguese, Romanian
  'interets?|agios|interess[ei]|interes(?:es)?|intereses|juros?|dobanda|dobanzi',
  // Polish, Czech, Slovak, Hungarian, Croatian, Slovene, Baltic, Turkish, Greek
  'odsetki|urok[yu]?|kamatok?|kamata|kamate|obresti|palukanos|procenti|intress|faiz|τοκοι|τοκος',
  // Russian, Ukrainian, Bulgarian
  'процент(?:ы|и)?|лихва|лихви|відсотки',
]);
/** A bank's code for the kind of line. Elsewhere `int` may mean international. */
const INTEREST_KIND = /^(?:int|intr)$/;
const INTEREST_SIGNS = /利息|結息|结息|이자/u;

const CHARGE = wordsOf([
  'chg|chgs|chrg|bank (?:charges?|fees?|fee charge)|account (?:charges?|fees?|maintenance)|maintenance (?:charges?|fees?)|monthly (?:account )?(?:charges?|fees?)',
  'service (?:charges?|fees?)|transaction (?:charges?|fees?)|transfer (?:charges?|fees?)|wire (?:charges?|fees?)|overdraft (?:charges?|fees?)|unpaid (?:charges?|fees?)|returned item (?:charges?|fees?)|nsf fees?|atm fees?|card fees?|arrangement fees?|merchant (?:charges?|fees?)|foreign (?:transaction )?(?:charges?|fees?)|commission charges?|quarterly charges?',
  // German, Dutch, Nordic
  'kontofuhrung\\p{L}*|kontoabschluss|\\p{L}*gebuhr(?:en)?|\\p{L}*gebuehr(?:en)?|\\p{L}*entgelte?|spesen|bankkosten|kosten rekening|bankgebyr|gebyr(?:er)?|bankavgift(?:er)?|avgift(?:er)?|palvelumaksu(?:t)?',
  // French, Italian, Spanish, Portuguese, Romanian
  'frais(?: bancaires?| de tenue de compte| de gestion)?|commission de (?:mouvement|compte)|cotisation carte|commissioni|spese (?:bancarie|di tenuta conto|conto)|canone(?: mensile)?|imposta di bollo|comision(?:es)?(?: bancarias?)?|gastos bancarios|comissao|comissoes|tarifa bancaria|despesas bancarias|manutencao de conta|comision administrare cont',
  // Polish, Czech, Slovak, Hungarian, Croatian, Slovene, Turkish
  'oplata(?: za)?(?: prowadzenie)?|oplaty bankowe|prowizja|poplatek|poplatky|(?:banki )?dij|szamlavezetesi dij|jutalek|naknada|nadomestilo|provizija|banka masrafi|masraf|hesap isletim ucreti|eft masrafi|havale masrafi',
  // Russian, Ukrainian, Bulgarian, Greek
  'комиссия|комиссии|комісія|такса|προμηθεια|εξοδα τραπεζας',
]);
const CHARGE_SIGNS = /手续费|手續費|手数料|服务费|管理费|수수료/u;
/** Words that count only in a short text, because a school has fees, too. */
const WEAK = wordsOf(['charges?|fees?|commission|cost|kosten|costs']);
function wordsOf(alternatives: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'u');
}

const MOST_WORDS = 3;

interface KindByWords {
  readonly kind: 'bank_charge' | 'interest';
  readonly isSure: boolean;
}

/** Returns whether the words of a bank line, or the bank's code for its kind, say that it is interest or a charge. */
function kindByWords({
  reference,
  description,
  kindText,
}: Pick<LedgerRecord, 'reference' | 'description' | 'kindText'>): KindByWords | null {
  const text = [kindText, reference, description].map((part) => normaliseHeader((part ?? '').slice(0, 200))).filter((part) => part !== '');
  const words = text.join(' ');
  if (words === '') return null;
  if (INTEREST_KIND.test(text[0] ?? '') || INTEREST.test(words) || INTEREST_SIGNS.test(words)) return { kind: 'interest', isSure: true };
  if (CHARGE.test(words) || CHARGE_SIGNS.test(words)) return { kind: 'bank_charge', isSure: true };
  const count = words.split(' ').filter((word) => /\p{L}/u.test(word)).length;
  return count <= MOST_WORDS && WEAK.test(words) ? { kind: 'bank_charge', isSure: false } : null;
}

/** A line counts as in transit for at least this many days, however fast others were. */
const LEAST_DAYS = 7;

/** Returns the cause that the words of a bank line name. */
export function byWords({ isNeutral }: LedgerInput, item: LedgerRecord): Found[] {
  const named = item.side === 'bank' ? kindByWords(item) : null;
  if (named === null) return [];
  const what =
    named.kind === 'interest' ? 'interest' : isNeutral ? phrase('ledger.plainCauses.aCharge') : phrase('ledger.plainCauses.aBankCharge');
  const sentence = (): string =>
    phrase('ledger.plainCauses.itsWordsSayThatIt', {
      label: labelOf(item) ?? phrase('ledger.plainCauses.noText'),
      hasKind: item.kindText === null ? 'no' : 'yes',
      kind: item.kindText ?? '',
      what,
    });
  return [{ kind: named.kind, weight: named.isSure ? 0.78 : 0.58, amount: item.amount, recordIds: [], sentence }];
}

/** Facts about an item that nothing else explains. */
interface Plain {
  readonly input: LedgerInput;
  /** Whether the other side has no open line of its amount. */
  readonly isLonely: boolean;
  /** Days within which 95 of 100 similar lines had cleared; null if too few are known. */
  readonly late: number | null;
}

/** Returns the cause of an open item that nothing else explains. A line of the books that waits longer than usual no longer counts as in transit. */
export function plainCause({ input, isLonely, late }: Plain, { record }: OpenItem): Found {
  const { side, amount, day } = record;
  const lacks = (): string =>
    isLonely
      ? phrase('ledger.plainCauses.noOpenLineOfUp', {
          sideHas: capitalized(sideHas(input, otherSide(side))),
          amount: amountText(amount, input.decimalPlaces),
          to: dayText(input.period.to),
        })
      : phrase('ledger.plainCauses.nothingOnTheOtherSide', { to: dayText(input.period.to) });
  const common = { amount, recordIds: [] };
  if (side === 'bank')
    return { kind: 'unbooked', weight: 0.3, ...common, sentence: () => phrase('ledger.plainCauses.itIsNotBookedYet', { lacks: lacks() }) };
  const days = input.period.to - day;
  const age = days === 0 ? phrase('ledger.plainCauses.bookedOnThatDay') : `booked ${counted(days, 'day')} before`;
  if (days > Math.max(late ?? CAUSE_LIMITS.onItsWay, LEAST_DAYS)) {
    const usual = late === null ? phrase('ledger.plainCauses.tooLongToBeOnItsWay') : phrase('ledger.plainCauses.of100LikeLines', { late });
    const sentence = (): string => phrase('ledger.plainCauses.itIsAnOldOutstanding', { lacks: lacks(), age, usual });
    return { kind: 'long_outstanding', weight: 0.5, ...common, sentence };
  }
  const what = amount < 0 ? phrase('ledger.plainCauses.notPaidOutYet') : phrase('ledger.plainCauses.onItsWay');
  const sentence = (): string => phrase('ledger.plainCauses.itIsProbably', { lacks: lacks(), age, what });
  return { kind: amount < 0 ? 'outstanding_payment' : 'deposit_in_transit', weight: 0.5, ...common, sentence };
}

/** Returns the cause for an item whose import has a break in its running balance. */
export function byImport(input: LedgerInput, imports: ReadonlyMap<number, LedgerImport>, { amount, importId }: LedgerRecord): Found[] {
  const brought = importId === null ? undefined : imports.get(importId);
  if (brought === undefined) return [];
  const same = brought.breaks.find((broken) => Math.abs(broken.amount) === Math.abs(amount));
  const broken = same ?? brought.breaks[0];
  if (broken === undefined) return [];
  return [
    {
      kind: 'broken_import',
      weight: same === undefined ? 0.2 : 0.83,
      amount: broken.amount,
      recordIds: [],
      sentence: () => breakSentence(input, brought, broken),
    },
  ];
}

/** Returns a sentence such as `The running balance of bank.csv breaks on 14/06/2026 by 30.00: a line may be missing or stand twice.` */
function breakSentence(input: LedgerInput, { name }: LedgerImport, broken: LedgerImport['breaks'][number]): string {
  const amount = amountText(broken.amount, input.decimalPlaces);
  return phrase('ledger.plainCauses.theRunningBalanceOfBreaks', { name, day: dayText(broken.day), amount });
}

/** Most causes of an amount, and most of one kind. */
const MOST = 6;
const MOST_OF_KIND = 3;

const KIND_OF_GROUP: Readonly<Record<OpenItem['group'], CauseKind>> = {
  deposits_in_transit: 'deposit_in_transit',
  outstanding_payments: 'outstanding_payment',
  unbooked_receipts: 'unbooked',
  unbooked_payments: 'unbooked',
  bank_errors: 'unbooked',
  book_errors: 'outstanding_payment',
};

/** Returns a line in words: `-15.00 of the books, 03/06/2026`. */
function lineText(input: LedgerInput, record: LedgerRecord): string {
  const label = labelOf(record);
  const name = label === null ? '' : ` (${label})`;
  return `${amountText(record.amount, input.decimalPlaces)}${name} of ${sideName(input, record.side)}, ${dayText(record.day)}`;
}

/** Returns the place and the difference of two adjacent digits whose swap changes an amount by `difference`; null if no swap does. */
function exchangeOf(difference: number): { readonly place: number; readonly apart: number } | null {
  if (difference === 0 || difference % 9 !== 0) return null;
  let apart = difference / 9;
  let place = 1;
  for (; apart % 10 === 0; apart /= 10) place *= 10;
  return apart <= 9 ? { place, apart } : null;
}

function hasSuchDigits(amount: number, { place, apart }: { readonly place: number; readonly apart: number }): boolean {
  const pair = Math.floor(Math.abs(amount) / place) % 100;
  return pair > 0 && Math.abs(Math.floor(pair / 10) - (pair % 10)) === apart;
}

/** Returns the lines up to the last day that fit, open ones first. */
function linesThat(input: LedgerInput, open: ReadonlySet<number>, fits: (record: LedgerRecord) => boolean): LedgerRecord[] {
  const found: [LedgerRecord[], LedgerRecord[]] = [[], []];
  for (const record of input.records) {
    if (record.day > input.period.to || record.isAdjustment || !fits(record)) continue;
    const list = open.has(record.id) ? found[0] : found[1];
    if (list.length < MOST_OF_KIND) list.push(record);
    if (found[0].length >= MOST_OF_KIND) break;
  }
  return [...found[0], ...found[1]].slice(0, MOST_OF_KIND);
}

function fromLines(input: LedgerInput, openItems: readonly OpenItem[], amount: number): Found[] {
  const magnitude = Math.abs(amount);
  const open = new Set(openItems.map(({ record }) => record.id));
  const written = amountText(magnitude, input.decimalPlaces);
  const half = linesThat(input, open, (record) => Math.abs(record.amount) * 2 === magnitude);
  const exchange = exchangeOf(magnitude);
  const digits = exchange === null ? [] : linesThat(input, open, (record) => hasSuchDigits(record.amount, exchange));
  return [
    ...half.map((record): Found => {
      const sentence = (): string => phrase('ledger.causesOfAmount.isHalfOfIt', { line: capitalized(lineText(input, record)), written });
      return { kind: 'sign_reversed', weight: open.has(record.id) ? 0.7 : 0.6, amount, recordIds: [record.id], sentence };
    }),
    ...digits.map((record): Found => {
      const sentence = (): string => phrase('ledger.causesOfAmount.dividesBy9AndExchanging', { written, line: lineText(input, record) });
      return { kind: 'transposed_digits', weight: open.has(record.id) ? 0.5 : 0.4, amount, recordIds: [record.id], sentence };
    }),
  ];
}

function fromOpenItems(input: LedgerInput, openItems: readonly OpenItem[], amount: number): Found[] {
  return openItems
    .filter(({ record }) => Math.abs(record.amount) === Math.abs(amount))
    .slice(0, MOST_OF_KIND)
    .map(({ record, group }) => {
      const sentence = (): string => phrase('ledger.causesOfAmount.anOpenItemHasJust', { line: lineText(input, record) });
      return { kind: KIND_OF_GROUP[group], weight: 0.8, amount: record.amount, recordIds: idsOf([record]), sentence };
    });
}

function fromMatches(input: LedgerInput, matches: readonly ClearedMatch[], amount: number): Found[] {
  return matches
    .filter(({ difference }) => Math.abs(difference) === Math.abs(amount))
    .slice(0, MOST_OF_KIND)
    .map(({ difference, recordIds }) => {
      const sentence = (): string =>
        phrase('ledger.causesOfAmount.aMatchDiffersByJust', { difference: amountText(difference, input.decimalPlaces) });
      return { kind: 'amount_differs', weight: 0.75, amount: difference, recordIds, sentence };
    });
}

function fromOpenings({ balances, decimalPlaces, period }: LedgerInput, amount: number): Found[] {
  const [bank, books] = [balances.bank.opening, balances.books.opening];
  if (bank === null || books === null || bank - books !== amount) return [];
  if (!isSwapped(Math.abs(bank), Math.abs(books))) return [];
  const written = [bank, books].map((opening) => amountText(opening, decimalPlaces));
  const sentence = (): string =>
    phrase('ledger.causesOfAmount.openingBalancesOfAreTwoDigits', { from: dayText(period.from), written: written.join(' and ') });
  return [{ kind: 'transposed_digits', weight: 0.95, amount, recordIds: [], sentence }];
}

/** Returns possible causes of an amount that nothing explains, such as `unexplained` or the error of a balance. Bank less books, in minor units. */
export function causesOfAmount(
  input: LedgerInput,
  { openItems, clearedMatches }: Pick<Statement, 'openItems' | 'clearedMatches'>,
  amount: number,
): readonly Cause[] {
  if (amount === 0) return [];
  const breaks = input.imports.flatMap((brought) =>
    brought.breaks.map((broken): Found => {
      const isSame = Math.abs(broken.amount) === Math.abs(amount);
      return {
        kind: 'broken_import',
        weight: isSame ? 0.9 : 0.3,
        amount: broken.amount,
        recordIds: [],
        sentence: () => breakSentence(input, brought, broken),
      };
    }),
  );
  const found = [
    ...fromOpenings(input, amount),
    ...breaks.toSorted((left, right) => right.weight - left.weight).slice(0, MOST_OF_KIND),
    ...fromOpenItems(input, openItems, amount),
    ...fromMatches(input, clearedMatches, amount),
    ...fromLines(input, openItems, amount),
  ];
  return ranked(found, MOST);
}
