import fs from 'node:fs';
import path from 'node:path';

/** What a month holds, by what becomes of it. Its lines are all of both files. */
export interface MonthParts {
  /** Pairs of equal amount and one reference, which the rules match. */
  readonly pairs: number;
  /** Pairs of one reference of which the bank kept a charge of at most 0.50. */
  readonly charged: number;
  /** Pairs of equal amount a few days apart that have nothing else in common: they look alike and belong to others. */
  readonly alike: number;
  /** Payments and receipts of the books that the bank does not show. */
  readonly outstanding: number;
  /** Charges of the bank that the books do not have. */
  readonly charges: number;
}

/** With the two lines of `TWISTED` 5,000 lines. */
export const MONTH: MonthParts = { pairs: 2_070, charged: 120, alike: 49, outstanding: 400, charges: 120 };

export const OPENING = 25_000_000;

/** A payment that the bank booked with two digits exchanged, in minor units: a person matches it and adjusts. */
const TWISTED = { books: 912_500, bank: 921_500 };

interface Line {
  readonly day: number;
  readonly reference: string;
  readonly text: string;
  /** Minor units; money in is positive. */
  readonly amount: number;
}

export interface Month {
  readonly bank: readonly Line[];
  readonly books: readonly Line[];
}

/** A generator of numbers below a bound, the same for the same seed. */
function seeded(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * bound);
  };
}

const PARTIES = [
  'Fresh Produce',
  'Hiscox',
  'Grafton Estates',
  'Miller & Sons',
  'Barista Supplies',
  'North Power',
  'City Water',
  'Oak Joinery',
];
const LAST_DAY = 30;
const REFERENCE_DIGITS = 5;

/** Makes a June of two sides, the same for the same seed. */
export function monthOf(parts: MonthParts = MONTH, seed = 38): Month {
  const below = seeded(seed);
  const bank: Line[] = [];
  const books: Line[] = [];
  const party = (): string => PARTIES[below(PARTIES.length)] ?? '';
  const numbered = (kind: string, at: number): string => `${kind}-${String(at + 1).padStart(REFERENCE_DIGITS, '0')}`;
  // Each amount is there once, so that no pair has a rival.
  let amount = 4_000;
  const next = (): number => {
    amount += 1 + below(37);
    return below(3) === 0 ? amount : -amount;
  };
  for (let at = 0; at < parts.pairs; at += 1) {
    const line = { day: 1 + below(LAST_DAY - 2), reference: numbered('INV', at), text: `${party()} invoice`, amount: next() };
    books.push(line);
    bank.push({ ...line, day: line.day + below(3), text: `${line.text.toUpperCase()} LTD` });
  }
  for (let at = 0; at < parts.charged; at += 1) {
    const line = { day: 1 + below(LAST_DAY), reference: numbered('CARD', at), text: `${party()} card takings`, amount: Math.abs(next()) };
    books.push(line);
    bank.push({ ...line, amount: line.amount - 1 - below(50) });
  }
  for (let at = 0; at < parts.alike; at += 1) {
    const size = next();
    const day = 1 + below(LAST_DAY - 5);
    books.push({ day, reference: numbered('PAY', at), text: `${party()} on account`, amount: size });
    bank.push({ day: day + 4, reference: numbered('TRF', at), text: `Transfer ${at + 1}`, amount: size });
  }
  for (let at = 0; at < parts.outstanding; at += 1) {
    const isIn = at % 4 === 0;
    const size = Math.abs(next());
    const reference = numbered(isIn ? 'DEP' : 'CHQ', at);
    books.push({ day: 20 + below(11), reference, text: `${party()} ${isIn ? 'deposit' : 'cheque'}`, amount: isIn ? size : -size });
  }
  for (let at = 0; at < parts.charges; at += 1) {
    bank.push({ day: 1 + below(LAST_DAY), reference: numbered('FEE', at), text: 'Account fee', amount: -(200 + at) });
  }
  books.push({ day: 13, reference: 'VOU-99001', text: 'Fresh Produce payment', amount: -TWISTED.books });
  bank.push({ day: 16, reference: '', text: 'Cheque 99001', amount: -TWISTED.bank });
  const byDay = (one: Line, two: Line): number => one.day - two.day;
  return { bank: bank.toSorted(byDay), books: books.toSorted(byDay) };
}

const decimal = (minor: number): string =>
  `${minor < 0 ? '-' : ''}${Math.trunc(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`;
const columns = (amount: number): string => (amount < 0 ? `${decimal(-amount)},` : `,${decimal(amount)}`);
const dayText = (day: number): string => `${String(day).padStart(2, '0')}/06/2026`;

/** What the books hold at the end of a month. */
export const closingOf = (lines: readonly Line[]): number => lines.reduce((sum, { amount }) => sum + amount, OPENING);

/** Writes both files: the bank with a running balance, the books without. Returns their paths. */
export function writeMonth(folder: string, { bank, books }: Month = monthOf()): { readonly bank: string; readonly books: string } {
  let balance = OPENING;
  const rows = bank.map(({ day, reference, text, amount }) => {
    balance += amount;
    return `${dayText(day)},${reference},${text},${columns(amount)},${decimal(balance)}`;
  });
  const opening = `Opening balance,01/06/2026,,,,${decimal(OPENING)}`;
  const files = { bank: path.join(folder, 'bank-june.csv'), books: path.join(folder, 'cash-book-june.csv') };
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(files.bank, [opening, 'Date,Reference,Details,Paid Out,Paid In,Balance', ...rows, ''].join('\n'));
  const booked = books.map(({ day, reference, text, amount }) => `${dayText(day)},${reference},${text},${columns(amount)}`);
  fs.writeFileSync(files.books, ['Date,Reference,Particulars,Payments,Receipts', ...booked, ''].join('\n'));
  return files;
}
