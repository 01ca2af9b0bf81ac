import { dayFromIso, dayFromParts, daysInMonth, isoFromDay } from './civil-date.ts';

/**
 * The grammar of every search of lines. Terms are divided by spaces and all apply:
 * `350.00`, `1,275` an amount in either direction; `-25` or `+25` one in its direction; `>1000`, `<=20`, `-25..-10` ranges of amounts;
 * `30/06`, `30/06/2026`, `2026-06`, `01/06..30/06`, `>30/06` days; `age:>30` days since the line's date; `account:bank`, `party:"Name"`;
 * `is:open`, `is:matched`, `is:proposed`, `is:unproposed`, `is:overdue`, `is:return` what has become of it;
 * a number without a decimal or group mark is an amount or a text; all else is text, and so is all in quotes. Every text means something.
 */
export interface AmountTerm {
  /** Decimal texts as `-25` or `350.00`; null for no bound. */
  readonly least: string | null;
  readonly most: string | null;
  /** Whether the bounds themselves are left out. */
  readonly isOpen: boolean;
  /** Whether the direction counts. Otherwise the size alone does. */
  readonly isSigned: boolean;
}

/** Inclusive days since 1970-01-01, or ages in days; null for no bound. */
interface Span {
  readonly from: number | null;
  readonly to: number | null;
}

export interface LineTerms {
  readonly words: readonly string[];
  /** Digits that are an amount or a part of a text. */
  readonly numbers: readonly string[];
  readonly amounts: readonly AmountTerm[];
  readonly days: readonly Span[];
  readonly ages: readonly Span[];
  /** Keys of accounts, of which one must hold the line. */
  readonly accounts: readonly string[];
  readonly parties: readonly string[];
  readonly states: readonly LineState[];
}

const LINE_STATES = ['open', 'matched', 'proposed', 'unproposed', 'overdue', 'return'] as const;
export type LineState = (typeof LINE_STATES)[number];

export interface Reading {
  /** The day to which a date without a year is nearest in the past, since 1970-01-01. */
  readonly today: number;
  /** Whether 05/06 is the fifth of June. */
  readonly isDayFirst: boolean;
}

const TOKENS = /(?:account|party):"[^"]*"|"[^"]*"|\S+/gu;
const COMPARED = /^(?<sign>>=|<=|>|<)(?<value>.+)$/u;
const RANGE = /^(?<from>[^.]+(?:\.\d+)?)\.\.(?<to>.+)$/u;

/** Returns a decimal text with a point and without groups, with its sign if it has one; null for no number. */
function decimalOf(text: string): string | null {
  const found = /^(?<sign>[-+\u2212]?)(?<digits>\d[\d.,'\u2019]*)$/u.exec(text)?.groups;
  if (found === undefined) return null;
  const digits = found['digits'] ?? '';
  const sign = found['sign'] === '' ? '' : found['sign'] === '+' ? '+' : '-';
  const groups = digits.replaceAll(/['\u2019]/gu, '');
  if (/^\d{1,3}(?:,\d{3})+$/u.test(groups) || /^\d{1,3}(?:\.\d{3})+$/u.test(groups)) return sign + groups.replaceAll(/[.,]/gu, '');
  const parts = /^(?<whole>\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+|\d+)(?:[.,](?<rest>\d{1,8}))?$/u.exec(groups)?.groups;
  const whole = parts?.['whole']?.replaceAll(/[.,]/gu, '');
  if (whole === undefined || whole.length > 15) return null;
  return `${sign}${whole}${parts?.['rest'] === undefined ? '' : `.${parts['rest']}`}`;
}

function spanOfMonth(year: number, month: number): Span | null {
  const from = dayFromParts(year, month, 1);
  return from === null ? null : { from, to: from + daysInMonth(year, month) - 1 };
}

/** Returns the day of a date without a year: the newest that is not in the future. */
function yearlessDay(month: number, day: number, today: number): number | null {
  const year = Number(isoFromDay(today).slice(0, 4));
  const days = [year, year - 1, year - 2, year - 3, year - 4].map((each) => dayFromParts(each, month, day));
  return days.find((found) => found !== null && found <= today) ?? null;
}

function daysOf(text: string, { today, isDayFirst }: Reading): Span | null {
  const iso = dayFromIso(text);
  if (iso !== null) return { from: iso, to: iso };
  const month = /^(\d{4})-(\d{2})$/u.exec(text);
  if (month !== null) return spanOfMonth(Number(month[1]), Number(month[2]));
  const parts = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?$/u.exec(text);
  if (parts === null) return null;
  const [first, second] = [Number(parts[1]), Number(parts[2])];
  const [day, ofMonth] = isDayFirst ? [first, second] : [second, first];
  const year = parts[3] === undefined ? null : Number(parts[3]) + (parts[3].length === 2 ? 2_000 : 0);
  const found = year === null ? yearlessDay(ofMonth, day, today) : dayFromParts(year, ofMonth, day);
  return found === null ? null : { from: found, to: found };
}

const EMPTY: LineTerms = { words: [], numbers: [], amounts: [], days: [], ages: [], accounts: [], parties: [], states: [] };
const isSigned = (decimal: string | null): boolean => decimal !== null && /^[-+]/u.test(decimal);

/** Compares two decimal texts. */
function compared(left: string, right: string): number {
  const scale = Math.max(placesOf(left), placesOf(right));
  const [one, two] = [unitsAt(left, scale), unitsAt(right, scale)];
  return one < two ? -1 : one > two ? 1 : 0;
}

function amountBetween(one: string, two: string): AmountTerm {
  const [least, most] = compared(one, two) <= 0 ? [one, two] : [two, one];
  return { least, most, isOpen: false, isSigned: isSigned(one) || isSigned(two) };
}

/** Returns the amount, or the range of amounts, that a text says; null for any other text. */
export function readAmountTerm(token: string): AmountTerm | null {
  const bound = COMPARED.exec(token)?.groups;
  if (bound !== undefined) {
    const value = decimalOf(bound['value'] ?? '');
    const sign = bound['sign'] ?? '';
    if (value === null) return null;
    const open = { isOpen: sign.length === 1, isSigned: isSigned(value) };
    return sign.startsWith('>') ? { least: value, most: null, ...open } : { least: null, most: value, ...open };
  }
  const range = RANGE.exec(token)?.groups;
  const [from, to] = range === undefined ? [token, token] : [range['from'] ?? '', range['to'] ?? ''];
  const [one, two] = [decimalOf(from), decimalOf(to)];
  return one === null || two === null ? null : amountBetween(one, two);
}

function spanOf(token: string, read: (text: string) => Span | null): Span | null {
  const bound = COMPARED.exec(token)?.groups;
  if (bound !== undefined) {
    const value = read(bound['value'] ?? '');
    if (value === null || value.from === null || value.to === null) return null;
    switch (bound['sign']) {
      case '>':
        return { from: value.to + 1, to: null };
      case '>=':
        return { from: value.from, to: null };
      case '<':
        return { from: null, to: value.from - 1 };
      default:
        return { from: null, to: value.to };
    }
  }
  const range = RANGE.exec(token)?.groups;
  if (range === undefined) return read(token);
  const spans = [read(range['from'] ?? ''), read(range['to'] ?? '')].toSorted((left, right) => (left?.from ?? 0) - (right?.from ?? 0));
  const [first = null, last = null] = spans;
  return first === null || last === null ? null : { from: first.from, to: last.to };
}

function ageOf(text: string): Span | null {
  return /^\d{1,5}$/u.test(text) ? { from: Number(text), to: Number(text) } : null;
}

function unquoted(text: string): string {
  return text.replaceAll('"', '').trim();
}

function withToken(terms: LineTerms, token: string, reading: Reading): LineTerms {
  const named = /^(?<name>account|party|age|is):(?<value>.+)$/u.exec(token)?.groups;
  const value = unquoted(named?.['value'] ?? '');
  const age = named?.['name'] === 'age' ? spanOf(value, ageOf) : null;
  if (age !== null) return { ...terms, ages: [...terms.ages, age] };
  const state = named?.['name'] === 'is' ? LINE_STATES.find((each) => each === value.toLowerCase()) : undefined;
  if (state !== undefined) return { ...terms, states: [...terms.states, state] };
  if (named?.['name'] === 'account' && value !== '') return { ...terms, accounts: [...terms.accounts, value] };
  if (named?.['name'] === 'party' && value !== '') return { ...terms, parties: [...terms.parties, value] };
  if (token.startsWith('"')) return unquoted(token) === '' ? terms : { ...terms, words: [...terms.words, unquoted(token)] };
  if (/^\d+$/u.test(token) && token.length <= 15) return { ...terms, numbers: [...terms.numbers, token] };
  const days = spanOf(token, (text) => daysOf(text, reading));
  if (days !== null) return { ...terms, days: [...terms.days, days] };
  const amount = readAmountTerm(token);
  return amount === null ? { ...terms, words: [...terms.words, token] } : { ...terms, amounts: [...terms.amounts, amount] };
}

/** Returns the terms of what a person types. */
export function readLineTerms(text: string, reading: Reading): LineTerms {
  return (text.match(TOKENS) ?? []).reduce((terms, token) => withToken(terms, token, reading), EMPTY);
}

/** Returns a term as text that reads as the same. */
export function writeAmountTerm({ least, most, isOpen, isSigned: hasSign }: AmountTerm): string {
  const written = (decimal: string): string => (hasSign && !isSigned(decimal) ? `+${decimal}` : decimal);
  if (least !== null && most !== null) {
    const isOne = least === most && placesOf(least) > 0;
    return isOne || (least === most && hasSign) ? written(least) : `${written(least)}..${written(most)}`;
  }
  const mark = isOpen ? '' : '=';
  return least === null ? `<${mark}${written(most ?? '0')}` : `>${mark}${written(least)}`;
}

function spanText({ from, to }: Span, write: (value: number) => string): string {
  if (from === to && from !== null) return write(from);
  if (from === null) return `<=${write(to ?? 0)}`;
  return to === null ? `>=${write(from)}` : `${write(from)}..${write(to)}`;
}

/** Writes a word so that it is read as one: in quotes where it would mean something else. */
function wordText(word: string, reading: Reading): string {
  const read = readLineTerms(word, reading).words;
  return read.length === 1 && read[0] === word ? word : `"${word}"`;
}

/** Returns the terms as text that reads the same in every locale and on every day: days are ISO 8601. */
export function lineTermsText(terms: LineTerms, reading: Reading): string {
  return [
    ...terms.words.map((word) => wordText(word, reading)),
    ...terms.numbers,
    ...terms.amounts.map(writeAmountTerm),
    ...terms.days.map((span) => spanText(span, isoFromDay)),
    ...terms.ages.map((span) => `age:${spanText(span, String)}`),
    ...terms.accounts.map((key) => `account:"${key}"`),
    ...terms.parties.map((name) => `party:"${name}"`),
    ...terms.states.map((state) => `is:${state}`),
  ].join(' ');
}

function placesOf(decimal: string): number {
  return decimal.split('.')[1]?.length ?? 0;
}

/** Returns a decimal text in units of a scale that holds all its digits. */
function unitsAt(decimal: string, scale: number): bigint {
  const digits = decimal.replace(/^[-+]/u, '');
  const [whole = '0', rest = ''] = digits.split('.');
  const units = BigInt(whole + rest.padEnd(scale, '0'));
  return decimal.startsWith('-') ? -units : units;
}

/** Returns the inclusive bounds of a term in minor units of a scale; null for no bound. */
export function minorBounds(term: AmountTerm, decimalPlaces: number): { readonly least: number | null; readonly most: number | null } {
  const bound = (decimal: string | null, isLeast: boolean): number | null => {
    if (decimal === null) return null;
    const scale = Math.max(decimalPlaces, placesOf(decimal));
    const factor = 10n ** BigInt(scale - decimalPlaces);
    const units = unitsAt(decimal, scale);
    const rest = ((units % factor) + factor) % factor;
    const floor = (units - rest) / factor;
    const inner = isLeast ? (rest === 0n ? floor : floor + 1n) : floor;
    const isOnBound = rest === 0n && term.isOpen;
    return Number(isOnBound ? (isLeast ? inner + 1n : inner - 1n) : inner);
  };
  return { least: bound(term.least, true), most: bound(term.most, false) };
}
