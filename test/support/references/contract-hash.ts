import { createHash } from 'node:crypto';
import { isNode, jsonSchemaOf } from '../../../src-main/transport/openapi/openapi.ts';
import { contract, type Operation } from '../../../src-shared/contract/index.ts';

/**
 * Returns the hash of the wire: method, path, permission, surface, status, error codes, and the shapes of input and output of every operation. Words
 * (summaries, descriptions, examples) and the order of declaration do not count. Hex, sha-256.
 */
export function contractHash(table: Readonly<Record<string, Operation>> = contract): string {
  const operations = Object.values(table).map((spec) => ({
    id: spec.id,
    method: spec.method,
    path: spec.path,
    surface: spec.surface,
    permission: spec.permission,
    status: spec.status,
    ...(spec.doneStatus === undefined ? {} : { doneStatus: spec.doneStatus }),
    query: [...(spec.query ?? [])].toSorted(),
    errors: [...spec.errors].toSorted(),
    input: jsonSchemaOf(spec.input, 'input'),
    output: jsonSchemaOf(spec.output, 'output'),
  }));
  const sorted = operations.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify(canonical(sorted)))
    .digest('hex');
}

/** Returns the value with its members in the order of their names, without the words of a schema. */
function canonical(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item));
    return key === 'required' ? items.toSorted() : items;
  }
  if (!isNode(value)) return value;
  const members = Object.entries(value).filter(([name, member]) => !(name === 'description' && typeof member === 'string'));
  return Object.fromEntries(
    members.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([name, member]) => [name, canonical(member, name)]),
  );
}
