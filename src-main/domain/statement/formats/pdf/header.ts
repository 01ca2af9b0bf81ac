import { isAmountOfOther, meaningsOf } from '../../vocabulary/header-words.ts';
import { COLUMN_GAP, moneyIn } from './money.ts';
import type { PdfRow, PdfWord } from './rows.ts';
import { balanceWords } from './words.ts';

export type Role = 'date' | 'value_date' | 'paid_in' | 'paid_out' | 'amount' | 'balance' | 'direction' | 'other';

/** A column of a table, as the words above it say. */
export interface Column {
  readonly role: Role;
  readonly x0: number;
  readonly x1: number;
  readonly text: string;
  /** Where the amounts of the column end; null while none is known. */
  edge: number | null;
  /** Where they begin, if they stand at the left of their column. */
  begin: number | null;
}

export const MONEY_ROLES: ReadonlySet<Role> = new Set(['paid_in', 'paid_out', 'amount', 'balance']);
/** Returns words that belong together, since the gaps between them are no wider than those of a text. */
export function phrasesOf({ words, size }: PdfRow): PdfWord[][] {
  const phrases: PdfWord[][] = [];
  for (const word of words) {
    const last = phrases.at(-1)?.at(-1);
    if (last === undefined || word.x0 - last.x1 > size * COLUMN_GAP) phrases.push([word]);
    else phrases.at(-1)?.push(word);
  }
  return phrases;
}

export function textOfWords(words: readonly PdfWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** Words between two names of one column: `Cheques and debits`. */
const AND = / (?:et|and|und|y|e|og|och|en|&|\+) (?:other |autres )?/i;

function roleOf(text: string): Role | null {
  const whole = roleOfWhole(text);
  if ((whole !== null && whole !== 'other') || !AND.test(text)) return whole;
  const parts = new Set(
    text
      .replaceAll(/\(.{0,4}\)/g, '')
      .split(AND)
      .flatMap((part) => moneyRole(roleOfWhole(part)) ?? []),
  );
  const [only] = parts;
  return parts.size === 1 && only !== undefined ? only : whole;
}

function roleOfWhole(text: string): Role | null {
  const cleaned = text.replaceAll(/\((?:[-+]|\p{Sc}|[A-Z]{0,3}\p{Sc})\)/gu, ' ').trim();
  const [best] = meaningsOf(cleaned === '' ? text : cleaned).toSorted((one, other) => other.rank - one.rank);
  if (best === undefined) return null;
  const { meaning } = best;
  return meaning === 'date' || meaning === 'value_date' || meaning === 'direction' || MONEY_ROLES.has(meaning as Role)
    ? (meaning as Role)
    : 'other';
}

interface HeaderCell {
  readonly x0: number;
  readonly x1: number;
  readonly text: string;
  readonly role: Role | null;
}

/** Splits words that touch each other: `Value DtWithdrawal Amt.` */
function splitWords(words: readonly PdfWord[]): PdfWord[] {
  return words.flatMap((word) => {
    const at = /\p{Ll}\p{Lu}/u.exec(word.text)?.index;
    if (at === undefined) return [word];
    const middle = word.x0 + ((word.x1 - word.x0) * (at + 1)) / word.text.length;
    return [
      { ...word, text: word.text.slice(0, at + 1), x1: middle },
      { ...word, text: word.text.slice(at + 1), x0: middle },
    ];
  });
}

function cellOf(words: readonly PdfWord[]): HeaderCell {
  const text = textOfWords(words);
  return { x0: words[0]?.x0 ?? 0, x1: words.at(-1)?.x1 ?? 0, text, role: text.length > 45 ? null : roleOf(text) };
}

function headerCells(row: PdfRow): HeaderCell[] {
  return phrasesOf(row).flatMap((phrase) => {
    const whole = cellOf(phrase);
    if (whole.role !== null || phrase.length > 6) return [whole];
    const split = splitWords(phrase);
    for (let at = 1; at < split.length; at += 1) {
      const [left, right] = [cellOf(split.slice(0, at)), cellOf(split.slice(at))];
      if (right.role !== null && MONEY_ROLES.has(right.role) && (left.role !== null || split.length > phrase.length)) return [left, right];
    }
    return [whole];
  });
}

/** Joins cells of rows below each other that make one header: `Deposits/` and `Additions`. */
function joinedCells(rows: readonly (readonly HeaderCell[])[]): HeaderCell[] {
  const joined: HeaderCell[] = [];
  for (const cells of rows) {
    for (const cell of cells) {
      const at = joined.findIndex((above) => Math.min(above.x1, cell.x1) - Math.max(above.x0, cell.x0) > 0);
      const above = joined[at];
      if (above === undefined) {
        joined.push(cell);
        continue;
      }
      const text = `${above.text} ${cell.text}`;
      const whole = roleOf(text);
      const role =
        (whole !== null && whole !== 'other' ? whole : null) ?? moneyRole(cell.role) ?? moneyRole(above.role) ?? cell.role ?? above.role;
      joined[at] = { x0: Math.min(above.x0, cell.x0), x1: Math.max(above.x1, cell.x1), text, role };
    }
  }
  return joined.toSorted((one, other) => one.x0 - other.x0);
}

function moneyRole(role: Role | null): Role | null {
  return role !== null && MONEY_ROLES.has(role) ? role : null;
}

/** The rows above a table that name its columns. */
export interface Header {
  readonly first: number;
  readonly last: number;
  readonly columns: Column[];
}

function isHeader(cells: readonly HeaderCell[]): boolean {
  const roles = cells.flatMap(({ role }) => role ?? []);
  const money = roles.filter((role) => MONEY_ROLES.has(role)).length;
  const others = new Set(roles).size;
  if (money === 0 || roles.length < 2) return false;
  return (others >= 2 || money >= 2) && roles.length * 2 >= cells.length && cells.length <= 14;
}

/** Whether a row may be the part of a header: no amounts, and words of columns. */
function mayBeHeader(row: PdfRow | undefined): row is PdfRow {
  return row !== undefined && row.words.length <= 24 && moneyIn(row, 2).length === 0 && headerCells(row).some(({ role }) => role !== null);
}

/** Returns the header that begins in a row; null where none does. */
export function headerAt(rows: readonly PdfRow[], at: number): Header | null {
  const group: HeaderCell[][] = [];
  let best: Header | null = null;
  const [top, below] = [rows[at], rows[at + 1]];
  // A heading with a word for money over the header is no part of it.
  if (top !== undefined && below !== undefined && phrasesOf(top).length < 2 && mayBeHeader(below) && isHeader(headerCells(below)))
    return null;
  for (let last = at; last < at + 3; last += 1) {
    const [row, before] = [rows[last], rows[last - 1]];
    if (row === undefined || (last > at && (row.page !== before?.page || row.y - before.y > row.size * 2.1))) break;
    const isUnit = last > at && best !== null && /^[\p{Sc}()\s]+$/u.test(textOfWords(row.words));
    if (!isUnit && !mayBeHeader(row)) break;
    // The words of a balance whose amount is missing begin the table.
    if (best !== null && phrasesOf(row).length === 1 && balanceWords(textOfWords(row.words)) !== null) break;
    group.push(headerCells(row));
    const cells = joinedCells(group);
    if (!isHeader(cells)) continue;
    if (best !== null && cells.filter(({ role }) => role !== null).length < best.columns.filter(({ role }) => role !== 'other').length)
      break;
    const columns = cells.map(({ role, x0, x1, text }) => ({ role: role ?? 'other', x0, x1, text, edge: null, begin: null }));
    best = { first: at, last, columns };
  }
  return best;
}

/** Whether no amounts of a table are those that the account moved by, as in the list of what is left of instalments. */
export function isOfOtherAmounts(columns: readonly Column[]): boolean {
  const moved = columns.filter(({ role }) => MONEY_ROLES.has(role) && role !== 'balance');
  return moved.length > 0 && moved.every(({ role, text }) => role === 'amount' && isAmountOfOther(text));
}
