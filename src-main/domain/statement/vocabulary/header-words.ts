import { isStatusHeader } from './booking.ts';
import { signInHeader } from './currencies.ts';
import { type HeaderMeaning, type Meaning, normaliseHeader } from './meaning.ts';

/** Headers that consist of a word for debit or credit. */
const LITERAL =
  /^(?:(?:amount|amt|value) )?(?:debits?|credits?|debet|kredit|debito|credito|soll|haben|dare|avere|debe|haber|debit|credit)(?: (?:amount|amt|value))?$/;

const PAID_IN =
  'paid in|money in|payment in|payments in|in|deposits?|deposited|receipts?|received|money received|inflows?|credits?|credited|increase|haben|gutschrift|gutschriften|einnahmen?|eingang|' +
  'einzahlung|zufluss|entrate|accredit[oi]|avere|ingresos?|abonos?|depositos?|consignaciones?|cobros?|accrediti|depots?|haber|entradas?|creditos?|crediti|bij|bijschrijving|ontvangen|kredit|wplywy?|przychod[yu]?|uznania|prijmy?|prijem|jovairas|bevetel|inn|inn pa konto|' +
  'ind|indsat|uplata|uplate|odobrenje|v dobro|masuk|kredit masuk|alacak|giris|gelen|ghi co|insattning|insattningar|insatt|panot?|tulot?|lodgements?|lodged|recettes?|encaissements?|credit euros|cr|kreedit|kredits|kreditas|abonaments?|ontvangsten|inkomsten|versements?|entrees?|zugang|inntekt|indtaegt|income|cash in|amount in|value in|additions?|incoming';
const PAID_OUT =
  'paid out|money out|payment out|payments out|out|withdrawals?|withdrawn|payments?|spent|money spent|outflows?|debits?|debited|debet|decrease|soll|belastung|belastungen|lastschrift|ausgaben?|ausgang|' +
  'auszahlung|abfluss|uscite|addebit[oi]|dare|gastos?|cargos?|pagos?|prelievi|debe|saidas?|debitos?|debiti|retiros?|af|afschrijving|uitgegeven|wyplywy?|wydatk(?:i|u|ow)?|rozchod[yu]?|obciazenia|vydaje|vydej|terheles|kiadas|ut|ud|ut (?:fra|av) konto|hevet|isplata|isplate|zaduzenje|v breme|keluar|borc|cikis|giden|ghi no|' +
  'uttag|otot?|menot?|depenses?|decaissements?|disbursements?|charges?|debit euros|dr|deebet|debets|debetas|carrecs?|uitgaven|retraits?|sorties?|abgang|utgift|udgift|expenses?|spending|cash out|amount out|value out|subtractions?|outgoing';
const MONEY =
  'amounts?|amt|betrag|bedrag|montant|importe|importo|valor|value|belop|belob|belopp|kwota|castka|osszeg|sum|sums|total|mutasi|so tien|phat sinh|tutari?';
const IN_WHOLE = new RegExp(`^(?:(?:${MONEY}|total|net|netto|gross|brutto) (?:de |du |der |des )?)?(?:${PAID_IN})(?: (?:${MONEY}))?$`);
const OUT_WHOLE = new RegExp(`^(?:(?:${MONEY}|total|net|netto|gross|brutto) (?:de |du |der |des )?)?(?:${PAID_OUT})(?: (?:${MONEY}))?$`);

const DATE_WORD =
  /(?:^|\s)(?:date|dates|data|fecha|dat|tag|day|pvm|tarih|tarihi|datuma|nap|datums|kuupaev|tanggal|tgl|tarikh|ngay|dia|dagsetning|created|posted)(?:\s|$)|(?:datum|dato|dag|tag|paiva|paivamaara|(?:kirjaus|arvo|maksu|tapahtuma)pv|napja|datumok)(?:\s|$)/;
const BOOKING_WORD =
  /book|posting|posted|post date|buchung|bokfor|bogfor|boek|konyvel|ksiegow|za?uct|contab|comptab|operaz|operac|operat|kirjaus|run date|registro|evidence/;
/** The day of the operation counts as the booking day where no other column is one. */
const OPERATION_WORD = /operaz|operac|operat|run date|registro/;
const VALUE_WORD = /valu|walut|valor|valeur|wert|rente|ertek|arvop[av]|vaartus|settlement|effective|interest/;
/** Names of the value day without a word for day. */
const BARE_VALUE = /^(?:wert|valuta|wertstellung|valute|value|valeur|valor|ertek\w*|vaartuspaev|valutadag|rantedag)$/;
/** Weakens a value day: it may be the settlement of a trade, or the day of effect. */
const VALUE_LESSENED = /settlement|effective|interest/;
/** The day of a document, which a ledger may post on another day. */
const DOCUMENT_WORD = /document|dokument|\bdoc\b|beleg|\bpiece\b|justificat|bilag|verifikat|tosite|bizonylat|doklad|belge|voucher/;
const OTHER_DATE =
  /birth|expir|due|start|inicio|inizio|debut|beginn|rozpoczec|zahajen|end|from|until|dispute|invoice|exported|statement|order|delivery|modified|update|fallig|maturity/;

const AMOUNT_WORD =
  /(?:^|\s)(?:amount|amounts|amt|montant|importe|importo|kwota|quantia|montante|valor|belop|belob|belopp|summa|sum|umsatz|castka|suma|iznos|osszeg|osszege|total|value|net|netto|gross|brutto|tutar|tutari|maara|cantidad|monto|jumlah|nominal|amaun|mutatie|so tien|znesek|upphaed|price)(?:\s|$)|(?:betrag|bedrag|belopp|belop|belob|summe)(?:\s|$)/;
const AMOUNT_LESSENED =
  /orig|puvod|povodn|oorspr|foreign|refund|convert|transfer|compens|(?<!(?:after|before|without|less|net of|excl|excluding|incl|including|minus|plus) )\bfees?\b|\btax|\bvat\b|disput|exchange|limit|fremd|urspr|commission|cash ?back|discount|instructed|minimum|accrued|ursprung|other|opposite|local|kurs|rate|gebuhr|spesen|base|mwst|\bdue\b|outstanding|remaining|unpaid|offen|\b(?:en|in|w) (?:devise|divisa|valuta|walucie|waluta)(?! (?:rachunku|konta|du compte|de compte|de la cuenta|del conto|rekening))/;
const AMOUNT_SURE = /^(?:(?:transaction|booking|posted|account|signed|net|buchungs|tranzakcio|transaktions|kontowahrung) )?\S+$/;

const BALANCE_WORD =
  /(?:^|\s)(?:balance|bal|saldo|saldi|solde|guthaben|egyenleg|zustatek|zostatok|bakiye|stanje|sold|baki|so du|stada|jaak|likutis|atlikums)(?:\s|$)|(?:kontostand|saldo)(?:\s|$)|stan konta|kontostand nach/;
const DIRECTION =
  /^(?:direction|d c|c d|d k|k d|wn ma|dc|cd|cr dr|dr cr|cr db|db cr|debit credit|credit debit|credit or debit|debit or credit|soll haben|haben soll|s h|af bij|bij af|sens|richtung|signo|segno|(?:(?:billing|transaction|txn) )?(?:amount )?sign|bevetel kiadas|inflow outflow|outflow inflow|in out|out in|i o|o i|money in out|flow|kind|cdi|cr dr indicator|debet credit|credit debet|debe haber|dare avere|cargo abono|debito credito|credito debito|deb cred|debet kreedit|deebet kreedit d c|debets kredits|debetas kreditas|income expense|expense income|borc alacak|duguje potrazuje|smer uhrady|naturaleza|debit kredit)$|indicator|cdtdbtind|debit credit/;
const TYPE = /^(?:(?:transaction|entry|posting|booking|payment|record|txn|trans) )?(?:type|typ|tipo|soort)$|^type (?:of )?transaction$/;
const CURRENCY =
  /^(?:(?:account|transaction|amount|booking|buchungs|payment|settlement|local|billing|posting|posted|card|home|base|net|gross|document) )?(?:currency|currency code|ccy|curr|munt|wahrung|waehrung|devise|divisa|moneda|moeda|valuta|waluta|mena|valiuta|valuuta|deviza|penznem|devizanem|devizaneme|valuut|para birimi|isocode|kontowahrung|valutakod|valutacode|muntcode)(?: (?:code|rekening|konta|uctu|du compte|de compte|compte))?$|wahrung$|waehrung$|devise du compte|devizanem/;
/** Whether a header names the currency of an amount other than the booked one. */
export function isCurrencyOfOther(header: string): boolean {
  return CURRENCY_LESSENED.test(headerWords(header));
}

/** Whether a header names an amount other than the booked one. */
export function isAmountOfOther(header: string): boolean {
  return AMOUNT_LESSENED.test(headerWords(header));
}

const CURRENCY_LESSENED = /gross|orig|puvod|povodn|oorspr|foreign|transfer|convert|fremd|amount currency|counter|instructed|balance|fee/;
const EXTERNAL_ID =
  /^(?:id|external id|fit ?id|(?:bank )?(?:transaction|txn|trx|trans|tx|tran|entry|record|line|payment|unique|balance transaction|unique transaction|statement line|ledger|journal line|posting)(?:s)? (?:id|identifier|uid|uuid|guid)|identificador|identificativo|identifiant|acct ?svcr ?ref|account servicer reference|uid|uuid|guid|transaktions ?id|id transa(?:ction|kcji|ccion|cao|zione)|transactie id|transaction (?:no|number|nr|num)|transaktionsnummer)$/;
const OWN_ACCOUNT =
  /^(?:account|account (?:name|number|no|id|iban)|iban|iban bban|konto|kontonummer|kontonr|rekeningnummer|rekening|numero de compte|compte|cuenta|conto|konto nr|uctu|szamlaszam|auftragskonto|iban auftragskonto)$/;

const DESCRIPTIONS: readonly (readonly [number, RegExp])[] = [
  [
    10,
    /^(?:description|descripcion|descrizione|descricao|beschreibung|omschrijving|transaktionsbeschreibung|transaction description|particulars|narrative|narration|verwendungszweck|historico|beskrivelse|beskrivning|leiras|tranzakcio leirasa|aciklama|keterangan|uraian|descriere|dien giai|noi dung|skyring|selgitus|paskirtis|opis placanja|svrha)$/,
  ],
  [
    9,
    /^(?:details?|transaction details?|label|libelle|concepto?|opis|opis operacji|tytul|popis|selite|omschrijving 1|forklaring|designation|remittance information|bokforingstext|tekst|texto|text|operation|descrizione operazione)$/,
  ],
  [
    8,
    /^(?:vwz ?1|reszletek|kozlemeny|detail|remarque|remarks?|particular|verwendungszweck 1|remittance.*|payment details|betreff|reason|comments?|original description)$/,
  ],
  [
    7,
    /descri|beschreib|omschrijv|narrat|verwendungszweck|particular|libelle|kommentar|^memo$|buchungstext|mededeling|communication|causale|^message|^action$|^zprava|^viesti/,
  ],
  [
    5,
    /^(?:payee|name|naam|nom|nombre|nome|counterparty|merchant|payee name|auftraggeber.*|empfanger.*|beneficiary|partner.*|naam tegenpartij|contact|customer|vendor|title|titel|notes?)$/,
  ],
];
const REFERENCES: readonly (readonly [number, RegExp])[] = [
  [
    10,
    /^(?:reference|ref|referencia|referenz|riferimento|referencja|viite|referens|reference (?:no|number|nr|num|id)|ref (?:no|number|nr|num))$/,
  ],
  [
    9,
    /^(?:(?:transaction|payment|bank|customer|client|your|our|end to end|sepa|entry|document|order|source|external|internal) (?:reference|ref)(?: (?:no|number|nr|id))?|transactiereferentie|zahlungsreferenz|kundenreferenz|betalingskenmerk|end ?to ?end ?id)$/,
  ],
  [
    8,
    /^(?:voucher|voucher (?:no|number|nr|id)|order|order (?:id|no|number|nr|ref)|invoice|invoice (?:no|number|nr|id|ref)|belegnummer|beleg|beleg nr|rechnungsnummer|rechnung|factura|facture|fattura|faktura|bill no)$/,
  ],
  [
    7,
    /^(?:document|document (?:no|number|nr|id)|doc (?:no|number|nr)|journal (?:no|number|id|ref)|receipt|receipt (?:no|number|id)|piece|num piece|variable symbol(?: 1)?|variabilni symbol|bilag|bilagsnr|verifikation|tegnnummer)$/,
  ],
  [
    6,
    /^(?:check|cheque) ?(?:no|number|nr|num)?$|^(?:batch|deposit|transfer|remittance|po|purchase order|source document|slip) ?(?:id|no|number|nr|ref|reference)?$|^buchungsreferenz$|^num$/,
  ],
  [4, /(?:^|\s)(?:reference|ref|referenz|referentie|referencia|voucher|invoice number|order id)(?:\s|$)/],
];

/** Longest cell that can be a header, in characters. */
const LONGEST_HEADER = 200;
const BRACKET = /[()[\]（）]/;
const LONGEST_UNIT = 4;

/** Returns the parts of a header with a short text in brackets at its end; null for any other header. */
function withUnit(header: string): { readonly words: string; readonly unit: string } | null {
  const text = header.trimEnd();
  if (!/[)\]）]$/.test(text)) return null;
  const opens = Math.max(text.lastIndexOf('('), text.lastIndexOf('['), text.lastIndexOf('（'));
  const words = text.slice(0, Math.max(0, opens)).trimEnd();
  const unit = text.slice(opens + 1, -1).trim();
  return words === '' || unit === '' || unit.length > LONGEST_UNIT || BRACKET.test(unit) ? null : { words, unit };
}

/** Returns the header's words without a currency code at either end: `Withdrawals (SGD)` -> `withdrawals`. */
export function headerWords(header: string): string {
  if (header.length > LONGEST_HEADER) return normaliseHeader(header);
  const bracketed = withUnit(header);
  const source = bracketed === null || saysDirection(bracketed.unit) ? header : bracketed.words;
  return normaliseHeader(source.replace(/(?<=[^\s_-])(?:[\s_-]+(?:in|en|i|w|v))?[\s_-]+[A-Z]{3}$/, '').replace(COLUMN_CODE, withoutCode));
}

/** A currency code as programs write it in the name of a column, such as `outflow_ils`. */
const COLUMN_CODE = /_([a-z]{3})$/;

function withoutCode(ending: string, code: string): string {
  return signInHeader(`x_${code.toUpperCase()}`) === null ? ending : '';
}

/** Whether a text in brackets is a direction rather than a unit, as in `Amount (Cr)`. */
function saysDirection(text: string): boolean {
  const words = normaliseHeader(text);
  return IN_WHOLE.test(words) || OUT_WHOLE.test(words) || meaningsInScripts(words).length > 0;
}

const BEFORE =
  /(?:^| )(?:before|vorher|vor|voor|begin|opening|initial|previous|avant|anterior|precedente|przed|pred|awal)(?: |$)|(?:begin|anfangs|start)saldo/;
const LOOSE = /availab|disponib|verfugbar|beschikbaar|dostepn|disponivel|tillgangl|可用|доступн|διαθεσιμ|זמינה|المتاح/;
const FEE =
  /^(?:(?:transaction|transfer|total|processing|paypal|bank|source|target|service|platform|payment|card) )?(?:fees?|gebuhr(?:en)?|entgelt|commissions?|frais|comision(?:es)?|comisso?es|comissao|commission[ei]|taxa|tarifa|kosten|prowizja|oplata|poplatek|poplatky|gebyr|avgift|provize|jutalek|手续费|手続料|手数料|комисси[яи]|комісі[яї])(?: amount|(?: and)? taxes)?$/;
const NET = /^(?:net|netto)(?: (?:amount|betrag|total))?$/;

/** Whether a header names the balance before the row. */
export function isBalanceBefore(header: string): boolean {
  return BEFORE.test(headerWords(header));
}

/** Whether a header names the available balance, which not only the rows change. */
export function isBalanceLoose(header: string): boolean {
  return LOOSE.test(headerWords(header));
}

/** Whether a column may name the products of a bank, that is pockets with a balance of their own. */
export function isPocket(header: string): boolean {
  return /^(?:product|produkt|produkti|produit|producto|produto|prodotto|pocket)$/.test(headerWords(header));
}

export function isFee(header: string): boolean {
  return FEE.test(headerWords(header));
}

/** Returns whether a header names the amount sent or the amount received of a transfer; null for any other header. */
export function sideOfTransfer(header: string): 'sent' | 'received' | null {
  const words = headerWords(header);
  if (!AMOUNT_WORD.test(words) || isFee(header)) return null;
  if (/^(?:source|sent|sending|send|from) /.test(words)) return 'sent';
  return /^(?:target|received|receiving|receive|to) /.test(words) ? 'received' : null;
}

/** Whether a header names amounts net of fees. */
export function isWithoutFees(header: string): boolean {
  return /^(?:net|netto)(?: |$)/.test(headerWords(header));
}

export function isNet(header: string): boolean {
  return NET.test(headerWords(header));
}

export function isLiteralDebitCredit(header: string): boolean {
  return LITERAL.test(headerWords(header));
}

/** Returns all possible meanings of a header. */
export function meaningsOf(header: string): readonly HeaderMeaning[] {
  const words = headerWords(header);
  if (words === '' || words.length > 60) return [];
  const found: HeaderMeaning[] = [];
  const add = (meaning: Meaning, rank: number): void => void found.push({ meaning, rank });
  const date = dateRank(words);
  if (date > 0) add('date', date);
  const valueDate = valueDateRank(words);
  if (valueDate > 0) add('value_date', valueDate);
  if (BALANCE_WORD.test(words) && !/transaction id/.test(words))
    add('balance', LOOSE.test(words) || /type/.test(words) ? 3 : BEFORE.test(words) ? 4 : 10);
  else if (IN_WHOLE.test(words)) add('paid_in', sideRank(words, /^(?:in|out|bij|ind|inn)$/));
  else if (OUT_WHOLE.test(words)) add('paid_out', sideRank(words, /^(?:out|af|ut|ud|charges?)$/));
  else if (AMOUNT_WORD.test(words)) add('amount', amountRank(words));
  if (DIRECTION.test(words)) add('direction', 10);
  else if (TYPE.test(words)) add('direction', 5);
  if (CURRENCY.test(words)) add('currency', CURRENCY_LESSENED.test(words) ? 4 : 10);
  if (EXTERNAL_ID.test(words)) add('external_id', words === 'id' ? 6 : 10);
  if (isStatusHeader(words)) add('status', 10);
  if (OWN_ACCOUNT.test(words)) add('account', 10);
  addRanked(found, 'description', DESCRIPTIONS, words);
  addRanked(found, 'reference', REFERENCES, words);
  for (const other of meaningsInScripts(words)) if (found.every(({ meaning }) => meaning !== other.meaning)) found.push(other);
  return found;
}

function addRanked(found: HeaderMeaning[], meaning: Meaning, table: readonly (readonly [number, RegExp])[], words: string): void {
  const row = table.find(([, pattern]) => pattern.test(words));
  if (row !== undefined) found.push({ meaning, rank: row[0] });
}

/** Returns the rank of a column of money in or out. Gross amounts rank lower, because the account moves by the net ones. */
function sideRank(words: string, unsure: RegExp): number {
  return /^(?:gross|brutto) /.test(words) ? 6 : unsure.test(words) ? 7 : 10;
}

function dateRank(words: string): number {
  if (/birth/.test(words)) return 0;
  const isValue = VALUE_WORD.test(words);
  if (!DATE_WORD.test(words))
    return isValue && BARE_VALUE.test(words)
      ? 4
      : BOOKING_WORD.test(words) && /^(?:buchung|posted|posting|booked(?: at| on)?|bogfort|bokfort|bokford|gebucht|geboekt)$/.test(words)
        ? 10
        : 0;
  if (isValue) return 5;
  if (BOOKING_WORD.test(words)) return OPERATION_WORD.test(words) ? 9 : 10;
  if (OTHER_DATE.test(words)) return 3;
  if (/^\S+$/.test(words)) return words === 'created' ? 7 : DOCUMENT_WORD.test(words) ? 8 : 9;
  return /transa|tranza|execu|trade|entry|umsatz/.test(words) ? 8 : 6;
}

/** Returns the rank of a header as a value date, 0 for none. The date of a document ranks low. */
function valueDateRank(words: string): number {
  if (/birth/.test(words)) return 0;
  if (VALUE_WORD.test(words)) return BARE_VALUE.test(words) || DATE_WORD.test(words) ? (VALUE_LESSENED.test(words) ? 8 : 10) : 0;
  return DOCUMENT_WORD.test(words) && DATE_WORD.test(words) && !OTHER_DATE.test(words) && !BOOKING_WORD.test(words) ? 5 : 0;
}

function amountRank(words: string): number {
  const lessened = AMOUNT_LESSENED.test(words) ? 6 : 0;
  if (/^(?:net|netto)(?: amount)?$/.test(words)) return 9;
  if (/gross|brutto/.test(words)) return 7 - lessened / 2;
  if (/(?:^| )price(?: |$)/.test(words)) return 1;
  if (/^(?:total|value|sum)$/.test(words)) return 6;
  return Math.max(1, (AMOUNT_SURE.test(words) ? 10 : 8) - lessened);
}

const VALUE_DAYS =
  '起算日 起息日 計息日 计息日 기산일 валютирования дата_валют вальор ημ_νια_αξιας ημερομηνια_αξιας ημ_νια_valeur ημερομηνια_valeur תאריך_ערך תאריך_הערך יום_ערך تاريخ_القيمة تاريخ_الحق วันที่มีผล';
const DOCUMENT_DAYS = '凭证日期 憑證日期 单据日期 單據日期 伝票日付 증빙일자 дата_документа תאריך_מסמך تاريخ_المستند';

/**
 * Words of headers in scripts other than Latin, as banks write them. The first fitting row of a meaning counts. The words match anywhere in a header,
 * because some of these scripts write no spaces.
 */
const WORDS: readonly (readonly [Meaning, number, string])[] = [
  ['date', 4, VALUE_DAYS],
  ['date', 6, DOCUMENT_DAYS],
  ['value_date', 10, VALUE_DAYS],
  ['value_date', 5, DOCUMENT_DAYS],
  [
    'date',
    9,
    '年月日 日付 取引日 お取引日 お取り引き日 利用日 交易日 记账日 入账日 記帳日 交易时间 日期 거래일 거래_일시 일자 날짜 дата датум ημερομηνια ημ_νια תאריך التاريخ تاريخ วันที่ วัน_เดือน',
  ],
  ['balance', 3, '可用余额 可用餘額 доступн διαθεσιμο יתרה_זמינה الرصيد_المتاح'],
  ['balance', 10, '残高 余额 餘額 结余 結餘 잔액 остаток остатък залишок салдо стање баланс υπολοιπο היתרה יתרה الرصيد ยอดคงเหลือ คงเหลือ'],
  ['amount', 9, '入出金 収支金額'],
  [
    'paid_in',
    10,
    '入金 収入 お預入れ お預け入れ 預入 預かり金額 お預り金額 收入 存入 贷方 貸方 转入 입금 맡기신금액 приход поступлен зачислен зарахуван надходжен кредит πιστωση καταθεσ בזכות זכות دائن ايداع إيداع ฝาก เงินเข้า',
  ],
  [
    'paid_out',
    10,
    '出金 お引出し お引き出し 引出 支払 お支払い 支出 支取 借方 转出 출금 찾으신금액 지급 расход списан видат списание дебет дебит χρεωση αναληψ בחובה חובה مدين سحب ถอน เงินออก',
  ],
  ['direction', 10, '收_支 收付 入払区分 収支区分 借贷 借貸 προσημο приход_расход дебет_кредит'],
  ['amount', 8, '金額 金额 거래금액 금액 сумма сума износ ποσο סכום المبلغ مبلغ จำนวนเงิน'],
  ['currency', 10, '通貨 币种 幣別 币别 货币 貨幣 통화 валюта νομισμα מטבע العملة สกุลเงิน'],
  [
    'description',
    9,
    '摘要 お取り扱い内容 取引内容 入出金内容 内容 交易摘要 摘由 附言 说明 說明 备注 적요 거래내용 описание назначен опис περιγραφη αιτιολογια תיאור פרטים البيان الوصف التفاصيل รายการ รายละเอียด',
  ],
  ['reference', 8, '参考 参照 交易单号 流水号 참조 референс אסמכתא المرجع'],
  ['status', 10, '状态 當前狀態 狀態 当前状态 交易状态 状況 ステータス 상태 статус состояние стан κατασταση סטטוס מצב الحالة حالة สถานะ'],
];

const PATTERNS = WORDS.map(([meaning, rank, words]) => ({
  meaning,
  rank,
  pattern: new RegExp(
    words
      .split(' ')
      .map((word) => normaliseHeader(word))
      .join('|'),
  ),
}));
/** Marks the booked amount or day, beside those of a payment elsewhere. */
const BOOKED = /入账|入帐|入帳|记账|记帐|記帳/;
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}]/u;
/** A header has at most one of these meanings. */
const SCRIPT_MONEY: ReadonlySet<Meaning> = new Set(['balance', 'paid_in', 'paid_out', 'amount', 'direction']);

/** Returns all possible meanings of a header in a script other than Latin; empty for a Latin one. */
function meaningsInScripts(words: string): readonly HeaderMeaning[] {
  if (!OTHER_SCRIPT.test(words)) return [];
  const found: HeaderMeaning[] = [];
  const isDirection = PATTERNS.some(({ meaning, pattern }) => meaning === 'direction' && pattern.test(words));
  for (const { meaning, rank, pattern } of PATTERNS) {
    if (!pattern.test(words) || found.some((one) => one.meaning === meaning)) continue;
    if (SCRIPT_MONEY.has(meaning) && (isDirection ? meaning !== 'direction' : found.some((one) => SCRIPT_MONEY.has(one.meaning)))) continue;
    found.push({ meaning, rank: BOOKED.test(words) ? rank + 1 : rank });
  }
  return found;
}
