import { z } from 'zod';
import type { Operation, OperationId } from '../../src-shared/contract/index.ts';
import { queryMembers } from '../../src-shared/contract/operation.ts';
import type { Answer } from '../contract/support.ts';
import { publicOperations } from './coverage.ts';
import { FIELDS, type Thing } from './fields.ts';
import { LINES } from './lines.ts';
import type { Mutation } from './service.ts';
import { SOURCES } from './sources.ts';

/** An answer that is a success, with another body. */
const withBody = (answer: Answer, json: unknown): Answer => ({ ...answer, json: json as Answer['json'], text: JSON.stringify(json) });
const isSuccess = (answer: Answer) => answer.status >= 200 && answer.status < 300;

/** Changes every item of a list or page, or the thing itself. */
function mapped(answer: Answer, change: (thing: Record<string, unknown>) => unknown): Answer {
  const json: unknown = answer.json;
  if (!isSuccess(answer) || json === null) return answer;
  if (Array.isArray(json))
    return withBody(
      answer,
      json.map((item) => change({ ...(item as object) })),
    );
  const page = { ...(json as Record<string, unknown>) };
  if (Array.isArray(page['data'])) return withBody(answer, { ...page, data: page['data'].map((item) => change({ ...(item as object) })) });
  return withBody(answer, change(page));
}

/** Names of the fields of the thing that an operation answers, behind pages, lists and alternatives. */
function fieldsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element as z.ZodType);
  if (!(schema instanceof z.ZodObject)) return [];
  const data = schema.shape['data'];
  return data instanceof z.ZodArray ? fieldsOf(data) : Object.keys(schema.shape);
}

/** Leaves a parameter out of the query. */
function withoutParameter(path: string, name: string): string {
  const [address = '', query = ''] = path.split('?');
  const rest = query.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`));
  return rest.length === 0 ? address : `${address}?${rest.join('&')}`;
}

const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['limit', 'offset', 'cursor']);

function mutationsOf(spec: Operation): Mutation[] {
  const operation = spec.id as OperationId;
  const base: Mutation[] = [
    {
      name: 'another error code',
      near: 'auth.',
      operation,
      answer: (answer) => (isSuccess(answer) || answer.json === null ? answer : withBody(answer, { ...answer.json, code: 'mutant' })),
    },
    {
      name: 'another error status',
      near: 'auth.',
      operation,
      answer: (answer) => (isSuccess(answer) ? answer : { ...answer, status: answer.status + 1 }),
    },
    {
      name: 'any key is let in',
      near: 'auth.',
      operation,
      request: (request) => ({ ...request, key: request.key === 'none' ? 'live' : request.key }),
    },
  ];
  const status: Mutation = {
    name: 'another status',
    near: Object.values(SOURCES).some((sources) => operation in sources) ? '.id' : operation,
    operation,
    answer: (answer) => (isSuccess(answer) ? { ...answer, status: answer.status === 200 ? 201 : 200 } : answer),
  };
  const permission: Mutation = {
    name: 'a key that may only read is let in',
    near: 'permission.',
    operation,
    request: (request) => ({ ...request, key: request.key === 'read' ? 'live' : request.key }),
  };
  const environment: Mutation = {
    name: "another environment's rows",
    near: 'environment.',
    operation,
    request: (request) => ({ ...request, key: request.key === 'test' ? 'live' : request.key }),
  };
  const fields = provedFields(operation, spec.output).map((name): Mutation => ({
    name: `without ${name}`,
    near: `.${name}`,
    operation,
    answer: (answer) => mapped(answer, (thing) => Object.fromEntries(Object.entries(thing).filter(([each]) => each !== name))),
  }));
  const ignored = (spec.method === 'GET' ? queryMembers(spec) : []).map((name): Mutation => ({
    name: `ignores ${name}`,
    near: PAGE_PARAMETERS.has(name) ? `page.${operation}` : name,
    operation,
    request: (request) => ({ ...request, path: withoutParameter(request.path, name) }),
  }));
  return [
    ...base,
    status,
    ...fields,
    ...(spec.permission === 'read' ? [] : [permission]),
    ...(hasEnvironmentLine(operation) ? [environment] : []),
    ...ignored,
  ];
}

const hasEnvironmentLine = (operation: OperationId) => LINES.some((line) => line.id === `environment.${operation}`);

/** Fields of an answer itself that the specification names. */
function provedFields(operation: OperationId, output: z.ZodType): string[] {
  const named = (Object.keys(SOURCES) as Thing[]).filter((thing) => SOURCES[thing][operation] !== undefined);
  const names = new Set<string>(named.flatMap((thing) => FIELDS[thing].map(([name]) => name)));
  return fieldsOf(output).filter((name) => names.has(name));
}

/** What could be wrong with each operation. */
export const MUTATIONS: readonly Mutation[] = publicOperations.flatMap(mutationsOf);
