import { assert } from '../../../src-shared/values/assert.ts';
import { describe, expect, it } from 'vitest';
import { contract, type OperationId } from '../../../src-shared/contract/index.ts';
import { validateInput } from '../../../src-main/transport/validation/validation.ts';

function refusal(operation: OperationId, input: unknown) {
  const answer = validateInput(contract[operation], input);
  assert(!answer.ok, `${operation} took what it should refuse`);
  return answer.error;
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { deeper: value };
  return value;
}

const record = { data_stream_key: 'bank', date: '2026-06-30', amount: 5 };

describe('validation of an input', () => {
  it('fills in defaults and turns ids into integers', () => {
    expect(validateInput(contract['import_batches.records'], { id: '12' })).toEqual({ ok: true, value: { id: 12, limit: 25, offset: 0 } });
  });

  it('takes a missing input for an empty one, and no other non-object', () => {
    expect(validateInput(contract['streams.list'], undefined).ok).toBe(true);
    expect(refusal('streams.list', null)).toMatchObject({
      code: 'validation_failed',
      message: 'The input is not valid: the input must be an object.',
    });
    expect(refusal('streams.list', []).code).toBe('validation_failed');
  });

  it('names an unknown field and the known ones', () => {
    expect(refusal('rules.list', { reconciliation_id: '1', limt: 5 })).toEqual({
      code: 'unknown_field',
      message: 'The input is not valid: limt is not known here (known fields: reconciliation_id, limit, offset).',
      errors: [{ path: 'limt', code: 'unknown_field', message: 'is not known here' }],
    });
  });

  it('names an unknown field inside a body by its path', () => {
    const answer = refusal('rules.create', { reconciliation_id: 1, filters: { rules: [{ key: 'date', value: 'date', operator: 'eq' }] } });
    expect(answer).toMatchObject({ code: 'unknown_field', errors: [{ path: 'filters.rules.0.operator' }] });
  });

  it('tells a read-only field of the answer from an unknown one', () => {
    expect(refusal('records.create', { ...record, status: 'reconciled' })).toMatchObject({
      code: 'read_only_field',
      errors: [{ path: 'status', code: 'read_only_field' }],
    });
    expect(refusal('records.list', { has_more: true }).code).toBe('unknown_field');
  });

  it.each([
    ['records.get', { id: 'abc' }, 'id must be text of digits'],
    ['records.get', {}, 'id is required'],
    ['records.get', { id: null }, 'id must be a number, or text'],
    ['records.update', { id: '-1', amount: 'x' }, 'id must be text of digits'],
  ] as const)('%s %j is not found', (operation, input, words) => {
    expect(refusal(operation, input)).toEqual({ code: 'not_found', message: `There is nothing at this address: ${words}.` });
  });

  it.each([
    ['records.list', { limit: 101 }, 'limit must be at most 100'],
    ['records.list', { offset: -1 }, 'offset must be at least 0'],
    ['records.list', { limit: '' }, 'limit must be a number'],
    ['records.list', { side: 'c' }, 'side must be one of a, b'],
    ['records.list', { date_from: '2026-02-30' }, 'date_from must be a date that exists, as YYYY-MM-DD'],
    ['records.create', { ...record, amount: 1.5 }, 'amount must be a whole number'],
    ['records.create', { ...record, amount: 2 ** 53 }, 'amount must be at most 9007199254740991'],
    ['records.create', { ...record, metadata: { '': 1 } }, 'metadata. has a name that must have at least 1 character'],
    ['records.create', { ...record, currency: 'pounds' }, 'currency must be a three-letter ISO 4217 code'],
    ['streams.create', { key: 'bank', name: 'x'.repeat(256) }, 'name must have at most 255 characters'],
    ['streams.create', { key: 'bank', name: 'Bank', reference_field: 'amount' }, 'reference_field does not have the expected form'],
    ['matches.create', { reconciliation_id: 'x', record_ids: [1, 2] }, 'reconciliation_id must be text of digits'],
    ['matches.create', { reconciliation_id: 1, record_ids: [1] }, 'record_ids must have at least 2 items'],
    ['matches.create', { reconciliation_id: 1, record_ids: [1, true] }, 'record_ids.1 must be a number, or text'],
    ['rules.create', { reconciliation_id: 1, filters: { rules: [{ rules: [] }] } }, 'filters.rules.0.rules must have at least 1 item'],
  ] as const)('%s %j: says what is wrong', (operation, input, words) => {
    expect(refusal(operation, input)).toMatchObject({ code: 'validation_failed', message: `The input is not valid: ${words}.` });
  });

  it('names the first three of many faults and counts the rest', () => {
    const answer = refusal('records.list', { limit: 0, offset: -1, side: 'c', direction: 'up', date_to: 'x' });
    expect(answer.message).toMatch(/^The input is not valid: [^;]+; [^;]+; [^;]+; and 2 more\.$/);
    expect(answer.errors).toHaveLength(5);
  });

  it('takes a depth of 32 and no more', () => {
    expect(validateInput(contract['records.create'], { ...record, metadata: nested(31) }).ok).toBe(true);
    const answer = refusal('records.create', { ...record, metadata: nested(32) });
    expect(answer.code).toBe('validation_failed');
    expect(answer.message).toMatch(/metadata\.deeper.* is nested deeper than 32 levels\.$/);
  });

  it('ends on a cycle and on a depth that no stack would hold', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(refusal('records.create', { ...record, metadata: cycle }).code).toBe('validation_failed');
    expect(refusal('records.create', JSON.parse(`{"metadata":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).code).toBe(
      'validation_failed',
    );
  });

  it.each([new Date(0), new Map(), 5n, Number.NaN, () => 1])('refuses %s, which is no JSON', (value) => {
    expect(refusal('records.create', { ...record, metadata: { value } })).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'metadata.value', code: 'not_json' }],
    });
  });

  it('refuses a member called __proto__ anywhere', () => {
    const input: unknown = JSON.parse('{"data_stream_key":"bank","date":"2026-06-30","amount":5,"metadata":{"__proto__":{"x":1}}}');
    expect(refusal('records.create', input)).toMatchObject({ code: 'unknown_field', errors: [{ path: 'metadata.__proto__' }] });
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });
});

describe('found once: missing enum field is required', () => {
  function faultsOf(operation: OperationId, input: unknown) {
    const answer = validateInput(contract[operation], input);
    return answer.ok ? [] : (answer.error.errors ?? []);
  }

  /** A field with a list of values was reported as having a wrong value when it was not given at all. */
  describe('a missing field that takes one of several values', () => {
    it.each([
      ['bank_account_balances.put', { bank_account_id: 1, date: '2026-06-30', amount_cents: 1 }, 'balance_type'],
      [
        'bank_account_balances.put_many',
        { bank_account_id: 1, balances: [{ date: '2026-06-30', amount_cents: 1 }] },
        'balances.0.balance_type',
      ],
      ['property_definitions.create', { data_stream_key: 'bank', key: 'branch', name: 'Branch' }, 'type'],
    ] as const)('%s %j: is required', (operation, input, path) => {
      expect(faultsOf(operation, input)).toEqual([{ path, code: 'required', message: 'is required' }]);
    });

    it('is still told its values when another one is given', () => {
      const given = { data_stream_key: 'bank', key: 'branch', name: 'Branch', type: 'colour' };
      expect(faultsOf('property_definitions.create', given)).toEqual([
        { path: 'type', code: 'wrong_value', message: 'must be one of number, date, datetime, string, boolean' },
      ]);
      expect(faultsOf('property_definitions.create', { ...given, type: null })).toMatchObject([{ path: 'type', code: 'wrong_value' }]);
    });
  });
});
