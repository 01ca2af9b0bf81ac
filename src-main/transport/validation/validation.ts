import { z } from 'zod';
import { LIMITS } from '../../../src-shared/contract/common.ts';
import type { Failure, FieldError, Operation } from '../../../src-shared/contract/index.ts';
import { pathMembers } from '../../../src-shared/contract/operation.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { HALF_CHARACTER } from '../../../src-shared/values/text-print.ts';
import { faultsOfIssue } from './validation-words.ts';

/**
 * Returns the first fault of `value` as JSON: a value that is not JSON, nesting deeper than `depth`, or half of a surrogate pair; else null. The walk
 * ends at the limit, so neither depth nor a cycle (which structured clone allows) can exhaust the stack. `apart`: members whose texts are checked
 * later, one by one.
 */
function faultOfJson(value: unknown, depth: number, apart: ReadonlySet<string> = NONE): FieldError | null {
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
      // Copying an object would drop a member of this name, or set its prototype.
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

const FAULTS_ANSWERED = 100;
const FAULTS_IN_SENTENCE = 3;
const KNOWN_FIELDS_IN_SENTENCE = 16;

/** Checks the flat input of an operation against the contract. Returns the parsed input, with defaults filled in and ids as integers. */
export function validateInput(spec: Operation, input: unknown): Result<Record<string, unknown>, Failure> {
  const given = input === undefined ? {} : input;
  const notJson = faultOfJson(given, LIMITS.jsonDepth, judgedApart(spec));
  if (notJson !== null) return failed(failureOf(spec, [notJson]));
  const parsed = spec.input.safeParse(given, { reportInput: true });
  if (parsed.success) return success(parsed.data);
  return failed(failureOf(spec, parsed.error.issues.flatMap(faultsOfIssue)));
}

/** Returns the lists whose members are checked one by one, so that a faulty one does not reject the others. */
function judgedApart({ input }: Operation): ReadonlySet<string> {
  const isList = (schema: unknown): boolean => schema instanceof z.ZodArray && schema.element instanceof z.ZodUnknown;
  return new Set(Object.entries(input.shape).flatMap(([name, schema]) => (isList(schema) ? [name] : [])));
}

/** Returns the failure of an input. Throws where the input is valid. */
export function failureOfInput(spec: Operation, input: unknown): Failure {
  const checked = validateInput(spec, input);
  assert(!checked.ok, 'the input does not fit');
  return checked.error;
}

/** Returns the failure for top-level fields that the operation does not take, or not in this place. */
export function unknownFieldFailure(spec: Operation, names: readonly string[]): Failure {
  return failureOf(
    spec,
    names.map((name) => ({ path: name, code: 'unknown_field', message: 'is not known here' })),
  );
}

function failureOf(spec: Operation, found: readonly FieldError[]): Failure {
  const inPath = new Set(pathMembers(spec.path));
  const faultInPath = found.find((fault) => inPath.has(fault.path) && fault.code !== 'unknown_field');
  if (faultInPath !== undefined) {
    return { code: 'not_found', message: `There is nothing at this address: ${faultInPath.path} ${faultInPath.message}.` };
  }
  const readOnly = readOnlyNames(spec);
  const faults = found.map((fault) =>
    fault.code === 'unknown_field' && readOnly.has(fault.path)
      ? { ...fault, code: 'read_only_field', message: 'is read-only; leave it out' }
      : fault,
  );
  const code = (['read_only_field', 'unknown_field'] as const).find((each) => faults.some((fault) => fault.code === each));
  return { code: code ?? 'validation_failed', message: sentence(spec, faults), errors: faults.slice(0, FAULTS_ANSWERED) };
}

/** Returns the members that the operation's answer has and its input does not take, since clients tend to send them back. */
function readOnlyNames(spec: Operation): ReadonlySet<string> {
  const isChange = spec.method === 'POST' || spec.method === 'PUT' || spec.method === 'PATCH';
  if (spec.readOnly !== undefined) return new Set(spec.readOnly);
  return new Set(isChange && spec.output instanceof z.ZodObject ? Object.keys(spec.output.shape) : []);
}

function sentence(spec: Operation, faults: readonly FieldError[]): string {
  const named = faults
    .slice(0, FAULTS_IN_SENTENCE)
    .map((fault) =>
      fault.code === 'too_deep'
        ? `${fault.path} is nested deeper than ${LIMITS.jsonDepth} levels`
        : `${fault.path === '' ? 'the input' : fault.path} ${fault.message}`,
    );
  const more = faults.length - named.length;
  const known = Object.keys(spec.input.shape);
  const topLevelUnknown = faults.some((fault) => fault.code === 'unknown_field' && !fault.path.includes('.'));
  const hint = topLevelUnknown && known.length <= KNOWN_FIELDS_IN_SENTENCE ? knownFields(known) : '';
  return `The input is not valid: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}${hint}.`;
}

function knownFields(names: readonly string[]): string {
  return names.length === 0 ? ' (no fields are taken)' : ` (known fields: ${names.join(', ')})`;
}
