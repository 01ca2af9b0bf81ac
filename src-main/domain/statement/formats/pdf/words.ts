import { CLOSING, OPENING } from '../../rows/balance-lines.ts';
import { meaningsOf } from '../../vocabulary/header-words.ts';
import { normaliseHeader } from '../../vocabulary/meaning.ts';

const CARRIED =
  /carried (?:forward|over|down)|balance c f\b|ubertrag (?:auf|nach)|zwischensaldo|a reporter|^report a la page|suma y sigue|a transportar|riporto a|da riportare|transport (?:nach|auf)|te transporteren|transporteren naar|att overfora|次頁へ|次页|过次页|次ページへ/;
const BROUGHT =
  /brought (?:forward|down|over)|balance b f\b|ubertrag (?:von|aus|vom)|^ubertrag|^report(?: de solde| du solde)?$|^report\b.*\b(?:page|solde)|suma anterior|transportado|riporto da|^riporto|^transporte|getransporteerd|^transport|overfort fran|繰越|承前页|前頁|上期|期初|前期/;
const OPENING_MORE =
  /last month s balance|last statement balance|balance (?:on|at|as of) (?:your )?last|solde (?:crediteur|debiteur)? ?(?:au|precedent)? ?debut|previous closing balance|balance last statement|opening bal\b|saldo (?:al inicio|no inicio)|adeudo (?:del periodo )?anterior|saldo vorig|vorig saldo|oud saldo|beginsaldo|saldo op begin|(?:tidligere|gammel|tidigare|edellinen) saldo|(?:devreden|onceki) bakiye|(?:predchozi|stary) zustatek|sold (?:initial|precedent)|(?:pocetno|prethodno) stanje|期首|期初余额|начален/;
const CLOSING_MORE =
  /solde de fermeture|closing bal\b|balance this statement|total balance due|saldo (?:al final|al cierre|al corte)|adeudo al corte|saldo nieuw|(?:nuevo|novo|nuovo|ny|nytt|uusi) saldo(?= |$)|(?:son|donem sonu|yeni) bakiye|novy zustatek|sold final|(?:zavrsno|novo) stanje|期末|現在残高|期末余额/;
const NOT_A_BALANCE =
  /avail|disponib|verfugbar|beschikbaar|average|minimum|durchschnitt|interest|zins|credit limit|total (?:debits|credits)|\+ total/;
const LONGEST_LABEL = 70;

/** Returns the kind of balance that the words of a row name; null for any other text. */
export function balanceWords(text: string): 'opening' | 'closing' | 'brought' | 'carried' | null {
  if (text.length < 2 || text.length > LONGEST_LABEL) return null;
  const words = normaliseHeader(text);
  if (NOT_A_BALANCE.test(words)) return null;
  const joined = words.replaceAll(/(?<=^| )(\p{L}{2,4}) (\p{L}{2,5})(?= |$)/gu, '$1$2');
  for (const each of words === joined ? [words] : [words, joined]) {
    if (CARRIED.test(each)) return 'carried';
    if (OPENING_MORE.test(each)) return 'opening';
    if (CLOSING_MORE.test(each)) return 'closing';
    if (BROUGHT.test(each)) return 'brought';
    if (OPENING.test(each)) return 'opening';
    if (CLOSING.test(each)) return 'closing';
    if (/^balance (?:as (?:of|at)|on|at)\b/.test(each)) return null;
  }
  return null;
}

const OF_DAY =
  /^(?:account |ledger |book )?(?:balance|saldo|kontostand|konto stand|solde|stand|bal)(?: (?:as of|as at|on|at|am|vom|per|zum|au|al|op|em|del|den))? \d/;

/** Whether the words before an amount name the balance of a day, and neither the first nor the last one. */
export function isBalanceOfDay(text: string): boolean {
  return text.length <= LONGEST_LABEL && OF_DAY.test(normaliseHeader(text));
}

const BARE_BALANCE =
  /^(?:(?:end of )?day |daily |tages|dag|account |ledger )?(?:balance|saldo|kontostand|solde(?: du jour)?|bakiye|zustatek|egyenleg)(?: (?:do|del) dia)?$/;

/** Whether words are those for a balance and nothing more; below transactions they name the balance of a day. */
export function isBareBalance(text: string): boolean {
  return BARE_BALANCE.test(normaliseHeader(text));
}

const TOTAL =
  /(?:^| )(?:sub ?)?totals?(?: |$)|(?:^| )items?(?: s)? totall?ing|(?:^| )net (?:transactions|movements?|change)(?: |$)|(?:^| )(?:summe|zwischensumme|gesamt|gesamtsumme|totale|totales|totali|totais|totaux|totaal|totale|suma|somme|summa|razem|celkem|yhteensa|toplam|итого|subtotale?|umsatzsumme|tagessaldo|solde du jour|saldo do dia|day total|page total|seitensumme)(?: |$)|合计|合計|总计|小计|小計|합계/;

/** Whether the words of a row name a total. */
export function isTotal(text: string): boolean {
  return text.length <= 90 && TOTAL.test(normaliseHeader(text));
}

const SUMMARY =
  /(?:^| )(?:daily (?:ledger |ending |closing )?balances?|(?:ending|ledger) balances?|summary|overview|recap\w*|sommaire|zusammenfassung|ubersicht|resumen|resumo|riepilogo|samenvatting|sammanfattning|yhteenveto|[a-z]*oversi[gk]t|[a-z]*overzicht|renteberegning|ranteberakning|zinsberechnung|interest calculation|saldi giornalieri|soldes? quotidiens?|tagessalden)(?: |$)/;

/** Whether a heading names a list that repeats what is written elsewhere. */
export function isSummaryHeading(text: string): boolean {
  const words = normaliseHeader(text);
  if (text.length > 140 || text.trimEnd().endsWith('.') || !SUMMARY.test(words)) return false;
  const isShort =
    words.split(' ').length <= 6 || /^(?:summary|sommaire|zusammenfassung|resumen|resumo|riepilogo|samenvatting) /.test(words);
  return isShort && !/^(?:transactions?|umsatz|mouvements|movimientos|movimenti)/.test(words);
}

const IN =
  /deposit|credit|addition|receipt|money in|paid in|payments? in|payments? received|incoming|gutschrift|zahlungseing|einzahlung|eingang|versement|encaissement|depots?|abono|ingreso|deposito|accredit|entrat|entrada|bijschrijv|ontvangst|insattning|inbetalning|indbetaling|innskudd|wplyw|uznan|prijm|tulot|panot|入金/;
const OUT =
  /withdraw|debit|subtraction|checks?(?: |$)|cheques?(?: |$)|fees?(?: |$)|charges?(?: |$)|charged|purchase|cash advance|payments? out|money out|paid out|outgoing|lastschrift|belastung|auszahlung|ausgang|zahlungsausg|retrait|paiement|prelevement|frais|cargo|retiro|pagos|comision|uscit|addebit|prelie|saida|tarifa|afschrijv|uitgaven|uttag|utbetaling|udbetaling|uttak|wyplat|obciazen|vydaj|menot|otot|出金/;
const PROSE = /[.!?](?:\s|$)/;

/** Returns the side of the account that a heading over some transactions names. */
export function sideOfHeading(text: string): 'in' | 'out' | null {
  if (text.length > 70 || PROSE.test(text)) return null;
  const words = normaliseHeader(text);
  if (words.split(' ').length > 8) return null;
  const [isIn, isOut] = [IN.test(words), OUT.test(words)];
  if (isIn !== isOut) return isIn ? 'in' : 'out';
  if (isIn && isOut) return /^(?:payments|deposits|credits)\b.*\bcredits?\b/.test(words) && !/debit|withdraw/.test(words) ? 'in' : null;
  const [meaning] = meaningsOf(text);
  return meaning?.meaning === 'paid_in' ? 'in' : meaning?.meaning === 'paid_out' ? 'out' : /^payments?\b/.test(words) ? 'in' : null;
}

const CARD =
  /minimum (?:payment|amount)|min(?:imum)? (?:payment|amount) due|payment due date|payment due|total minimum due|credit limit|amount you owe|carte de credit|paiement minimum|mindest(?:zahlung|betrag)|kreditkarten(?:abrechnung|konto)|pago minimo|pagamento minimo|limite de credito|tarjeta de credito|cartao de credito/g;

/** Returns how many of the signs of a card statement a file has: words that only a debt has. */
export function cardSigns(rows: readonly string[]): number {
  const found = new Set<string>();
  for (const row of rows) {
    for (const [match] of row.matchAll(CARD)) found.add(match.split(' ')[0] ?? '');
  }
  return found.size;
}

const NOT_A_SUM = /year to date|\bytd\b|average|limit|minimum|\bdue\b|overdraft|\brate\b|\bfees? summary\b|jahr|annee|disponib|avail/;

const TOTAL_FIRST = /^(?:tota(?:al|le|les|is)|suma|summe|somme|summa|razem|i alt) /i;

/** Returns the side of the account of which the words before an amount name the sum; null for any other text. */
export function sideOfSum(text: string): 'in' | 'out' | null {
  const label = text.replaceAll(/\(\d+\)|[+\-−=:]/g, ' ').trim();
  return NOT_A_SUM.test(normaliseHeader(label)) ? null : (sideOfHeading(label) ?? sideOfHeading(label.replace(TOTAL_FIRST, '')));
}

const ACCOUNT_NUMBER =
  /(?:account(?: (?:number|no\.?|#))?|a\/c(?: no\.?)?|konto(?:nummer|nr\.?)?|compte(?: n°)?|conta(?: corrente)?|conto|cuenta|iban|rekening\w{0,8}|口座番号)\W{0,4}([A-Z]{2}\d{2}(?: ?[A-Z\d]{2,4}){3,8}|[\dX*][\dX*\- ]{4,26}[\dX*])/iu;
export const IBAN = /(?<![A-Z\d])([A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?)(?![A-Z\d])/u;

/** Returns the number of an account that a text names; null if it names none. */
export function accountNumberIn(text: string): string | null {
  return (IBAN.exec(text)?.[1] ?? ACCOUNT_NUMBER.exec(text)?.[1])?.trim() ?? null;
}
