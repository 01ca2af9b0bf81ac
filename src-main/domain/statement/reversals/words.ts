import type { ReversalMark } from '../model/statement.ts';
import { normaliseHeader } from '../vocabulary/meaning.ts';

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
