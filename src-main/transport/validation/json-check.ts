import type { FieldError } from '../../../src-shared/contract/index.ts';
import { HALF_CHARACTER } from '../../../src-shared/values/whole-text.ts';

/**
 * Looks for what is not JSON, nested deeper than `depth`, or half of a character, anywhere in `value`. The walk ends at the limit, so neither
 * depth nor a cycle (structured clone lets one through) can exhaust the stack. `apart`: members whose texts are judged one by one later. Null when all is well.
 */
export function faultOfJson(value: unknown, depth: number, apart: ReadonlySet<string> = NONE): FieldError | null {
  return new Walk(apart).visit(value, depth);
}

const NONE: ReadonlySet<string> = new Set();

class Walk {
  readonly #apart: ReadonlySet<string>;
  readonly #path: (string | number)[] = [];

  constructor(apart: ReadonlySet<string>) {
    this.#apart = apart;
  }

  visit(value: unknown, levelsLeft: number): FieldError | null {
    if (typeof value !== 'object' || value === null) return this.#scalarFault(value);
    if (levelsLeft === 0) return this.#fault('too_deep', 'is nested too deep');
    if (!Array.isArray(value) && !isPlain(value)) return this.#fault('not_json', 'is not a JSON value');
    const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
    for (const key of keys) {
      this.#path.push(key);
      // A member of this name would vanish, or worse, when objects are copied further in.
      if (key === '__proto__') return this.#fault('unknown_field', 'is not known here');
      if (typeof key === 'string' && !key.isWellFormed() && !this.#isApart()) return this.#fault('broken_text', HALF_CHARACTER);
      const fault = this.visit(Reflect.get(value, key), levelsLeft - 1);
      if (fault !== null) return fault;
      this.#path.pop();
    }
    return null;
  }

  #scalarFault(value: unknown): FieldError | null {
    if (typeof value === 'string') return value.isWellFormed() || this.#isApart() ? null : this.#fault('broken_text', HALF_CHARACTER);
    const isJson = value === null || value === undefined || typeof value === 'boolean' || Number.isFinite(value);
    return isJson ? null : this.#fault('not_json', 'is not a JSON value');
  }

  #isApart(): boolean {
    return this.#apart.has(String(this.#path[0]));
  }

  #fault(code: string, message: string): FieldError {
    return { path: this.#path.join('.').toWellFormed(), code, message };
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
