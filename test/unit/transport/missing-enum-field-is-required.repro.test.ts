import { describe, expect, it } from 'vitest';
import { validateInput } from '../../../src-main/transport/validation/validation.ts';
import { contract, type OperationId } from '../../../src-shared/contract/index.ts';

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
