import { normaliseHeader } from './meaning.ts';

const CREDIT_WORDS = new Set(
  'credit cr c k i inbound deposits cre entrate entradas ma einnahme einnahmen eingang zahlungseingang einzahlung zugang cred credits in inflow deposit h haben bij gutschrift kredit received income bevetel incoming avere entrata abono haber credito uznanie prijem crdt moneyin paidin credited receipt gutgeschrieben inkomst ingreso ingresso entrata entree entrada recette tulo pano ind inn indtaegt inntekt prichozi uplata odobrenje kreedit kredits kreditas masuk alacak abonament приход зачисление поступление кредит πιστωση π זכות دائن 收入 収入 入金 贷 貸 贷方 貸方 转入 轉入 存入 收 收款 입금'.split(
    ' ',
  ),
);
const DEBIT_WORDS = new Set(
  'debit dr d o outbound withdrawals uscite salidas wn deb ausgabe ausgaben ausgang zahlungsausgang auszahlung abgang abbuchung db debits out outflow withdrawal s soll af lastschrift belastung debet sent expense kiadas outgoing dare uscita cargo debe debito dbit moneyout paidout debited payment uitgave gasto sortie saida depense meno otto ud ut udgift utgift odchozi isplata zaduzenje deebet debets debetas keluar borc carrec расход списание дебет χρεωση χ חובה مدين 支出 出金 支払 借 借方 转出 轉出 支取 支 付款 출금'.split(
    ' ',
  ),
);

/** Most words in the cache; a file repeats the same words. */
const MAX_KNOWN_WORDS = 1_000;
const SHORT = 12;
const knownWords = new Map<string, 'credit' | 'debit' | null>();

/** Returns the direction that a cell of a direction column names, else null. */
export function directionWord(text: string): 'credit' | 'debit' | null {
  const known = knownWords.get(text);
  if (known !== undefined) return known;
  const found = directionOf(text);
  // A longer text may be a slice of the file's whole text, and a cached slice would keep all of it in memory.
  if (text.length <= SHORT) {
    if (knownWords.size >= MAX_KNOWN_WORDS) knownWords.clear();
    knownWords.set(text, found);
  }
  return found;
}

/** Words for a transfer between pockets of one account, which is neither money in nor money out. */
const NEITHER = new Set(['/', '不计收支', '不计', '中性交易', '中性', '其他', 'neutral', 'internal']);

/** A status that says the row gives money back. */
const REFUND_DONE = /^(?:退款成功|已退款|refund (?:successful|succeeded|completed?)|refunded)$/;

/** Whether the cell is `I` or `O`. These mean in and out only beside each other: `S` and `I` may be a sale and an invoice. */
export function isInOrOut(text: string): boolean {
  return /^[io]$/i.test(text);
}

/** Whether a row whose direction column names neither direction gives money back, by its status. */
export function isRefund(direction: string, status: string): boolean {
  return NEITHER.has(direction.toLowerCase()) && REFUND_DONE.test(normaliseHeader(status));
}

/** Whether a cell of a direction column names a direction, or names neither. */
export function saysDirectionOrNeither(text: string): boolean {
  return directionWord(text) !== null || NEITHER.has(text.toLowerCase());
}

function directionOf(text: string): 'credit' | 'debit' | null {
  if (text === '+') return 'credit';
  if (text === '-') return 'debit';
  const words = normaliseHeader(text);
  const together = ofWord(words.replaceAll(' ', ''));
  if (together !== null || !words.includes(' ')) return together;
  // One direction in two languages: `贷 Cr`.
  const [first = null, ...others] = words.split(' ').map(ofWord);
  return others.every((other) => other === first) ? first : null;
}

function ofWord(word: string): 'credit' | 'debit' | null {
  if (CREDIT_WORDS.has(word)) return 'credit';
  return DEBIT_WORDS.has(word) ? 'debit' : null;
}
