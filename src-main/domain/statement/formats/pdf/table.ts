import { dateShape, type DateShape, yearlessShape } from '../../cells/dates.ts';
import { directionWord } from '../../vocabulary/direction-words.ts';
import { currencyCode } from '../../vocabulary/currencies.ts';
import { normaliseHeader } from '../../vocabulary/meaning.ts';
import { type Column, type Header, headerAt, isOfOtherAmounts, MONEY_ROLES, phrasesOf, textOfWords } from './header.ts';
import { COLUMN_GAP, moneyIn, type PdfMoney } from './money.ts';
import type { PdfRow, PdfWord } from './rows.ts';
import {
  accountNumberIn,
  balanceWords,
  isBalanceOfDay,
  isBareBalance,
  isSummaryHeading,
  isTotal,
  sideOfHeading,
  sideOfSum,
} from './words.ts';

/** A date as it is written in a row. */
interface WrittenDate {
  readonly text: string;
  readonly shape: DateShape;
  readonly from: number;
  readonly to: number;
  readonly x0: number;
  readonly x1: number;
}

/** A transaction as its rows show it: its sign and its day are not decided yet. */
export interface PdfLine {
  readonly kind: 'line';
  readonly row: PdfRow;
  /** The date of the row, or the last one before it. */
  readonly date: WrittenDate | null;
  readonly valueDate: WrittenDate | null;
  readonly money: PdfMoney;
  readonly column: 'paid_in' | 'paid_out' | 'amount';
  /** The side of the account that the heading of its section names. */
  readonly side: 'in' | 'out' | null;
  readonly balance: PdfMoney | null;
  readonly texts: string[];
  /** Why it may be no transaction: it has the words of a total, or lacks the date that its like have. */
  readonly doubt: 'sum' | 'undated' | null;
  /** Whether its row, or one right before it, has a date. */
  readonly isDated: boolean;
}

/** By how many heights of type a text of another size may stand below the words that it goes on with. */
const NEXT_ROW = 1.8;
const SAME_SIZE = 0.06;

/** Whether a text goes on with the words above it: a notice below the last transaction of a page is in other type than that, and further off. */
function isBelow(row: PdfRow, above: PdfRow, transaction: PdfRow): boolean {
  if (row.page !== above.page) return false;
  const isSameSize = Math.abs(row.size - transaction.size) <= SAME_SIZE * transaction.size;
  return isSameSize || Math.abs(row.y - above.y) <= NEXT_ROW * above.size;
}

/** Whether a row is right below another one, nearer than the next transaction would be. */
function isNextRow(row: PdfRow, above: PdfRow): boolean {
  return row.page === above.page && row.y - above.y <= NEXT_ROW * above.size;
}

/** A balance beside or between the transactions. */
export interface PdfBalance {
  /** `day`: the balance of a day, in a row of its own among the transactions. */
  readonly kind: 'opening' | 'closing' | 'brought' | 'carried' | 'day';
  readonly row: PdfRow;
  readonly date: WrittenDate | null;
  readonly money: PdfMoney;
  /** The column in which it is, where that column tells the side. */
  readonly column: 'paid_in' | 'paid_out' | null;
  readonly label: string;
  /** Whether it stands among the rows of a table of transactions. */
  readonly isInTable: boolean;
}

/** A printed sum of the transactions of one side. */
export interface PdfSum {
  readonly row: PdfRow;
  readonly minor: number;
  readonly side: 'in' | 'out';
  /** Whether it stands below the amounts of a table; it may then be that of one page or one day. */
  readonly isInTable: boolean;
}

export type PdfEvent = PdfLine | PdfBalance;

/** What the rows of a file show, in their order. */
export interface PdfTables {
  readonly events: readonly PdfEvent[];
  /** Totals below transactions; that of a card may be its new balance. */
  readonly totals: readonly PdfBalance[];
  /** Balances of a day that are called neither opening nor closing. */
  readonly dated: readonly PdfBalance[];
  /** What the file says that came in and went out: sums below the columns of a table, and those of a summary. */
  readonly sums: readonly PdfSum[];
  /** Rows that have the two sides of an account filled and are no totals: nobody can say what moved. */
  readonly unclear: readonly PdfRow[];
  /** Texts of the headers of money columns. */
  readonly headers: readonly string[];
  /** The first row of each header. */
  readonly headerRows: readonly number[];
  readonly hasTable: boolean;
}

/** How far an amount may end from the place where those of its column end, and how near it must be where no gap is before it. Points. */
const COLUMN_DRIFT = 11;
const SURE_DRIFT = 1.6;
const DATE_DRIFT = 16;
const LONGEST_DATE_WORDS = 4;

/** Returns the date that begins with a word of a row. */
export function dateAt(words: readonly PdfWord[], from: number, size: number): WrittenDate | null {
  let found: WrittenDate | null = null;
  let text = '';
  for (let to = from; to < Math.min(words.length, from + LONGEST_DATE_WORDS); to += 1) {
    const word = words[to];
    if (word === undefined || (to > from && word.x0 - (words[to - 1]?.x1 ?? 0) > size * COLUMN_GAP)) break;
    text = text === '' ? word.text : `${text} ${word.text}`;
    const shape = /\d/.test(text) ? (dateShape(text) ?? yearlessShape(text)) : null;
    if (shape !== null) found = { text, shape, from, to, x0: words[from]?.x0 ?? 0, x1: word.x1 };
  }
  return found;
}

/** A part of a table that has its own date and amount; most tables have one, a list of cheques may have several side by side. */
interface Lane {
  readonly x0: number;
  readonly x1: number;
  readonly columns: readonly Column[];
}

function lanesOf(columns: readonly Column[]): Lane[] {
  const dates = columns.filter(({ role }) => role === 'date');
  const amounts = columns.filter(({ role }) => role === 'amount');
  const whole = [{ x0: Number.NEGATIVE_INFINITY, x1: Number.POSITIVE_INFINITY, columns }];
  if (amounts.length < 2 || dates.length < 2) return whole;
  const lanes: Lane[] = [];
  let x0 = Number.NEGATIVE_INFINITY;
  for (const amount of amounts) {
    const x1 = amount === amounts.at(-1) ? Number.POSITIVE_INFINITY : amount.x1 + 6;
    lanes.push({ x0, x1, columns: columns.filter((column) => column.x0 >= x0 && column.x0 < x1) });
    x0 = x1;
  }
  return lanes.every((lane) => lane.columns.some(({ role }) => role === 'date')) ? lanes : whole;
}

interface MoneyInColumn {
  readonly money: PdfMoney;
  readonly column: Column;
}

/** How far an amount is from a column: by its end, its beginning or its middle. */
function distance(money: PdfMoney, column: Column): number {
  const middle = Math.abs((money.x0 + money.x1) / 2 - (column.x0 + column.x1) / 2);
  return Math.min(Math.abs(money.digitsEnd - column.x1), Math.abs(money.x1 - column.x1), Math.abs(money.x0 - column.x0), middle);
}

function nearest(money: PdfMoney, columns: readonly Column[]): Column | null {
  let best: Column | null = null;
  for (const column of columns) if (best === null || distance(money, column) < distance(money, best)) best = column;
  return best;
}

/** Returns the word of a row that stands by itself in the column for debit or credit; null where there is none. */
function directionIn(row: PdfRow, columns: readonly Column[]): PdfWord | null {
  if (!columns.some(({ role }) => role === 'direction')) return null;
  const off = (word: PdfWord, { x0, x1 }: Column): number =>
    Math.min(Math.abs(word.x0 - x0), Math.abs(word.x1 - x1), Math.abs(word.x0 + word.x1 - x0 - x1) / 2);
  const alone = new Set(phrasesOf(row).flatMap(([word, ...more]) => (word !== undefined && more.length === 0 ? [word] : [])));
  for (const word of row.words) {
    if (directionWord(word.text) === null) continue;
    const [column] = columns.toSorted((one, other) => off(word, one) - off(word, other));
    // A long word may come close to the column from the left.
    if (column?.role === 'direction' && (alone.has(word) || off(word, column) <= SURE_DRIFT)) return word;
  }
  return null;
}

function offEdge(money: PdfMoney, { edge, begin }: Column): number {
  if (edge === null) return 0;
  return Math.min(Math.abs(money.digitsEnd - edge), Math.abs(money.x1 - edge), begin === null ? edge : Math.abs(money.x0 - begin));
}

/** Goes through the rows of a file once and collects what it shows. */
export class TableWalk {
  readonly #rows: readonly PdfRow[];
  readonly #places: number;
  readonly #events: PdfEvent[] = [];
  readonly #unclear: PdfRow[] = [];
  readonly #headers = new Set<string>();
  readonly #headerRows: number[] = [];
  #columns: Column[] | null = null;
  /** Whether the table repeats what is written elsewhere. */
  #repeats = false;
  #isIgnored = false;
  #side: PdfLine['side'] = null;
  #date: WrittenDate | null = null;
  /** Text of rows before the amount of their transaction. */
  #pending: string[] = [];
  #isAmountLast = false;
  #line: PdfLine | null = null;
  /** The last row of its words; null once something that is none of them came below. */
  #last: PdfRow | null = null;
  /** Whether the row of the last transaction has its date. */
  #hasOwnDate = false;
  /** Rows at the top of a page, above its header, are no rows of the table. */
  #isBelowHeader = false;
  /** Whether the heading of another account came since the last transaction: balances below it are those of its summary. */
  #isBelowHeading = false;
  /** Whether a row since the last transaction has a date. */
  #isDated = false;
  #page = 0;
  readonly #totals: PdfBalance[] = [];
  readonly #dated: PdfBalance[] = [];
  readonly #sums: PdfSum[] = [];

  constructor(rows: readonly PdfRow[], places: number) {
    this.#rows = rows;
    this.#places = places;
  }

  read(): PdfTables {
    for (let at = 0; at < this.#rows.length; at += 1) {
      const row = this.#rows[at];
      if (row === undefined) break;
      if (row.page !== this.#page) this.#isBelowHeader = false;
      this.#page = row.page;
      const header = headerAt(this.#rows, at);
      if (header !== null) {
        this.#isBelowHeader = true;
        this.#isBelowHeading = false;
        this.#headerRows.push(row.row);
        this.#begin(header);
        at = header.last;
        continue;
      }
      this.#take(row, at);
    }
    return {
      events: withDoubts(this.#events),
      totals: this.#totals,
      dated: this.#dated,
      sums: this.#sums,
      unclear: this.#unclear,
      headers: [...this.#headers],
      headerRows: this.#headerRows,
      hasTable: this.#headers.size > 0,
    };
  }

  #begin({ columns, first, last }: Header): void {
    this.#line = null;
    this.#pending = [];
    const before = this.#columns;
    const isSame = before !== null && before.map(({ role }) => role).join() === columns.map(({ role }) => role).join();
    this.#columns = columns;
    if (!isSame) this.#date = null;
    const heading = this.#headingAbove(first);
    if (heading !== null) this.#repeats = isSummaryHeading(heading);
    else if (!isSame) this.#repeats = false;
    this.#isIgnored = this.#repeats;
    const balances = columns.filter(({ role }) => role === 'balance').length;
    if (balances > 1 || isOfOtherAmounts(columns)) this.#isIgnored = this.#repeats = true;
    for (const { role, text } of columns) if (MONEY_ROLES.has(role)) this.#headers.add(text);
    this.#findEdges(last + 1);
    if (!isSame) this.#isAmountLast = this.#hasAmountsLast(last + 1);
  }

  /** Returns the text right above a header, where it is a heading. */
  #headingAbove(first: number): string | null {
    for (let at = first - 1; at >= Math.max(0, first - 2); at -= 1) {
      const [row, header] = [this.#rows[at], this.#rows[first]];
      if (row === undefined || header === undefined || row.page !== header.page || header.y - row.y > row.size * 5.5) return null;
      const text = textOfWords(row.words);
      if (moneyIn(row, 2).length === 0 && text.length <= 110 && (isSummaryHeading(text) || sideOfHeading(text) !== null)) return text;
    }
    return null;
  }

  /** Returns the rows of the table that begins in a row. */
  #body(from: number): PdfRow[] {
    const rows: PdfRow[] = [];
    for (let at = from; at < this.#rows.length && rows.length < 80; at += 1) {
      const row = this.#rows[at];
      if (row === undefined || row.page !== this.#rows[from]?.page || headerAt(this.#rows, at) !== null) break;
      rows.push(row);
    }
    return rows;
  }

  #findEdges(from: number): void {
    const columns = this.#columns ?? [];
    const ends = new Map<Column, number[]>();
    const begins = new Map<Column, number[]>();
    for (const row of this.#body(from)) {
      for (const money of moneyIn(row, this.#places)) {
        if (!money.isApart && money.from > 0) continue;
        const column = nearest(money, columns);
        if (column === null || !MONEY_ROLES.has(column.role)) continue;
        ends.set(column, [...(ends.get(column) ?? []), money.digitsEnd, money.x1]);
        begins.set(column, [...(begins.get(column) ?? []), money.x0]);
      }
    }
    for (const [column, found] of ends) {
      column.edge = mostFrequent(found);
      const [first, ...more] = begins.get(column) ?? [];
      const isAtLeft = first !== undefined && more.length > 1 && more.every((each) => Math.abs(each - first) <= SURE_DRIFT);
      column.begin = isAtLeft ? first : null;
    }
  }

  /** Whether the amount of a transaction is in the last of its rows: the first row with a date has no amount, and one below has. */
  #hasAmountsLast(from: number): boolean {
    let without = 0;
    let withAmount = 0;
    let isFirstWithout: boolean | null = null;
    for (const row of this.#body(from)) {
      const date = this.#dateOf(row, this.#columns ?? []);
      if (date === null) continue;
      if (this.#moneyOf(row, this.#columns ?? []).some(({ column }) => column.role !== 'balance')) withAmount += 1;
      else if (balanceWords(textOfWords(row.words)) === null) without += 1;
      isFirstWithout ??= withAmount + without === 0 ? null : withAmount === 0;
    }
    return isFirstWithout === true && without * 3 >= withAmount;
  }

  #dateOf({ words, size }: PdfRow, columns: readonly Column[]): WrittenDate | null {
    const column = columns.find(({ role }) => role === 'date');
    if (column !== undefined) {
      for (const [index, word] of words.entries()) {
        if (Math.abs(word.x0 - column.x0) > DATE_DRIFT && (word.x1 < column.x0 || word.x0 > column.x1)) continue;
        const date = dateAt(words, index, size);
        if (date !== null) return date;
      }
      return null;
    }
    return dateAt(words, 0, size);
  }

  #valueDateOf({ words, size }: PdfRow, columns: readonly Column[], date: WrittenDate | null): WrittenDate | null {
    const column = columns.find(({ role }) => role === 'value_date');
    if (column === undefined) return null;
    for (const [index, word] of words.entries()) {
      if (date !== null && index <= date.to) continue;
      if (word.x1 < column.x0 - DATE_DRIFT || word.x0 > column.x1 + DATE_DRIFT) continue;
      const found = dateAt(words, index, size);
      if (found !== null) return found;
    }
    return null;
  }

  /** Returns the amounts of a row that are in columns of money. */
  #moneyOf(row: PdfRow, columns: readonly Column[]): MoneyInColumn[] {
    const direction = directionIn(row, columns);
    const said = direction === null ? null : directionWord(direction.text);
    return moneyIn(row, this.#places).flatMap((money) => {
      const column = nearest(money, columns);
      if (column === null || !MONEY_ROLES.has(column.role)) return [];
      const off = offEdge(money, column);
      if (off > SURE_DRIFT && (off > COLUMN_DRIFT || (!money.isApart && money.from > 0))) return [];
      return [{ money: column.role === 'amount' ? { ...money, mark: money.mark ?? said } : money, column }];
    });
  }

  #take(row: PdfRow, at: number): void {
    const text = textOfWords(row.words);
    if (this.#columns === null || this.#isIgnored) {
      this.#takeSummary(row, at);
      this.#takeHeading(row, text);
      return;
    }
    const lanes = lanesOf(this.#columns);
    if (lanes.length > 1) {
      for (const lane of lanes) this.#takeLane(row, lane);
      return;
    }
    const found = this.#moneyOf(row, this.#columns);
    if (found.length === 0) return this.#takeText(row, at, text);
    this.#takeMoney(row, at, found);
  }

  #takeLane(row: PdfRow, { x0, x1, columns }: Lane): void {
    const part = { ...row, words: row.words.filter((word) => word.x0 >= x0 && word.x0 < x1) };
    const date = this.#dateOf(part, columns);
    const [found] = this.#moneyOf(part, columns);
    if (date === null || found === undefined) return;
    const texts = [textOfWords(part.words.filter((_, index) => index < date.from || (index > date.to && index < found.money.from)))];
    this.#add({
      kind: 'line',
      row,
      date,
      valueDate: null,
      money: found.money,
      column: 'amount',
      side: this.#side,
      balance: null,
      texts,
      doubt: null,
      isDated: true,
    });
  }

  #takeHeading(row: PdfRow, text: string): void {
    if (moneyIn(row, 2).length > 0 || text.length > 90) return;
    const side = sideOfHeading(text);
    if (side !== null) this.#side = side;
    if (isSummaryHeading(text)) this.#isIgnored = true;
  }

  #takeText(row: PdfRow, at: number, text: string): void {
    this.#takeHeading(row, text);
    const left = this.#columns?.[0]?.x0 ?? 0;
    // The words of a transaction stand further to the right.
    if ((row.words[0]?.x0 ?? 0) < left + SURE_DRIFT && accountNumberIn(text) !== null) this.#isBelowHeading = true;
    this.#takeSummary(row, at);
    if (!this.#isBelowHeader) return;
    const written = this.#dateOf(row, this.#columns ?? []);
    const isBalance = balanceWords(text) !== null;
    // Below a transaction that has its own date and its amount, another date is that of its second row.
    const isSecond = written !== null && !this.#isAmountLast && this.#hasOwnDate && this.#last !== null && isNextRow(row, this.#last);
    const date = isSecond ? null : written;
    if (date !== null && !isBalance) {
      if (this.#isAmountLast || date.to < row.words.length - 1) {
        this.#date = date;
        this.#isDated = true;
      }
      this.#pending = [textOfWords(row.words.slice(date.to + 1))];
      this.#line = this.#isAmountLast ? null : this.#line;
      return;
    }
    if (isBalance) return;
    if (this.#isAmountLast || this.#line === null) this.#pending.push(text);
    else if (this.#line.texts.length < 8 && this.#last !== null && isBelow(row, this.#last, this.#line.row)) {
      const rest = isSecond ? textOfWords(row.words.slice(written.to + 1)) : text;
      if (rest !== '') this.#line.texts.push(rest);
      this.#last = row;
    } else this.#last = null;
  }

  #takeMoney(row: PdfRow, at: number, found: readonly MoneyInColumn[]): void {
    const columns = this.#columns ?? [];
    const date = this.#dateOf(row, columns);
    const isInMoney = (index: number): boolean => found.some(({ money }) => index >= money.from && index <= money.to);
    const direction = directionIn(row, columns);
    const words = row.words.filter(
      (word, index) => word !== direction && !isInMoney(index) && (date === null || index < date.from || index > date.to),
    );
    const label = textOfWords(words);
    const balance = found.find(({ column }) => column.role === 'balance')?.money ?? null;
    const moved = found.filter(({ column, money }) => column.role !== 'balance' && money.minor !== 0);
    const hasColumn = columns.some(({ role }) => role === 'balance');
    const kind = balanceWords(label) ?? (date === null && !hasColumn && isBareBalance(label) ? 'day' : null);
    if (kind !== null) {
      this.#takeBalance(kind, { row, date, label, hasColumn, balance, moved });
      return this.#endLine();
    }
    const [first, second] = moved;
    const isSum = isTotal(label);
    if (isSum && date === null && first !== undefined)
      this.#totals.push({ kind: 'closing', row, date, money: moved.at(-1)?.money ?? first.money, column: null, label, isInTable: false });
    if (isSum && date === null) this.#addSums(row, found);
    if (second !== undefined && date === null && (isSum || words.length === 0)) return this.#endLine();
    if (first === undefined) {
      this.#takeSummary(row, at);
      return;
    }
    if (second !== undefined) {
      const roles = new Set(columns.map(({ role }) => role));
      if (roles.has('paid_in') && roles.has('paid_out')) this.#unclear.push(row);
      return;
    }
    if (date !== null) this.#date = date;
    if (this.#date === null) return this.#takeSummary(row, at);
    const valueDate = this.#valueDateOf(row, columns, date);
    const own =
      valueDate === null ? label : textOfWords(words.filter((word) => !row.words.slice(valueDate.from, valueDate.to + 1).includes(word)));
    this.#isBelowHeader = true;
    const texts = [...this.#pending, own].filter((each) => each !== '');
    this.#pending = [];
    const column = first.column.role as PdfLine['column'];
    const line: PdfLine = {
      kind: 'line',
      row,
      date: this.#date,
      valueDate,
      money: first.money,
      column,
      side: this.#side,
      balance,
      texts,
      doubt: isSum ? 'sum' : null,
      isDated: date !== null || this.#isDated,
    };
    this.#isDated = false;
    this.#hasOwnDate = date !== null;
    this.#isBelowHeading = false;
    this.#line = isSum && date === null ? null : line;
    this.#last = row;
    this.#add(line);
  }

  /** Takes a balance that stands among the rows of a table. */
  #takeBalance(
    kind: PdfBalance['kind'],
    {
      row,
      date,
      label,
      hasColumn,
      balance,
      moved,
    }: {
      readonly row: PdfRow;
      readonly date: WrittenDate | null;
      readonly label: string;
      readonly hasColumn: boolean;
      readonly balance: PdfMoney | null;
      readonly moved: readonly MoneyInColumn[];
    },
  ): void {
    const [only] = moved;
    const last = moneyIn(row, this.#places).at(-1);
    if (hasColumn && (kind === 'closing' || kind === 'carried')) this.#addSums(row, this.#besideBalance(row, this.#columns ?? []));
    if (balance === null && hasColumn && last !== undefined)
      this.#add({ kind, row, date, money: last, column: null, label, isInTable: !this.#isBelowHeading });
    else if (balance !== null || (only !== undefined && moved.length === 1)) {
      const side =
        balance === null && only !== undefined && only.column.role !== 'amount' ? (only.column.role as 'paid_in' | 'paid_out') : null;
      const money = balance ?? only?.money;
      if (money !== undefined) this.#add({ kind, row, date, money, column: side, label, isInTable: !this.#isBelowHeading });
    }
  }

  #endLine(): void {
    this.#line = null;
    this.#pending = [];
  }

  #add(event: PdfEvent): void {
    this.#events.push(event);
  }

  /** Takes the balances of a row that is no row of a transaction: words before an amount, or above it. */
  #takeSummary(row: PdfRow, at: number): void {
    const amounts = moneyIn(row, this.#places);
    let from = 0;
    for (const money of amounts) {
      const words = row.words.slice(from, money.from);
      from = money.to + 1;
      const near = textOfWords(phrasesOf({ ...row, words }).at(-1) ?? []);
      const label = [near, textOfWords(words)].find((each) => balanceWords(each) !== null) ?? near;
      const kind = balanceWords(label);
      if (kind !== null) this.#add({ kind, row, date: null, money, column: null, label, isInTable: this.#isRowOfTable(row, money) });
      else if (isBalanceOfDay(label)) this.#addDated(row, money, label);
      else if (sideOfSum(label) !== null) this.#addSum(row, money, label);
      else if (!/\p{L}{3}/u.test(label) || currencyCode(label) !== null) this.#takeBelow(row, at, money);
    }
  }

  /** Whether a balance stands among transactions: below their header, at the end of its row, with nothing but its words before it. */
  #isRowOfTable(row: PdfRow, money: PdfMoney): boolean {
    return (
      this.#columns !== null &&
      !this.#isIgnored &&
      !this.#isBelowHeading &&
      this.#isBelowHeader &&
      money.to === row.words.length - 1 &&
      phrasesOf(row).length <= 3
    );
  }

  /** Returns the amounts before the last one of a row, by their nearest columns: sums beside a balance may be set in other type. */
  #besideBalance(row: PdfRow, columns: readonly Column[]): MoneyInColumn[] {
    return moneyIn(row, this.#places)
      .slice(0, -1)
      .flatMap((money) => {
        const column = nearest(money, columns);
        return column === null || !money.isApart ? [] : [{ money, column }];
      });
  }

  #addSums(row: PdfRow, moved: readonly MoneyInColumn[]): void {
    for (const { column, money } of moved)
      if (column.role === 'paid_in' || column.role === 'paid_out')
        this.#sums.push({ row, minor: money.minor, side: column.role === 'paid_in' ? 'in' : 'out', isInTable: true });
  }

  #addSum(row: PdfRow, money: PdfMoney, label: string): void {
    const side = sideOfSum(label);
    if (side !== null) this.#sums.push({ row, minor: money.minor, side, isInTable: false });
  }

  #addDated(row: PdfRow, money: PdfMoney, label: string): void {
    const words = label.split(' ').map((text, index) => ({ text: text.replace(/[:,]$/, ''), x0: index, x1: index, size: 1 }));
    const date = words.map((_, index) => dateAt(words, index, 1)).find((each) => each !== null) ?? null;
    if (date !== null) this.#dated.push({ kind: 'closing', row, date, money, column: null, label, isInTable: false });
  }

  /** Takes an amount whose words stand above it. */
  #takeBelow(row: PdfRow, at: number, money: PdfMoney): void {
    const above = this.#rows[at - 1];
    if (above === undefined || above.page !== row.page || row.y - above.y > row.size * 2.2 || moneyIn(above, this.#places).length > 0)
      return;
    const phrase = phrasesOf(above).find((words) => {
      const [x0, x1] = [words[0]?.x0 ?? 0, words.at(-1)?.x1 ?? 0];
      return (
        Math.min(x1, money.x1) - Math.max(x0, money.x0 - row.size * 11) > 0 && x0 < money.x1 && Math.abs(x0 - money.x0) < row.size * 13
      );
    });
    const label = phrase === undefined ? '' : textOfWords(phrase);
    const kind = balanceWords(label);
    if (kind !== null) this.#add({ kind, row, date: null, money, column: null, label, isInTable: false });
    else this.#addSum(row, money, label);
  }
}

/** Of how many like it may one be an exception. */
const ONE_OF = 8;

/**
 * Returns the events with those lines marked of which the date is probably lost. Where each row has a date, one without is; where a day has one date
 * and its balance stands in its last row, the row behind it begins a day and has one. A date that is a piece of the usual form has lost the rest.
 */
function withDoubts(events: readonly PdfEvent[]): PdfEvent[] {
  const lines = events.filter((event) => event.kind === 'line');
  const undated = lines.filter(({ isDated }) => !isDated);
  const isRepeated = lines.some(({ date, row: { page }, isDated }, index) => {
    const before = lines[index - 1];
    return isDated && before?.isDated === true && before.row.page === page && before.date !== date && before.date?.text === date?.text;
  });
  const ofDays = new Set(events.flatMap((event, index) => (events[index - 1]?.kind === 'day' ? [event] : [])));
  const behindBalance = lines.filter((line, index) => (lines[index - 1]?.balance ?? null) !== null || ofDays.has(line));
  const late = behindBalance.filter(({ isDated }) => !isDated);
  const isBalancedEach = lines.every(({ balance }) => balance !== null);
  const isDatedEach = isRepeated || undated.length * ONE_OF <= lines.length || (isBalancedEach && undated.length === 1);
  const isOfDays = !isBalancedEach && late.length * 2 <= behindBalance.length;
  const lost = new Set<PdfEvent>([
    ...(isDatedEach ? undated : []),
    ...(isOfDays ? late : []),
    ...piecesOfDates(lines),
    ...strayDates(lines),
  ]);
  return events.map((event) => (event.kind === 'line' && event.doubt === null && lost.has(event) ? { ...event, doubt: 'undated' } : event));
}

/** Returns the lines whose date is only a piece of the form in which nearly all dates are written: `Dec 21` where others are like `11 Dec 21`. */
function piecesOfDates(lines: readonly PdfLine[]): PdfLine[] {
  const formOf = ({ date }: PdfLine): string =>
    (date?.text ?? '').replaceAll(/\p{L}+/gu, 'a').replaceAll(/\d+/g, (digits) => (digits.length > 2 ? '9999' : '9'));
  const byForm = Map.groupBy(
    lines.filter(({ isDated }) => isDated),
    formOf,
  );
  const [usual, most] = [...byForm].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? ['', []];
  return [...byForm].flatMap(([form, found]) =>
    form !== usual && found.length * 2 <= most.length && (usual.startsWith(form) || usual.endsWith(form)) ? found : [],
  );
}

/** Returns the lines whose date stands where hardly any other does, such as in the column of another day. */
function strayDates(lines: readonly PdfLine[]): PdfLine[] {
  // Lists with several dates in a row have them at several places.
  const inRow = Map.groupBy(lines, ({ row }) => row);
  if ([...inRow.values()].some(({ length }) => length > 1)) return [];
  const dates = lines.flatMap(({ date, isDated }) => (date !== null && isDated ? [date] : []));
  const usualBy = (edgeOf: (date: WrittenDate) => number): ((date: WrittenDate) => boolean) => {
    const edges = Map.groupBy(dates, (date) => Math.round(edgeOf(date)));
    const near = (edge: number): number =>
      [...edges].reduce((count, [other, found]) => count + (Math.abs(other - edge) <= DATE_DRIFT ? found.length : 0), 0);
    const usual = new Set([...edges.keys()].filter((edge) => near(edge) * ONE_OF > dates.length));
    return (date) => usual.has(Math.round(edgeOf(date)));
  };
  const [beginsUsually, endsUsually] = [usualBy(({ x0 }) => x0), usualBy(({ x1 }) => x1)];
  return lines.filter(({ date, isDated }) => date !== null && isDated && !beginsUsually(date) && !endsUsually(date));
}

/** Returns the number around which most of some numbers lie. */
function mostFrequent(numbers: readonly number[]): number | null {
  let best: number | null = null;
  let most = 0;
  for (const one of numbers) {
    const near = numbers.filter((other) => Math.abs(other - one) <= 1).length;
    if (near > most) [best, most] = [one, near];
  }
  return best;
}

/** Returns the text of a row in the form of the lists of words. */
export function plainRow({ words }: PdfRow): string {
  return normaliseHeader(textOfWords(words));
}
