import { amountShape } from './amounts.ts';
import type { AmountShape } from './amounts.ts';
import { dateShape } from './dates.ts';
import type { GridRow } from './grid.ts';
import { normaliseHeader } from './plain-words.ts';

/** `current`: a balance without a word for its time; where it stands decides. */
export type BalanceKind = 'opening' | 'closing' | 'current';

/** A line of the file that states a balance, not a transaction. */
export interface BalanceLine {
  readonly kind: BalanceKind;
  readonly row: number;
  readonly shape: AmountShape;
}

const OPENING =
  /opening (?:ledger |book |account )?balance|balance (?:brought forward|b f|b fwd|bfwd|bf|forward|at (?:the )?(?:start|beginning)|on opening)|(?:start|starting|beginning|initial|previous|prior) (?:of period )?balance|balance at start|brought forward|anfangs(?:saldo|bestand)|alter (?:konto ?stand|saldo)|startsaldo|eroffnungssaldo|ubertrag|saldo vortrag|saldovortrag|beginsaldo|vorige saldo|solde (?:initial|d ouverture|precedent|anterieur|au debut|en debut)|ancien solde|report a nouveau|saldo (?:inicial|anterior|iniziale|precedente|poczatkowe|de apertura|d apertura)|ingaende (?:saldo|balans)|inngaende saldo|primosaldo|nyito ?egyenleg|pocatecni zustatek|alkusaldo|saldo przed|acilis bakiyesi|входящий остаток|начальный остаток/;
const CLOSING =
  /closing (?:ledger |book |account )?balance|balance (?:carried forward|c f|c fwd|cfwd|at (?:the )?(?:end|close)|carried down)|(?:end|ending|final|new) (?:of period )?balance|balance at end|carried forward|ledger balance|end(?:saldo|bestand)|neuer (?:konto ?stand|saldo)|schluss(?:saldo|bestand)|abschlusssaldo|eindsaldo|nieuw saldo|solde (?:final|de cloture|de fin|en fin|a la fin)|nouveau solde|saldo (?:final|finale|koncowe|de cierre|actual|de fechamento)|utgaende (?:saldo|balans)|ultimosaldo|zaro ?egyenleg|konecny zustatek|loppusaldo|kapanis bakiyesi|исходящий остаток|конечный остаток/;
const CURRENT =
  /^(?:account |current |book )?balance(?: (?:as of|as at|at|on|of account))?(?: \d.*)?$|^(?:letzter |aktueller )?(?:konto ?stand|saldo)(?: (?:am|vom|per|zum|op|al|au|a|na))?(?: \d.*)?$|^solde(?: (?:au|actuel|comptable|le|du compte))?(?: \d.*)?$|^(?:egyenleg|zustatek|bakiye|guthaben|saldo aktualne|saldo contabile|saldo contable)(?: \d.*)?$/;
const TOTAL_WORD =
  /^(?:(?:grand |sub ?)?totals?|sum|summe|gesamt|gesamtsumme|totaal|totale|suma|somme|summa|razem|celkem|osszesen|yhteensa|toplam|итого|zwischensumme|subtotale?|turnover|umsatzsumme)(?: (?:of|for|in|out|paid|credits?|debits?|amounts?|withdrawals?|deposits?|receipts?|payments?|fees|charges|transactions|movements|general|generale|haben|soll|entrate|uscite|ingresos|gastos|des|der|dei|de|du|\d)(?: .*)?)?$|^(?:number|no|anzahl) of (?:transactions|entries|records)/;
/** What may stand around a balance's words when they are all that a cell says. */
const AROUND =
  /(?:^| )(?:the|as|of|at|on|am|vom|per|zum|op|au|le|al|del|do|for|account|ledger|book|konto|period|statement|date|[a-z]{3} \d{4}|\d+)(?= |$)/g;

/** What a text says of a balance, else null. */
export function balanceKind(text: string): BalanceKind | null {
  if (text.length < 5 || text.length > 70) return null;
  const words = normaliseHeader(text);
  if (/avail|disponib|verfugbar/.test(words)) return null;
  if (OPENING.test(words)) return 'opening';
  if (CLOSING.test(words)) return 'closing';
  return CURRENT.test(words) ? 'current' : null;
}

/** Whether a cell says nothing but an opening or closing balance. A shop may be called New Balance, so that alone is none. */
export function saysBalanceAlone(text: string): boolean {
  const kind = balanceKind(text);
  if (kind === null || kind === 'current') return false;
  const words = normaliseHeader(text);
  const left = words
    .replace(kind === 'opening' ? OPENING : CLOSING, '')
    .replaceAll(AROUND, '')
    .trim();
  return left === '' && !/^(?:new|final) balance/.test(words);
}

/** A row that sums others up: the words for it, and an amount. */
export function isTotalRow(row: GridRow): boolean {
  const isNamed = row.cells.some((cell) => cell.length <= 70 && TOTAL_WORD.test(normaliseHeader(cell)));
  return isNamed && row.cells.some((cell) => amountShape(cell) !== null);
}

/** The balance that a row states: words and, behind them, an amount in another cell or at the end of the same one. */
export function balanceLineOf(row: GridRow): BalanceLine | null {
  const at = row.cells.findIndex((cell) => balanceKind(cell.replace(/[:=].*$/, '')) !== null);
  const label = row.cells[at];
  if (label === undefined) return null;
  const kind = balanceKind(label.replace(/[:=].*$/, ''));
  if (kind === null) return null;
  const candidates = row.cells.filter((cell, index) => index !== at && cell !== '' && dateShape(cell) === null);
  const behind = /[:=]\s*(\S.*)$/.exec(label)?.[1];
  if (behind !== undefined) candidates.unshift(behind);
  const shapes = candidates.map(amountShape).filter((shape) => shape !== null);
  // The last one: in a table the balance column is the last of the money columns.
  const shape = shapes.at(-1);
  return shape === undefined ? null : { kind, row: row.row, shape };
}
