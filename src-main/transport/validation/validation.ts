import { z } from 'zod';
import { LIMITS } from '../../../src-shared/contract/common.ts';
import type { Failure, FieldError, Operation } from '../../../src-shared/contract/index.ts';
import { pathMembers } from '../../../src-shared/contract/operation.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { HALF_CHARACTER } from '../../../src-shared/values/whole-text.ts';
import { faultsOfIssue } from './validation-words.ts';

/**
 * Looks for what is not JSON, nested deeper than `depth`, or half of a character, anywhere in `value`. The walk ends at the limit, so neither
 * depth nor a cycle (structured clone lets one through) can exhaust the stack. `apart`: members whose texts are judged one by one later. Null when all is well.
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

const FAULTS_ANSWERED = 100;
const FAULTS_IN_SENTENCE = 3;
const KNOWN_FIELDS_IN_SENTENCE = 16;

/** Checks an operation's flat input against the contract. Answers the parsed input (defaults filled in, ids as integers). */
export function validateInput(spec: Operation, input: unknown): Result<Record<string, unknown>, Failure> {
  const given = input === undefined ? {} : input;
  const notJson = faultOfJson(given, LIMITS.jsonDepth, judgedApart(spec));
  if (notJson !== null) return failed(failureOf(spec, [notJson]));
  const parsed = spec.input.safeParse(given, { reportInput: true });
  if (parsed.success) return success(parsed.data);
  return failed(failureOf(spec, parsed.error.issues.flatMap(faultsOfIssue)));
}

/** Lists of which each member is judged by itself, so that one that does not fit keeps no other out. */
function judgedApart({ input }: Operation): ReadonlySet<string> {
  const isList = (schema: unknown): boolean => schema instanceof z.ZodArray && schema.element instanceof z.ZodUnknown;
  return new Set(Object.entries(input.shape).flatMap(([name, schema]) => (isList(schema) ? [name] : [])));
}

/** What is wrong with an input that is known not to fit. */
export function failureOfInput(spec: Operation, input: unknown): Failure {
  const checked = validateInput(spec, input);
  assert(!checked.ok, 'the input does not fit');
  return checked.error;
}

/** The failure for a top-level field that the operation does not take, or not in this place. */
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

/** Members that an answer of this operation has, so that a client may well send them back. */
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
