import { z } from 'zod';
import { LIMITS } from '../../../src-shared/contract/common.ts';
import { COMMON_ERRORS, contract, type ErrorCode, ERRORS, type Operation } from '../../../src-shared/contract/index.ts';
import { ERROR_WORDS } from '../../../src-shared/contract/error-words.ts';
import { pathMembers, queryMembers } from '../../../src-shared/contract/operation.ts';
import { answersFile, listShapeOf } from '../csv/csv-list.ts';
import { isNode, type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { tagOf, tagsOf } from './openapi-tags.ts';

type Components = Record<string, JsonSchema>;

/** Returns the OpenAPI 3.1 document of the public operations, derived from the contract. `version` is that of the product. */
export function openApiDocument(version: string): JsonSchema {
  const components: Components = { Problem: PROBLEM };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const spec of Object.values<Operation>(contract)) {
    if (spec.surface !== 'public') continue;
    (paths[spec.path] ??= {})[spec.method.toLowerCase()] = operationObject(spec, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tieout',
      version,
      description: 'Reconciliation on this computer. Amounts are integers of minor units.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: [{ apiKey: [] }, { bearer: [] }, { basic: [] }],
    tags: tagsOf(Object.keys(paths)),
    paths,
    'x-codes': ERROR_TABLE,
    components: { schemas: components, securitySchemes: SIGN_IN_WAYS },
  };
}

const SIGN_IN_WAYS: JsonSchema = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key as the token.' },
  basic: { type: 'http', scheme: 'basic', description: 'The API key as the password; the user name may be anything.' },
};

interface MadeDocument {
  readonly document: JsonSchema;
  readonly text: string;
}
const made = new Map<string, MadeDocument>();

/** Returns the document and its JSON. They take about 100 ms, so they are made at their first use, once for all servers of the process. */
export function madeDocument(version: string): MadeDocument {
  const known = made.get(version);
  if (known !== undefined) return known;
  const document = openApiDocument(version);
  const now = { document, text: JSON.stringify(document) };
  made.set(version, now);
  return now;
}

/** All error codes with status, meaning, occasion and remedy. Each operation lists its own ones in the `x-codes` of its answers. */
const ERROR_TABLE: JsonSchema = Object.fromEntries(
  (Object.keys(ERRORS) as ErrorCode[]).map((code) => [code, { ...ERRORS[code], ...ERROR_WORDS[code] }]),
);

const TEXT: JsonSchema = { type: 'string' };
const FIELD_ERROR: JsonSchema = {
  type: 'object',
  properties: { path: TEXT, code: TEXT, message: TEXT },
  required: ['path', 'code', 'message'],
};
const PROBLEM_MEMBERS: JsonSchema = {
  type: TEXT,
  title: TEXT,
  status: { type: 'integer' },
  detail: TEXT,
  instance: TEXT,
  code: { type: 'string', enum: Object.keys(ERRORS) },
  message: TEXT,
  error: TEXT,
  errors: { type: 'array', items: FIELD_ERROR },
  request_id: TEXT,
};
const PROBLEM: JsonSchema = { type: 'object', properties: PROBLEM_MEMBERS, required: Object.keys(PROBLEM_MEMBERS) };

const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A call repeated with the same key and body is answered with what was answered first, and does nothing again.',
  schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyLength },
};

const IF_MATCH: JsonSchema = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag with which the address was read. Where it answers something else by now, nothing is changed and the answer is 412.',
  schema: { type: 'string' },
};

/** How a list is written; both count before the header Accept. */
const LIST_PARAMETERS: readonly JsonSchema[] = [
  {
    name: 'format',
    in: 'query',
    required: false,
    description:
      'csv answers CSV for spreadsheets: with a byte order mark, and with a column in currency units beside each one in minor units, money out negative.',
    schema: { type: 'string', enum: ['csv', 'json'] },
  },
  {
    name: 'text_ids',
    in: 'query',
    required: false,
    description: 'With format=csv, 1 keeps texts that look like numbers, such as 0012345, as texts in a spreadsheet.',
    schema: { type: 'string', enum: ['0', '1'] },
  },
];

function operationObject(spec: Operation, components: Components): JsonSchema {
  const input = lifted(jsonSchemaOf(spec.input, 'input'), components, 'Input');
  const properties = isNode(input.properties) ? input.properties : {};
  const required = new Set(Array.isArray(input.required) ? input.required : []);
  const inPath = pathMembers(spec.path);
  const inQuery = queryMembers(spec);
  const inBody = Object.keys(properties).filter((name) => !inPath.includes(name) && !inQuery.includes(name));
  const parameter = (name: string, place: 'path' | 'query') => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: properties[name] ?? {},
    ...(spec.example[name] === undefined ? {} : { example: spec.example[name] }),
  });
  const hasBody = (spec.method === 'POST' || spec.method === 'PUT' || spec.method === 'PATCH') && inBody.length > 0;
  return {
    operationId: spec.id,
    summary: spec.summary,
    tags: [tagOf(spec.path)],
    'x-permission': spec.permission,
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...inQuery.map((name) => parameter(name, 'query')),
      ...(listShapeOf(spec) === null ? [] : LIST_PARAMETERS),
      ...(spec.method === 'POST' ? [IDEMPOTENCY_KEY] : []),
      ...(spec.method === 'PATCH' || spec.method === 'PUT' || spec.method === 'DELETE' ? [IF_MATCH] : []),
    ],
    ...(hasBody ? { requestBody: requestBody(spec, inBody, properties, required) } : {}),
    responses: responses(spec, components),
  };
}

function requestBody(spec: Operation, names: readonly string[], properties: JsonSchema, required: ReadonlySet<unknown>): JsonSchema {
  const needed = names.filter((name) => required.has(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    ...(needed.length === 0 ? {} : { required: needed }),
    additionalProperties: false,
  };
  const example = Object.fromEntries(Object.entries(spec.example).filter(([name]) => names.includes(name)));
  return { required: needed.length > 0, content: { 'application/json': { schema, example } } };
}

const FILE_WORDS = 'The file itself, unless the header Accept names application/json, which has it as a member.';
const CSV_WORDS = 'A header with the names of the fields, then a line for each item. All of them when limit is left out.';
const CSV_SEARCH_WORDS = ' With a search the header Not-Searched says what not_searched says in JSON.';

function csvWords(spec: Operation): string {
  const isSearch = spec.output instanceof z.ZodObject && 'not_searched' in spec.output.shape;
  return isSearch ? `${CSV_WORDS}${CSV_SEARCH_WORDS}` : CSV_WORDS;
}

function responses(spec: Operation, components: Components): JsonSchema {
  // Null in the output means an answer without a body, which has the other status.
  const answered =
    spec.doneStatus !== undefined && spec.output instanceof z.ZodNullable ? (spec.output.unwrap() as z.ZodType) : spec.output;
  const output = lifted(jsonSchemaOf(answered, 'output'), components, '');
  const csv = listShapeOf(spec) === null ? {} : { 'text/csv': { schema: { type: 'string', description: csvWords(spec) } } };
  const file = answersFile(spec) ? { '*/*': { schema: { type: 'string', format: 'binary', description: FILE_WORDS } } } : {};
  const success = spec.status === 204 ? {} : { content: { 'application/json': { schema: output }, ...csv, ...file } };
  const answers: Record<string, JsonSchema> = { [spec.status]: { description: 'Done', ...success } };
  if (spec.doneStatus !== undefined) {
    answers[spec.status] = { description: 'Started', ...success };
    answers[spec.doneStatus] = { description: 'Done' };
  }
  const repeated: ErrorCode[] = spec.method === 'POST' && spec.idempotency !== 'own' ? ['idempotency_mismatch'] : [];
  const codes = [...new Set<ErrorCode>([...COMMON_ERRORS, ...spec.errors, ...repeated])];
  for (const [status, group] of Map.groupBy(codes, (code) => ERRORS[code].status)) {
    answers[status] = {
      description: group.map((code) => `${code}: ${ERRORS[code].title}`).join('; '),
      'x-codes': group,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Problem' } },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      },
    };
  }
  return answers;
}

/** Moves named schemas to the components. Input and output of one name may differ, so inputs get a suffix. */
function lifted(named: ReturnType<typeof jsonSchemaOf>, components: Components, suffix: string): JsonSchema {
  for (const [name, schema] of Object.entries(named.definitions)) {
    components[`${name}${suffix}`] ??= renamed(schema, suffix) as JsonSchema;
  }
  return renamed(named.schema, suffix) as JsonSchema;
}

function renamed(value: unknown, suffix: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, suffix));
  if (!isNode(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === '$ref' && typeof member === 'string'
        ? [name, `${member.replace('#/$defs/', '#/components/schemas/')}${suffix}`]
        : [name, renamed(member, suffix)],
    ),
  );
}
