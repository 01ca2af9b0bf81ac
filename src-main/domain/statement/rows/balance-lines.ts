import { amountShape, type AmountShape } from '../cells/amounts.ts';
import { dateShape } from '../cells/dates.ts';
import type { MoneyColumns } from '../columns/money-columns.ts';
import type { GridRow } from '../model/grid-row.ts';
import { normaliseHeader } from '../vocabulary/meaning.ts';

/** `current`: a balance without a word for its time; its position decides. */
type BalanceKind = 'opening' | 'closing' | 'current';

/** A row of the file that states a balance and is not a transaction. */
export interface BalanceLine {
  readonly kind: BalanceKind;
  readonly row: number;
  readonly shape: AmountShape;
  /** All cells of the row. */
  readonly cells: readonly string[];
}

export const OPENING =
  /open(?:ing)? (?:ledger |book |account )?balance|balance (?:brought forward|b f|b fwd|bfwd|bf|forward|at (?:the )?(?:start|beginning)|on opening)|(?:start|starting|beginning|initial|previous|prior) (?:of period )?balance|balance at start|brought forward|anfangs(?:saldo|bestand)|alter (?:konto ?stand|saldo)|(?:konto ?stand|saldo) alt(?= |$)|startsaldo|eroffnungssaldo|ubertrag|saldo vortrag|saldovortrag|beginsaldo|vorige saldo|solde (?:initial|d ouverture|precedent|anterieur|au debut|en debut)|ancien solde|report a nouveau|saldo (?:inicial|anterior|iniziale|precedente|poczatkowe|de apertura|d apertura)|ingaende (?:saldo|balans)|inngaende saldo|primosaldo|nyito ?egyenleg|pocatecni zustatek|alkusaldo|saldo przed|acilis bakiyesi|algsaldo|algjaak|saldo awal|so du dau|sakuma atlikums|(?:likutis (?:laikotarpio )?pradziai|pradinis likutis)|входящий остаток|начальный остаток/;
export const CLOSING =
  /clos(?:e|ing) (?:ledger |book |account )?balance|balance (?:carried forward|c f|c fwd|cfwd|at (?:the )?(?:end|close)|carried down)|(?:end|ending|final|new) (?:of period )?balance|balance at end|carried forward|ledger balance|end(?:saldo|bestand)|neuer (?:konto ?stand|saldo)|(?:konto ?stand|saldo) neu(?= |$)|schluss(?:saldo|bestand)|abschlusssaldo|eindsaldo|nieuw saldo|solde (?:final|de cloture|de fin|en fin|a la fin)|nouveau solde|saldo (?:final|finale|koncowe|de cierre|actual|de fechamento)|utgaende (?:saldo|balans)|ultimosaldo|zaro ?egyenleg|konecny zustatek|loppusaldo|kapanis bakiyesi|loppsaldo|loppjaak|saldo akhir|so du cuoi|beigu atlikums|(?:likutis (?:laikotarpio )?pabaigai|galutinis likutis)|исходящий остаток|конечный остаток/;
/** Short names of a balance. They count as whole cells, and only in a row without an amount. */
const OPENING_ALONE =
  /^(?:opening|opening bal|(?:bal|balance) ?b ?f|b ?f(?:wd)?|bal(?:ance)? fwd|eroffnung|vortrag|ouverture|apertura|abertura)$/;
const CLOSING_ALONE = /^(?:closing|closing bal|(?:bal|balance) ?c ?f|c ?f(?:wd)?|abschluss|cloture|cierre|chiusura|fechamento)$/;
const CURRENT =
  /^(?:account |current |book )?balance(?: (?:as of|as at|at|on|of account))?(?: \d.*)?$|^(?:letzter |aktueller )?(?:konto ?stand|saldo)(?: (?:am|vom|per|zum|op|al|au|a|na))?(?: \d.*)?$|^solde(?: (?:au|actuel|comptable|le|du compte|euros?|en euros?))?(?: \d.*)?$|^(?:egyenleg|zustatek|bakiye|guthaben|saldo aktualne|saldo contabile|saldo contable|saldo (?:final |atual |actual )?(?:do|del) dia|saldo (?:parcial|em conta(?: corrente)?))(?: \d.*)?$/;
const TOTAL_WORD =
  /^(?:(?:grand |sub ?)?totals?|sum|summe|gesamt|gesamtsumme|totaal|totale|suma|somme|summa|razem|celkem|osszesen|yhteensa|toplam|итого|zwischensumme|subtotale?|turnover|umsatzsumme|kaive|apgrozijums|apyvarta)(?: (?:of|for|in|out|paid|credits?|debits?|amounts?|withdrawals?|deposits?|receipts?|payments?|fees|charges|transactions|movements|movimenti|operazioni|movimientos|mouvements|operations|buchungen|umsatze|general|generale|haben|soll|entrate|uscite|ingresos|gastos|des|der|dei|de|du|\d)(?: .*)?)?$|^mutasi (?:kredit|debet|debit)$|^(?:number|no|anzahl) of (?:transactions|entries|records)|^.{0,6}(?:合计|合計|总计|總計|総計|小计|小計|합계|총계).{0,4}$/;
/** Words that may surround a balance's name when the cell says nothing else. */
const AROUND =
  /(?:^| )(?:the|as|of|at|on|am|vom|per|zum|op|au|le|al|del|do|for|account|ledger|book|konto|period|statement|date|[a-z]{3} \d{4}|\d+)(?= |$)/g;

const SPACED_WORD = /^\p{L}(?: \p{L}){3,}$/u;

/** Joins words that are written letter by letter: `S A L D O`. */
function together(words: string): string {
  return SPACED_WORD.test(words) ? words.replaceAll(' ', '') : words;
}

const LONGEST_OF_DAY = 32;
const OF_DAY =
  /^(?:s a l d o|saldo (?:total(?: disponivel)?(?: do)? dia|(?:final |atual |actual )?(?:do|del) dia|em conta(?: corrente)?|parcial))$/;

/** Whether a cell names the balance of a day. No transaction has such a name, though one may be called Saldo. */
export function isDayBalance(cell: string): boolean {
  const begins = cell.startsWith('S') || cell.startsWith('s');
  return begins && cell.length <= LONGEST_OF_DAY && OF_DAY.test(normaliseHeader(cell));
}

/** Returns the kind of balance that a text names, else null. */
function balanceKind(text: string): BalanceKind | null {
  if (text.length < 2 || text.length > 70) return null;
  const words = together(normaliseHeader(text));
  if (OPENING_ALONE.test(words)) return 'opening';
  if (CLOSING_ALONE.test(words)) return 'closing';
  if (text.length < 5) return null;
  if (/avail|disponib|verfugbar/.test(words)) return null;
  if (OPENING.test(words)) return 'opening';
  if (CLOSING.test(words)) return 'closing';
  return CURRENT.test(words) ? 'current' : null;
}

/** Matches up to the end of a word: `saldo finale` begins with `saldo final`. */
const OPENING_WHOLE = new RegExp(`(?:${OPENING.source})(?= |$)`);
const CLOSING_WHOLE = new RegExp(`(?:${CLOSING.source})(?= |$)`);

/**
 * Whether a cell names an opening or closing balance and nothing else. A shop may be called New Balance and a transfer Übertrag, so those alone do
 * not count.
 */
export function saysBalanceAlone(text: string): boolean {
  const kind = balanceKind(text);
  if (kind === null || kind === 'current') return false;
  const words = normaliseHeader(text);
  const left = words
    .replace(kind === 'opening' ? OPENING_WHOLE : CLOSING_WHOLE, '')
    .replaceAll(AROUND, '')
    .trim();
  return left === '' && !/^(?:(?:new|final) balance|ubertrag)/.test(words);
}

/** A quick test, run on all rows of a file. */
const TOTAL_LETTERS =
  /tota|summ|\bsum\b|\bsuma\b|\bsomme|gesamt|razem|celkem|sszesen|yhteens|toplam|итог|합|총|turnover|umsatz|k[aä]ive|apgro|apyv|всего|合|总|總|総|小/i;
const TOTAL_AMONG_WORDS =
  /(?:^| )(?:(?:sub|grand)?totals?|[a-z]*summe|summen?|sum|gesamt|totaa?le?|subtotale?|suma|somme|summa|razem|celkem|osszesen|yhteensa|toplam|итого|turnover|[a-z]*umsatze?|kaive|apgrozijums|apyvarta|всего)(?: |$)|合计|合計|总计|總計|総計|小计|小計|합계|총계/;

/** Whether a text holds a word for totals. A shop's name may as well: the figures of the row decide. */
export function saysTotal(cell: string): boolean {
  return cell.length <= LONGEST_LABEL_OF_TOTAL && TOTAL_LETTERS.test(cell) && TOTAL_AMONG_WORDS.test(normaliseHeader(cell));
}

const LONGEST_TOTAL = 70;
/** Words for a total and its period, in a row that may be a transaction as well. */
const LONGEST_LABEL_OF_TOTAL = 48;

/** Whether a row is a total: it has a word for one, and an amount. `dateCell`: the text in the date column. */
export function isTotalRow(row: GridRow, dateCell = ''): boolean {
  const isNamed = saysTotal(dateCell) || row.cells.some((cell) => cell.length <= LONGEST_TOTAL && TOTAL_WORD.test(normaliseHeader(cell)));
  return isNamed && row.cells.some((cell) => amountShape(cell) !== null);
}

const PAGE = /^(?:page|seite|pagina|strona|sida|side|blad|sivu|strana|sayfa) \d+(?: (?:of|von|de|sur|di|van|z|av|af|sulla|su|til)? ?\d+)?$/;
const FILE_ENDS =
  /^(?:end of|ende d|fin d|fine d|einde|koniec|fim d|slut pa)|^(?:generated|printed|exported|created|downloaded|produced|issued|erstellt|gedruckt|exportiert|genere|imprime|edite|generado|impreso|emitido|generato|stampato|gegenereerd|afgedrukt|wygenerowano|wydruk)(?: |$)|^(?:disclaimer|copyright|this (?:statement|document|report|file|is (?:not )?an?) |dieser (?:auszug|kontoauszug)|ce (?:document|releve)|este (?:documento|extracto)|questo documento|dit (?:document|afschrift))|^(?:total |number of |anzahl |nombre d |numero d )?(?:rows|lines|records|transactions|buchungen|umsatze|operations|operaciones|movimenti|transacties)?:? ?\d+ ?(?:rows?|lines?|records?|transactions?|entries|buchungen|umsatze|operations|operaciones|movimenti|transacties)$/;

/** Whether a cell is the number of a page. */
export function isPageNumber(cell: string): boolean {
  return cell.length <= LONGEST_TOTAL && PAGE.test(normaliseHeader(cell));
}

/** Whether a cell is a note on the file: its end, its creation, or its legal value. */
export function saysFileEnds(cell: string): boolean {
  return cell.startsWith('©') || FILE_ENDS.test(normaliseHeader(cell));
}

/**
 * Returns the balance that a row states: words and, behind them, an amount in another cell or at the end of the same one. `columns`: the money
 * columns, for a row of a table.
 */
export function balanceLineOf(row: GridRow, columns: Pick<MoneyColumns, 'amount' | 'balance'> | null): BalanceLine | null {
  const at = row.cells.findIndex((cell) => kindOfLabel(cell) !== null);
  const label = row.cells[at];
  const kind = label === undefined ? null : kindOfLabel(label);
  if (label === undefined || kind === null) return null;
  const behind = label.slice(beforeColon(label).length + 1).trim();
  const own = behind === '' ? amountAtEnd(label) : (amountShape(behind) ?? amountShape(withoutDates(behind)));
  const others = row.cells.map((cell, index) => (index === at || cell === '' || dateShape(cell) !== null ? null : amountShape(cell)));
  // In a table the balance is in its own column, else in that of the amounts; elsewhere it is the last amount of the row.
  const inColumn = others[columns?.balance ?? others.length] ?? others[columns?.amount ?? others.length];
  const shape = inColumn ?? others.findLast((each) => each !== null) ?? own;
  return shape === null || shape === undefined ? null : { kind, row: row.row, shape, cells: row.cells };
}

/** Words of a balance, the day and the amount of it. */
const LONGEST_LABEL = 120;

function kindOfLabel(cell: string): BalanceKind | null {
  if (cell.length > LONGEST_LABEL) return null;
  return balanceKind(beforeColon(cell)) ?? balanceKind(withoutAmount(cell));
}

function beforeColon(cell: string): string {
  const at = cell.search(/[:=]/);
  return at < 0 ? cell : cell.slice(0, at);
}

const DATES = /(?<!\d)(?:\d{4}[-/.]?\d{2}[-/.]?\d{2}|\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2}))(?!\d)/g;
const AT = /(?:^|\s)(?:as of|as at|at|on|per|am|vom|zum|au|al|le|op|den)\s*$/i;
/** An amount with decimals or a currency, behind a text. */
const AT_END =
  /(?:^|\s)((?:[-+(]\s?)?(?:\p{Sc}\s?|[A-Z]{3}\s)?\d[\d.,'’ \u00a0\u202f]{0,59}(?:[.,]\d{2}|(?=\s?\p{Sc}))(?:\s?(?:\p{Sc}|[A-Z]{3}|[CD]R|Euros?))?\)?-?)$/u;

function withoutDates(text: string): string {
  return text.replaceAll(DATES, ' ').trim().replace(AT, '').trim();
}

function withoutAmount(text: string): string {
  return withoutDates(withoutDates(text).replace(AT_END, ''));
}

/** `Solde au 31/01/2026 2 289,77 €`: the amount behind the words and the date. */
function amountAtEnd(text: string): AmountShape | null {
  const found = AT_END.exec(withoutDates(text))?.[1];
  return found === undefined ? null : amountShape(found.trim());
}
