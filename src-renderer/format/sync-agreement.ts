import type { SyncVerified } from '../../src-shared/contract/index.ts';
import { plainAmount } from './money.ts';
import type { SyncState } from './sync-states.ts';
import { say } from '../../src-shared/words/say.ts';

type Row = SyncVerified['rows'][number];
type Sum = Row['local']['sum'];

const MINUS = '−';

/** Returns the part of a fingerprint that a person compares by eye: `a41c 90e2`. */
export function fingerprint(hash: string): string {
  return `${hash.slice(0, 4)} ${hash.slice(4, 8)}`.trim();
}

/** Returns a sum of any size. A sum that a number cannot hold exactly is formatted from its digits. */
export function sumText(sum: Sum | bigint, decimalPlaces: number, locale?: string): string {
  const minor = BigInt(sum);
  if (Number.isSafeInteger(Number(minor))) return plainAmount(Number(minor), decimalPlaces, locale);
  const digits = String(minor < 0n ? -minor : minor).padStart(decimalPlaces + 1, '0');
  const whole = digits.slice(0, digits.length - decimalPlaces);
  const fraction = digits.slice(digits.length - decimalPlaces);
  const text = `${whole}${decimalPlaces === 0 ? '' : `.${fraction}`}` as Intl.StringNumericLiteral;
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimalPlaces, maximumFractionDigits: decimalPlaces });
  return `${minor < 0n ? MINUS : ''}${format.format(text)}`;
}

/** Returns the sum of one side: an amount for lines, the number of their lines for matches. */
export function sideSumText(
  { resource, decimal_places: places }: Pick<Row, 'resource' | 'decimal_places'>,
  sum: Sum | bigint,
  locale?: string,
): string {
  return sumText(sum, resource === 'matches' ? 0 : places, locale);
}

/** Returns local minus remote. */
export function differenceOf({ local, remote }: Pick<Row, 'local' | 'remote'>): { readonly count: number; readonly sum: bigint } {
  return { count: local.count - remote.count, sum: BigInt(local.sum) - BigInt(remote.sum) };
}

/** Returns the state of one stream or reconciliation. */
export function rowState({ equal, to_decide: toDecide }: Pick<Row, 'equal' | 'to_decide'>): SyncState {
  if (equal) return { tone: 'done', words: say('sync.syncAgreement.agrees') };
  return toDecide > 0
    ? { tone: 'open', words: say('sync.syncAgreement.waitsForYou') }
    : { tone: 'broken', words: say('sync.syncAgreement.differs') };
}

const rank = (row: Row): number => (row.equal ? 2 : row.to_decide > 0 ? 1 : 0);

/** Returns the rows of one kind, those that differ first. */
export function rowsOf({ rows }: Pick<SyncVerified, 'rows'>, resource: Row['resource']): Row[] {
  return rows.filter((row) => row.resource === resource).toSorted((left, right) => rank(left) - rank(right));
}

/** Returns whether a repair would do something. Rows that wait for a decision are not repaired. */
export function isRepairable({ rows }: Pick<SyncVerified, 'rows'>): boolean {
  return rows.some((row) => !row.equal && row.to_decide === 0);
}
