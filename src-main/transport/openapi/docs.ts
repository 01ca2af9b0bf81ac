import type { FastifyInstance } from 'fastify';
import { isNode, type JsonSchema, tagOf } from './openapi.ts';

/** A field in a table of the documentation. `name` is dotted, with `[]` for the items of a list; `type` is HTML. */
interface DocumentedField {
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
function fieldsOf(schema: unknown, prefix = ''): DocumentedField[] {
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
function typeWords(schema: unknown): string {
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

interface Documented {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: JsonSchema;
}

/** Returns a page with the content of the OpenAPI document. It loads nothing but `/docs/style.css`. `baseUrl` is used in the examples. */
export function docsPage(document: JsonSchema, baseUrl: string): string {
  const groups = Map.groupBy(operationsOf(document), ({ path }) => tagOf(path));
  const tags = new Map((Array.isArray(document['tags']) ? document['tags'] : []).filter(isNode).map((tag) => [textOf(tag['name']), tag]));
  const schemas = nodeAt(document, 'components', 'schemas');
  const info = nodeAt(document, 'info');
  const navigation = [...groups].map(([name, operations]) => {
    const links = operations.map(({ id, operation }) => `<li><a href="#${id}">${escaped(textOf(operation['summary']))}</a></li>`);
    return `<details><summary>${escaped(name)}</summary><ul>${links.join('')}</ul></details>`;
  });
  const sections = [...groups].map(([name, operations]) => {
    const words = textOf(tags.get(name)?.['description']);
    return `<h2 id="group-${escaped(name)}">${escaped(name)}</h2><p>${escaped(words)}.</p>${operations.map((each) => operationSection(each, schemas, baseUrl)).join('')}`;
  });
  const bodies = new Set(
    [...groups.values()]
      .flat()
      .map(({ operation }) => textOf(nodeAt(operation, 'requestBody', 'content', 'application/json', 'schema')['$ref'])),
  );
  const shared = Object.entries(schemas).filter(([name]) => !bodies.has(`#/components/schemas/${name}`));
  const named = shared.map(
    ([name, schema]) => `<section id="schema-${escaped(name)}"><h3>${escaped(name)}</h3>${schemaBody(schema)}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tieout, the API</title><link rel="stylesheet" href="/docs/style.css"></head><body>
<nav aria-label="Operations"><a href="#top">Tieout</a>${navigation.join('')}<a href="#errors">Errors</a><a href="#schemas">Schemas</a></nav>
<main id="top"><h1>Tieout ${escaped(textOf(info['version']))}, the API</h1>
<p>${escaped(textOf(info['description']))} Every call of <code>${escaped(baseUrl)}</code> needs a key in the header <code>X-API-KEY</code>.
The same as an <a href="/v1/openapi.json">OpenAPI document</a>, for generators that read no 3.1 in <a href="/v1/openapi-3.0.json">3.0</a>. The examples take the key from <code>$TIEOUT_KEY</code>.</p>
${sections.join('\n')}
<h2 id="errors">Errors</h2>${errorTable(nodeAt(document, 'x-codes'))}
<h2 id="schemas">Schemas</h2>${named.join('\n')}
</main></body></html>`;
}

function operationsOf(document: JsonSchema): Documented[] {
  return Object.entries(nodeAt(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(isNode(methods) ? methods : {}).flatMap(([method, operation]) =>
      isNode(operation) ? [{ id: escaped(textOf(operation['operationId'])), method: method.toUpperCase(), path, operation }] : [],
    ),
  );
}

function operationSection({ id, method, path, operation }: Documented, schemas: JsonSchema, baseUrl: string): string {
  const parameters = parametersOf(operation);
  const body = nodeAt(operation, 'requestBody', 'content', 'application/json');
  const inputs = parameters.map(({ schema, name, required, ...rest }) => {
    const [field] = fieldsOf({ properties: { [name]: schema }, required: required ? [name] : [] });
    const words = [field?.words ?? '', rest.description ?? ''].filter((each) => each !== '').join('; ');
    return { name, type: field?.type ?? '', isRequired: required, words, place: rest.in };
  });
  const inBody = fieldsOf(requestSchema(body, schemas)).map((field) => ({ ...field, place: 'body' }));
  const all = [...inputs, ...inBody];
  return `<section id="${id}"><h3><span class="method ${method.toLowerCase()}">${method}</span> <code>/v1${escaped(path)}</code></h3>
<p>${escaped(textOf(operation['summary']))} <span class="note">${id}, for keys with <code>${escaped(textOf(operation['x-permission']))}</code></span></p>
${all.length === 0 ? '' : `<h4>Fields</h4>${inputTable(all)}`}
<h4>Answers</h4>${answers(nodeAt(operation, 'responses'))}
<h4>Example</h4><pre><code>${escaped(curl(method, path, parameters, body, baseUrl))}</code></pre></section>`;
}

/** Returns the schema of a body, which is a component of its own. */
function requestSchema(body: JsonSchema, schemas: JsonSchema): JsonSchema {
  return nodeAt(schemas, textOf(nodeAt(body, 'schema')['$ref']).split('/').at(-1) ?? '');
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: unknown;
  readonly example?: unknown;
  readonly description?: string;
}

function parametersOf(operation: JsonSchema): Parameter[] {
  return (Array.isArray(operation['parameters']) ? operation['parameters'] : []) as Parameter[];
}

function inputTable(fields: readonly (DocumentedField & { readonly place: string })[]): string {
  const rows = fields.map(
    ({ name, type, isRequired, words, place }) =>
      `<tr><td><code>${escaped(name)}</code></td><td>${place}${isRequired ? ', required' : ''}</td><td>${type}</td><td>${words}</td></tr>`,
  );
  return `<table><thead><tr><th>Name</th><th>In</th><th>Type</th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function answers(responses: JsonSchema): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const codes = isNode(response) && Array.isArray(response['x-codes']) ? response['x-codes'].map(String) : [];
    const schema = nodeAt(response, 'content', 'application/json')['schema'];
    const kinds = Object.keys(nodeAt(response, 'content')).filter((kind) => kind !== 'application/json');
    const shown =
      codes.length > 0
        ? codes.map((code) => `<a href="#error-${escaped(code)}"><code>${escaped(code)}</code></a>`).join(' ')
        : `${schema === undefined ? 'no body' : schemaBody(schema)}${kinds.map((kind) => ` Also as <code>${escaped(kind)}</code>.`).join('')}`;
    return `<tr><td>${escaped(status)}</td><td>${shown}</td></tr>`;
  });
  return `<table><tbody>${rows.join('')}</tbody></table>`;
}

function schemaBody(schema: unknown): string {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return typeWords(schema);
  const rows = fields.map(({ name, type, words }) => `<tr><td><code>${escaped(name)}</code></td><td>${type}</td><td>${words}</td></tr>`);
  return `<table><tbody>${rows.join('')}</tbody></table>`;
}

function errorTable(codes: JsonSchema): string {
  const rows = Object.keys(codes).map((code) => {
    const { status, title, when, remedy } = nodeAt(codes, code);
    const cells = [`<code>${escaped(code)}</code>`, String(status), `${wordsOf(title)}. ${wordsOf(when)}`, wordsOf(remedy)];
    return `<tr id="error-${escaped(code)}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<table><thead><tr><th>Code</th><th>Status</th><th>When</th><th>What to do</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Returns a text as HTML, with backticks as code. */
function wordsOf(text: unknown): string {
  return escaped(textOf(text)).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function curl(method: string, path: string, parameters: readonly Parameter[], body: JsonSchema, baseUrl: string): string {
  const given = parameters.filter((each) => each.example !== undefined);
  const address = given
    .filter((each) => each.in === 'path')
    .reduce((url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const query = new URLSearchParams(
    given.filter((each) => each.in === 'query').map(({ name, example }) => [name, String(example)]),
  ).toString();
  const example = body['example'];
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${baseUrl}${address}${query === '' ? '' : `?${query}`}'`,
    `-H "X-API-KEY: $TIEOUT_KEY"`,
    ...(example === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(example).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ');
}

/** Returns the object at a path of member names; an empty one where there is none. */
function nodeAt(root: unknown, ...names: readonly string[]): JsonSchema {
  const found = names.reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), root);
  return isNode(found) ? found : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Style of the documentation, light or dark as the reader's system is set. */
const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --line: light-dark(#d9dce1, #3a3f47);
  --soft: light-dark(#f4f5f7, #1f2329);
  --link: light-dark(#0b57d0, #8ab4f8);
  --muted: light-dark(#545a63, #a9b0ba);
}
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 20rem minmax(0, 1fr); font: 15px/1.5 system-ui, sans-serif;
  background: light-dark(#ffffff, #16191d); color: light-dark(#1b1f24, #e6e8eb); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem 1rem; background: var(--soft); border-right: 1px solid var(--line); }
nav > a { display: block; font-weight: 600; padding: 0.25rem 0; }
nav ul { list-style: none; margin: 0 0 0.5rem; padding: 0 0 0 1rem; font-size: 14px; }
nav summary { cursor: pointer; padding: 0.25rem 0; }
main { padding: 1.5rem 2rem 6rem; max-width: 68rem; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
h2 { margin: 3rem 0 1rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.5rem 0 0.5rem; font-size: 1.1rem; }
h4 { margin: 1rem 0 0.25rem; font-size: 0.95rem; }
section:target > h3, tr:target { background: light-dark(#fff4c2, #4a4218); }
h1, h2, h3, p, td, summary { overflow-wrap: anywhere; }
td:first-child { overflow-wrap: normal; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { overflow: auto; padding: 0.75rem; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); }
.note { color: var(--muted); }
.method { display: inline-block; min-width: 4rem; font-weight: 700; }
.get { color: light-dark(#0b6b3a, #7ddba3); }
.post { color: light-dark(#0b57d0, #8ab4f8); }
.patch { color: light-dark(#8a5a00, #f2c46d); }
.delete { color: light-dark(#b3261e, #f2a6a0); }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; }
}
@media print { nav { display: none; } body { display: block; } }
`;

/** Allows the style sheet only: no script, no image, no other address. */
const POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The addresses of the documentation. They need no key, because they reveal nothing about the book. */
export const DOCS_ADDRESSES = ['/docs', '/docs/style.css'] as const;

/** Serves `/docs`. The page is made of the OpenAPI document at its first request. */
export function registerDocs(app: FastifyInstance, document: () => JsonSchema, baseUrl: () => string): void {
  let page: string | null = null;
  const [pageAddress, styleAddress] = DOCS_ADDRESSES;
  app.get(pageAddress, (_request, reply) => {
    page ??= docsPage(document(), baseUrl());
    return reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' }).type('text/html; charset=utf-8').send(page);
  });
  app.get(styleAddress, (_request, reply) => reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(DOCS_STYLE));
}
