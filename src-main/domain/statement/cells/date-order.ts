import { dayFromParts, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { dayOfShape, fits, LEAP_YEAR, partsInYear, type StatedYears } from './dates.ts';
import type { DateOrder, DateShape, YearlessDate } from './dates.ts';

export interface OrderEvidence {
  /** Shapes of other date columns of the same file. */
  readonly otherShapes: readonly DateShape[];
  readonly filename: string;
  /** Named by the file or the user; null when only assumed. */
  readonly currency: string | null;
  readonly decimalComma: boolean;
  /** In which order the file's format wants dates, which not every program heeds; with the name of the format. */
  readonly ofFormat?: { readonly order: DateOrder; readonly name: string };
  /** Of dates without a year. */
  readonly years?: StatedYears | null;
}

export interface DecidedOrder {
  /** Null when no date of the file has its numbers in an open order. */
  readonly order: DateOrder | null;
  /** Why this order was taken although another one reads as well; null when the rows settle it. */
  readonly assumedBecause: string | null;
  /** Orders that read as well as the one that was taken, that one among them, where nothing decides between them. */
  readonly choices?: readonly DateOrder[];
  /** Where a spreadsheet may have taken days for months: whether its dates are turned back. */
  readonly exchanged?: ExchangedDates;
  /** Of which year dates without one are; null or missing where no date lacks it, or nothing says it. */
  readonly years?: StatedYears | null;
}

/** Dates of which a spreadsheet may have taken the day for the month, beside texts of the order in which all were written. */
export interface ExchangedDates {
  /** The order of the texts. */
  readonly order: 'dmy' | 'mdy';
  readonly isTurned: boolean;
  /** Why; null where nothing decides, or a person said it. */
  readonly because: string | null;
  /** Nothing decides, and nobody said it. */
  readonly isOpen: boolean;
  /** Some of them, as they are written. Days since 1970-01-01. */
  readonly examples: readonly number[];
  /** No text stands beside them: the dates alone look exchanged. */
  readonly areAlone?: true;
}

/** Who uses these currencies writes the month first or the day, and a file of theirs may come from anywhere. */
const EITHER_WAY = new Set(['USD', 'PHP', 'CAD']);

/** Days of the shapes of a file under one order. */
class DaysUnder {
  readonly #order: DateOrder;
  readonly #distinct = new Set<number>();
  #previous: number | null = null;
  #rises = true;
  #falls = true;
  first = Infinity;
  last = -Infinity;

  constructor(order: DateOrder) {
    this.#order = order;
  }

  add(shape: DateShape): void {
    const day = shape.kind === 'yearless' ? this.#nextTo(shape) : dayOfShape(shape, this.#order);
    if (day !== null) this.addDay(day);
  }

  addDay(day: number): void {
    const previous = this.#previous ?? day;
    if (day < previous) this.#rises = false;
    if (day > previous) this.#falls = false;
    this.#previous = day;
    this.first = Math.min(this.first, day);
    this.last = Math.max(this.last, day);
    if (this.#distinct.size < ENOUGH_DAYS) this.#distinct.add(day);
  }

  /** The day that is nearest to the one before, whichever its year: December and January follow one another. */
  #nextTo(shape: YearlessDate): number | null {
    const day = dayFromParts(...partsInYear(shape, this.#order, LEAP_YEAR));
    if (day === null || this.#previous === null) return day;
    const apart = (day - this.#previous + HALF_YEAR) % DAYS_OF_YEAR;
    return this.#previous + (apart < 0 ? apart + DAYS_OF_YEAR : apart) - HALF_YEAR;
  }

  /** What follows is a list of its own. */
  startOver(): void {
    this.#previous = null;
  }

  get isSorted(): boolean {
    return this.#rises || this.#falls;
  }

  get hasEnough(): boolean {
    return this.#distinct.size === ENOUGH_DAYS;
  }
}

const DAYS_OF_YEAR = 366;
const HALF_YEAR = DAYS_OF_YEAR / 2;
/** So many distinct days in a row are hardly in order by chance. */
const ENOUGH_DAYS = 4;

/** In how many shapes whose order is open the numbers are in range, by order. */
interface OpenShapes {
  count: number;
  dmy: number;
  mdy: number;
  ymd: number;
}

function countOpen(into: OpenShapes, shape: DateShape): void {
  into.count += 1;
  for (const order of ['dmy', 'mdy', 'ymd'] as const) if (fits(shape, order)) into[order] += 1;
}

/** The day with day and month exchanged, where that is one. */
export function exchangedDay(day: number): number {
  const [year = 0, month = 0, dayOfMonth = 0] = isoFromDay(day).split('-').map(Number);
  return dayFromParts(year, dayOfMonth, month) ?? day;
}

/** Days by which true dates may lie outside of those of the texts beside them. */
const BESIDE_TEXTS = 31;
const SHOWN_EXAMPLES = 3;
/** Dates of one day in so many months, at least, may be days of one month. */
const SEVERAL_MONTHS = 3;

/**
 * A spreadsheet that opens dates of another country takes days up to 12 for months and leaves the others as they are: then some dates are true ones, of the first
 * twelve days alone, and the others are texts with numbers above 12 alone. Both readings are followed: the dates as they stand, and turned back.
 */
class Notations {
  readonly #asWritten = new DaysUnder('ymd');
  readonly #turned = new DaysUnder('ymd');
  readonly #texts = new DaysUnder('ymd');
  readonly #examples: number[] = [];
  /** Of true dates, as they are written and turned back. */
  readonly #trueDays = new DaysUnder('ymd');
  readonly #turnedDays = new DaysUnder('ymd');
  #order: 'dmy' | 'mdy' | null = null;
  #isAsSwapped = true;
  /** Days of the month of true dates, and their months. */
  readonly #daysOfMonth = new Set<string>();
  readonly #months = new Set<string>();

  add(shape: DateShape): void {
    if (!this.#isAsSwapped) return;
    if (shape.kind === 'open') this.#addText(shape);
    else if (shape.kind === 'settled' && shape.day !== null) this.#addTrue(shape.day);
  }

  #addText(shape: Extract<DateShape, { kind: 'open' }>): void {
    const order = fits(shape, 'dmy') ? 'dmy' : 'mdy';
    const day = dayOfShape(shape, order);
    this.#isAsSwapped = !(shape.first <= 12 && shape.second <= 12) && (this.#order ?? order) === order;
    this.#order = order;
    if (day !== null) for (const days of [this.#asWritten, this.#turned, this.#texts]) days.addDay(day);
  }

  #addTrue(day: number): void {
    const date = isoFromDay(day);
    this.#isAsSwapped = Number(date.slice(-2)) <= 12;
    this.#daysOfMonth.add(date.slice(-2));
    this.#months.add(date.slice(0, -3));
    const turned = exchangedDay(day);
    this.#asWritten.addDay(day);
    this.#turned.addDay(turned);
    this.#trueDays.addDay(day);
    this.#turnedDays.addDay(turned);
    if (this.#examples.length < SHOWN_EXAMPLES && turned !== day && !this.#examples.includes(day)) this.#examples.push(day);
  }

  /** What follows is a list of its own. */
  startOver(): void {
    for (const days of [this.#asWritten, this.#turned]) days.startOver();
  }

  get isAsSwapped(): boolean {
    return this.#isAsSwapped;
  }

  get areMixed(): boolean {
    return this.#isAsSwapped && this.#order !== null && this.#examples.length > 0;
  }

  /** The reading that keeps the order of the file and the range of its texts, where exactly one does. `said`: in which order a person or a recipe says that dates are. */
  decided(said: DateOrder | null): ExchangedDates | null {
    if (!this.areMixed || this.#order === null) return null;
    const base = { order: this.#order, examples: this.#examples };
    if (said !== null) return { ...base, isTurned: said === this.#order, because: null, isOpen: false };
    const isBeside = ({ first, last }: DaysUnder): boolean =>
      first >= this.#texts.first - BESIDE_TEXTS && last <= this.#texts.last + BESIDE_TEXTS;
    const keeps = this.#asWritten.isSorted && isBeside(this.#trueDays);
    const keepsTurned = this.#turned.isSorted && isBeside(this.#turnedDays);
    if (keeps === keepsTurned) return { ...base, isTurned: false, because: null, isOpen: true };
    return { ...base, isTurned: keepsTurned, because: 'then the rows run in the order of days', isOpen: false };
  }

  /**
   * Of days up to 12 alone no text is left. They look exchanged where all are of one day in several months, and turned back of one month, or where only turned back
   * they run in order. Monthly payments look so as well, so it is open unless a period that the file states holds but one reading.
   */
  decidedAlone(said: DateOrder | null, period: readonly number[]): ExchangedDates | null {
    if (!this.#isAsSwapped || this.#order !== null || this.#examples.length === 0) return null;
    const isOneMonth = this.#daysOfMonth.size === 1 && this.#months.size >= SEVERAL_MONTHS;
    const isInOrderTurned = this.#trueDays.hasEnough && !this.#asWritten.isSorted && this.#turned.isSorted;
    if (!isOneMonth && !isInOrderTurned) return null;
    const base = { order: 'dmy' as const, examples: this.#examples, areAlone: true as const };
    if (said !== null) return { ...base, isTurned: said !== 'ymd', because: null, isOpen: false };
    const [from, to] = [Math.min(...period), Math.max(...period)];
    const isWithin = ({ first, last }: DaysUnder): boolean => period.length > 1 && first >= from && last <= to;
    const [isWritten, isTurned] = [isWithin(this.#trueDays), isWithin(this.#turnedDays)];
    if (isWritten === isTurned) return { ...base, isTurned: false, because: null, isOpen: true };
    return { ...base, isTurned, because: 'then they are days of the period that the file states', isOpen: false };
  }
}

/** What the dates of all rows of a file, in its order, say of the order of day and month. */
export class OrderFacts {
  readonly #open: OpenShapes = { count: 0, dmy: 0, mdy: 0, ymd: 0 };
  readonly #dayFirst = new DaysUnder('dmy');
  readonly #monthFirst = new DaysUnder('mdy');
  readonly #yearFirst = new DaysUnder('ymd');
  #first: DateShape | null = null;
  #isAlike = true;
  #isDotted = true;
  readonly #notations = new Notations();
  /** Dates without a year: one of each. */
  readonly #yearless = new Map<string, YearlessDate>();
  /** The shape before, if the list goes on with it. */
  #before: DateShape | null = null;

  add(shape: DateShape): void {
    this.#first ??= shape;
    // Rows of one day follow one another, and their days are known.
    if (shape !== this.#before) this.#addDays(shape);
    this.#before = shape;
    if (shape.kind === 'open' || (shape.kind === 'yearless' && !shape.isNamed)) countOpen(this.#open, shape);
  }

  #addDays(shape: DateShape): void {
    this.#dayFirst.add(shape);
    this.#monthFirst.add(shape);
    this.#notations.add(shape);
    if (shape.kind === 'yearless') this.#yearless.set(`${shape.first} ${shape.second} ${shape.isNamed}`, shape);
    if (shape.kind === 'settled' || (shape.kind === 'yearless' && shape.isNamed)) return;
    this.#yearFirst.add(shape);
    this.#isAlike &&= shape.first === shape.second;
    this.#isDotted &&= shape.dotted;
  }

  /** What follows is a list of its own, as the next account of a file is. */
  startOver(): void {
    this.#before = null;
    this.#notations.startOver();
    for (const days of [this.#dayFirst, this.#monthFirst, this.#yearFirst]) days.startOver();
  }

  decided(evidence: OrderEvidence): DecidedOrder {
    const years = this.#yearless.size === 0 ? null : (evidence.years ?? null);
    const decided = this.#decided(evidence, years);
    if (this.#yearless.size === 0) return decided;
    // Without a year no row is a line, and there is nothing to be asked about.
    return years === null ? { order: decided.order, assumedBecause: null, years } : { ...decided, years };
  }

  #decided(evidence: OrderEvidence, years: StatedYears | null): DecidedOrder {
    if (this.#open.count === 0) {
      const order = this.#first?.kind === 'settled' ? this.#first.order : this.#first?.kind === 'yearless' ? 'dmy' : null;
      return { order, assumedBecause: null };
    }
    const withOthers = { ...this.#open };
    for (const shape of evidence.otherShapes) if (shape.kind === 'open') countOpen(withOthers, shape);
    const settled = this.#byYears() ?? byRange(this.#open) ?? this.#byPeriod(years) ?? byRange(withOthers);
    if (settled !== null) return { order: settled, assumedBecause: null };
    if (this.#isAlike || this.#isDotted) return { order: 'dmy', assumedBecause: null };
    const bySequence = this.#bySequence();
    const habit = byHabit(evidence, this.#possible());
    if (bySequence !== null) return bySequence.assumedBecause === null ? bySequence : openAgainst(habit, bySequence, this.#possible());
    const bySpan = this.#bySpan();
    return this.#byFilename(evidence.filename) ?? (bySpan === null ? habit : openAgainst(habit, bySpan, this.#possible()));
  }

  #possible(): readonly DateOrder[] {
    return (['dmy', 'mdy', 'ymd'] as const).filter((order) => this.#open[order] >= this.#open.dmy);
  }

  /** Of a list of dates of which a spreadsheet may have taken some days for months; null for any other. */
  exchanged(said: DateOrder | null): ExchangedDates | null {
    return this.#notations.decided(said);
  }

  /** Of a sheet whose dates are all true ones. `above`: dates in the lines above it. */
  exchangedAlone(said: DateOrder | null, above: readonly DateShape[]): ExchangedDates | null {
    const order = byRange(above.reduce((open: OpenShapes, shape) => (countOpen(open, shape), open), { count: 0, dmy: 0, mdy: 0, ymd: 0 }));
    const days = above.map((shape) => dayOfShape(shape, order ?? 'dmy')).filter((day) => day !== null);
    return this.#notations.decidedAlone(said, days);
  }

  /** Whether all true dates are of the first twelve days of a month. */
  get mayBeExchanged(): boolean {
    return this.#notations.isAsSwapped;
  }

  /** The one order under which all dates without a year are of days that the file speaks of. */
  #byPeriod(years: StatedYears | null): DateOrder | null {
    const orders = (['dmy', 'mdy'] as const).filter((order) => {
      const window = years?.byOrder[order] ?? null;
      if (years === null || window === null || window.from === window.to) return false;
      return this.#yearless.values().every((shape) => {
        const day = dayOfShape(shape, order, years.byOrder);
        return day !== null && day >= window.from && day <= window.to;
      });
    });
    const [only, ...others] = orders;
    return only === undefined || others.length > 0 ? null : only;
  }

  /**
   * Of two digits each, a year in front reads as a day as well (24/01/31), and then every row is of another year: years first is right where that
   * brings the rows together.
   */
  #byYears(): DateOrder | null {
    if (this.#open.ymd < this.#open.count) return null;
    const others = [
      this.#open.dmy === this.#open.count ? this.#dayFirst : null,
      this.#open.mdy === this.#open.count ? this.#monthFirst : null,
    ];
    const spans = others.flatMap((days) => (days === null ? [] : [days.last - days.first]));
    return spans.length > 0 && Math.min(...spans) > Math.max(DAYS_OF_YEAR, 5 * (this.#yearFirst.last - this.#yearFirst.first))
      ? 'ymd'
      : null;
  }

  /** Statements run in the order of days: the order under which they do. */
  #bySequence(): DecidedOrder | null {
    if (this.#dayFirst.isSorted === this.#monthFirst.isSorted) return null;
    const order = this.#dayFirst.isSorted ? 'dmy' : 'mdy';
    return { order, assumedBecause: this.#dayFirst.hasEnough ? null : 'then the rows are in the order of days' };
  }

  /** A day in the file's name (`20180420`, `2018-04-20`) cannot lie before the rows. */
  #byFilename(filename: string): DecidedOrder | null {
    const found = /(?:^|\D)(20\d{2})[-_.]?([01]\d)[-_.]?([0-3]\d)(?:\D|$)/.exec(filename);
    if (found === null) return null;
    const named = dayFromParts(Number(found[1]), Number(found[2]), Number(found[3]));
    if (named === null) return null;
    const holds = ({ first, last }: DaysUnder): boolean => last <= named && first > named - 400;
    const isDayFirst = holds(this.#dayFirst);
    if (isDayFirst === holds(this.#monthFirst)) return null;
    return { order: isDayFirst ? 'dmy' : 'mdy', assumedBecause: "it agrees with the day in the file's name" };
  }

  /** Rows of one statement lie close together: ten days rather than ten months. */
  #bySpan(): DecidedOrder | null {
    const dayFirst = this.#dayFirst.last - this.#dayFirst.first;
    const monthFirst = this.#monthFirst.last - this.#monthFirst.first;
    if (Math.max(dayFirst, monthFirst) < 20 || Math.max(dayFirst, monthFirst) < 5 * Math.min(dayFirst, monthFirst)) return null;
    return { order: dayFirst < monthFirst ? 'dmy' : 'mdy', assumedBecause: 'then the rows lie close together' };
  }
}

/** Decides the order of day and month over all rows of a file, in file order. */
export function decideOrder(shapes: readonly DateShape[], evidence: OrderEvidence): DecidedOrder {
  const facts = new OrderFacts();
  for (const shape of shapes) facts.add(shape);
  return facts.decided(evidence);
}

/** The one order that fits every row, or clearly more rows than the others. */
function byRange(open: OpenShapes): DateOrder | null {
  if (open.dmy !== open.mdy) return open.dmy > open.mdy ? 'dmy' : 'mdy';
  return open.dmy < open.count && open.ymd > open.dmy ? 'ymd' : null;
}

/** What is usual where a file comes from; where nothing tells that, or one thing speaks against another, the orders are as good as each other. */
function byHabit({ currency, decimalComma, ofFormat }: OrderEvidence, possible: readonly DateOrder[]): DecidedOrder {
  const votes: { readonly order: DateOrder; readonly because: string }[] = [];
  const isEitherWay = currency !== null && EITHER_WAY.has(currency);
  if (currency !== null && !isEitherWay) votes.push({ order: 'dmy', because: `that is usual for ${currency}` });
  if (decimalComma) votes.push({ order: 'dmy', because: 'that is usual where decimals stand behind a comma' });
  if (ofFormat !== undefined) votes.push({ order: ofFormat.order, because: `${ofFormat.name} asks for it` });
  const [first] = votes;
  if (first !== undefined && votes.every(({ order }) => order === first.order && !(isEitherWay && order === 'dmy')))
    return { order: first.order, assumedBecause: first.because };
  if (isEitherWay) return { order: 'mdy', assumedBecause: `many files in ${currency} write the month first`, choices: possible };
  return { order: 'dmy', assumedBecause: 'most of the world writes the day first', choices: possible };
}

/** What the rows hint at, open where it is not what is usual for the file. */
function openAgainst(habit: DecidedOrder, found: DecidedOrder, possible: readonly DateOrder[]): DecidedOrder {
  const isUsualKnown = habit.choices === undefined || habit.order === 'mdy';
  return isUsualKnown && habit.order !== found.order ? { ...found, choices: possible } : found;
}
