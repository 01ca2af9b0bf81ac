import * as fc from 'fast-check';
import { isNode, type JsonSchema } from '../../../src-main/transport/openapi/openapi.ts';
import { anyCharacter } from './any-character.ts';

/** Values that rarely fit a schema: other types and sizes, and texts that often cause failures. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e308, -0),
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\uffff',
    '‮',
    '🧾',
    "'; DROP TABLE records; --",
    '%',
    '_',
    '\\',
    '/',
    '..',
  ),
  fc.constantFrom<unknown>('2026-02-30', '0000-00-00', '9999-12-31', '10000-01-01', '-0001-01-01', '1e3', '0x10', '+1', 'NaN', 'null'),
  fc.constantFrom<unknown>(
    [],
    {},
    [[]],
    [null],
    [{}],
    { a: 1 },
    { constructor: 1 },
    Array.from({ length: 1_001 }, () => 1),
  ),
  fc.constantFrom(255, 256, 2_000, 2_001, 20_000).map((length) => 'x'.repeat(length)),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly values that fit the schema, often at its bounds, and now and then a wrong one at any place. */
export function nearly(schema: unknown, document: JsonSchema, depth = 4): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fitting(schema, document, depth), weight: 9 }, { arbitrary: odd, weight: 1 });
}

function fitting(schema: unknown, document: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  if (!isNode(schema) || depth === 0) return odd;
  const { $ref: reference, enum: values, anyOf, oneOf, type } = schema;
  if (typeof reference === 'string') return fitting(named(reference, document), document, depth - 1);
  if (Array.isArray(values) && values.length > 0) return fc.constantFrom<unknown>(...values);
  if (schema['const'] !== undefined) return fc.constant(schema['const']);
  const among = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (among.length > 0) return fc.oneof(...among.map((each) => fitting(each, document, depth)));
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => fitting({ ...schema, type: each }, document, depth)));
  return ofType(type, schema, document, depth);
}

function ofType(type: unknown, schema: JsonSchema, document: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'integer':
    case 'number':
      return number(schema);
    case 'string':
      return text(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return list(schema, document, depth);
    case 'object':
      return object(schema, document, depth);
    default:
      return odd;
  }
}

const bound = (schema: JsonSchema, name: string, otherwise: number) => (typeof schema[name] === 'number' ? schema[name] : otherwise);

function number(schema: JsonSchema): fc.Arbitrary<unknown> {
  const least = bound(schema, 'minimum', Number.MIN_SAFE_INTEGER);
  const most = bound(schema, 'maximum', Number.MAX_SAFE_INTEGER);
  // Small numbers are ids of existing rows. Numbers beyond a bound are wrong, unless the bound is that of safe integers.
  return fc.oneof(fc.constantFrom(least, most, least - 1, most + 1), fc.integer({ min: 0, max: 12 }), fc.maxSafeInteger());
}

function text(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema['format'] === 'date')
    return fc.oneof(
      fc.constant('2026-06-30'),
      fc.date({ noInvalidDate: true }).map((day) => day.toISOString().slice(0, 10)),
    );
  if (schema['format'] === 'date-time') return fc.date({ noInvalidDate: true }).map((at) => at.toISOString());
  if (typeof schema['pattern'] === 'string')
    return fc.oneof(fc.constantFrom('1', 'bank'), fc.stringMatching(new RegExp(schema['pattern'])));
  const most = bound(schema, 'maxLength', 300);
  return fc.oneof(
    fc.constantFrom('bank', 'ledger', 'spare', 'x'.repeat(most), 'x'.repeat(most + 1)),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
  );
}

function list(schema: JsonSchema, document: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  return fc.array(nearly(schema['items'], document, depth - 1), { minLength: bound(schema, 'minItems', 0), maxLength: 4 });
}

function object(schema: JsonSchema, document: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const properties = isNode(schema['properties']) ? schema['properties'] : {};
  const required = (Array.isArray(schema['required']) ? schema['required'] : []) as string[];
  if (Object.keys(properties).length === 0) return fc.dictionary(fc.string({ maxLength: 8 }), odd, { maxKeys: 4 });
  const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, nearly(member, document, depth - 1)]));
  return fc.record(members, { requiredKeys: required.filter((name) => name in members) });
}

function named(reference: string, document: JsonSchema): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), document);
}
