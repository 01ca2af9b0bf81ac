/**
 * Most difference of two amounts at each level, as a share of the larger one. Level 0 is equality; the levels behind the bands are two swapped
 * digits, and further apart.
 */
export const BANDS = [0, 0.000_5, 0.005, 0.02, 0.05, 0.12, 0.3] as const;
export const AMOUNT = { equal: 0, swapped: 7, far: 8, count: 9 } as const;
export const AMOUNT_NAMES = [
  'equal',
  'within 0.05 %',
  'within 0.5 %',
  'within 2 %',
  'within 5 %',
  'within 12 %',
  'within 30 %',
  'two digits swapped',
  'further apart',
] as const;

/** First day of each bin of days from A to B, the same in both directions, since either file may be side A. The last bin ends at `LAST_LAG`, beyond which no pairs are searched. */
const LAG_FROM = [-70, -45, -31, -21, -14, -10, -7, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 8, 11, 15, 22, 32, 46] as const;
export const FIRST_LAG = -70;
export const LAST_LAG = 70;
/** Two bins lie outside of that range: later than the last day, and earlier than the first one. */
export const LAG_FAR = LAG_FROM.length;
export const LAG_EARLY = LAG_FAR + 1;
export const LAG_BINS = LAG_FAR + 2;
const DAYS_BEYOND = 365;

const LAG_OF_DAY = lagOfDay();

function lagOfDay(): Uint8Array {
  const found = new Uint8Array(LAST_LAG - FIRST_LAG + 1);
  let bin = 0;
  for (let day = FIRST_LAG; day <= LAST_LAG; day += 1) {
    while (bin + 1 < LAG_FROM.length && day >= (LAG_FROM[bin + 1] ?? 0)) bin += 1;
    found[day - FIRST_LAG] = bin;
  }
  return found;
}

/** Returns the bin of a number of days from A to B. */
export function lagBin(days: number): number {
  if (days < FIRST_LAG) return LAG_EARLY;
  return days > LAST_LAG ? LAG_FAR : (LAG_OF_DAY[days - FIRST_LAG] as number);
}

/** Returns the first and last day of a bin. The two outer bins are taken to be a year wide. */
export function lagRange(bin: number): readonly [number, number] {
  if (bin === LAG_FAR) return [LAST_LAG + 1, LAST_LAG + DAYS_BEYOND];
  if (bin === LAG_EARLY) return [FIRST_LAG - DAYS_BEYOND, FIRST_LAG - 1];
  return [LAG_FROM[bin] ?? FIRST_LAG, (LAG_FROM[bin + 1] ?? LAST_LAG + 1) - 1];
}

/**
 * A text level combines two measures of two names: the bits of the features they share, and that number as a share of the bits of the name that has
 * fewer.
 */
const TEXT_BITS = [5, 11, 18, 27, 38, 55, 80] as const;
const TEXT_SHARES = [0.35, 0.6, 0.8, 0.95] as const;
const BIT_LEVELS = TEXT_BITS.length + 1;
const SHARE_LEVELS = TEXT_SHARES.length + 1;
export const TEXT_MISSING = 0;
export const TEXT_LEVELS = 1 + BIT_LEVELS * SHARE_LEVELS;

export function textLevel(bits: number, share: number): number {
  let ofBits = 0;
  while (ofBits < TEXT_BITS.length && bits >= (TEXT_BITS[ofBits] ?? 0)) ofBits += 1;
  let ofShare = 0;
  while (ofShare < TEXT_SHARES.length && share >= (TEXT_SHARES[ofShare] ?? 0)) ofShare += 1;
  return 1 + ofBits * SHARE_LEVELS + ofShare;
}

/** Returns the bit level and the share level of a text level, both from 0. */
export function placesOfText(level: number): readonly [number, number] {
  return [Math.floor((level - 1) / SHARE_LEVELS), (level - 1) % SHARE_LEVELS];
}

/** Levels of references: missing on a side, none shared, and from `first` on one level for each family and rarity. */
export const REFERENCE = { missing: 0, differ: 1, first: 2 } as const;
/** Upper bounds of the number of pairs that one reference makes, by rarity: one, up to 4, up to 16; more is the last level. */
const RARITIES = [1, 4, 16] as const;
export const RARITY_LEVELS = RARITIES.length + 1;
/** Most families that have levels of their own. */
export const MOST_FAMILIES = 24;
export const REFERENCE_LEVELS = REFERENCE.first + MOST_FAMILIES * RARITY_LEVELS;

export function rarityOf(pairs: number): number {
  let level = 0;
  while (level < RARITIES.length && pairs > (RARITIES[level] ?? 0)) level += 1;
  return level;
}

/** Returns the level of agreement of two amounts of one class, given in the same units. */
export function amountLevel(a: number, b: number): number {
  if (a === b) return AMOUNT.equal;
  const difference = Math.abs(a - b);
  if (isSwapped(a, b)) return AMOUNT.swapped;
  const share = difference / Math.max(a, b);
  for (let band = 1; band < BANDS.length; band += 1) if (share <= (BANDS[band] ?? 0)) return band;
  return AMOUNT.far;
}

/** Returns whether swapping two adjacent digits turns one number into the other. */
export function isSwapped(a: number, b: number): boolean {
  let difference = Math.abs(a - b);
  // A swap of adjacent digits changes a number by 9, 18, .. 81 times a power of ten.
  if (difference % 9 !== 0 || difference === 0) return false;
  let place = 1;
  for (; difference % 10 === 0; difference /= 10) place *= 10;
  for (let power = place; power >= 1 && power * 10 >= place; power /= 10) {
    if (swappedAt(a, power) === b) return true;
  }
  return false;
}

function swappedAt(value: number, place: number): number {
  const low = Math.floor(value / place) % 10;
  const high = Math.floor(value / (place * 10)) % 10;
  return value + (low - high) * place * 10 + (high - low) * place;
}
