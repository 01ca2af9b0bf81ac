import { dayFromParts, daysInMonth, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { amountShape } from './amounts.ts';

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/** Year, month and day of the month. */
type DateParts = readonly [year: number, month: number, day: number];

/**
 * A date as written: settled (`day` is null where it does not exist on the calendar; `parts` then has its numbers), or three numbers whose order is
 * open, or a date without a year.
 */
export type DateShape =
  | { readonly kind: 'settled'; readonly day: number | null; readonly order: DateOrder; readonly parts?: DateParts }
  | {
      readonly kind: 'open';
      readonly first: number;
      readonly second: number;
      readonly third: number;
      readonly shortYear: boolean;
      readonly dotted: boolean;
    }
  | YearlessDate;

/** A day and a month without a year. Where the month is named, the first number is the day. */
export interface YearlessDate {
  readonly kind: 'yearless';
  readonly first: number;
  readonly second: number;
  readonly isNamed: boolean;
  readonly dotted: boolean;
}

/**
 * The days on which dates without a year may fall: the stated period and the days around it, so that each day and month occurs once. Days since
 * 1970-01-01.
 */
export interface DayWindow {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
}

/** The window where the stated period is read day first and month first. */
type YearsByOrder = Readonly<Record<'dmy' | 'mdy', DayWindow | null>>;

/** The windows of a file that states no year. */
const NO_YEARS: YearsByOrder = { dmy: null, mdy: null };
/** A year with every day of the calendar. */
export const LEAP_YEAR = 2000;

/** Matches a time behind a date, with its zone. */
const TIME =
  /(?:[T,]\s*|(?<!\s)\s+)\d{1,2}[:.h]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?(?:\s*(?:[ap]\.?m\.?|uhr))?(?:\s*(?:Z|(?:UTC|GMT)?[+-]\d{2}:?\d{2}|\(?[A-Z]{3,4}\)?|[A-Z]\w{1,24}\/\w{1,24}))?(?:\s*\(\D{2,40}\))?$/i;
/** Matches the effective day that brokers add behind the booking day. */
const AS_OF = /(?<!\s)\s+as of\s+[\d/.-]{8,10}$/i;
const COMPACT_TIME = /(?<=^\d{8})[T;]\d{4}(?:\d{2})?(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?$/;
/** Matches a time of digits alone behind a date, with the fractions and zone of OFX. */
const DIGIT_TIME = /(?<=^(?:19|20)\d{6})(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:\.\d{1,6})?(?:\s?\[[^\]]{1,12}\])?$/;
const WEEKDAY_BEFORE = /^(\p{L}{2,10})(?:-feira)?[.,]*\s+(?=\d)/u;
const WEEKDAY_BEHIND = /(?<!\s)\s*[(（]\p{L}{1,4}\.?[)）]$/u;
const YEAR_FIRST = /^(\d{4})([-/. :]|年|년)\s?(\d{1,2})(?:\2|[-/.月월])\s?(\d{1,2})[.日일]?$/;
const YEAR_LAST = /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})\.?$/;
const YEAR_LAST_SPACED = /^(\d{1,2})( )(\d{1,2}) (\d{4})$/;
const YEAR_LAST_QUOTED = /^(\d{1,2})[/-](\d{1,2})'\s?(\d{2})$/;
const HAS_DIGIT = /[\d\uff10-\uff19]/;
const WIDE_DIGIT = /[\uff10-\uff19]/;
const MAX_LENGTH = 70;
const COMPACT = /^(?:(?:19|20)\d{6})$/;

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year >= 70 ? 1900 + year : 2000 + year;
}

/** Returns the shape of a date; null when the text is not a date. Ignores a trailing time. */
export function dateShape(text: string): DateShape | null {
  const trimmed = text.trim();
  if (trimmed.length < 6 || trimmed.length > MAX_LENGTH || !HAS_DIGIT.test(trimmed)) return null;
  return numericShape(trimmed) ?? shapeWithout(trimmed);
}

/** Returns the shape of a date with a time or a weekday beside it, with words, in wide digits, or of another calendar. */
function shapeWithout(text: string): DateShape | null {
  // An apostrophe in front keeps a date as text in a spreadsheet.
  const plain = (WIDE_DIGIT.test(text) ? text.normalize('NFKC') : text).replace(/^'(?=\d)/, '');
  const bare = plain
    .replace(AS_OF, '')
    .replace(TIME, '')
    .replace(COMPACT_TIME, '')
    .replace(DIGIT_TIME, '')
    .replace(WEEKDAY_BEHIND, '')
    .trim();
  const weekday = WEEKDAY_BEFORE.exec(bare);
  const undated = weekday !== null && isDateFiller(plainWord(weekday[1] ?? '')) ? bare.slice(weekday[0].length) : bare;
  const found = numericShape(undated) ?? namedShape(undated);
  if (found !== null) return found;
  const day = dayOfEra(undated);
  return day === null ? null : { kind: 'settled', day, order: 'ymd' };
}

function numericShape(text: string): DateShape | null {
  const first = YEAR_FIRST.exec(text);
  if (first !== null) {
    return settled([Number(first[1]), Number(first[3]), Number(first[4])], 'ymd');
  }
  if (COMPACT.test(text)) {
    const day = statementDay(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6)));
    return day === null ? null : { kind: 'settled', day, order: 'ymd' };
  }
  const last = YEAR_LAST.exec(text) ?? YEAR_LAST_SPACED.exec(text);
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

function settled(parts: DateParts, order: DateOrder): DateShape {
  const day = statementDay(...parts);
  return day === null ? { kind: 'settled', day, order, parts } : { kind: 'settled', day, order };
}

function namedShape(text: string): DateShape | null {
  const plain = plainWord(text);
  const tokens = plain.match(/\p{L}+|\d+/gu);
  if (tokens === null || tokens.length > 7 || plain.replaceAll(/[\p{L}\d\s.,/'-]/gu, '') !== '') return null;
  let month: number | null = null;
  const numbers: string[] = [];
  for (const token of tokens) {
    if (/^\d+$/.test(token)) numbers.push(token);
    else if (month === null && monthNamed(token) !== null) month = monthNamed(token);
    else if (!isDateFiller(token)) return null;
  }
  const [one, two] = numbers;
  if (month === null || one === undefined || two === undefined || numbers.length > 2) return null;
  if (one.length === 4) return settled([Number(one), month, Number(two)], 'ymd');
  if (one.length > 2 || (two.length !== 2 && two.length !== 4)) return null;
  return settled([fullYear(two), month, Number(one)], 'dmy');
}

const YEARLESS = /^'?(\d{1,2})([-/.])(\d{1,2})\.?$/;
const YEARLESS_EAST = /^(\d{1,2})[月월]\s?(\d{1,2})[日일]$/;

/** Returns the shape of a day and a month without a year, such as `03-14` or `14 Mar`; null when the text is neither. */
export function yearlessShape(text: string): YearlessDate | null {
  const bare = text.trim().replace(TIME, '');
  const numeric = YEARLESS.exec(bare);
  if (numeric !== null) return yearless(Number(numeric[1]), Number(numeric[3]), { isNamed: false, dotted: numeric[2] === '.' });
  const east = YEARLESS_EAST.exec(bare);
  if (east !== null) return yearless(Number(east[2]), Number(east[1]), { isNamed: true, dotted: false });
  const [number, ...others] = bare.match(/\d+/g) ?? [];
  if (number === undefined || number.length > 2 || others.length > 0) return null;
  const named = shapeWithout(`${bare} ${LEAP_YEAR}`);
  if (named?.kind !== 'settled' || named.day === null) return null;
  const [, month, day] = isoFromDay(named.day).split('-').map(Number);
  return yearless(day ?? 0, month ?? 0, { isNamed: true, dotted: false });
}

/** Returns a day and a month from two numbers; null where they are a date in no order. */
function yearless(first: number, second: number, rest: Pick<YearlessDate, 'isNamed' | 'dotted'>): YearlessDate | null {
  return inRange(first, second) || (!rest.isNamed && inRange(second, first)) ? { kind: 'yearless', first, second, ...rest } : null;
}

/** Returns year, month and day of a date without a year, placed into `year`. */
export function partsInYear({ first, second, isNamed }: YearlessDate, order: DateOrder | null, year: number): DateParts {
  return order === 'mdy' && !isNamed ? [year, first, second] : [year, second, first];
}

/** Returns the window of dates without a year under an order. */
export function windowUnder(years: YearsByOrder, order: DateOrder | null): DayWindow | null {
  return years[order === 'mdy' ? 'mdy' : 'dmy'];
}

function dayWithin(shape: YearlessDate, order: DateOrder | null, years: YearsByOrder): number | null {
  const window = windowUnder(years, order);
  if (window === null) return null;
  const candidates = [window.first, window.last].map((day) =>
    dayFromParts(...partsInYear(shape, order, Number(isoFromDay(day).slice(0, 4)))),
  );
  const [day, ...others] = new Set(candidates.filter((each) => each !== null && each >= window.first && each <= window.last));
  return day === undefined || others.length > 0 ? null : day;
}

/**
 * Returns the day of a shape under an order in days since 1970-01-01; null when that day does not exist, or its year is not known. `years` is for
 * dates without a year.
 */
export function dayOfShape(shape: DateShape, order: DateOrder | null, years: YearsByOrder = NO_YEARS): number | null {
  if (shape.kind === 'settled') return shape.day;
  if (shape.kind === 'yearless') return dayWithin(shape, order, years);
  const parts = partsOf(shape, order);
  return parts === null ? null : statementDay(...parts);
}

function partsOf({ first, second, third, shortYear }: Extract<DateShape, { kind: 'open' }>, order: DateOrder | null): DateParts | null {
  if (order === 'mdy') return [third, first, second];
  if (order === 'ymd') return shortYear ? [fullYear(String(first).padStart(2, '0')), second, third % 100] : null;
  return [third, second, first];
}

/** Returns the end of a sentence that says why a date does not exist (30 February); null where that is not the reason. */
export function whyNoDay(shape: DateShape, order: DateOrder | null): string | null {
  if (shape.kind === 'yearless') return null;
  const parts = shape.kind === 'settled' ? (shape.parts ?? null) : partsOf(shape, order);
  return parts === null ? null : beyondMonth(parts);
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Returns the end of a sentence that says a month has fewer days; null where the day is in range. */
export function beyondMonth([year, month, day]: DateParts): string | null {
  const days = daysInMonth(year, month);
  return day > 31 || days === 0 || day <= days
    ? null
    : phrase('statement.dates.doesNotExistHasDays', { months: MONTHS[month - 1] ?? '', year, days });
}

/** Whether the three numbers are in range for an order; 30 February is in range, month 13 is not. */
export function fits(shape: DateShape, order: DateOrder): boolean {
  if (shape.kind === 'settled' || (shape.kind === 'yearless' && shape.isNamed)) return true;
  if (order === 'dmy') return inRange(shape.first, shape.second);
  if (order === 'mdy') return inRange(shape.second, shape.first);
  return shape.kind === 'open' && shape.shortYear && inRange(shape.third % 100, shape.second);
}

function inRange(day: number, month: number): boolean {
  return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}

/** The statements of a file beside its rows about the year of dates without one. */
export interface StatedYears {
  /** The window for dates that are written day first or month first; null where the file states nothing, or more than one year. */
  readonly byOrder: YearsByOrder;
  /** Line of the file that states it. */
  readonly row: number;
}

/** "day first", "month first" or "year first". */
export function orderWords(order: DateOrder | null): string {
  if (order === 'mdy') return phrase('statement.dates.monthFirst');
  return order === 'ymd' ? phrase('statement.dates.yearFirst') : phrase('statement.dates.dayFirst');
}

/** Years that a statement may have. Any other year is a typing error or of another calendar. */
const YEARS = { first: 1000, last: 2199 } as const;
/** Years of the Buddhist era, as Thailand counts them: no statement is from that far ahead. */
const BUDDHIST = { first: 2443, last: 2742, ahead: 543 } as const;
/** Year 1 of the Republic of China, as Taiwan counts, is 1912; its years have three digits until 2910. */
const MINGUO = /^(1\d\d)([-/.])(\d{1,2})\2(\d{1,2})$/;
const MINGUO_BEHIND = 1911;
const ERA = /^(令和|平成|昭和|[RHS])\s?(\d{1,2}|元)([-/.]|年)(\d{1,2})(?:[-/.]|月)(\d{1,2})日?$/i;
/** The year before year 1 of each Japanese era. */
const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925, R: 2018, H: 1988, S: 1925 };

/** Returns the day of a year, month and day that exists on the calendar and may be on a statement, else null. */
function statementDay(year: number, month: number, day: number): number | null {
  const common = year >= BUDDHIST.first && year <= BUDDHIST.last ? year - BUDDHIST.ahead : year;
  return common < YEARS.first || common > YEARS.last ? null : dayFromParts(common, month, day);
}

/** Returns the day of a date in years of Taiwan (113/01/31) or of a Japanese era (R6.1.31, 令和6年1月31日); null where the text is neither. */
function dayOfEra(text: string): number | null {
  const minguo = MINGUO.exec(text);
  if (minguo !== null) return statementDay(Number(minguo[1]) + MINGUO_BEHIND, Number(minguo[3]), Number(minguo[4]));
  const found = ERA.exec(text);
  if (found === null) return null;
  const before = ERAS[(found[1] ?? '').toUpperCase()] ?? 0;
  return statementDay(before + (found[2] === '元' ? 1 : Number(found[2])), Number(found[4]), Number(found[5]));
}

/** A date as it is written, and its shape. */
export interface WrittenDate {
  readonly text: string;
  readonly shape: DateShape;
}

/** Most cells that a question shows. */
export const EXAMPLES = 3;

/** Keeps the first dates of a file that mean different days under different orders. */
export class DateExamples {
  readonly #found: WrittenDate[] = [];

  wants(shape: DateShape): boolean {
    return (
      this.#found.length < EXAMPLES &&
      (shape.kind === 'open' || (shape.kind === 'yearless' && !shape.isNamed)) &&
      shape.first !== shape.second
    );
  }

  add(shape: DateShape, text: string): void {
    if (this.wants(shape) && this.#found.every((other) => other.text !== text)) this.#found.push({ text, shape });
  }

  get list(): readonly WrittenDate[] {
    return this.#found;
  }
}

/** Returns a word in the form of the lists: lower-case, without accents. */
export function plainWord(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Names of the months from January to December, full and short, in the forms that dates use. */
const NAMES: readonly string[] = [
  'jan january januar janvier janv enero ene gennaio gen januari janeiro styczen stycznia sty leden ledna janvar tammikuu tammi ocak oca ianuarie jaanuar janvaris sausio январь января янв январи січня ιανουαριος ιανουαριου ιαν',
  'feb february februar fevrier fevr fev febrero febbraio februari fevereiro luty lutego lut unor unora helmikuu helmi subat sub februarie veebruar februaris vasario февраль февраля фев февр февруари лютого φεβρουαριος φεβρουαριου φεβ',
  'mar march maerz marz mrz mars marzo maart mrt marco marzec marca brezen brezna marcius maaliskuu maalis mart martie maret marts kovo март марта мар березня μαρτιος μαρτιου μαρ',
  'apr april avril avr abril abr aprile kwiecien kwietnia kwi duben dubna aprilis huhtikuu huhti nisan nis aprilie aprill balandzio апрель апреля апр април квітня απριλιος απριλιου απρ',
  'may mai mayo maggio mag mei maio maj maja kveten kvetna majus toukokuu touko mayis maijs geguzes май мая травня μαιος μαιου μαι',
  'jun june juni juin junio giugno giu junho czerwiec czerwca cze cerven cervna junius kesakuu kesa haziran haz iunie juuni junijs birzelio июнь июня июн юни червня ιουνιος ιουνιου ιουν',
  'jul july juli juillet juil julio luglio lug julho lipiec lipca lip cervenec cervence julius heinakuu heina temmuz tem iulie juuli julijs liepos июль июля июл юли липня ιουλιος ιουλιου ιουλ',
  'aug august aout agosto ago augustus augusti sierpien sierpnia sie srpen srpna augusztus elokuu elo agustos agu agustus agt augusts rugpjucio август августа авг серпня αυγουστος αυγουστου αυγ',
  'sep sept september septembre septiembre settembre set setembro wrzesien wrzesnia wrz zari szeptember syyskuu syys eylul eyl septembrie septembris rugsejo сентябрь сентября сен сент септември вересня σεπτεμβριος σεπτεμβριου σεπ',
  'oct october okt oktober octobre octubre ottobre ott outubro out pazdziernik pazdziernika paz rijen rijna lokakuu loka ekim eki octombrie oktoober oktobris spalio октябрь октября окт октомври жовтня οκτωβριος οκτωβριου οκτ',
  'nov november novembre noviembre novembro listopad listopada lis marraskuu marras kasim kas noiembrie novembris lapkricio ноябрь ноября ноя нояб ноември νοεμβριος νοεμβριου νοε',
  'dec december dez dezember decembre diciembre dic dicembre dezembro grudzien grudnia gru prosinec prosince joulukuu joulu aralik ara decembrie des desember detsember decembris gruodzio декабрь декабря дек декември грудня δεκεμβριος δεκεμβριου δεκ',
];

const MONTH_BY_NAME: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [plainWord(name), index + 1] as const)),
);
const WEEKDAYS =
  'mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonntag lun mar mer jeu ven sam dim lundi mardi mercredi jeudi vendredi samedi dimanche ' +
  'seg ter qua qui sex segunda terca quarta quinta sexta sabado domingo lunes martes miercoles jueves viernes ' +
  'lunedi martedi mercoledi giovedi venerdi sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag';
const FILLERS: ReadonlySet<string> = new Set(`st nd rd th de del of den la le г года р ${WEEKDAYS}`.split(' ').map(plainWord));

/** Returns the month that a plain word names, 1 to 12; else null. */
export function monthNamed(word: string): number | null {
  return MONTH_BY_NAME.get(word) ?? null;
}

/** Whether a plain word can accompany a date: a day of the week, "of", "th". */
function isDateFiller(word: string): boolean {
  return FILLERS.has(word);
}

/**
 * How a column writes dates as digits alone, which could be any number without its header: DDMMYYYY or MMDDYYYY, six digits, a date with its time,
 * days as spreadsheets count them, seconds or milliseconds since 1970; or without a year, in words or numbers.
 */
export type DateForm = 'eight_digits' | 'six_digits' | 'stamp' | 'serial' | 'seconds' | 'milliseconds' | 'no_year';

const FORMS: readonly DateForm[] = ['stamp', 'eight_digits', 'six_digits', 'serial', 'seconds', 'milliseconds', 'no_year'];
/** Days from the day 0 of spreadsheets to 1970-01-01. */
const SERIAL_OF_1970 = 25_569;
const SECONDS_OF_DAY = 86_400;
/** Days from 1970 that a serial number may mean: 1990 to 2099. */
const SERIAL_DAYS = { first: 7_305, last: 47_481 } as const;

/** Returns the form of the cells of a column that is called a date; null where the cells are dates by themselves, or not dates. */
export function dateFormOf(cells: readonly string[]): DateForm | null {
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length === 0 || filled.filter((cell) => dateShape(cell) !== null).length * 2 >= filled.length) return null;
  return FORMS.find((form) => filled.filter((cell) => shapeOfForm(cell, form) !== null).length * 3 >= filled.length * 2) ?? null;
}

/** Returns the shape of a cell in a form; null where the cell is not of that form. */
export function shapeOfForm(cell: string, form: DateForm): DateShape | null {
  switch (form) {
    case 'eight_digits':
      return /^\d{8}$/.test(cell) ? numbered(cell.slice(0, 2), cell.slice(2, 4), Number(cell.slice(4)), false) : null;
    case 'six_digits':
      return /^\d{6}$/.test(cell) ? numbered(cell.slice(0, 2), cell.slice(2, 4), fullYear(cell.slice(4)), true) : null;
    case 'stamp':
      return /^\d{8}(?:\d{4}|\d{6})$/.test(cell)
        ? settledDay(statementDay(Number(cell.slice(0, 4)), Number(cell.slice(4, 6)), Number(cell.slice(6, 8))))
        : null;
    case 'serial':
      return /^\d{5}(?:[.,\u066b]\d+)?$/.test(cell) ? withinSerials(Number(cell.slice(0, 5)) - SERIAL_OF_1970) : null;
    case 'seconds':
      return /^\d{9,10}$/.test(cell) ? withinSerials(Math.floor(Number(cell) / SECONDS_OF_DAY)) : null;
    case 'milliseconds':
      return /^\d{12,13}$/.test(cell) ? withinSerials(Math.floor(Number(cell.slice(0, -3)) / SECONDS_OF_DAY)) : null;
    case 'no_year':
      return dateShape(cell) ?? yearlessShape(cell) ?? ofFourDigits(cell);
  }
}

function ofFourDigits(cell: string): DateShape | null {
  return /^\d{4}$/.test(cell) ? yearless(Number(cell.slice(0, 2)), Number(cell.slice(2)), { isNamed: false, dotted: false }) : null;
}

function withinSerials(day: number): DateShape | null {
  return day < SERIAL_DAYS.first || day > SERIAL_DAYS.last ? null : settledDay(day);
}

function settledDay(day: number | null): DateShape | null {
  return day === null ? null : { kind: 'settled', day, order: 'ymd' };
}

function numbered(one: string, two: string, third: number, shortYear: boolean): DateShape {
  return { kind: 'open', first: Number(one), second: Number(two), third, shortYear, dotted: false };
}

/** Returns what a form of numbers means, in words; null where the digits show the date. */
export function wordsOfForm(form: DateForm | null): string | null {
  switch (form) {
    case 'serial':
      return phrase('statement.dates.numbersOfDaysAsSpreadsheets');
    case 'seconds':
      return phrase('statement.dates.secondsSinceEpoch');
    case 'milliseconds':
      return phrase('statement.dates.millisecondsSince1970AndTheirDay');
    default:
      return null;
  }
}

/** Whether a row holds a cell that is a date and another that is an amount. */
export function isDataRow(cells: readonly string[]): boolean {
  const dated = cells.findIndex((cell) => dateShape(cell) !== null);
  return dated >= 0 && cells.some((cell, index) => index !== dated && amountShape(cell.trim()) !== null);
}
