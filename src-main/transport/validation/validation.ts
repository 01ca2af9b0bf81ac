import { z } from 'zod';
import { LIMITS } from '../../../src-shared/contract/common.ts';
import type { Failure, FieldError, Operation } from '../../../src-shared/contract/index.ts';
import { pathMembers } from '../../../src-shared/contract/operation.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { HALF_CHARACTER } from '../../../src-shared/values/text-print.ts';

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

type Issue = z.core.$ZodIssue;

const PATH_CHARACTERS = 500;

const TYPE_WORDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Returns the faults of a zod issue: a dotted path, a stable code, and words that follow the field's name ("limit must be at most 100"). */
export function faultsOfIssue(issue: Issue): FieldError[] {
  return faultsAt(issue, []);
}

function faultsAt(issue: Issue, before: readonly PropertyKey[]): FieldError[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: dotted([...path, key]), code: 'unknown_field', message: 'is not known here' }));
  }
  if (issue.code === 'invalid_union') return unionFaults(issue, path);
  if (issue.code === 'invalid_key') {
    return issue.issues.map((inner) => ({
      path: dotted(path),
      code: 'invalid_key',
      message: `has a name that ${describeIssue(inner).message}`,
    }));
  }
  return [{ path: dotted(path), ...describeIssue(issue) }];
}

/**
 * Returns the faults of the alternative that the value of a union most likely was meant to be: one of the right type with the lowest number of
 * faults.
 */
function unionFaults(issue: Issue & { code: 'invalid_union' }, path: readonly PropertyKey[]): FieldError[] {
  const alternatives = issue.errors.filter((issues) => issues.length > 0);
  const ofAnotherType = (issues: readonly Issue[]) => issues.some((each) => each.code === 'invalid_type' && each.path.length === 0);
  const plausible = alternatives.filter((issues) => !ofAnotherType(issues));
  const nearest = plausible.toSorted((left, right) => weight(left) - weight(right))[0];
  if (nearest !== undefined) return nearest.flatMap((inner) => faultsAt(inner, path));
  const expected = alternatives.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [typeWords(inner)] : []));
  if (issue.input === undefined) return [{ path: dotted(path), code: 'required', message: 'is required' }];
  if (expected.length === 0) return [{ path: dotted(path), code: 'wrong_value', message: 'has a value that is not known' }];
  return [{ path: dotted(path), code: 'wrong_type', message: `must be ${[...new Set(expected)].join(', or ')}` }];
}

function weight(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
}

function describeIssue(issue: Issue): Pick<FieldError, 'code' | 'message'> {
  const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
  if (isMissing) return { code: 'required', message: 'is required' };
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'wrong_type', message: `must be ${typeWords(issue)}` };
    case 'too_small':
      return { code: 'too_small', message: bound(issue.origin, `at least ${issue.minimum}`, Number(issue.minimum)) };
    case 'too_big':
      return { code: 'too_big', message: bound(issue.origin, `at most ${issue.maximum}`, Number(issue.maximum)) };
    case 'invalid_value':
      return { code: 'wrong_value', message: `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}` };
    case 'invalid_format':
      return { code: 'wrong_form', message: issue.message.startsWith('must ') ? issue.message : 'does not have the expected form' };
    case 'custom':
      return { code: 'invalid', message: issue.message };
    default:
      return { code: 'invalid', message: 'is not valid' };
  }
}

function typeWords(issue: Issue & { code: 'invalid_type' }): string {
  return TYPE_WORDS[issue.expected] ?? issue.expected;
}

function bound(origin: string, limit: string, count: number): string {
  const plural = count === 1 ? '' : 's';
  if (origin === 'string') return `must have ${limit} character${plural}`;
  if (origin === 'array' || origin === 'set') return `must have ${limit} item${plural}`;
  return `must be ${limit}`;
}

/** Returns a dotted path, shortened because the sender chooses the names of members. */
function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, PATH_CHARACTERS);
}
