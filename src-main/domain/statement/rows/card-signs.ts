import { normaliseHeader } from '../vocabulary/meaning.ts';

/** Rows at the beginning whose texts are looked at. */
const MAX_ROWS_OF_TEXT = 1_000;
const LONGEST_TEXT = 80;
/** Least ratio of words for one reading to words for the other that decides. */
const CLEARLY_MORE = 3;
/** Least ratio of purchases to payments and refunds on a card. */
const MOSTLY_SPENT = 2;

const PURCHASE = /^(?:(?:card |pos |debit card )?purchase|kauf|einkauf|kartenkauf|achat|compra|acquisto|aankoop|kop)(?: |$)/;
const PAYMENT =
  /(?:payment|pymt|paiement|zahlung|pago|pagamento|pagamentos|betaling|betalning)s? |(?:platnosc|splat|platb|odeme|maksu|оплат|платеж)\p{L}{0,6} /u;
const THANKS =
  /thank you|merci|dank|received|recebido|recibido|ricevuto|erhalten|ontvangen|mottagen|tack|modtaget|takk|mottatt|recu|dziekujemy|otrzyman|dekujeme|prijat|tesekkur|alindi|kiitos|получен|спасибо|obrigado|gracias|grazie/;
const THANKS_FIRST =
  /^(?:(?:thank you|merci|danke|gracias|obrigado|grazie|tack|takk|tak|dziekujemy|dekujeme|kiitos|спасибо) .*(?:payment|paiement|zahlung|pago|pagamento|betal|wplat|platnosc|splat|platb|maksu|оплат|платеж)|pago recibido|hartelijk bedankt voor uw betaling)/;
/** How a card's bill is paid; a bank's customer may pay so as well. */
const BILL_PAID =
  /auto ?pay|automatic payment|e ?payment|(?:online|internet|web|mobile) (?:payment|pymt|pmt)|payment (?:online|web|phone|mobile)|prelevement automatique|reglement (?:de )?carte|ausgleich kartenkonto|pago domiciliado|addebito (?:rid|(?:in|su|sul) c ?c|(?:in|su|sul) conto)|automatische incasso|splata karty|autogiro/;
const CATEGORY = /^(?:(?:merchant|transaction|spending) )?(?:categor(?:y|ies|ie|ia|ias)|kategori(?:e|a|ja)?|rubri(?:que|k|ek))$/;
const SPENT_ON =
  /^(?:merchandise|restaurant|dining|food|grocer|supermark|supermarch|supermerc|gas|fuel|automotive|travel|hotel|airfare|airline|entertainment|shopping|services?|health|medical|pharmac|utilities|department store|home improvement|clothing|subscription|lebensmittel|gastronomie|tanken|reise|freizeit|kleidung|gesundheit|haushalt|alimenta|courses|carburant|voyage|loisirs|sante|habillement|gasolin|combustib|viajes|ocio|salud|ropa|compras|mercado|viagens|saude|lazer|ristorant|viaggi|svago|salute|abbigliamento|spesa|boodschappen|reizen|kleding|gezondheid|zakupy|jedzenie|paliwo|podroze|livsmedel|klader|resor|dagligvare|rejser|ruoka|akaryakit|seyahat)/;
const GIVEN_BACK =
  /^(?:payments?(?: and| et| y| e| und)? credits?|payments? credits?|credits?|merchant credits?|paiements? et credits?|pagos y abonos|abonos?|gutschrift(?:en)?|zahlung(?:en)? und gutschrift(?:en)?|crediti|accrediti|returns?|refunds?)$/;
const CARD =
  /(?:credit|charge) ?card|kreditkart|carte de credit|carte bancaire|tarjeta de credito|cartao de credito|carta di credito|creditcard|kred[ie]tt?kort|karta kredytowa|kreditni karta|kredi karti|luottokort|кредитн\p{L}{1,3} карт|mastercard|\bvisa\b|american express|\bamex\b|diners club/u;
const CARD_HEADER =
  /^(?:merchant(?: name| category| city| category code)?|mcc|cardholder(?: name)?|card ?member(?: name)?|kartennummer|karteninhaber(?:in)?|kaartnummer|kaarthouder|kortnummer|kortmedlem|kortin(?:ne)?havare|kortholder|kortindehaver)$|(?:^| )(?:card|karte|carte|tarjeta|cartao|carta|kaart|kort|karty|karta|kartu|kredi karti|kortin)(?: (?:no|number|member|holder|name|ending|type|nummer|namn)|$)/;
const KIND =
  /^(?:(?:transaction|trans|txn) )?type$|^(?:umsatz|transaktions)art$|^type (?:d operation|de transaction)$|^tipo(?: (?:de|di) \S+)?$/;
/** Words that a card uses for a purchase, and a shop for its takings. */
const SALE = /^(?:sale|sales draft|vente|venta|verkauf|vendita)$/;
const NO_SALE = /^(?:payment|return|refund|credit|paiement|pago|zahlung|pagamento|remboursement|devolucion|erstattung|rimborso)$/;
/** Columns of a shop's card takings, where positive amounts are money in. */
const TAKEN_BY_SHOP =
  /^(?:customer|payer|buyer|seller|payout|transfer|invoice|fee|net|(?:amount )?refunded|statement descriptor|captured|seller message)(?: |$)/;
const DAY_OF_PURCHASE = /^(?:trans(?:action)?|purchase) date$|^(?:kauf|beleg)datum$|^date d achat$|^fecha de compra$/;
const DAY_POSTED =
  /^post(?:ed|ing)? date$|^buchungsdatum$|^date de (?:comptabilisation|traitement)$|^fecha de (?:contabilizacion|registro)$/;

export interface CardSigns {
  /** `card`: positive amounts were spent; `open`: they may have been, and nothing decides. */
  readonly reading: 'card' | 'open' | 'account';
  /** True where only the majority of positive amounts suggests a card, and nothing contradicts it. */
  readonly isMostlyPositive: boolean;
  readonly examples: readonly { readonly row: number; readonly text: string; readonly isNegative: boolean }[];
}

/** Collects words that show whether positive amounts in a single amount column are purchases, as a card may write them. */
export class CardSignFacts {
  readonly #categories: readonly number[];
  readonly #headers: readonly string[];
  /** The columns of a card's table (it has two days) that call purchases sales. */
  readonly #kinds: readonly number[];
  #forCard = 0;
  #against = 0;
  #rows = 0;
  #positive = 0;
  #negative = 0;
  #billsPaid = 0;
  readonly #examples = new Map<boolean, CardSigns['examples'][number]>();

  constructor(headers: readonly string[]) {
    this.#headers = headers.map(normaliseHeader);
    this.#kinds = this.#hasBothDays ? this.#headers.flatMap((words, index) => (KIND.test(words) ? [index] : [])) : [];
    this.#categories = this.#headers.flatMap((words, index) => (CATEGORY.test(words) ? [index] : []));
  }

  add(row: number, cells: readonly string[], text: string, isNegative: boolean): void {
    if (isNegative) this.#negative += 1;
    else this.#positive += 1;
    if (!this.#examples.has(isNegative)) this.#examples.set(isNegative, { row, text, isNegative });
    if (this.#rows === MAX_ROWS_OF_TEXT) return;
    this.#rows += 1;
    for (const column of this.#categories) this.#addCategory(normaliseHeader(cells[column] ?? ''), isNegative);
    for (const column of this.#kinds) this.#addKind(normaliseHeader(cells[column] ?? ''), isNegative);
    let paysBill = false;
    for (const cell of cells) {
      if (cell.length > LONGEST_TEXT || !/\p{L}{3}/u.test(cell)) continue;
      const words = normaliseHeader(cell);
      if (PURCHASE.test(words) && !areOfMoneyBack(words)) this.#vote(!isNegative);
      else if (thanksForPayment(words)) this.#vote(isNegative);
      paysBill ||= isNegative && BILL_PAID.test(words);
    }
    if (paysBill) this.#billsPaid += 1;
  }

  #addCategory(words: string, isNegative: boolean): void {
    if (SPENT_ON.test(words)) this.#vote(!isNegative);
    else if (GIVEN_BACK.test(words)) this.#vote(isNegative);
  }

  #addKind(words: string, isNegative: boolean): void {
    if (SALE.test(words)) this.#vote(!isNegative);
    else if (NO_SALE.test(words)) this.#vote(isNegative);
  }

  #vote(isCard: boolean): void {
    if (isCard) this.#forCard += 1;
    else this.#against += 1;
  }

  /** `around`: the texts above the rows, and the name of the file. */
  decided(around: readonly string[]): CardSigns {
    const reading = this.#reading(around);
    const isUnsaid = reading === 'account' && this.#against === 0 && !this.#isOfShop;
    const isMostlyPositive = isUnsaid && this.#negative > 0 && this.#positive >= CLEARLY_MORE * this.#negative;
    return { reading, isMostlyPositive, examples: [...this.#examples.values()] };
  }

  get #isOfShop(): boolean {
    return this.#headers.some((words) => TAKEN_BY_SHOP.test(words));
  }

  get #hasBothDays(): boolean {
    return this.#headers.some((words) => DAY_OF_PURCHASE.test(words)) && this.#headers.some((words) => DAY_POSTED.test(words));
  }

  #reading(around: readonly string[]): CardSigns['reading'] {
    const [card, account] = [this.#forCard, this.#against];
    if (card > 0 && card >= CLEARLY_MORE * account) return 'card';
    if (account > 0) return card > account ? 'open' : 'account';
    const isMostlySpent = this.#positive >= MOSTLY_SPENT * Math.max(1, this.#negative);
    if (!isMostlySpent || this.#isOfShop) return 'account';
    const isNamed = this.#headers.some((words) => CARD_HEADER.test(words)) || around.some((text) => CARD.test(normaliseHeader(text)));
    if (isNamed) return 'open';
    return this.#negative > 0 && (this.#hasBothDays || this.#billsPaid === this.#negative) ? 'open' : 'account';
  }
}

function thanksForPayment(words: string): boolean {
  const payment = PAYMENT.exec(words);
  return THANKS_FIRST.test(words) || (payment !== null && THANKS.test(words.slice(payment.index + payment[0].length)));
}

/** In a longer text a single word does not decide. */

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
function areOfMoneyBack(words: string): boolean {
  return BACK.test(words);
}
