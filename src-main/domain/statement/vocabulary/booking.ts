import { normaliseHeader } from './plain-words.ts';

/** What a row that is no transaction of the account is: one that the bank books later, or one that it never booked. */
export type Unbooked = 'pending' | 'never';

const PENDING =
  /^(?:pending|in progress|processing|uncleared|authori[sz]ed|vorgemerkt|vormerkung|offen|ausstehend|en attente|en cours|a venir|pendiente|pendente|in sospeso|in attesa|da contabilizzare|in behandeling|gereserveerd|afventer|venter|vantar|reserverad|reservert|reserveret|varattu|katevaraus|oczekujaca|w toku|blokada|cekajici|blokace|в обработке|ожидает|待支付|等待付款|处理中|處理中|待入账|未入账)$/;
const NEVER =
  /^(?:declined|failed|failure|rejected|refused|denied|reverted|revertid[oa]|annul[ée]e?|zuruckgesetzt|cofniet[aey]|cancell?ed|expired|void(?:ed)?|abgelehnt|fehlgeschlagen|abgebrochen|geweigerd|afgewezen|mislukt|geannuleerd|refuse|rejete|annule|echoue|rechazad[oa]|fallid[oa]|cancelad[oa]|anulad[oa]|recusad[oa]|rifiutat[oa]|annullat[oa]|fallit[oa]|odrzucon[aey]|anulowan[aey]|zamitnut[aoy]|avvisad|nekad|afvist|hylatty|отклонен[ао]?|отменен[ао]?|неуспешно|(?:交易|支付|付款)?(?:失败|失敗|关闭|關閉)|已?(?:撤销|撤銷|取消|关闭)|取消済)$/;
/** A file says the same few words over and over. */
const MAX_KNOWN = 1_000;
const LONGEST = 24;
const known = new Map<string, Unbooked | null>();

/** What a status, or what stands in place of a date, says of the booking. */
export function bookingOf(text: string): Unbooked | null {
  if (text === '' || text.length > LONGEST) return null;
  const before = known.get(text);
  if (before !== undefined) return before;
  const words = normaliseHeader(text);
  const found = PENDING.test(words) ? 'pending' : NEVER.test(words) ? 'never' : null;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, found);
  return found;
}

/** Whether a row was never booked, by its status, or has no date since it is not booked yet. */
export function unbookedOf(status: string, date: string, hasDate: boolean): Unbooked | null {
  const said = bookingOf(status);
  if (hasDate || said === 'never') return said === 'never' ? 'never' : null;
  return said ?? bookingOf(date);
}
