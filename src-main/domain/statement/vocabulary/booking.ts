import { normaliseHeader } from './meaning.ts';

/** The reason why a row is no transaction of the account: the bank books it later, or never does. */
export type Unbooked = 'pending' | 'never';
/** Meaning of a status. `waits`: not booked, or not paid yet, which invoices say as well; `paid`: a word of invoices only. */
export type Booking = Unbooked | 'waits' | 'booked' | 'paid';

/** Returns a set of entries of one or several words, in the form of headers. */
function entries(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split('|')).map(normaliseHeader));
}

/** Only banks use these, for what they have not booked. */
const PENDING = entries(
  'pending|uncleared|authorized|authorised|authorization|authorisation|preauthorized|preauthorised|pre-authorized|pre-authorised|pre-authorization|pre-authorisation|hold|held|temporary hold|not posted|not yet posted|unposted|not booked|not yet booked|unbooked|unsettled|not settled|not yet settled|awaiting posting|awaiting settlement|memo posted|memo post|soft posted|reserved|placed',
  'vorgemerkt|vorgemerkte|vormerkung|vormerkungen|vorgemerkt und nicht gebucht|zur buchung vorgemerkt|nicht gebucht|noch nicht gebucht|ungebucht|ungebuchte|nicht verbucht|noch nicht verbucht|reserviert|autorisiert|autorisierung|schwebend',
  'à venir|autorisé|autorisée|non comptabilisé|non comptabilisée|non comptabilisées|non comptabilisés|à comptabiliser|en attente de comptabilisation|en cours de comptabilisation|préautorisation',
  'pendiente de contabilizar|pendiente de liquidar|pendiente de cargo|pendiente de abono|no contabilizado|no contabilizada|no contabilizados|no contabilizadas|retenido|retenida|retención|autorizado|autorizada|autorización|preautorización',
  'por contabilizar|não contabilizado|não processado|a processar|autorização|pré-autorização|cativo|cativa|cativos|lançamento futuro|lançamentos futuros|retido|bloqueado',
  'da contabilizzare|non contabilizzato|non contabilizzata|non contabilizzati|non contabilizzate|autorizzato|autorizzata|autorizzazione|preautorizzazione|prenotato|prenotata',
  'gereserveerd|gereserveerde|reservering|reserveringen|niet geboekt|nog niet geboekt|nog te boeken|geautoriseerd|autorisatie',
  'reserverad|reserverade|reserverat|ej bokförd|ej bokfört|ej bokförda|preliminär|auktoriserad|reservert|reserverte|ikke bokført|reservasjon|reservasjoner|autorisert|reserveret|reserverede|ikke bogført|reservation|reservationer|autoriseret',
  'varattu|katevaraus|katevaraukset|kirjaamaton|kirjaamattomat|ei kirjattu|frátekið|fráteknar|óbókað|óbókaðar',
  'broneeritud|broneering|broneeringud|kinnipeetud|rezervēts|rezervēta|rezervēti|rezervācija|rezervācijas|rezervuota|rezervuotas|rezervavimas|rezervacijos',
  'blokada|blokady|blokada środków|zablokowana|zablokowane|nierozliczona|nierozliczone|nierozliczony|niezaksięgowana|niezaksięgowane|do rozliczenia|autoryzacja|autoryzowana|rezerwacja',
  'blokace|blokováno|nezaúčtováno|nezaúčtovaná|nezaúčtované|čeká na zaúčtování|rezervováno|rezervace|autorizováno|autorizace|předautorizace|čekající',
  'blokácia|blokované|nezaúčtované|nezaúčtovaná|čaká na zaúčtovanie|rezervácia|autorizovaná|autorizácia|čakajúca|čakajúce',
  'függőben|függő|zárolt|zárolás|zárolva|nem könyvelt|könyveletlen|foglalás|előjegyzett|blocat|blocată|rezervat|rezervată|nedecontat|nedecontată|în curs de decontare|preautorizare',
  'provizyon|provizyonda|bloke|blokeli|tertahan|ditahan|otorisasi|tạm giữ|chờ hạch toán|phong tỏa',
  'rezervirano|rezervirana|rezervisano|rezervacija|rezervacije|neproknjiženo|neproknjižene|neknjiženo|autorizirano|autorizacija|avtorizirano|avtorizacija|retingut|pendent de comptabilitzar',
  'в обработке|авторизация|авторизован|авторизована|авторизовано|холд|удержано|заблокировано|зарезервировано|не проведено|не проведена|непроведено|в обробці|авторизація|заблоковано|зарезервовано|утримано|блокирана|блокирано|неосчетоводена|резервисано',
  'δεσμευμένο|δεσμευμένη|δέσμευση|προέγκριση|μη λογιστικοποιημένη|טרם נקלט|לא נקלט|עתידי|עתידית|עתידיות|محجوز|محجوزة|غير مرحل|غير مرحلة|تحت التسوية|รอตัดบัญชี|อายัด',
  '待支付|等待付款|待入账|待入賬|待入帳|未入账|未入賬|未入帳|未记账|未記帳|待结算|待結算|待清算|未结算|未結算|预授权|預授權|已授权|已授權|冻结|凍結|未確定|保留|保留中|未決済|オーソリ|未反映|速報|仮売上|未計上|보류|보류중|미확정|가승인|미매입|승인대기',
);
/** Unpaid invoices and undelivered orders use these as well. */
const WAITS = entries(
  'in progress|in process|processing|on hold|scheduled|upcoming|planned|future dated|submitted|initiated|in transit',
  'offen|ausstehend|in bearbeitung|in ausführung|geplant|terminiert|en attente|en cours|en cours de traitement|en instance|en suspens|programmé|programmée|planifié',
  'pendiente|pendientes|en proceso|en curso|en trámite|en espera|en tránsito|programado|programada|pendente|pendentes|em processamento|em andamento|em espera|em aberto|agendado|agendada|pendent|pendents|en curs',
  'in sospeso|in attesa|in corso|in elaborazione|in lavorazione|in behandeling|in afwachting|lopend|gepland|afventer|afventende|venter|under behandling|avventer|väntar|väntande|kommande|kommende|på väg',
  'odottaa|odottava|odottavat|käsittelyssä|vireillä|í bið|í vinnslu|ootel|töötlemisel|gaida|apstrādē|laukiama|laukia|vykdoma|apdorojama',
  'oczekująca|oczekujące|oczekujący|oczekuje|w toku|w trakcie realizacji|w realizacji|zaplanowana|čeká|zpracovává se|čaká|spracováva sa|várakozik|feldolgozás alatt|folyamatban|în așteptare|în curs|în procesare',
  'beklemede|bekliyor|bekleyen|onay bekliyor|işleniyor|tertunda|menunggu|dalam proses|diproses|dalam pemprosesan|đang chờ|chờ xử lý|đang xử lý|đang chờ xử lý|na čekanju|u obradi|u tijeku|u toku|v obdelavi|v teku|v čakanju|na čakanju',
  'ожидает|ожидающие|в ожидании|ожидание|в процессе|обрабатывается|отложено|очікує|очікується|в очікуванні|обробляється|чакащ|чакаща|чакащо|чакащи|в процес|в обработка|изчакваща|на чекању|у обради|у току',
  'εκκρεμεί|εκκρεμής|εκκρεμείς|σε εκκρεμότητα|σε εξέλιξη|υπό επεξεργασία|ממתין|ממתינה|ממתינות|בתהליך|בהמתנה|בעיבוד|معلق|معلقة|المعلقة|قيد الانتظار|قيد المعالجة|قيد التنفيذ|بانتظار|รอ|รอดำเนินการ|กำลังดำเนินการ|รอตรวจสอบ',
  '处理中|處理中|待处理|待處理|待确认|待確認|进行中|進行中|交易进行中|在途|待付款|待收款|処理中|予約|未処理|審査中|대기|대기중|대기 중|처리중|처리 중|진행중|진행 중|예정|미처리',
);
/** Banks and ledgers use these for booked entries. */
const BOOKED_BY_BANK = entries(
  'posted|booked|cleared|settled|gebucht|verbucht|comptabilisé|comptabilisée|contabilizado|contabilizada|contabilizzato|contabilizzata|lançado|geboekt|bogført|bokført|bokförd|bokfört|kirjattu|bókað|zaksięgowana|zaksięgowane|zaksięgowano|zaúčtováno|zaúčtované|zaúčtovaná|könyvelt|lekönyvelt|proknjiženo|knjiženo|înregistrat|decontat|проведено|проведена|осчетоводена|прокњижено|נרשם|نرحل|مرحل|已入账|已入賬|已入帳|記帳済|계상',
);
const BOOKED = entries(
  'refunded|partially refunded|returned|reversed|credited|debited|captured|succeeded|accepted|active|ok|reconciled|unreconciled|matched|unmatched|退款成功|已退款|已全额退款',
  'completed|complete|processed|executed|done|success|successful|confirmed|approved|final|abgeschlossen|ausgeführt|erfolgreich|effectué|effectuée|exécuté|exécutée|traité|traitée|terminé|terminée|validé|validée|completado|completada|liquidado|liquidada|ejecutado|ejecutada|procesado|procesada|aplicado|aplicada|realizado|realizada|confirmado|confirmada|concluído|concluída|efetuado|efetuada|efetivado|efetivada|processado|processada|completato|completata|eseguito|eseguita|regolato|concluso',
  'verwerkt|voltooid|uitgevoerd|afgerond|gennemført|afsluttet|gjennomført|fullført|genomförd|slutförd|suoritettu|toteutunut|lokið|teostatud|tehtud|izpildīts|įvykdyta|atlikta|zrealizowana|zrealizowane|wykonana|wykonane|rozliczona|rozliczone|zakończona|provedeno|dokončeno|realizováno|spracované|realizované|teljesített|teljesült|executat|procesat|finalizat|efectuat|tamamlandı|gerçekleşti|işlendi|berhasil|selesai|sukses|berjaya|hoàn thành|thành công|izvršeno|izvedeno',
  'выполнено|выполнен|выполнена|исполнено|исполнен|завершено|завершен|завершена|успешно|виконано|завършено|извршено|ολοκληρώθηκε|ολοκληρωμένη|εκτελέστηκε|εκτελεσμένη|בוצע|הושלם|مكتمل|مكتملة|منفذ|منفذة|تمت|สำเร็จ|เสร็จสิ้น|交易成功|支付成功|成功|已完成|完了|確定|済|완료|정상|승인',
);
/** Only invoices use these. */
const PAID = entries(
  'paid|unpaid|partially paid|part paid|overdue|past due|open|closed|sent|draft|issued|outstanding|bezahlt|unbezahlt|teilbezahlt|überfällig|erledigt|gemahnt|payé|payée|impayé|impayée|en retard|pagado|pagada|impagado|vencido|vencida|pago|paga|vencido|pagato|pagata|scaduto|insoluto|betaald|onbetaald|achterstallig|betalt|forfalden|forfalt|betald|förfallen|maksettu|erääntynyt|zapłacona|opłacona|nieopłacona|przeterminowana|zaplaceno|uhrazeno|po splatnosti|uhradená|kifizetve|plătit|ödendi|lunas|plaćeno|оплачено|оплачен|оплачена|просрочено|просрочен|сплачено|πληρωμένο|שולם|مدفوع|已付款|已支付|支払済|결제완료',
);
const NEVER =
  /^(?:declined|failed|failure|rejected|refused|denied|reverted|revertid[oa]|annul[ée]e?|zuruckgesetzt|cofniet[aey]|cancell?ed|expired|void(?:ed)?|abgelehnt|fehlgeschlagen|abgebrochen|geweigerd|afgewezen|mislukt|geannuleerd|refuse|rejete|annule|echoue|rechazad[oa]|fallid[oa]|cancelad[oa]|anulad[oa]|recusad[oa]|rifiutat[oa]|annullat[oa]|fallit[oa]|odrzucon[aey]|anulowan[aey]|zamitnut[aoy]|avvisad|nekad|afvist|hylatty|отклонен[ао]?|отменен[ао]?|неуспешно|(?:交易|支付|付款)?(?:失败|失敗|关闭|關閉)|已?(?:撤销|撤銷|取消|关闭)|取消済)$/;

/** Names of transactions. They may accompany a status and do not change its meaning. */
const NOUNS = entries(
  'transaction|transactions|payment|payments|purchase|purchases|activity|charge|charges|charge(s)|debit|credit|amount|items|entries|umsatz|umsätze|umsätzen|buchung|buchungen|zahlung|zahlungen|transaktion|transaktionen|opération|opérations|mouvements|paiement|paiements|écritures|movimiento|movimientos|operación|operaciones|transacción|transacciones|pago|pagos|movimento|movimentos|transação|transações|operação|operações|lançamentos|operazione|operazioni|movimenti|transazione|transazioni|transactie|transacties|betalingen|boekingen',
  'transaktioner|transaksjon|transaksjoner|posteringer|poster|händelser|betalinger|bevægelser|tapahtuma|tapahtumat|maksut|færslur|tehing|tehingud|darījums|darījumi|operacija|operacijos|operacje|operacja|transakcja|transakcje|płatności|transakce|platba|platby|pohyby|transakcie|tételek|tranzakciók|tranzakció|tranzacții|tranzacție|tranzacţii|işlem|işlemler|transaksi|giao dịch|transakcije|transakcija|promet|операция|операции|операция по карте|операції|транзакции|трансакције|транзакции|движения|συναλλαγή|συναλλαγές|κινήσεις|תנועה|תנועות|עסקאות|עסקה|معاملة|معاملات|العمليات|عمليات|รายการ|交易|明細|明细|のご利用|ご利用|ご利用明細|거래|내역|거래내역',
  'amounts|funds|balance|entry|item|booking|betrag|beträge|posten|montant|montants|solde|écriture|importe|importes|cargo|cargos|apunte|asiento|importo|importi|addebito|spesa|spese|bedrag|bedragen|belopp|köp|uttag|händelse|beløb|køb|beløp|kjøp|bevægelse|postering|kwota|kwoty|środki|środków|zakup|valor|valores|compra|compras|lançamento|achat|achats|acquisto|acquisti|aankoop|boeking|částka|suma|összeg|сумма|средства|summa',
);
/** Words without a meaning of their own. */
const FILLERS = entries(
  'the|your|my|all|recent|latest|card|account|as|of|on|at|to|date|status|der|die|das|des|de|la|le|les|los|las|da|do|di|in|und|and|y|et|e|i|konto|karte|carte|tarjeta|since|last|statement|list',
);
/** Texts that say that a section is empty. */
const NOTHING =
  /^(?:none|no|keine?|aucune?|ningun[oa]?|nenhum[a]?|nessun[oa]?|geen|ingen|inga|brak|zadne|ziadne|nincs|ei|nu exista|yok|нет|немає|няма|なし|无|無|없음)(?: .*)?$/;

/** Most cached texts. A file repeats a small number of them. */
const MAX_KNOWN = 1_000;
const LONGEST = 48;
const known = new Map<string, Booking | null>();

/** Returns the meaning of a status, or of a text in place of a date; null for a text without one. */
export function bookingOf(text: string): Booking | null {
  if (text === '' || text.length > LONGEST) return null;
  const before = known.get(text);
  if (before !== undefined) return before;
  const words = normaliseHeader(text);
  const found = bookingIn(words) ?? bookingIn(without(words, NOUNS));
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, found);
  return found;
}

function bookingIn(words: string): Booking | null {
  if (words === '') return null;
  if (PENDING.has(words)) return 'pending';
  if (WAITS.has(words)) return 'waits';
  if (NEVER.test(words)) return 'never';
  if (PAID.has(words)) return 'paid';
  return BOOKED.has(words) || BOOKED_BY_BANK.has(words) ? 'booked' : null;
}

function without(words: string, ...left: readonly ReadonlySet<string>[]): string {
  const kept = words.split(' ').filter((word) => !left.some((set) => set.has(word)));
  return kept.join(' ');
}

/** Whether a status means that a bank or a ledger has booked the row. */
export function saysBookedByBank(text: string): boolean {
  return text.length <= LONGEST && BOOKED_BY_BANK.has(without(normaliseHeader(text), NOUNS));
}

/** Whether a text means that a row is not booked or not paid yet. */
export function saysPending(text: string): boolean {
  const said = bookingOf(text);
  return said === 'pending' || said === 'waits';
}

/**
 * Returns why a row is no transaction: its status says that it was never booked, or it has no date because it is not booked yet. Null for a
 * transaction.
 */
export function unbookedOf(status: string, date: string, hasDate: boolean): Unbooked | null {
  const said = bookingOf(status);
  if (said === 'never') return 'never';
  if (hasDate) return null;
  if (saysPending(status)) return 'pending';
  return saysPending(date) ? 'pending' : bookingOf(date) === 'never' ? 'never' : null;
}

const AUTHORISATION =
  /^(?:pre|re|vor|karten|zahlungs|betalings|kort|kart)? ?(?:auth?ori[sz](?:ation|ierung|atie|ering|acion|acao|ace|acia|acja|acija|are)|autorizzazione|auktorisering|авторизация|авторизація|预授权|預授權)$/;
/** Words that qualify an authorisation. */
const OF_AUTHORISATIONS = entries(
  'general|générale|generell|genel|geral|genérica|generale|generico|allgemeine|algemene|ogólna|allmän|almindelig|obecná|card|carte|karte|kaart|carta|tarjeta|cartão|kort|open|online|kredit|debit|credit|account|of|for|de|du|la|le|da|di|do|van|för|af|на|для',
);

/** Whether the kind of a row is the authorisation of a payment. The payment itself is booked as a row of its own. */
export function isAuthorisation(kind: string): boolean {
  return kind.length <= LONGEST && AUTHORISATION.test(without(normaliseHeader(kind), OF_AUTHORISATIONS, NOUNS));
}

/** Matches the prefix of a description, as in `PENDING - Shop` or `[vorgemerkt] Shop`. */
const IN_FRONT = /^[\s*[(<]*(\p{L}[\p{L} ]{3,30}?)\s*[\])>*:|\u2013\u2014-]\s*\S/u;
/** Words for pending rows that begin no description of another meaning. */
const SAID_IN_FRONT =
  /^(?:pending|uncleared|unposted|not (?:yet )?(?:posted|booked)|vorgemerkt|nicht gebucht|en attente|non comptabilisee?|pendiente|no contabilizad[oa]|pendente|nao contabilizado|in sospeso|in attesa|(?:non|da) contabilizza(?:to|re)|gereserveerd|niet geboekt|reserver(?:ad|at|et|t)|ej bokfor[dt]|ikke (?:bogfort|bokfort)|oczekujac[aey]|blokada|niezaksiegowan[ae]|katevaraus|nezauctovan[oea]|fuggoben|в обработке)$/;

/** Returns the status that a prefix of a description gives; null where there is none. */
export function bookingInFront(description: string): 'pending' | 'waits' | null {
  const words = normaliseHeader(IN_FRONT.exec(description)?.[1] ?? '');
  if (words === '' || ![words, without(words, NOUNS)].some((one) => SAID_IN_FRONT.test(one))) return null;
  const said = bookingOf(words);
  return said === 'pending' || said === 'waits' ? said : null;
}

/** Returns whether the rows below a title are pending or booked; null for a text that is no title. */
export function sectionOf(title: string): 'pending' | 'booked' | null {
  if (title.length > LONGEST) return null;
  const words = normaliseHeader(title)
    .replaceAll(/(?<= |^)\d+(?= |$)/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (NOTHING.test(words)) return 'booked';
  const all = [words, without(words, NOUNS), without(words, FILLERS), without(words, NOUNS, FILLERS)];
  if (all.some((one) => PENDING.has(one) || WAITS.has(one))) return 'pending';
  // Any other title of transactions begins booked rows.
  const isOfOthers = words.split(' ').some((word) => NOUNS.has(word)) || all.some((one) => BOOKED.has(one) || BOOKED_BY_BANK.has(one));
  return isOfOthers ? 'booked' : null;
}

const STATUS =
  /^(?:pending|posted|booked|booking state|posting state|(?:(?:transaction|payment|booking|posting|posted|card|settlement|clearing|entry|txn|trans|current|processing) )?(?:status|state)|(?:umsatz|buchungs?|zahlungs|transaktions|auftrags|verarbeitungs|bearbeitungs) ?status|status (?:der|des|de la|de l|du|del|della|dell|van de|da|do|of|av|transakcji|operacji|platby|transakce|transakcie|prometa|transakcije|operatsii)(?: .*)?|stato|estado|estatus|situacao|situacion|situation|etat|(?:stato|estado|situacao|estatus|etat|statut|estat) (?:de |del |della |dell |da |do |du |la |l )*\S+|statut|statuts|estat|tila|tapahtuman tila|kirjauksen tila|stada|stav|stav (?:platby|transakce|transakcie|uctovania|zauctovani)|allapot|tranzakcio allapota|statusz|stan|stan (?:operacji|transakcji)|stare|starea|starea tranzactiei|durum|durumu|islem durumu|trang thai|olek|staatus|busena|statuss|statusas|stanje transakcije|transaktionsstatus|transaksjonsstatus|bokforingsstatus|bogforingsstatus|betalingsstatus|transactiestatus|boekingsstatus)$/;

/** Whether a header in normalised words names the status of a row. */
export function isStatusHeader(words: string): boolean {
  return STATUS.test(words) || headerOfYesAndNo(words) !== null;
}

/** Ledgers use these headers for whether an entry cleared at the bank. */
const OF_LEDGERS: ReadonlySet<string> = new Set(['cleared', 'settled']);
const YES = /^(?:yes|y|true|1|x|ja|j|oui|o|si|s|sim|tak|t|ano|igen|evet|kylla|да)$/;
const NO = /^(?:no|n|false|0|nein|non|nao|nee|nej|nei|nie|ne|nem|hayir|ei|нет)$/;

/** Returns the meaning of a yes in a column with a header such as `Pending` or `Booked`, in any language; null for any other header. */
function headerOfYesAndNo(words: string): 'pending' | 'booked' | null {
  const own = words.replace(/^is /, '');
  if (own === 'pending' || SAID_IN_FRONT.test(own)) return 'pending';
  return BOOKED_BY_BANK.has(own) && !OF_LEDGERS.has(own) ? 'booked' : null;
}

/** Returns the status that a yes or no gives in a column with a header such as `Pending` or `Booked`; null for any other header or cell. */
export function saysByHeader(words: string, cell: string): 'pending' | 'booked' | null {
  const yes = headerOfYesAndNo(words);
  if (yes === null) return null;
  const said = normaliseHeader(cell);
  if (YES.test(said)) return yes;
  if (!NO.test(said)) return null;
  return yes === 'pending' ? 'booked' : 'pending';
}
