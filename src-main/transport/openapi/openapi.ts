import { z } from 'zod';
import { DIGITS, LIMITS } from '../../../src-shared/contract/common.ts';
import { ERROR_WORDS } from '../../../src-shared/contract/error-words.ts';
import { COMMON_ERRORS, contract, type ErrorCode, ERRORS, type Operation, readOfCreated } from '../../../src-shared/contract/index.ts';
import { pathMembers, queryMembers } from '../../../src-shared/contract/operation.ts';
import { answersFigure, answersFile, listShapeOf } from '../csv/csv-list.ts';

type Components = Record<string, JsonSchema>;

/** The address of the document, in each dialect. It holds no data of a book, so it needs no key. */
export const OPENAPI_ADDRESSES: Readonly<Record<string, OpenApiDialect>> = { '/v1/openapi.json': '3.1', '/v1/openapi-3.0.json': '3.0' };

/** The document in the making: its named schemas, and the dialect in which they are written. */
interface Draft {
  readonly dialect: OpenApiDialect;
  readonly components: Components;
}

/** Names of schemas that would hide a word of a language for which clients are generated. */
const COMPONENT_NAMES: Readonly<Record<string, string>> = { Record: 'StreamRecord' };

/**
 * Returns the OpenAPI document of the public operations, derived from the contract. `version` is that of the product; `server` the address of `/v1`,
 * which may be relative.
 */
export function openApiDocument(version: string, dialect: OpenApiDialect = '3.1', server = '/v1'): JsonSchema {
  const draft: Draft = { dialect, components: { Problem: PROBLEM } };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const spec of Object.values<Operation>(contract)) {
    if (spec.surface !== 'public') continue;
    (paths[spec.path] ??= {})[spec.method.toLowerCase()] = operationObject(spec, draft);
  }
  const license = { name: 'Apache License 2.0' };
  return {
    openapi: dialect === '3.1' ? '3.1.0' : '3.0.3',
    info: {
      title: 'Tieout',
      version,
      description: 'Reconciliation on this computer. Amounts are integers of minor units.',
      license:
        dialect === '3.1' ? { ...license, identifier: 'Apache-2.0' } : { ...license, url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: server }],
    security: [{ apiKey: [] }, { bearer: [] }, { basic: [] }],
    tags: tagsOf(Object.keys(paths)),
    paths,
    'x-codes': ERROR_TABLE,
    components: { schemas: draft.components, securitySchemes: SIGN_IN_WAYS },
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
export function madeDocument(version: string, server: string, dialect: OpenApiDialect = '3.1'): MadeDocument {
  const key = `${dialect} ${server} ${version}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const document = openApiDocument(version, dialect, server);
  const now = { document, text: JSON.stringify(document) };
  made.set(key, now);
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

/** What a parameter means wherever it stands, unless the contract says it of one operation. A test fails while one is without words. */
const PARAMETER_WORDS: Readonly<Record<string, string>> = {
  account: 'The name of one bank account; all of them when left out',
  age_bucket: 'Only what has been open for so many days',
  amount_max: 'The largest amount, in minor units, without its sign',
  amount_min: 'The smallest amount, in minor units, without its sign',
  async: 'Whether to start the work and answer at once; needed for more than 10,000 records',
  columns: 'The columns of the journal, in their order',
  counterparty: 'Only lines whose other party has this name',
  created_after: 'Only what was made at this time or later',
  created_before: 'Only what was made at this time or earlier',
  currency: 'Only this currency: three letters of ISO 4217',
  data_stream_key: 'The key of a data stream',
  date_from: 'The first day',
  date_to: 'The last day',
  direction: 'Only money in (credit) or money out (debit)',
  entry: 'The number of the entry',
  external_id: 'Only the record that its source names so',
  format: 'How the answer is written',
  key: 'The key of a data stream, which never changes',
  layout: 'For which accounting program the journal is written',
  limit: 'The most items of a page',
  measure: 'Which number of the table is the value',
  offset: 'Items to leave out before the first one',
  overdue: 'Only records that are overdue, or only those that are not',
  preview: 'Whether to say only what would happen',
  q: 'Words that all occur in the record; the last one may be a beginning',
  reversal: 'Only records that reverse another, or only those that do not',
  side: 'One side of the reconciliation',
  sort: 'The order; with - before it, the largest first',
  source: 'Only what came this way',
  status: 'Only what is in this state',
  streams_to: 'What becomes of the data streams of the account',
  value_date_from: 'The first value date',
  value_date_to: 'The last value date',
};

const TEXT_WORDS = 'With format=text: the value alone, or #TIEOUT! and a few words why there is none';
const FAILED_TEXT_WORDS = 'With format=text: #TIEOUT! and the message of the problem';

/** The answer of a figure to `format=text`. */
const textOf = (spec: Operation, words: string): JsonSchema =>
  answersFigure(spec) ? { 'text/plain': { schema: { type: 'string', description: words } } } : {};

/** How a list is written; both count before the header Accept. */
const LIST_PARAMETERS = (formats: readonly string[]): readonly JsonSchema[] => [
  {
    name: 'format',
    in: 'query',
    required: false,
    description:
      'csv answers CSV for spreadsheets: with a byte order mark, and with a column in currency units beside each one in minor units, money out negative.',
    schema: { type: 'string', enum: formats },
  },
  {
    name: 'text_ids',
    in: 'query',
    required: false,
    description: 'With format=csv, 1 keeps texts that look like numbers, such as 0012345, as texts in a spreadsheet.',
    schema: { type: 'string', enum: ['0', '1'] },
  },
];

function operationObject(spec: Operation, draft: Draft): JsonSchema {
  const input = lifted(spec.input, draft, 'input');
  const properties = isNode(input.properties) ? input.properties : {};
  const required = new Set(Array.isArray(input.required) ? input.required : []);
  const inPath = pathMembers(spec.path);
  const inQuery = queryMembers(spec);
  const inBody = Object.keys(properties).filter((name) => !inPath.includes(name) && !inQuery.includes(name));
  const parameter = (name: string, place: 'path' | 'query') => {
    const schema = properties[name];
    const { description = PARAMETER_WORDS[name], ...bare } = isNode(schema) ? schema : {};
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: bare,
      ...(spec.example[name] === undefined ? {} : { example: exampleOf(bare, spec.example[name]) }),
    };
  };
  const hasBody = (spec.method === 'POST' || spec.method === 'PUT' || spec.method === 'PATCH') && inBody.length > 0;
  return {
    operationId: spec.id,
    summary: spec.summary,
    description: descriptionOf(spec),
    tags: [tagOf(spec.path)],
    'x-permission': spec.permission,
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...inQuery.map((name) => parameter(name, 'query')),
      ...(listShapeOf(spec) === null ? [] : LIST_PARAMETERS(answersFigure(spec) ? ['csv', 'json', 'text'] : ['csv', 'json'])),
      ...(spec.method === 'POST' ? [IDEMPOTENCY_KEY] : []),
      ...(spec.method === 'PATCH' || spec.method === 'PUT' || spec.method === 'DELETE' ? [IF_MATCH] : []),
    ],
    ...(hasBody ? { requestBody: requestBody(spec, inBody, { properties, required }, draft) } : {}),
    responses: responses(spec, draft),
  };
}

/** Returns sentences about an operation that follow from the contract: who may call it, how it is repeated, in what else it answers. */
function descriptionOf(spec: Operation): string {
  const key = spec.permission === 'read' ? 'Any key may call it.' : 'It changes the book, so it needs a key that may write.';
  const started = spec.doneStatus === undefined ? [] : ['It answers at once, or starts work in the background that the answer names.'];
  const repeated =
    spec.method === 'POST' && spec.permission === 'read_write' ? ['Send an Idempotency-Key to repeat it without doing it twice.'] : [];
  const list = listShapeOf(spec) === null ? [] : ['The list comes as CSV too: with format=csv, or with the header Accept: text/csv.'];
  const file = answersFile(spec) ? [FILE_WORDS] : [];
  return [`${spec.summary.replace(/\.$/, '')}.`, key, ...started, ...repeated, ...list, ...file].join(' ');
}

/** Returns an example with its ids as numbers where the schema knows them as numbers alone. */
function exampleOf(schema: unknown, value: unknown): unknown {
  if (!isNode(schema)) return value;
  if (schema['type'] === 'integer' && typeof value === 'string') return Number(value);
  if (Array.isArray(value)) return value.map((each) => exampleOf(schema['items'], each));
  const { properties } = schema;
  if (!isNode(value) || !isNode(properties)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, exampleOf(properties[name], each)]));
}

/** Returns the body of a request. Its schema is a component, so that a generated client gives it a name: `StreamsCreateRequest`. */
function requestBody(
  spec: Operation,
  names: readonly string[],
  { properties, required }: { readonly properties: JsonSchema; readonly required: ReadonlySet<unknown> },
  { components }: Draft,
): JsonSchema {
  const needed = names.filter((name) => required.has(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    ...(needed.length === 0 ? {} : { required: needed }),
    additionalProperties: false,
  };
  const component = `${operationName(spec)}Request`;
  components[component] = schema;
  const example = exampleOf(schema, Object.fromEntries(Object.entries(spec.example).filter(([name]) => names.includes(name))));
  return {
    required: needed.length > 0,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${component}` }, example } },
  };
}

/** The id of an operation as the first part of the name of a component: `StreamsCreate`. */
function operationName({ id }: Operation): string {
  return id.replaceAll(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the answer of an operation as a component, so that a generated client gives it a name: `RecordsListAnswer`, where the contract has none. */
function answerOf(spec: Operation, schema: z.ZodType, draft: Draft): JsonSchema {
  const output = lifted(schema, draft, 'output');
  if (output['$ref'] !== undefined) return output;
  const component = `${operationName(spec)}Answer`;
  draft.components[component] = output;
  return { $ref: `#/components/schemas/${component}` };
}

const FILE_WORDS = 'The file itself, unless the header Accept names application/json, which has it as a member.';
const CSV_WORDS = 'A header with the names of the fields, then a line for each item. All of them when limit is left out.';
const CSV_SEARCH_WORDS = ' With a search the header Not-Searched says what not_searched says in JSON.';

function csvWords(spec: Operation): string {
  const isSearch = spec.output instanceof z.ZodObject && 'not_searched' in spec.output.shape;
  return isSearch ? `${CSV_WORDS}${CSV_SEARCH_WORDS}` : CSV_WORDS;
}

function header(description: string): JsonSchema {
  return { description, schema: TEXT };
}

const REPLAYED = { 'Idempotent-Replayed': header('true where the answer is that of an earlier call with the same Idempotency-Key') };

/** Returns the headers of a success. */
function headersOf(spec: Operation): JsonSchema {
  return {
    ...(readOfCreated(spec) !== null || spec.status === 202 ? { Location: header('The address of what was created or started') } : {}),
    ...(spec.method === 'GET' ? { ETag: header('The state of the answer, for If-Match and If-None-Match') } : {}),
    ...(spec.method === 'POST' ? REPLAYED : {}),
  };
}

/** Headers of failures by their status. */
const FAILURE_HEADERS: Readonly<Record<number, JsonSchema>> = {
  401: { 'WWW-Authenticate': header('The ways in which a key can be sent') },
  429: { 'Retry-After': header('Seconds to wait') },
};

function responses(spec: Operation, draft: Draft): JsonSchema {
  // Null in the output means an answer without a body, which has the other status.
  const answered =
    spec.doneStatus !== undefined && spec.output instanceof z.ZodNullable ? (spec.output.unwrap() as z.ZodType) : spec.output;
  const csv = listShapeOf(spec) === null ? {} : { 'text/csv': { schema: { type: 'string', description: csvWords(spec) } } };
  const file = answersFile(spec) ? { '*/*': { schema: { type: 'string', format: 'binary', description: FILE_WORDS } } } : {};
  const content =
    spec.status === 204
      ? {}
      : { content: { 'application/json': { schema: answerOf(spec, answered, draft) }, ...csv, ...textOf(spec, TEXT_WORDS), ...file } };
  const success = { headers: headersOf(spec), ...content };
  const answers: Record<string, JsonSchema> = { [spec.status]: { description: 'Done', ...success } };
  if (spec.doneStatus !== undefined) {
    answers[spec.status] = { description: 'Started', ...success };
    answers[spec.doneStatus] = { description: 'Done' };
  }
  const repeated: ErrorCode[] = spec.method === 'POST' && spec.idempotency !== 'own' ? ['idempotency_mismatch'] : [];
  const codes = [...new Set<ErrorCode>([...COMMON_ERRORS, ...spec.errors, ...repeated])];
  for (const [status, group] of Map.groupBy(codes, (code) => ERRORS[code].status)) {
    const headers = FAILURE_HEADERS[status];
    answers[status] = {
      description: group.map((code) => `${code}: ${ERRORS[code].title}`).join('; '),
      ...(headers === undefined ? {} : { headers }),
      'x-codes': group,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Problem' } },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        ...textOf(spec, FAILED_TEXT_WORDS),
      },
    };
  }
  return answers;
}

type Io = 'input' | 'output';

/** Returns the schema of a wire schema, and moves the named ones in it to the components. Input and output of one name may differ. */
function lifted(schema: z.ZodType, { dialect, components }: Draft, io: Io): JsonSchema {
  const named = jsonSchemaOf(schema, io, dialect);
  for (const [name, definition] of Object.entries(named.definitions)) {
    components[componentName(name, io)] ??= adapted(definition, io, dialect) as JsonSchema;
  }
  return adapted(named.schema, io, dialect) as JsonSchema;
}

/** Returns the name of a component; that of an input has a suffix, once. */
function componentName(name: string, io: Io): string {
  const own = COMPONENT_NAMES[name] ?? name;
  return io === 'output' || own.endsWith('Input') ? own : `${own}Input`;
}

/**
 * Returns a schema as clients are generated of it: references lead to the components, integers of answers are `int64` without the bounds that every
 * integer of the contract has, and a tuple of equal items is a list of that length, which every generator knows. Another tuple says that nothing
 * follows its items.
 */
function adapted(value: unknown, io: Io, dialect: OpenApiDialect): unknown {
  if (Array.isArray(value)) return value.map((item) => adapted(item, io, dialect));
  if (!isNode(value)) return value;
  const node: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const isReference = name === '$ref' && typeof member === 'string';
    const isBound = io === 'output' && (name === 'minimum' || name === 'maximum') && Math.abs(Number(member)) === Number.MAX_SAFE_INTEGER;
    if (isReference) node[name] = `#/components/schemas/${componentName(member.split('/').at(-1) ?? '', io)}`;
    else if (!isBound) node[name] = adapted(member, io, dialect);
  }
  // Java takes an integer without a format for one of 32 bits, which a large amount is not.
  if (node['type'] === 'integer' && (io === 'output' || Number(node['maximum'] ?? Infinity) >= 2 ** 31)) node['format'] = 'int64';
  const tuple = node['prefixItems'];
  if (Array.isArray(tuple)) {
    const isAlike = tuple.every((each) => JSON.stringify(each) === JSON.stringify(tuple[0]));
    Object.assign(node, isAlike ? { items: tuple[0] as unknown, minItems: tuple.length, maxItems: tuple.length } : { items: false });
    if (isAlike) delete node['prefixItems'];
  }
  return dialect === '3.0' ? withoutNullType(node) : node;
}

/** Whether a schema is that of an id in an input. It may be a text or a number; 3.0 names the number alone, since its generators know no choice of two. */
function isGivenId({ anyOf }: Readonly<Record<string, unknown>>): boolean {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return false;
  const [number, text] = anyOf as readonly JsonSchema[];
  return number?.['type'] === 'integer' && text?.['type'] === 'string' && text['pattern'] === DIGITS.source;
}

/** Returns a node in which null is said as 3.0 says it. zod does so itself, but not in a schema that the contract has written out. */
function withoutNullType(written: Record<string, unknown>): JsonSchema {
  if (isGivenId(written)) return { type: 'integer', format: 'int64', minimum: 1, description: 'Identifier' };
  // 3.0 cannot limit the names of members.
  const { propertyNames: _, ...node } = written;
  const { anyOf, ...rest } = node;
  const isNull = (each: unknown): boolean =>
    isNode(each) && (each['type'] === 'null' || (Array.isArray(each['enum']) && each['enum'].every((value) => value === null)));
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return withNullNamed(node);
  const [first, ...more] = anyOf.filter((each) => !isNull(each)) as JsonSchema[];
  return more.length === 0 ? withNullNamed({ ...rest, ...first, nullable: true }) : { ...rest, anyOf: [first, ...more], nullable: true };
}

/** Returns a node of 3.0 that names null among its values, without which 3.0 does not allow it. */
function withNullNamed(node: JsonSchema): JsonSchema {
  const { enum: values, nullable } = node;
  return nullable === true && Array.isArray(values) && !values.includes(null) ? { ...node, enum: [...(values as unknown[]), null] } : node;
}

/** Description of each group of addresses, by their first segment. A test fails while a segment of the contract has none. */
const WORDS: Readonly<Record<string, string>> = {
  data_streams: 'Streams of records, such as a bank account or a ledger, with their deletes and resets as operations to poll',
  records: 'The records of streams, one by one and in bulk',
  bulk_requests: 'Progress and results of bulk requests',
  reconciliations: 'Two sides of streams that are matched, and the runs that match them',
  reconciliation_periods: 'Periods of a reconciliation with their statements and sign-offs',
  figures: 'Figures for spreadsheets: one value or one small table as of a day',
  reconciliation_exceptions: 'What is overdue and unmatched, as something that a person looks into',
  import_batches: 'What came in with one import, and its undoing',
  imported_files: 'What imported files state apart from their lines, as one Tieout tells another',
  reconciliation_rules: 'How records of both sides are matched',
  reconciliation_matches: 'Records that belong together',
  bank_accounts: 'Bank accounts, to which streams can be linked',
  bank_account_balances: 'Balances of bank accounts by date and type',
  reconciliation_stories: 'Reconciliations in an ordered chain',
  data_stream_property_definitions: 'Names and types of metadata fields',
  instance: 'Which book answers, and how far its history has come',
};

/** Returns the tag of an operation: the first segment of its path. */
export function tagOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Returns the tag objects in the order in which the contract declares operations. */
function tagsOf(paths: readonly string[]): JsonSchema[] {
  return [...new Set(paths.map(tagOf))].map((name) => (WORDS[name] === undefined ? { name } : { name, description: WORDS[name] }));
}

/** A node of JSON Schema 2020-12, as plain JSON. */
export type JsonSchema = { readonly [member: string]: unknown };

/** A schema with the named schemas it refers to as `#/$defs/Name`. */
interface NamedSchema {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/** The dialects of OpenAPI: 3.1 has JSON Schema 2020-12; many generators read 3.0 only, which has a dialect of its own. */
type OpenApiDialect = '3.1' | '3.0';

/**
 * Returns the JSON Schema of a wire schema: `input` is what a caller may send, `output` what it gets. The schema is wrapped for the conversion,
 * because zod names only schemas below the root.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output', dialect: OpenApiDialect = '3.1'): NamedSchema {
  const target = dialect === '3.1' ? 'draft-2020-12' : 'openapi-3.0';
  const root = z.toJSONSchema(z.object({ root: schema }), { io, unrepresentable: 'any', target }) as {
    properties?: Record<string, JsonSchema>;
    $defs?: Record<string, JsonSchema>;
    definitions?: Record<string, JsonSchema>;
  };
  return { schema: root.properties?.root ?? {}, definitions: root.$defs ?? root.definitions ?? {} };
}

/** Whether a JSON value is an object, and so has members. */
export function isNode(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
