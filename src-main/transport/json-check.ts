import type { FieldError } from '../../src-shared/contract/index.ts';

/**
 * Looks for what is not JSON, or nested deeper than `depth`, anywhere in `value`. The walk ends at the limit, so neither
 * depth nor a cycle (structured clone lets one through) can exhaust the stack. Null when all is well.
 */
export function faultOfJson(value: unknown, depth: number): FieldError | null {
  return visit(value, [], depth);
}

function visit(value: unknown, path: (string | number)[], levelsLeft: number): FieldError | null {
  if (typeof value !== 'object' || value === null) return scalarFault(value, path);
  if (levelsLeft === 0) return { path: path.join('.'), code: 'too_deep', message: 'is nested too deep' };
  if (!Array.isArray(value) && !isPlain(value)) return { path: path.join('.'), code: 'not_json', message: 'is not a JSON value' };
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    path.push(key);
    // A member of this name would vanish, or worse, when objects are copied further in.
    if (key === '__proto__') return { path: path.join('.'), code: 'unknown_field', message: 'is not known here' };
    const fault = visit(Reflect.get(value, key), path, levelsLeft - 1);
    if (fault !== null) return fault;
    path.pop();
  }
  return null;
}

function scalarFault(value: unknown, path: readonly (string | number)[]): FieldError | null {
  const isJson = value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return isJson ? null : { path: path.join('.'), code: 'not_json', message: 'is not a JSON value' };
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
