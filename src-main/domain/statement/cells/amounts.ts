import { decimalPlacesOf, MAX_AMOUNT_MINOR } from '../../../../src-shared/values/money.ts';
import { currenciesOf } from '../vocabulary/currencies.ts';

export type DecimalMark = '.' | ',';

/** Decimal mark of numbers that a workbook stores as numbers. It counts neither for nor against the mark of the file's texts. */
export const TYPED_MARK = '\u066b';

/** An amount as written: its sign is separated, its digits and marks are left, and the decimal mark is not yet decided. */
export interface AmountShape {
  readonly negative: boolean;
  /** CR or DR, an explicit sign, or brackets are beside the digits. */
  readonly signed: boolean;
  /** Direction that CR, DR or a like word beside the digits states. */
  readonly flag?: 'credit' | 'debit';
  /** Digits with `.` and `,` as written; other group separators are removed. */
  readonly body: string;
  /** Currency sign or code beside the digits. */
  readonly sign: string | null;
  /** A refunded amount follows in brackets. */
  readonly hasReturn?: true;
}

export type AmountFault = 'unreadable_amount' | 'too_many_decimals' | 'amount_out_of_range';

const PLAIN = /^-?\d+(?:[.,\u066b]\d+)?$/;
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c]/g;
const MINUS = /[\u2212\u2010-\u2015\ufe63\uff0d]/g;
/** Matches digits and letters that occur in none of the words for nothing. */
const SOMETHING = /[0-9b-hjkmo-tv-zB-HJKMO-TV-Z]/;
const NOTHING = /^(?:-+|n\/a|nil|null)?$/i;
const SPACED = /^\d{1,3}(?:[ '’`´]\d{3})+(?:[.,]\d+)?$/;
const UNSPACED = /^[.,]*\d[\d.,]*$/;
const LEADING_SIGN = /^(\p{L}{0,3}\p{Sc}|\p{L}+(?:\.\p{L}+)*\.?)\s*/u;
const TRAILING_SIGN = /(?<!\s)\s*(?:(\p{Sc}|(?<!\p{L}\.?)\p{L}+(?:\.\p{L}+)*\.?)|\((\p{L}+)\.?\))$/u;
const SIGN_IN_BRACKETS = /\(([-+])\)$/;
/** A cell separator that was left beside an amount. */
const STRAY_DELIMITER = /^[|;¦]\s*|(?<!\s)\s*[|;¦]$/g;
/** Matches a refund behind an amount, as in `100.00(已退款20.00)`. */
const RETURNED =
  /(?<!\s)\s*\((?:已?(?:全额|全額|部分)?退款|已退|refund(?:ed)?|returned|erstattet|r[üu]ckerstattet|rembours[ée]|reembolsado|rimborsato|estornado|terugbetaald)[\s:]*(?:(?:\p{Sc}|[A-Z]{3})\s*)?(?:\d[\d.,]*\s*(?:元|\p{Sc}|[A-Z]{3})?)?\)$/iu;
const WIDE = /[\uff01-\uff5e\uffe0-\uffe6]/;
/** A dash in place of zero decimals: `50,-`, `2'500.–`. */
const NO_DECIMALS = /(?<=\d[.,])\s?-{1,2}(?=\s*(?:\p{L}{1,4}|\p{Sc})?$)/u;
/** Words beside the digits that state the direction. A single letter counts only behind the digits. */
const FLAGS: ReadonlyMap<string, 'credit' | 'debit'> = new Map([
  ...'cr c h haben credit kredit haber avere bij'.split(' ').map((word) => [word, 'credit'] as const),
  ...'dr db d s soll debit debet debe dare af'.split(' ').map((word) => [word, 'debit'] as const),
]);

/** Whether a cell is empty or states nothing in a money column, such as `-`. */
export function isNothing(text: string): boolean {
  return !SOMETHING.test(text) && isNothingOfWords(text);
}

function isNothingOfWords(text: string): boolean {
  return text === '' || NOTHING.test(text.replaceAll(INVISIBLE, '').replaceAll(MINUS, '-').trim());
}

/** Returns the shape of an amount; null when the text is not an amount. */
export function amountShape(text: string): AmountShape | null {
  if (PLAIN.test(text)) {
    const negative = text.startsWith('-');
    return { negative, signed: negative, body: negative ? text.slice(1) : text, sign: null };
  }
  if (text.length > 60 || (!/\d/.test(text) && !WIDE.test(text))) return null;
  const plain = (WIDE.test(text) ? text.normalize('NFKC') : text)
    .replaceAll(INVISIBLE, '')
    .replaceAll(MINUS, '-')
    .replaceAll(/\s/g, ' ')
    .trim()
    .replaceAll(STRAY_DELIMITER, '');
  const hasReturn = plain.endsWith(')') && RETURNED.test(plain);
  // An apostrophe in front keeps a number as text in a spreadsheet.
  const shape = peel(
    (hasReturn ? plain.replace(RETURNED, '') : plain)
      .replace(/^'(?=[-+(\d])/, '')
      .replace(SIGN_IN_BRACKETS, '$1')
      .replace(NO_DECIMALS, '00'),
  );
  return shape !== null && hasReturn ? { ...shape, hasReturn } : shape;
}

/** Removes signs, brackets, currency and CR/DR from both ends until digits are left. */
function peel(text: string): AmountShape | null {
  let rest = text;
  let minus = 0;
  let plus = 0;
  let sign: string | null = null;
  let flag: 'credit' | 'debit' | null = null;
  for (let pass = 0; pass < 6; pass += 1) {
    const before = rest;
    if (rest.startsWith('(') && rest.endsWith(')')) {
      rest = rest.slice(1, -1).trim();
      minus += 1;
    }
    if (/^[-+]/.test(rest)) {
      if (rest.startsWith('-')) minus += 1;
      else plus += 1;
      rest = rest.slice(1).trim();
    }
    if (/[-+]$/.test(rest)) {
      if (rest.endsWith('-')) minus += 1;
      else plus += 1;
      rest = rest.slice(0, -1).trim();
    }
    for (const pattern of [LEADING_SIGN, TRAILING_SIGN]) {
      const match = pattern.exec(rest);
      const found = match?.[1] ?? match?.[2];
      if (found === undefined) continue;
      const word = found.toLowerCase().replace(/\.$/, '');
      const said = pattern === TRAILING_SIGN || word.length > 1 ? FLAGS.get(word) : undefined;
      if (said !== undefined) {
        if (flag !== null) return null;
        flag = said;
      } else if (sign === null && currenciesOf(found).length > 0) sign = found.replace(/\.$/, '');
      else return null;
      rest = rest.replace(pattern, '').trim();
    }
    if (rest === before) break;
  }
  if (minus > 1 || (minus > 0 && plus > 0) || (minus > 0 && flag === 'credit')) return null;
  const body = SPACED.test(rest) ? rest.replaceAll(/[ '’`´]/g, '') : rest;
  if (!UNSPACED.test(body)) return null;
  const shape = { negative: minus > 0 || flag === 'debit', signed: minus + plus > 0 || flag !== null, body, sign };
  return flag === null ? shape : { ...shape, flag };
}

/** Returns the decimal mark that a body shows: the mark, `either` (`1.234`), or `none` (no mark, or no amount at all). */
export function markOf(body: string): DecimalMark | 'either' | 'none' {
  if (body.includes(TYPED_MARK)) return 'none';
  const dot = body.lastIndexOf('.');
  const comma = body.lastIndexOf(',');
  if (dot < 0 && comma < 0) return 'none';
  if (dot >= 0 && comma >= 0) return dot > comma ? '.' : ',';
  const mark = dot >= 0 ? '.' : ',';
  const other = mark === '.' ? ',' : '.';
  const at = Math.max(dot, comma);
  if (body.indexOf(mark) !== at) return isGrouped(body, mark) ? other : 'none';
  if (body.length - at - 1 !== 3) return mark;
  return at === 0 || at > 3 || body.startsWith('0') ? mark : 'either';
}

function isGrouped(whole: string, group: DecimalMark): boolean {
  const parts = whole.split(group);
  const last = parts.at(-1) ?? '';
  const [first, ...middle] = parts.slice(0, -1);
  if (first === undefined || last.length !== 3 || first.length < 1 || first.length > 3) return false;
  // Groups of thousands, or the Indian lakh and crore (12,34,567).
  return middle.every((part) => part.length === 3) || (first.length <= 2 && middle.every((part) => part.length === 2));
}

const DIGITS = /^\d+$/;
/** A number of fewer digits is always exact. */
const SURELY_EXACT = 16;

/** Returns the magnitude in minor units by text arithmetic alone, or the fault of the text. */
export function minorOf(body: string, mark: DecimalMark, decimalPlaces: number): number | AmountFault {
  const group = mark === '.' ? ',' : '.';
  const at = body.indexOf(body.includes(TYPED_MARK) ? TYPED_MARK : mark);
  const whole = at < 0 ? body : body.slice(0, at);
  const fraction = at < 0 ? '' : body.slice(at + 1);
  // Most amounts have no groups and as many decimals as the currency.
  const plain = whole + fraction;
  if (fraction.length === decimalPlaces && plain.length < SURELY_EXACT && DIGITS.test(plain)) return Number(plain);
  if (!/^\d*$/.test(fraction) || (whole.includes(group) && !isGrouped(whole, group))) return 'unreadable_amount';
  const digits = whole.replaceAll(group, '');
  if (digits === '' && fraction === '') return 'unreadable_amount';
  if (/[1-9]/.test(fraction.slice(decimalPlaces))) return 'too_many_decimals';
  const minor = `${digits}${fraction.slice(0, decimalPlaces).padEnd(decimalPlaces, '0')}`.replace(/^0+(?=\d)/, '');
  if (minor.length > 16 || (minor.length === 16 && BigInt(minor) > BigInt(MAX_AMOUNT_MINOR))) return 'amount_out_of_range';
  return Number(minor === '' ? '0' : minor);
}

/** Digits of a group of thousands: in a currency with as many decimals, a group looks like decimals. */
export const DIGITS_OF_GROUP = 3;

/** Collects what the money cells of a file show of its decimal mark, in the order of the file. */
export class MarkVotes {
  readonly #votes = { '.': 0, ',': 0 };
  #either: string | null = null;

  add(body: string): void {
    const found = markOf(body);
    if (found === 'either') this.#either = body;
    else if (found !== 'none') this.#votes[found] += 1;
  }

  /**
   * Returns the mark. `open` is true where no cell decides and some read either way; three digits then count as decimals only where the currency has
   * three.
   */
  decided(decimalPlaces = 2): { readonly mark: DecimalMark | null; readonly open: boolean } {
    const votes = this.#votes;
    const either = this.#either;
    if (votes['.'] + votes[','] > 0) return { mark: votes['.'] >= votes[','] ? '.' : ',', open: false };
    if (either === null) return { mark: null, open: false };
    return { mark: either.includes('.') === (decimalPlaces === 3) ? '.' : ',', open: true };
  }
}

/** Returns the decimal mark of a file over all its money cells. */
export function decideMark(bodies: Iterable<string>): { readonly mark: DecimalMark | null; readonly open: boolean } {
  const votes = new MarkVotes();
  for (const body of bodies) votes.add(body);
  return votes.decided();
}

/** An amount in minor units, and the decimal places these units have. */
interface Scaled {
  readonly minor: number;
  readonly decimalPlaces: number;
}

export type Rescaled = Scaled | 'too_many_decimals' | 'out_of_range';

/**
 * Returns the same amount in another currency: 12.00 with two decimals is 12 with none. `isInMinorUnits`: the file writes whole minor units, so the
 * digits stay and the value changes. An amount with more decimals than its own currency may keep them.
 */
export function inCurrency({ minor, decimalPlaces }: Scaled, from: string, to: string, isInMinorUnits: boolean): Rescaled {
  const places = decimalPlacesOf(to);
  if (isInMinorUnits) return { minor, decimalPlaces: places };
  if (decimalPlaces <= places) return scaledUp(minor, decimalPlaces, places);
  const { minor: fewest, decimalPlaces: least } = withoutZeros(minor, decimalPlaces, places);
  if (least === places || decimalPlaces > decimalPlacesOf(from)) return { minor: fewest, decimalPlaces: least };
  return 'too_many_decimals';
}

function scaledUp(minor: number, from: number, to: number): Rescaled {
  const scaled = minor * 10 ** (to - from);
  return Number.isSafeInteger(scaled) ? { minor: scaled, decimalPlaces: to } : 'out_of_range';
}

/** Returns the amount with trailing zeros removed, with at least `least` decimal places. */
function withoutZeros(minor: number, decimalPlaces: number, least: number): Scaled {
  let [rest, places] = [minor, decimalPlaces];
  for (; places > least && rest % 10 === 0; places -= 1) rest /= 10;
  return { minor: rest, decimalPlaces: places };
}
