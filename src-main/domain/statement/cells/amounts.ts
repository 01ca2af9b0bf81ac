import { MAX_AMOUNT_MINOR } from '../../../../src-shared/values/money.ts';
import { currenciesOf } from '../vocabulary/currencies.ts';

export type DecimalMark = '.' | ',';

/** Decimal mark of numbers that a workbook stores as numbers: no text's mark speaks for or against them. */
export const TYPED_MARK = '\u066b';

/** An amount as written: sign apart, digits and marks left, the mark not yet judged. */
export interface AmountShape {
  readonly negative: boolean;
  /** CR or DR beside the digits, or an explicit sign or brackets. */
  readonly signed: boolean;
  /** What CR or DR, or a word like them, beside the digits says. */
  readonly flag?: 'credit' | 'debit';
  /** Digits, with `.` and `,` as they stand; other group signs are gone. */
  readonly body: string;
  /** Currency sign or code beside the digits. */
  readonly sign: string | null;
  /** What came back of it stands in brackets behind it. */
  readonly hasReturn?: true;
}

export type AmountFault = 'unreadable_amount' | 'too_many_decimals' | 'amount_out_of_range';

const PLAIN = /^-?\d+(?:[.,\u066b]\d+)?$/;
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c]/g;
const MINUS = /[\u2212\u2010-\u2015\ufe63\uff0d]/g;
/** Digits, and letters of none of the words for nothing. */
const SOMETHING = /[0-9b-hjkmo-tv-zB-HJKMO-TV-Z]/;
const NOTHING = /^(?:-+|n\/a|nil|null)?$/i;
const SPACED = /^\d{1,3}(?:[ '’`´]\d{3})+(?:[.,]\d+)?$/;
const UNSPACED = /^[.,]*\d[\d.,]*$/;
const LEADING_SIGN = /^(\p{L}{0,3}\p{Sc}|\p{L}+(?:\.\p{L}+)*\.?)\s*/u;
const TRAILING_SIGN = /(?<!\s)\s*(?:(\p{Sc}|(?<!\p{L}\.?)\p{L}+(?:\.\p{L}+)*\.?)|\((\p{L}+)\.?\))$/u;
/** Digits and signs as wide as the letters of East Asia. */
const SIGN_IN_BRACKETS = /\(([-+])\)$/;
/** A sign that separates cells, left beside one of them. */
const STRAY_DELIMITER = /^[|;¦]\s*|(?<!\s)\s*[|;¦]$/g;
/** `100.00(已退款20.00)`: the amount, and what came back of it later. */
const RETURNED =
  /(?<!\s)\s*\((?:已?(?:全额|全額|部分)?退款|已退|refund(?:ed)?|returned|erstattet|r[üu]ckerstattet|rembours[ée]|reembolsado|rimborsato|estornado|terugbetaald)[\s:]*(?:(?:\p{Sc}|[A-Z]{3})\s*)?(?:\d[\d.,]*\s*(?:元|\p{Sc}|[A-Z]{3})?)?\)$/iu;
const WIDE = /[\uff01-\uff5e\uffe0-\uffe6]/;
/** A dash instead of decimals that are nil: `50,-`, `2'500.–`. */
const NO_DECIMALS = /(?<=\d[.,])\s?-{1,2}(?=\s*(?:\p{L}{1,4}|\p{Sc})?$)/u;
/** Words beside the digits that say the direction; single letters stand behind them alone. */
const FLAGS: ReadonlyMap<string, 'credit' | 'debit'> = new Map([
  ...'cr c h haben credit kredit haber avere bij'.split(' ').map((word) => [word, 'credit'] as const),
  ...'dr db d s soll debit debet debe dare af'.split(' ').map((word) => [word, 'debit'] as const),
]);

/** True for an empty cell and for what stands for nothing in a money column, such as `-`. */
export function isNothing(text: string): boolean {
  return !SOMETHING.test(text) && isNothingOfWords(text);
}

function isNothingOfWords(text: string): boolean {
  return text === '' || NOTHING.test(text.replaceAll(INVISIBLE, '').replaceAll(MINUS, '-').trim());
}

/** The shape of an amount; null when the text is none. */
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

/** Takes signs, brackets, currency and CR/DR off both ends until digits are left. */
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

/** What a body tells of the decimal mark: the mark, `either` (`1.234`), or `none` (no mark, or no amount at all). */
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
  // Thousands, or the Indian lakh and crore (12,34,567).
  return middle.every((part) => part.length === 3) || (first.length <= 2 && middle.every((part) => part.length === 2));
}

const DIGITS = /^\d+$/;
/** A number of fewer digits is never too large. */
const SURELY_EXACT = 16;

/** Magnitude in minor units by text arithmetic alone, or what is wrong with it. */
export function minorOf(body: string, mark: DecimalMark, decimalPlaces: number): number | AmountFault {
  const group = mark === '.' ? ',' : '.';
  const at = body.indexOf(body.includes(TYPED_MARK) ? TYPED_MARK : mark);
  const whole = at < 0 ? body : body.slice(0, at);
  const fraction = at < 0 ? '' : body.slice(at + 1);
  // Nearly all amounts: as many decimals as the currency has, and no groups.
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

/** With as many decimals in a currency nothing tells a group from them. */
export const DIGITS_OF_GROUP = 3;

/** What the money cells of a file say of its decimal mark, in the order of the file. */
export class MarkVotes {
  readonly #votes = { '.': 0, ',': 0 };
  #either: string | null = null;

  add(body: string): void {
    const found = markOf(body);
    if (found === 'either') this.#either = body;
    else if (found !== 'none') this.#votes[found] += 1;
  }

  /** `open` when nothing settles it and some cells read either way; then three digits are decimals only of a currency that has so many. */
  decided(decimalPlaces = 2): { readonly mark: DecimalMark | null; readonly open: boolean } {
    const votes = this.#votes;
    const either = this.#either;
    if (votes['.'] + votes[','] > 0) return { mark: votes['.'] >= votes[','] ? '.' : ',', open: false };
    if (either === null) return { mark: null, open: false };
    return { mark: either.includes('.') === (decimalPlaces === 3) ? '.' : ',', open: true };
  }
}

/** The decimal mark of a file, over all its money cells. */
export function decideMark(bodies: Iterable<string>): { readonly mark: DecimalMark | null; readonly open: boolean } {
  const votes = new MarkVotes();
  for (const body of bodies) votes.add(body);
  return votes.decided();
}
