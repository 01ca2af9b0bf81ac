import { type DocumentedField, escaped, fieldsOf, typeWords } from './docs-fields.ts';
import { isNode, type JsonSchema } from './json-schema.ts';
import { tagOf } from './openapi-tags.ts';

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
    return `<h2 id="group-${escaped(name)}">${escaped(name)}</h2><p>${escaped(words)}.</p>${operations.map((each) => operationSection(each, baseUrl)).join('')}`;
  });
  const named = Object.entries(schemas).map(
    ([name, schema]) => `<section id="schema-${escaped(name)}"><h3>${escaped(name)}</h3>${schemaBody(schema)}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tieout, the API</title><link rel="stylesheet" href="/docs/style.css"></head><body>
<nav aria-label="Operations"><a href="#top">Tieout</a>${navigation.join('')}<a href="#errors">Errors</a><a href="#schemas">Schemas</a></nav>
<main id="top"><h1>Tieout ${escaped(textOf(info['version']))}, the API</h1>
<p>${escaped(textOf(info['description']))} Every call of <code>${escaped(baseUrl)}</code> needs a key in the header <code>X-API-KEY</code>.
The same as an <a href="/v1/openapi.json">OpenAPI document</a> (needs the key as well). The examples take the key from <code>$TIEOUT_KEY</code>.</p>
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

function operationSection({ id, method, path, operation }: Documented, baseUrl: string): string {
  const parameters = parametersOf(operation);
  const body = nodeAt(operation, 'requestBody', 'content', 'application/json');
  const inputs = parameters.map(({ schema, name, required, ...rest }) => {
    const [field] = fieldsOf({ properties: { [name]: schema }, required: required ? [name] : [] });
    const words = [field?.words ?? '', rest.description ?? ''].filter((each) => each !== '').join('; ');
    return { name, type: field?.type ?? '', isRequired: required, words, place: rest.in };
  });
  const inBody = fieldsOf(body['schema']).map((field) => ({ ...field, place: 'body' }));
  const all = [...inputs, ...inBody];
  return `<section id="${id}"><h3><span class="method ${method.toLowerCase()}">${method}</span> <code>/v1${escaped(path)}</code></h3>
<p>${escaped(textOf(operation['summary']))} <span class="note">${id}, for keys with <code>${escaped(textOf(operation['x-permission']))}</code></span></p>
${all.length === 0 ? '' : `<h4>Fields</h4>${inputTable(all)}`}
<h4>Answers</h4>${answers(nodeAt(operation, 'responses'))}
<h4>Example</h4><pre><code>${escaped(curl(method, path, parameters, body, baseUrl))}</code></pre></section>`;
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
