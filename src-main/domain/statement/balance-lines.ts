import { amountShape } from './amounts.ts';
import type { AmountShape } from './amounts.ts';
import { dateShape } from './dates.ts';
import type { GridRow } from './grid.ts';
import { normaliseHeader } from './header-words.ts';

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
const TOTAL =
  /^(?:grand |sub ?)?totals?\b|^(?:total|sum|summe|gesamt|gesamtsumme|totaal|totale|suma|somme|summa|razem|celkem|osszesen|yhteensa|toplam|итого|zwischensumme|subtotale?)(?: |$)|^(?:number|no|anzahl) of (?:transactions|entries|records)|^(?:turnover|umsatzsumme)/;

/** What a text says of a balance, else null. */
export function balanceKind(text: string): BalanceKind | null {
  if (text.length < 5 || text.length > 70) return null;
  const words = normaliseHeader(text);
  if (/avail|disponib|verfugbar/.test(words)) return null;
  if (OPENING.test(words)) return 'opening';
  if (CLOSING.test(words)) return 'closing';
  return CURRENT.test(words) ? 'current' : null;
}

export function isTotal(text: string): boolean {
  return text.length <= 70 && TOTAL.test(normaliseHeader(text));
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
