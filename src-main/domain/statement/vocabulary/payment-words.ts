import { normaliseHeader } from './meaning.ts';

/** In a longer text a single word does not decide. */
const LONGEST_TEXT = 80;
const HAS_WORD = /\p{L}{3}/u;

/** Words for money that comes back: a refund, a reversal, a correction. They match lower-case words without accents. */
const BACK = new RegExp(
  [
    // English
    'return|refund|revers|chargeback|charge back|correction|corrected|credit note|rebate|cashback|cancell?ed|cancellation|voided|adjustment',
    // German
    'erstattung|ruckzahlung|ruckbuchung|rueckbuchung|ruckuberweisung|gutschrift|storn|umkehr|korrektur|berichtigung',
    // French
    'rembours|extourne|contre ?passation|annul|avoir |correctif|rectific',
    // Spanish, Portuguese, Catalan
    'devoluc|devolu[cs]|reembols|retrocesion|anulaci|extorno|estorno|estornad|reversao|correccion|correcao|reintegro',
    // Italian
    'rimborso|stornat|rettific|accredito per|nota di credito',
    // Dutch
    'terugbetal|terugboek|retour|creditnota|correctie|restitutie',
    // Nordic
    'kreditering|aterbetal|tilbagebetal|tilbakebetal|tilbagefor|tilbakefor|refusion|korrigering|rattelse|palautus|hyvitys',
    // Polish, Czech, Slovak, Hungarian, Romanian
    'zwrot|korekta|vracen|vraten|oprava|sztorno|visszateri|visszautal|jovairas|rambursare|corectie',
    // Baltic
    'tagastus|atgrieza|atmaksa|grazinim',
    // Turkish, Greek
    'iade|iptal|επιστροφ|αντιλογ',
    // Russian, Ukrainian, Bulgarian
    'возврат|сторно|отмена|повернення|корректиров|исправлен|връщан',
  ].join('|'),
  'u',
);
/** The same in scripts that do not separate words. */
const BACK_UNPARTED = /退款|退货|退貨|退回|冲正|沖正|冲账|红冲|返金|取消|환불|취소/;

/** Words for ordinary payments, which reverse nothing. */
const PAID =
  /(?:^| )(?:chq|cheques?|chk|check|scheck|assegno|ceki?|direct debit|standing order|lastschrift|dauerauftrag|prelevement|domiciliacion|(?:card |pos )?purchase|kartenzahlung|rent|miete|loyer|alquiler|affitto|huur|wages|salary|salaries|lohn|gehalt|salaires?|nomina|stipendi[oi]?)(?: |$)/;

/** Whether a text names an ordinary payment. */
export function saysPaid(text: string): boolean {
  return text.length <= LONGEST_TEXT && HAS_WORD.test(text) && PAID.test(normaliseHeader(text));
}

/** Whether a text says that money comes back, as a refund or a reversal does. */
export function saysMoneyBack(text: string): boolean {
  if (text.length > LONGEST_TEXT) return false;
  if (BACK_UNPARTED.test(text)) return true;
  return HAS_WORD.test(text) && BACK.test(normaliseHeader(text));
}

/** The same as `saysMoneyBack` for words that `normaliseHeader` returned. */
export function areOfMoneyBack(words: string): boolean {
  return BACK.test(words);
}
