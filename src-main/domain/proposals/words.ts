import type { Condition } from '../../../src-shared/contract/index.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { fieldOf } from '../records/fields.ts';

/** A field as people call it, with the pattern that finds it inside a text. */
function named(name: string, pattern: string | null): string {
  const label = fieldOf(name)?.label ?? name;
  return pattern === null ? label : `${pattern} in ${label}`;
}

/** The first letter of a sentence. */
function begun(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What ties two records by texts: `Same order id and reference`. */
export function equalityWords(
  a: { readonly name: string; readonly pattern: string | null },
  b: { readonly name: string; readonly pattern: string | null },
): string {
  const left = named(a.name, a.pattern);
  const right = named(b.name, b.pattern);
  return left === right ? `same ${left}` : `${left} equals ${right}`;
}

/** The amounts of a rule: `same amount`, `amounts up to 0.50 apart`. */
export function amountWords({ tolerance_amount: tolerance, tolerance_unit: unit, transforms }: Condition, decimalPlaces: number): string {
  const kind = transforms === undefined ? 'amount' : 'opposite amount';
  if (tolerance === undefined || tolerance === 0) return `same ${kind}`;
  return unit === 'percent' ? `${kind}s up to ${tolerance} % apart` : `${kind}s up to ${decimalText(tolerance, decimalPlaces)} apart`;
}

export function windowWords(days: number): string {
  if (days === 0) return 'on the same day';
  return days === 1 ? 'at most 1 day apart' : `at most ${days} days apart`;
}

/** Parts of a sentence as one, without its stop. */
export function sentence(parts: readonly string[]): string {
  return begun(parts.join(', '));
}
