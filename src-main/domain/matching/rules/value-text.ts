import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { rawValue, type Side, textOf } from '../../records/fields.ts';
import type { EngineRecord } from '../../records/record.ts';
import { type Cell, type Decimal, decimalValueText, INCOMPARABLE, narrow } from '../../records/values.ts';
import type { Leaf, Term } from './compile-leaf.ts';
import { readDay, readDays, readNumber, readNumbers, readText, readTexts } from './terms.ts';
import { NO_TRANSFORMS } from './transforms.ts';
import { grouped } from '../../../../src-shared/values/notation.ts';
import { phrase } from '../../../../src-shared/words/say.ts';

/** Longest text quoted in a sentence; the rest becomes an ellipsis. */
const QUOTED_LENGTH = 80;
const QUOTED_MEMBERS = 5;

/** A pair of records whose values are quoted. */
export interface QuotedPair {
  readonly a: EngineRecord;
  readonly b: EngineRecord;
  readonly convention: SignConvention;
}

/** Returns the compared value as plain text: ISO dates, and decimals with at least the record's own scale. */
export function comparedText(leaf: Leaf, side: Side, pair: QuotedPair, convention: SignConvention = pair.convention): string {
  const term = side === 'a' ? leaf.key : leaf.value;
  const record = pair[side];
  if (leaf.kind === 'date') {
    const day = readDay(term, record);
    return typeof day === 'number' ? isoFromDay(day) : '';
  }
  if (leaf.kind === 'number') return decimalText(readNumber(term, record, side, convention), record);
  const text = readText(term, record);
  return typeof text === 'string' ? text : '';
}

function decimalText(cell: Cell<Decimal>, record: EngineRecord): string {
  return cell === null || cell === INCOMPARABLE ? '' : decimalValueText(trimmed(cell), record.decimalPlaces);
}

/** Returns the value for a sentence: as it is compared, and also as the record has it if that differs. */
export function quoted(leaf: Leaf, side: Side, pair: QuotedPair, convention: SignConvention = pair.convention): string {
  const compared = comparedText(leaf, side, pair, convention);
  const shown = leaf.kind === 'number' ? money(compared, pair[side]) : shortened(compared);
  const original = originalText(leaf, side, pair, convention);
  return original === null || original === compared ? shown : phrase('rules.valueText.readAs', { original: shortened(original), shown });
}

/** Returns the untransformed text, or null if there are no transforms. */
function originalText(leaf: Leaf, side: Side, pair: QuotedPair, convention: SignConvention): string | null {
  const term = side === 'a' ? leaf.key : leaf.value;
  const { texts, numbers } = term.transforms;
  if (numbers.length > 0 && texts.length === 0)
    return comparedText({ ...leaf, key: unchanged(leaf.key), value: unchanged(leaf.value) }, side, pair, convention);
  if (texts.length === 0 && leaf.kind !== 'date') return null;
  const raw = textOf(rawValue(term.field, pair[side]));
  return typeof raw === 'string' ? raw.trim() : null;
}

function unchanged(term: Term): Term {
  return { ...term, transforms: NO_TRANSFORMS };
}

/** Returns the members of side B's list as they are compared. */
export function quotedList(leaf: Leaf, pair: QuotedPair): string {
  const members = membersText(leaf, pair);
  const more = members.length - QUOTED_MEMBERS;
  const named = members.slice(0, QUOTED_MEMBERS).map(shortened).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

function membersText(leaf: Leaf, pair: QuotedPair): string[] {
  const listed = <T>(cell: Cell<readonly T[]>, textOfMember: (member: T) => string): string[] =>
    cell === null || cell === INCOMPARABLE ? [] : (cell as readonly T[]).map(textOfMember);
  if (leaf.kind === 'date') return listed(readDays(leaf.value, pair.b), isoFromDay);
  if (leaf.kind === 'text') return listed(readTexts(leaf.value, pair.b), (text) => text);
  return listed(readNumbers(leaf.value, pair.b, 'b', pair.convention), (decimal) => grouped(decimalText(decimal, pair.b)));
}

function money(text: string, record: EngineRecord): string {
  return `${grouped(text)} ${record.currency}`;
}

/** Returns the decimal without trailing zeros, so that the caller decides the least number of places. */
export function trimmed(decimal: Decimal): Decimal {
  let units = BigInt(decimal.units);
  let { scale } = decimal;
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n;
    scale -= 1;
  }
  return { units: narrow(units), scale };
}

function shortened(text: string): string {
  return text.length <= QUOTED_LENGTH ? text : `${text.slice(0, QUOTED_LENGTH - 1)}…`;
}
