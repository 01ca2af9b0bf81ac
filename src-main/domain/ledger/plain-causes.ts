import { capitalized, counted } from '../../../src-shared/values/english.ts';
import { normaliseHeader } from '../statement/index.ts';
import { CAUSE_LIMITS, type Found } from './cause.ts';
import { type LedgerImport, type LedgerInput, type LedgerRecord, otherSide } from './input.ts';
import { amountText, labelOf, sideHas } from './ledger-words.ts';
import type { OpenItem } from './statement.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';

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
export function breakSentence(input: LedgerInput, { name }: LedgerImport, broken: LedgerImport['breaks'][number]): string {
  const amount = amountText(broken.amount, input.decimalPlaces);
  return phrase('ledger.plainCauses.theRunningBalanceOfBreaks', { name, day: dayText(broken.day), amount });
}
