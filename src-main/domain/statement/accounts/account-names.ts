/** Digits hidden by a bank: `****1234`, `XXXX1234`. */
const HIDDEN = /[*#•…]+|[xX]{2,}|\.{2,}|_{2,}/;
/** Fewest digits of an account number. */
const FEWEST_DIGITS = 4;
/** Fewest characters of a part of an account that count as a match in a longer one. */
const FEWEST_PART = 5;
const FEWEST_SHOWN = 3;

/** Whether a text is the number of an account; a bank's name for it, such as `Checking`, is none. */
export function isAccountNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return digits >= (HIDDEN.test(text) ? FEWEST_SHOWN : FEWEST_DIGITS);
}

/** Returns letters and digits of an account in upper case, without a trailing currency (`NL91ABNA0417164300EUR`). */
function compact(account: string): string {
  const bare = account.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return /\d[A-Z]{3}$/.test(bare) && bare.length > 8 ? bare.slice(0, -3) : bare;
}

/** Returns the whole account and the part after its last slash: `37040044/0532013000` names the bank first. */
function partsOf(account: string): string[] {
  const bare = (text: string): string => compact(text).replace(/^0+/, '');
  return [bare(account), bare(account.slice(account.lastIndexOf('/') + 1))].filter((part) => part.length >= FEWEST_PART);
}

/**
 * Whether two texts name one account. Banks write it as an IBAN, with their own code before it, with leading zeros, or with digits hidden; so the
 * shorter text is searched for in the longer one.
 */
export function isSameAccount(one: string, other: string): boolean {
  const [whole, long] = [compact(one), compact(other)];
  if (whole === long) return true;
  const shown = [one, other].map((account) => (HIDDEN.test(account) ? compact(account.split(HIDDEN).at(-1) ?? '') : null));
  const [shownOne = null, shownOther = null] = shown;
  if (shownOne !== null || shownOther !== null) {
    const [left, right] = [shownOne ?? whole, shownOther ?? long];
    const [short, ofLong] = left.length <= right.length ? [left, right] : [right, left];
    return short.length >= FEWEST_SHOWN && ofLong.endsWith(short);
  }
  return partsOf(one).some((part) => long.includes(part)) || partsOf(other).some((part) => whole.includes(part));
}

/** Whether two texts name one holder: all words of one name are among those of the other. */
export function isSameHolder(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const [shorter, longer] = words.size <= others.size ? [words, others] : [others, words];
  return [...shorter].every((word) => longer.has(word));
}

function wordsOf(name: string): ReadonlySet<string> {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''));
}
