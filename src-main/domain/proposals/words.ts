import { capitalized } from '../../../src-shared/values/english.ts';
import type { Condition } from '../../../src-shared/contract/index.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { fieldOf } from '../records/fields.ts';

/** Returns the label of a field, with the pattern that extracts a part of it. */
function named(name: string, pattern: string | null): string {
  const label = fieldOf(name)?.label ?? name;
  return pattern === null ? label : `${pattern} in ${label}`;
}

/** Returns an equality of texts in words: `same order id`, `order id equals reference`. */
export function equalityWords(
  a: { readonly name: string; readonly pattern: string | null },
  b: { readonly name: string; readonly pattern: string | null },
): string {
  const left = named(a.name, a.pattern);
  const right = named(b.name, b.pattern);
  return left === right ? `same ${left}` : `${left} equals ${right}`;
}

/** Returns the amount condition of a rule in words: `same amount`, `amounts up to 0.50 apart`. */
export function amountWords({ tolerance_amount: tolerance, tolerance_unit: unit, transforms }: Condition, decimalPlaces: number): string {
  const kind = transforms === undefined ? 'amount' : 'opposite amount';
  if (tolerance === undefined || tolerance === 0) return `same ${kind}`;
  return unit === 'percent' ? `${kind}s up to ${tolerance} % apart` : `${kind}s up to ${decimalText(tolerance, decimalPlaces)} apart`;
}

export function windowWords(days: number): string {
  if (days === 0) return 'on the same day';
  return days === 1 ? 'at most 1 day apart' : `at most ${days} days apart`;
}

/** Returns a sentence joined from its parts, without a full stop. */
export function sentence(parts: readonly string[]): string {
  return capitalized(parts.join(', '));
}
