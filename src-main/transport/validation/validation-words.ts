import type { z } from 'zod';
import type { FieldError } from '../../../src-shared/contract/index.ts';

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
