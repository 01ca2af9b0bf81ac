import { dayFromParts, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { dayOfShape, fits, LEAP_YEAR, partsInYear, type StatedYears } from './dates.ts';
import type { DateOrder, DateShape, YearlessDate } from './dates.ts';

export interface OrderEvidence {
  /** Shapes of other date columns of the same file. */
  readonly otherShapes: readonly DateShape[];
  readonly filename: string;
  /** Named by the file or the user; null where it is only assumed. */
  readonly currency: string | null;
  readonly decimalComma: boolean;
  /** The order that the file's format prescribes, which not every program keeps, and the format's name. */
  readonly ofFormat?: { readonly order: DateOrder; readonly name: string };
  /** The years of dates that are written without one. */
  readonly years?: StatedYears | null;
}

export interface DecidedOrder {
  /** Null where no date of the file has an open order. */
  readonly order: DateOrder | null;
  /** Why this order was chosen although another one reads as well; null where the rows decide. */
  readonly assumedBecause: string | null;
  /** All orders that read equally well, the chosen one included, where nothing decides between them. */
  readonly choices?: readonly DateOrder[];
  /** Set where a spreadsheet may have exchanged days and months. */
  readonly exchanged?: ExchangedDates;
  /** The years of dates without one; null or missing where each date has its year, or nothing states it. */
  readonly years?: StatedYears | null;
}

/** Dates of which a spreadsheet may have taken the day for the month, beside texts in the order in which all were written. */
export interface ExchangedDates {
  /** The order of the texts. */
  readonly order: 'dmy' | 'mdy';
  readonly isTurned: boolean;
  /** The reason; null where nothing decides, or a person answered. */
  readonly because: string | null;
  /** True where nothing decides and no person has answered. */
  readonly isOpen: boolean;
  /** Some of the exchanged dates as written. Days since 1970-01-01. */
  readonly examples: readonly number[];
  /** No texts are beside them: the dates alone look exchanged. */
  readonly areAlone?: true;
}

/** Currencies whose users write either the day or the month first, so that they decide nothing. */
const EITHER_WAY = new Set(['USD', 'PHP', 'CAD']);

/** Collects the days of a file's shapes under one order. */
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

  /** Returns the day nearest to the one before, whatever its year: December and January follow one another. */
  #nextTo(shape: YearlessDate): number | null {
    const day = dayFromParts(...partsInYear(shape, this.#order, LEAP_YEAR));
    if (day === null || this.#previous === null) return day;
    const apart = (day - this.#previous + HALF_YEAR) % DAYS_OF_YEAR;
    return this.#previous + (apart < 0 ? apart + DAYS_OF_YEAR : apart) - HALF_YEAR;
  }

  /** Begins a new list: the next day is not compared with the one before. */
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
/** This many distinct days in a row are hardly in order by chance. */
const ENOUGH_DAYS = 4;

/** Counts the shapes of open order, and of these the ones whose numbers are in range for each order. */
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

/** Returns the day with day and month exchanged; the same day where that is no date. */
export function exchangedDay(day: number): number {
  const [year = 0, month = 0, dayOfMonth = 0] = isoFromDay(day).split('-').map(Number);
  return dayFromParts(year, dayOfMonth, month) ?? day;
}

/** Days by which true dates may lie outside the range of the texts beside them. */
const BESIDE_TEXTS = 31;
const SHOWN_EXAMPLES = 3;
/** Dates on one day of the month in at least this many months may be exchanged days of one month. */
const SEVERAL_MONTHS = 3;

/**
 * A spreadsheet that opens dates of another country takes days up to 12 for months and leaves the others as text: then true dates fall on the first
 * twelve days of a month only, and texts have numbers above 12 only. This class follows both readings: the dates as written, and exchanged back.
 */
class Notations {
  readonly #asWritten = new DaysUnder('ymd');
  readonly #turned = new DaysUnder('ymd');
  readonly #texts = new DaysUnder('ymd');
  readonly #examples: number[] = [];
  /** The true dates alone, as written and exchanged back. */
  readonly #trueDays = new DaysUnder('ymd');
  readonly #turnedDays = new DaysUnder('ymd');
  #order: 'dmy' | 'mdy' | null = null;
  #isAsSwapped = true;
  /** The days of the month of true dates, and their months. */
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

  /** Begins a new list: the next day is not compared with the one before. */
  startOver(): void {
    for (const days of [this.#asWritten, this.#turned]) days.startOver();
  }

  get isAsSwapped(): boolean {
    return this.#isAsSwapped;
  }

  get areMixed(): boolean {
    return this.#isAsSwapped && this.#order !== null && this.#examples.length > 0;
  }

  /**
   * Returns the reading that keeps the order of the file and the range of its texts, where exactly one does. `said`: the order that a person or a
   * recipe sets.
   */
  decided(said: DateOrder | null): ExchangedDates | null {
    if (!this.areMixed || this.#order === null) return null;
    const base = { order: this.#order, examples: this.#examples };
    if (said !== null) return { ...base, isTurned: said === this.#order, because: null, isOpen: false };
    const isBeside = ({ first, last }: DaysUnder): boolean =>
      first >= this.#texts.first - BESIDE_TEXTS && last <= this.#texts.last + BESIDE_TEXTS;
    const keeps = this.#asWritten.isSorted && isBeside(this.#trueDays);
    const keepsTurned = this.#turned.isSorted && isBeside(this.#turnedDays);
    if (keeps === keepsTurned) return { ...base, isTurned: false, because: null, isOpen: true };
    return { ...base, isTurned: keepsTurned, because: phrase('statement.dateOrder.thenTheRowsRun'), isOpen: false };
  }

  /**
   * Decides where all dates are on days up to 12, so that no text is left. They look exchanged where all are on one day in several months (exchanged
   * back: in one month), or where only the exchanged dates are in order. Monthly payments look the same, so the choice stays open unless the period
   * that the file states contains exactly one reading.
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
    return { ...base, isTurned, because: phrase('statement.dateOrder.thenTheyAreDays'), isOpen: false };
  }
}

/** Collects what the dates of all rows of a file, in its order, show of the order of day and month. */
export class OrderFacts {
  readonly #open: OpenShapes = { count: 0, dmy: 0, mdy: 0, ymd: 0 };
  readonly #dayFirst = new DaysUnder('dmy');
  readonly #monthFirst = new DaysUnder('mdy');
  readonly #yearFirst = new DaysUnder('ymd');
  #first: DateShape | null = null;
  #isAlike = true;
  #isDotted = true;
  readonly #notations = new Notations();
  /** Dates without a year, each once. */
  readonly #yearless = new Map<string, YearlessDate>();
  /** The shape before this one in the same list. */
  #before: DateShape | null = null;

  add(shape: DateShape): void {
    this.#first ??= shape;
    // Rows of one day follow one another, so equal neighbours add nothing.
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

  /** Begins a new list, such as the next account of a file. */
  startOver(): void {
    this.#before = null;
    this.#notations.startOver();
    for (const days of [this.#dayFirst, this.#monthFirst, this.#yearFirst]) days.startOver();
  }

  decided(evidence: OrderEvidence): DecidedOrder {
    const years = this.#yearless.size === 0 ? null : (evidence.years ?? null);
    const decided = this.#decided(evidence, years);
    if (this.#yearless.size === 0) return decided;
    // Without a year no row becomes a line, so there is nothing to ask about.
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

  /** Returns the exchanged dates of a list beside its texts; null for a list that does not look exchanged. */
  exchanged(said: DateOrder | null): ExchangedDates | null {
    return this.#notations.decided(said);
  }

  /** Returns the exchanged dates of a sheet that has true dates alone. `above`: dates in the lines above the table. */
  exchangedAlone(said: DateOrder | null, above: readonly DateShape[]): ExchangedDates | null {
    const order = byRange(above.reduce((open: OpenShapes, shape) => (countOpen(open, shape), open), { count: 0, dmy: 0, mdy: 0, ymd: 0 }));
    const days = above.map((shape) => dayOfShape(shape, order ?? 'dmy')).filter((day) => day !== null);
    return this.#notations.decidedAlone(said, days);
  }

  /** Whether all true dates are of the first twelve days of a month. */
  get mayBeExchanged(): boolean {
    return this.#notations.isAsSwapped;
  }

  /** Returns the one order under which all dates without a year fall into the period that the file states. */
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
   * With two digits each, a leading year reads as a day as well (24/01/31), and then every row is in another year: returns year first where that
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

  /** Returns the order under which the rows are in the order of days, as in most statements. */
  #bySequence(): DecidedOrder | null {
    if (this.#dayFirst.isSorted === this.#monthFirst.isSorted) return null;
    const order = this.#dayFirst.isSorted ? 'dmy' : 'mdy';
    return { order, assumedBecause: this.#dayFirst.hasEnough ? null : phrase('statement.dateOrder.thenTheRows') };
  }

  /** Decides by a day in the file's name (`20180420`, `2018-04-20`), which cannot be earlier than the rows. */
  #byFilename(filename: string): DecidedOrder | null {
    const found = /(?:^|\D)(20\d{2})[-_.]?([01]\d)[-_.]?([0-3]\d)(?:\D|$)/.exec(filename);
    if (found === null) return null;
    const named = dayFromParts(Number(found[1]), Number(found[2]), Number(found[3]));
    if (named === null) return null;
    const holds = ({ first, last }: DaysUnder): boolean => last <= named && first > named - 400;
    const isDayFirst = holds(this.#dayFirst);
    if (isDayFirst === holds(this.#monthFirst)) return null;
    return { order: isDayFirst ? 'dmy' : 'mdy', assumedBecause: phrase('statement.dateOrder.itAgreesWithTheDay') };
  }

  /** Decides by the span: rows of one statement lie close together, within ten days rather than ten months. */
  #bySpan(): DecidedOrder | null {
    const dayFirst = this.#dayFirst.last - this.#dayFirst.first;
    const monthFirst = this.#monthFirst.last - this.#monthFirst.first;
    if (Math.max(dayFirst, monthFirst) < 20 || Math.max(dayFirst, monthFirst) < 5 * Math.min(dayFirst, monthFirst)) return null;
    return { order: dayFirst < monthFirst ? 'dmy' : 'mdy', assumedBecause: phrase('statement.dateOrder.thenTheRowsLieClose') };
  }
}

/** Decides the order of day and month over all rows of a file, in file order. */
export function decideOrder(shapes: readonly DateShape[], evidence: OrderEvidence): DecidedOrder {
  const facts = new OrderFacts();
  for (const shape of shapes) facts.add(shape);
  return facts.decided(evidence);
}

/** Returns the one order that fits every row, or clearly more rows than the others. */
function byRange(open: OpenShapes): DateOrder | null {
  if (open.dmy !== open.mdy) return open.dmy > open.mdy ? 'dmy' : 'mdy';
  return open.dmy < open.count && open.ymd > open.dmy ? 'ymd' : null;
}

/** Returns the usual order for the origin of a file. Where nothing shows the origin, or indications disagree, all possible orders stay open. */
function byHabit({ currency, decimalComma, ofFormat }: OrderEvidence, possible: readonly DateOrder[]): DecidedOrder {
  const votes: { readonly order: DateOrder; readonly because: string }[] = [];
  const isEitherWay = currency !== null && EITHER_WAY.has(currency);
  if (currency !== null && !isEitherWay) votes.push({ order: 'dmy', because: phrase('statement.dateOrder.thatIsUsualFor', { currency }) });
  if (decimalComma) votes.push({ order: 'dmy', because: phrase('statement.dateOrder.thatIsUsualWhereDecimals') });
  if (ofFormat !== undefined)
    votes.push({ order: ofFormat.order, because: phrase('statement.dateOrder.asksForIt', { name: ofFormat.name }) });
  const [first] = votes;
  if (first !== undefined && votes.every(({ order }) => order === first.order && !(isEitherWay && order === 'dmy')))
    return { order: first.order, assumedBecause: first.because };
  if (isEitherWay)
    return { order: 'mdy', assumedBecause: phrase('statement.dateOrder.manyFilesInWriteTheMonthFirst', { currency }), choices: possible };
  return { order: 'dmy', assumedBecause: phrase('statement.dateOrder.mostOfTheWorldWrites'), choices: possible };
}

/** Returns the order that the rows suggest, open where it differs from the usual one. */
function openAgainst(habit: DecidedOrder, found: DecidedOrder, possible: readonly DateOrder[]): DecidedOrder {
  const isUsualKnown = habit.choices === undefined || habit.order === 'mdy';
  return isUsualKnown && habit.order !== found.order ? { ...found, choices: possible } : found;
}
