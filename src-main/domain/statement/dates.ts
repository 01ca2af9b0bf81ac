import { dayFromParts } from '../../../src-shared/values/civil-date.ts';

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/** A date as written: settled (`day` null: it does not exist on the calendar), or three numbers whose order is still open. */
export type DateShape =
  | { readonly kind: 'settled'; readonly day: number | null; readonly order: DateOrder }
  | {
      readonly kind: 'open';
      readonly first: number;
      readonly second: number;
      readonly third: number;
      readonly shortYear: boolean;
      readonly dotted: boolean;
    };

const TIME =
  /(?:[T\s,]|(?<=\d\.)\s)\s*\d{1,2}[:.h]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?\s*(?:[ap]\.?m\.?)?\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}|[A-Z]{3,4})?$/i;
const YEAR_FIRST = /^(\d{4})([-/. ]|年)(\d{1,2})(?:\2|[-/.月])(\d{1,2})[.日]?$/;
const YEAR_LAST = /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})\.?$/;
const YEAR_LAST_QUOTED = /^(\d{1,2})[/-](\d{1,2})'\s?(\d{2})$/;
const COMPACT = /^(?:(?:19|20)\d{6})$/;

/** First letters, without marks, that name a month in the main European languages. Longer ones first where they overlap. */
const MONTHS: readonly (readonly [string, number])[] = [
  ...entries(
    1,
    'jan january januar janvier janv enero ene gennaio gen januari janeiro styczen stycznia sty leden ledna janvar tammikuu tammi ocak ianuarie',
  ),
  ...entries(
    2,
    'feb february februar fevrier fevr fev febrero febbraio februari fevereiro luty lutego lut unor unora helmikuu helmi subat februarie',
  ),
  ...entries(3, 'mar march maerz marz mrz mars marzo maart mrt marco marzec marca brezen brezna marcius maaliskuu maalis mart martie'),
  ...entries(4, 'apr april avril avr abril abr aprile kwiecien kwietnia kwi duben dubna aprilis huhtikuu huhti nisan aprilie'),
  ...entries(5, 'may mai mayo maggio mag mei maio maj maja kveten kvetna majus toukokuu touko mayis'),
  ...entries(6, 'jun june juni juin junio giugno giu junho czerwiec czerwca cze cerven cervna junius kesakuu kesa haziran iunie'),
  ...entries(7, 'jul july juli juillet juil julio luglio lug julho lipiec lipca lip cervenec cervence julius heinakuu heina temmuz iulie'),
  ...entries(8, 'aug august aout agosto ago augustus augusti sierpien sierpnia sie srpen srpna augusztus elokuu elo agustos'),
  ...entries(
    9,
    'sep sept september septembre septiembre settembre set setembro wrzesien wrzesnia wrz zari szeptember syyskuu syys eylul septembrie',
  ),
  ...entries(
    10,
    'oct october okt oktober octobre octubre ottobre ott outubro out pazdziernik pazdziernika paz rijen rijna lokakuu loka ekim octombrie',
  ),
  ...entries(11, 'nov november novembre noviembre novembro listopad listopada lis marraskuu marras kasim noiembrie'),
  ...entries(
    12,
    'dec december dez dezember decembre diciembre dic dicembre dezembro grudzien grudnia gru prosinec prosince joulukuu joulu aralik decembrie des desember',
  ),
];
const MONTH_BY_NAME: ReadonlyMap<string, number> = new Map(MONTHS);
const FILLERS = new Set(
  'st nd rd th de del of den la le mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday mo di mi do fr sa so'.split(
    ' ',
  ),
);

function entries(month: number, words: string): (readonly [string, number])[] {
  return words.split(' ').map((word) => [word, month] as const);
}

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year >= 70 ? 1900 + year : 2000 + year;
}

/** The shape of a date; null when the text is none. A trailing time is let go. */
export function dateShape(text: string): DateShape | null {
  const trimmed = text.trim();
  if (trimmed.length < 6 || trimmed.length > 45 || !/\d/.test(trimmed)) return null;
  return numericShape(trimmed) ?? numericShape(trimmed.replace(TIME, '').trim()) ?? namedShape(trimmed.replace(TIME, '').trim());
}

function numericShape(text: string): DateShape | null {
  const first = YEAR_FIRST.exec(text);
  if (first !== null) {
    return { kind: 'settled', day: dayFromParts(Number(first[1]), Number(first[3]), Number(first[4])), order: 'ymd' };
  }
  if (COMPACT.test(text)) {
    const day = dayFromParts(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6)));
    return day === null ? null : { kind: 'settled', day, order: 'ymd' };
  }
  const last = YEAR_LAST.exec(text);
  const quotedYear = last === null ? YEAR_LAST_QUOTED.exec(text) : null;
  const one = last?.[1] ?? quotedYear?.[1];
  const two = last?.[3] ?? quotedYear?.[2];
  const three = last?.[4] ?? quotedYear?.[3];
  if (one === undefined || two === undefined || three === undefined) return null;
  return {
    kind: 'open',
    first: Number(one),
    second: Number(two),
    third: three.length === 4 ? Number(three) : fullYear(three),
    shortYear: three.length === 2 && one.length === 2,
    dotted: last?.[2] === '.',
  };
}

function namedShape(text: string): DateShape | null {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const tokens = plain.match(/\p{L}+|\d+/gu);
  if (tokens === null || tokens.length > 7 || plain.replaceAll(/[\p{L}\d\s.,/'-]/gu, '') !== '') return null;
  let month: number | null = null;
  const numbers: string[] = [];
  for (const token of tokens) {
    if (/^\d+$/.test(token)) numbers.push(token);
    else if (month === null && MONTH_BY_NAME.has(token)) month = MONTH_BY_NAME.get(token) ?? null;
    else if (!FILLERS.has(token)) return null;
  }
  const [one, two] = numbers;
  if (month === null || one === undefined || two === undefined || numbers.length > 2) return null;
  if (one.length === 4) return { kind: 'settled', day: dayFromParts(Number(one), month, Number(two)), order: 'ymd' };
  if (one.length > 2 || (two.length !== 2 && two.length !== 4)) return null;
  return { kind: 'settled', day: dayFromParts(fullYear(two), month, Number(one)), order: 'dmy' };
}

/** The day of a shape under an order; null when that day does not exist. Days since 1970-01-01. */
export function dayOfShape(shape: DateShape, order: DateOrder | null): number | null {
  if (shape.kind === 'settled') return shape.day;
  if (order === 'mdy') return dayFromParts(shape.third, shape.first, shape.second);
  if (order === 'ymd')
    return shape.shortYear ? dayFromParts(fullYear(String(shape.first).padStart(2, '0')), shape.second, shape.third % 100) : null;
  return dayFromParts(shape.third, shape.second, shape.first);
}

/** Whether the three numbers are in range for an order; 30 February is in range, month 13 is not. */
export function fits(shape: DateShape, order: DateOrder): boolean {
  if (shape.kind === 'settled') return true;
  if (order === 'dmy') return inRange(shape.first, shape.second);
  if (order === 'mdy') return inRange(shape.second, shape.first);
  return shape.shortYear && inRange(shape.third % 100, shape.second);
}

function inRange(day: number, month: number): boolean {
  return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}
