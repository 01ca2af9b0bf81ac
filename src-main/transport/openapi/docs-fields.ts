import { isNode, type JsonSchema } from './json-schema.ts';

/** A field in a table of the documentation. `name` is dotted, with `[]` for the items of a list; `type` is HTML. */
export interface DocumentedField {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Description, limits and default, as HTML. */
  readonly words: string;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

/** Returns the fields of an object with those of its unnamed inner objects; empty for a schema that is no object. */
export function fieldsOf(schema: unknown, prefix = ''): DocumentedField[] {
  if (!isNode(schema)) return [];
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const properties = isNode(schema['properties']) ? schema['properties'] : {};
  return Object.entries(properties).flatMap(([name, member]) => {
    const field = { name: `${prefix}${name}`, type: typeWords(member), isRequired: required.has(name), words: limitWords(member) };
    const { inner, suffix } = innerObject(member);
    return [field, ...fieldsOf(inner, `${field.name}${suffix}.`)];
  });
}

/** Returns the unnamed object inside a member, behind lists and alternatives; `inner` is null where there is none. */
function innerObject(schema: unknown): { inner: unknown; suffix: string } {
  if (!isNode(schema)) return { inner: null, suffix: '' };
  if (schema['type'] === 'array') {
    const { inner, suffix } = innerObject(schema['items']);
    return { inner, suffix: `[]${suffix}` };
  }
  const among = alternatives(schema).find((each) => isNode(each['properties']));
  return { inner: among ?? (isNode(schema['properties']) ? schema : null), suffix: '' };
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  return [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? list.filter(isNode) : []));
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  integer: 'integer',
  number: 'number',
  string: 'text',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

/** Returns the type of a value as HTML. Named schemas become links within the page. */
export function typeWords(schema: unknown): string {
  if (!isNode(schema)) return 'any value';
  const { $ref: reference, enum: values, type } = schema;
  if (typeof reference === 'string') {
    const name = escaped(reference.split('/').at(-1) ?? '');
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (Array.isArray(values)) return values.map((value) => `<code>${escaped(String(value))}</code>`).join(' ');
  if (schema['const'] !== undefined) return `<code>${escaped(String(schema['const']))}</code>`;
  const among = alternatives(schema);
  if (among.length > 0) return [...new Set(among.map(typeWords))].join(' or ');
  if (type === 'array') return `list of ${typeWords(schema['items'])}`;
  const format = schema['format'] === 'date' || schema['format'] === 'date-time' ? schema['format'] : null;
  const names = [type].flat().flatMap((each) => (typeof each === 'string' ? [TYPE_WORDS[each] ?? escaped(each)] : []));
  return format ?? (names.length === 0 ? 'any value' : names.join(' or '));
}

/** Returns description, limits and default as HTML. */
function limitWords(schema: unknown): string {
  if (!isNode(schema)) return '';
  const limits: string[] = [];
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  if (isTelling(minimum)) limits.push(`at least ${minimum}`);
  if (isTelling(maximum)) limits.push(`at most ${maximum}`);
  limits.push(...between(minLength, maxLength, 'characters'), ...between(minItems, maxItems, 'items'));
  if (typeof schema['pattern'] === 'string') limits.push(`pattern <code>${escaped(schema['pattern'])}</code>`);
  if (schema['default'] !== undefined) limits.push(`default <code>${escaped(JSON.stringify(schema['default']))}</code>`);
  const description =
    typeof schema['description'] === 'string' ? escaped(schema['description']) : alternatives(schema).map(limitWords).join('');
  return [description, limits.join(', ')].filter((each) => each !== '').join('; ');
}

/** Whether a bound is worth showing. Every integer of the contract has the bounds of safe integers. */
function isTelling(bound: unknown): bound is number {
  return typeof bound === 'number' && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
}

function between(least: unknown, most: unknown, unit: string): string[] {
  if (typeof least === 'number' && typeof most === 'number') return [`${least} to ${most} ${unit}`];
  if (typeof most === 'number') return [`at most ${most} ${unit}`];
  return typeof least === 'number' ? [`at least ${least} ${unit}`] : [];
}
