import { dayFromParts } from '../../../../src-shared/values/civil-date.ts';
import { type DateOrder, dateShape, type DateShape, dayOfShape, type DayWindow, type StatedYears } from '../cells/dates.ts';
import type { GridRow } from '../model/grid-row.ts';
import { monthNamed, plainWord } from '../vocabulary/months.ts';
import type { BalanceLine } from './balance-lines.ts';

/** Days that a text names: a single one, a month, a year. */
interface SaidDays {
  readonly row: number;
  readonly isBegin: boolean;
  readonly range: (order: DateOrder) => { readonly first: number; readonly last: number } | null;
}

const ACCEPTED =
  /(?:^| )(?:period|periodo|periode|periodos|statement|from|to|until|through|between|month|cycle|closing|balance|zeitraum|auszug|kontoauszug|von|vom|bis|monat|saldo|kontostand|stichtag|abrechnung|abrechnungsmonat|releve|arrete|du|au|mois|solde|dal|al|mese|desde|hasta|extracto|corte|mes|extrato|estratto|wyciag|okres|obdobi|vypis|utskrift|kontoutdrag|kontoudskrift|ajanjakso|periood|periodas|year|jahr|annee|ano|anno|rok|год|период|выписка)(?= |$)|期间|期間|账单|帳單|对账|明细/;
/** Words for days that do not concern the rows. */
const REFUSED =
  /(?:^| )(?:due|expir\w*|valid\w*|birth|opened|since|geburt\w*|gultig\w*|fallig\w*|echeance|vencimiento|vencimento|scadenza|limit|next|export\w*|downloaded|download|generated|created|printed|erstellt|gedruckt|edite|abgerufen|generado|nr|no|number|nummer)(?= |$)/;
const BEGIN =
  /(?:^| )(?:from|von|vom|du|dal|desde|start\w*|begin\w*|opening|brought|anfang\w*|initial|anterior|precedente?|previous)(?= |$)/;
const YEAR = /(?:^| )(?:year|jahr|annee|ano|anno|rok|год)(?= |$)/;

const DAYS =
  /(?<![\d.,])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})|\d{4}年\d{1,2}月\d{1,2}日|(?:19|20)\d{6}|\d{1,2}(?:st|nd|rd|th)?\.?(?: de)?[\s-]?\p{L}{3,12}\.?,?(?: de)?[\s-]\d{4}|\p{L}{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?!\d)/gu;
const NAMED_MONTH = /(\p{L}{3,12})\.?\s+(?:de\s+)?((?:19|20)\d{2})(?!\d)/u;
const NUMBERED_MONTH = /(?<![\d/.-])(\d{1,2})[/.-]((?:19|20)\d{2})(?![\d/.-])/;
const YEAR_ALONE = /(?<![\d/.-])((?:19|20)\d{2})(?![\d/.-])/;
const LONGEST = 200;

/** Most days beyond the stated ones that rows may have, since they are booked later than they were made. */
const MOST_BEYOND = 60;
const DAYS_OF_YEAR = 365;
/** Days allowed behind the only stated day, or before it where it is the first one. */
const BEHIND_ONLY = 10;

/** Returns the years that lines above the table and balance lines state for rows without a year; null where they state none. */
export function statedYears(preamble: readonly GridRow[], lines: readonly BalanceLine[]): StatedYears | null {
  const said = [
    ...preamble.flatMap((row, index) => saidInRow(row, preamble[index - 1] ?? null)),
    ...lines.flatMap((line) => saidInRow({ row: line.row, cells: line.cells }, null)),
  ];
  const [first] = said;
  if (first === undefined) return null;
  const byOrder = { dmy: windowOf(said, 'dmy'), mdy: windowOf(said, 'mdy') };
  return byOrder.dmy === null && byOrder.mdy === null ? null : { byOrder, row: first.row };
}

function saidInRow({ row, cells }: Pick<GridRow, 'row' | 'cells'>, above: GridRow | null): readonly SaidDays[] {
  const dated = cells.filter((cell) => cell.length <= LONGEST && daysIn(cell).length > 0).length;
  return cells.flatMap((cell, index) => {
    if (cell.length > LONGEST || !/\d{2}/.test(cell)) return [];
    const shapes = daysIn(cell);
    const own = wordsOf(cell);
    const label =
      own !== ''
        ? own
        : wordsOf(cells.slice(0, index).findLast((each) => wordsOf(each) !== '') ?? '') || wordsOf(above?.cells[index] ?? '');
    if (REFUSED.test(label)) return [];
    const isPair = shapes.length === 2 || (dated >= 2 && shapes.length === 1);
    if (!ACCEPTED.test(label) && !isPair && !isMonthAlone(cell)) return [];
    const isBegin = shapes.length === 1 && BEGIN.test(label);
    const ranges = shapes.length > 0 ? shapes.map(rangeOfDay) : [rangeOfMonth(cell, label)];
    return ranges.flatMap((range) => (range === null ? [] : [{ row, isBegin, range }]));
  });
}

/** Words beside the days of a text, with one blank between them. */
function wordsOf(text: string): string {
  return (plainWord(text.replace(DAYS, ' ')).match(/\p{L}+/gu) ?? [])
    .filter((word) => monthNamed(word) === null || ACCEPTED.test(word))
    .join(' ');
}

/** The days that a text names, in its order. */
export function daysIn(text: string): readonly DateShape[] {
  return (text.match(DAYS) ?? []).flatMap((found) => dateShape(found) ?? []);
}

function isMonthAlone(cell: string): boolean {
  const found = NAMED_MONTH.exec(cell);
  return found !== null && found[0].length === cell.trim().length && monthNamed(plainWord(found[1] ?? '')) !== null;
}

function rangeOfDay(shape: DateShape): SaidDays['range'] {
  return (order) => {
    const day = dayOfShape(shape, order);
    return day === null ? null : { first: day, last: day };
  };
}

/** The month or the year that a text names. */
function rangeOfMonth(text: string, label: string): SaidDays['range'] | null {
  const named = NAMED_MONTH.exec(text);
  const numbered = NUMBERED_MONTH.exec(text);
  const month = named === null ? Number(numbered?.[1] ?? 0) : (monthNamed(plainWord(named[1] ?? '')) ?? 0);
  const year = Number((month === 0 ? YEAR_ALONE.exec(text)?.[1] : (named ?? numbered)?.[2]) ?? 0);
  if (year === 0 || (month === 0 && !YEAR.test(label))) return null;
  const first = dayFromParts(year, month === 0 ? 1 : month, 1);
  const behind = month === 0 || month === 12 ? dayFromParts(year + 1, 1, 1) : dayFromParts(year, month + 1, 1);
  return first === null || behind === null ? null : () => ({ first, last: behind - 1 });
}

function windowOf(said: readonly SaidDays[], order: DateOrder): DayWindow | null {
  const ranges = said.flatMap(({ range, isBegin }) => {
    const found = range(order);
    return found === null ? [] : [{ ...found, isBegin }];
  });
  if (ranges.length === 0) return null;
  const from = Math.min(...ranges.map(({ first }) => first));
  const to = Math.max(...ranges.map(({ last }) => last));
  const days = to - from + 1;
  if (days > DAYS_OF_YEAR + 1) return null;
  if (days > 1) {
    const beyond = Math.max(0, Math.min(MOST_BEYOND, Math.floor((DAYS_OF_YEAR - days) / 2)));
    return { from, to, first: from - beyond, last: to + beyond };
  }
  const isBegin = ranges.every((range) => range.isBegin);
  const rest = DAYS_OF_YEAR - 1 - BEHIND_ONLY;
  return isBegin ? { from, to, first: from - BEHIND_ONLY, last: from + rest } : { from, to, first: to - rest, last: to + BEHIND_ONLY };
}
