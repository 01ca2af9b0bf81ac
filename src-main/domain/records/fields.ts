import type { PropertyDefinition, SignConvention } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { signedMinor } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { EngineRecord } from './record.ts';
import { type Cell, INCOMPARABLE } from './values.ts';

export type Kind = 'text' | 'number' | 'date';

/** Declared type of a metadata field in a property definition. */
export type PropertyType = PropertyDefinition['type'];

/** Declared types of each side's metadata fields, by their path below `metadata`. */
export interface MetadataTypes {
  readonly a: ReadonlyMap<string, PropertyType>;
  readonly b: ReadonlyMap<string, PropertyType>;
}

/** No declarations: a metadata field is read as the kind that it is compared with. */
export const UNDECLARED: MetadataTypes = { a: new Map(), b: new Map() };

/** A field that a condition can name. A metadata field takes the kind of the field it is compared with. */
export interface Field {
  readonly name: string;
  readonly kind: Kind | 'metadata';
  /** Path below `metadata`; empty for other fields. */
  readonly path: string;
  /** Name for display, in lower case: `external id`, `order id`. */
  readonly label: string;
}

const METADATA = 'metadata.';
const PLAIN: Readonly<Record<string, Kind>> = {
  reference: 'text',
  amount: 'number',
  signed_amount: 'number',
  date: 'date',
  value_date: 'date',
  currency: 'text',
  direction: 'text',
  description: 'text',
  external_id: 'text',
  data_stream_key: 'text',
};
const LABELS: Readonly<Record<string, string>> = {
  value_date: phrase('records.fields.valueDate'),
  external_id: phrase('records.fields.externalId'),
  signed_amount: phrase('records.fields.signedAmount'),
  data_stream_key: 'stream',
};

/** Names of all fields, for error messages. */
export const FIELD_NAMES = [...Object.keys(PLAIN), `${METADATA}<key>`].join(', ');

/** Returns the field with a name, or null. */
export function fieldOf(name: string): Field | null {
  if (name.startsWith(METADATA) && name.length > METADATA.length) {
    const path = name.slice(METADATA.length);
    return { name, kind: 'metadata', path, label: path.replaceAll(/[._]+/g, ' ').trim() || path };
  }
  const kind = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  return kind === undefined ? null : { name, kind, path: '', label: LABELS[name] ?? name };
}

/** Returns whether a field is the date that every record has. All other dates are optional. */
export function isOwnDay({ name }: Field): boolean {
  return name === 'date';
}

/** Returns null for a record without a value day. */
function isoOfDay(day: number | null): string | null {
  return day === null ? null : isoFromDay(day);
}

export type Side = 'a' | 'b';

/** Returns the signed amount as rules see it: negated on side B if the sides have opposite signs. Never a negative zero. */
export function signedUnits(record: EngineRecord, side: Side, convention: SignConvention): number {
  const signed = signedMinor(record.amountMinor, record.direction);
  return (side === 'b' && convention === 'opposite' ? -signed : signed) + 0;
}

/**
 * Returns the value at a path below `metadata`. Only own properties count; a key that itself contains dots has precedence over the path through
 * objects.
 */
export function lookUp(holder: unknown, path: string): unknown {
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return undefined;
  const properties = holder as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(properties, path)) return properties[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    if (!Object.hasOwn(properties, head)) continue;
    const found = lookUp(properties[head], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the raw value of a field, before it is read as any kind. */
export function rawValue(field: Field, record: EngineRecord): unknown {
  switch (field.name) {
    case 'amount':
    case 'signed_amount':
      return record.amountMinor;
    case 'reference':
      return record.reference;
    case 'date':
      return isoFromDay(record.day);
    case 'value_date':
      return isoOfDay(record.valueDay);
    case 'currency':
      return record.currency;
    case 'direction':
      return record.direction;
    case 'description':
      return record.description;
    case 'external_id':
      return record.externalId;
    case 'data_stream_key':
      return record.streamKey;
    default:
      return lookUp(record.metadata, field.path);
  }
}

/** Returns the text of a raw value; JSON numbers and booleans count as their shortest text. */
export function textOf(value: unknown): Cell<string> {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : INCOMPARABLE;
}
