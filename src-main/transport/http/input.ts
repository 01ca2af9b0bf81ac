import type { Failure, Operation } from '../../../src-shared/contract/index.ts';
import { pathMembers, queryMembers } from '../../../src-shared/contract/operation.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { isNode, type JsonSchema, jsonSchemaOf } from '../openapi/json-schema.ts';
import { unknownFieldFailure } from '../validation/validation.ts';

/** The parts of an HTTP request: decoded path members, the query string without `?`, and the parsed body (undefined without one). */
export interface HttpParts {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: string;
  readonly body: unknown;
}

type InputReader = (parts: HttpParts) => Result<Readonly<Record<string, unknown>>, Failure>;

type QueryType = 'integer' | 'number' | 'boolean' | 'text';

/**
 * Builds the flat input of an operation from an HTTP request, by the contract alone. It refuses only what dispatch cannot see: a member in the wrong
 * place, a repeated query parameter, a body that is not an object. A query value that does not convert stays text, so that validation names it; `""`
 * is never 0.
 */
export function createInputReader(spec: Operation): InputReader {
  const inPath = new Set(pathMembers(spec.path));
  const inQuery = new Set(queryMembers(spec));
  const known = new Set(Object.keys(spec.input.shape));
  const misplacedInBody = (name: string) => known.has(name) && (inPath.has(name) || inQuery.has(name));
  return ({ params, query, body }) => {
    const fromBody = body === undefined ? {} : body;
    if (!isNode(fromBody)) return failed(notAnObject);
    const broken = brokenParameter(query);
    if (broken !== null) return failed(broken);
    const given = new URLSearchParams(query);
    const repeated = [...given.keys()].find((name, index, names) => names.indexOf(name) !== index);
    if (repeated !== undefined) return failed(repeatedParameter(repeated));
    const misplaced = [
      ...[...given.keys()].filter((name) => !inQuery.has(name) && (known.has(name) || Object.hasOwn(fromBody, name))),
      ...Object.keys(fromBody).filter(misplacedInBody),
    ];
    if (misplaced.length > 0) return failed(unknownFieldFailure(spec, misplaced));
    return success({
      ...fromBody,
      ...Object.fromEntries([...given].map(([name, text]) => [name, converted(text, queryTypesOf(spec).get(name) ?? 'text')])),
      ...Object.fromEntries([...inPath].map((name) => [name, params[name]])),
    });
  };
}

/** Returns the failure of a query whose escapes are not UTF-8: all invalid bytes would decode to the same character. */
function brokenParameter(query: string): Failure | null {
  for (const pair of query.split('&')) {
    const isWhole = pair.match(/(?:%[\da-f]{2})+/gi)?.every(isUtf8) ?? true;
    if (isWhole) continue;
    const [name = ''] = new URLSearchParams(pair).keys();
    const message = 'is not UTF-8 once its % escapes are read';
    return {
      code: 'validation_failed',
      message: `The query parameter ${name} ${message}.`,
      errors: [{ path: name, code: 'broken_text', message }],
    };
  }
  return null;
}

function isUtf8(escaped: string): boolean {
  try {
    decodeURIComponent(escaped);
    return true;
  } catch {
    return false;
  }
}

const notAnObject: Failure = {
  code: 'validation_failed',
  message: 'The body must be a JSON object.',
  errors: [{ path: '', code: 'wrong_type', message: 'must be an object' }],
};

function repeatedParameter(name: string): Failure {
  return {
    code: 'validation_failed',
    message: `The query parameter ${name} is given more than once; give it once.`,
    errors: [{ path: name, code: 'repeated', message: 'is given more than once' }],
  };
}

const knownTypes = new WeakMap<Operation, ReadonlyMap<string, QueryType>>();

/** Returns the types of query members; computed at an operation's first query, which makes the start quicker (`server.ts`). */
function queryTypesOf(spec: Operation): ReadonlyMap<string, QueryType> {
  const known = knownTypes.get(spec);
  if (known !== undefined) return known;
  const { schema } = jsonSchemaOf(spec.input, 'input');
  const properties = isNode(schema.properties) ? schema.properties : {};
  const types = new Map(queryMembers(spec).map((name) => [name, queryType(properties[name])]));
  knownTypes.set(spec, types);
  return types;
}

/** Returns the type of a member. One that accepts text gets it unchanged; an id (text or integer) is such a member. */
function queryType(property: unknown): QueryType {
  const types = new Set(isNode(property) ? typesOf(property) : []);
  if (types.has('string')) return 'text';
  if (types.has('integer')) return 'integer';
  if (types.has('number')) return 'number';
  return types.has('boolean') ? 'boolean' : 'text';
}

function typesOf(schema: JsonSchema): unknown[] {
  const alternatives = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isNode) : []));
  return [schema.type, ...alternatives.flatMap(typesOf)].flat();
}

function converted(text: string, type: QueryType): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type === 'integer') return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text;
  if (type === 'number') return /^-?[0-9]{1,15}(\.[0-9]{1,15})?$/.test(text) ? Number(text) : text;
  return text;
}
