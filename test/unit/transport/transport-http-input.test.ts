import { describe, expect, it } from 'vitest';
import { contract, type OperationId } from '../../../src-shared/contract/index.ts';
import { createInputReader, type HttpParts } from '../../../src-main/transport/http/routes.ts';

function read(operation: OperationId, parts: Partial<HttpParts>) {
  return createInputReader(contract[operation])({ params: {}, query: '', body: undefined, ...parts });
}

describe('the flat input of an HTTP request', () => {
  it.each([
    ['limit=5', { limit: 5 }],
    ['amount_min=-5', { amount_min: -5 }],
    ['limit=', { limit: '' }],
    ['limit=five', { limit: 'five' }],
    ['limit=5.0', { limit: '5.0' }],
    ['limit=0x10', { limit: '0x10' }],
    ['limit=%205', { limit: ' 5' }],
    ['limit=99999999999999999999', { limit: '99999999999999999999' }],
    ['data_stream_key=007', { data_stream_key: '007' }],
    ['data_stream_key=', { data_stream_key: '' }],
    ['data_stream_key=a+b%2Bc', { data_stream_key: 'a b+c' }],
    ['reconciliation_id=12', { reconciliation_id: '12' }],
    ['nonsense=1', { nonsense: '1' }],
  ])('converts %s by the type of the schema', (query, value) => {
    expect(read('records.list', { query })).toEqual({ ok: true, value });
  });

  it.each([
    ['preview=true', true],
    ['preview=false', false],
    ['preview=1', true],
    ['preview=True', true],
    ['preview=0', false],
    ['preview=FALSE', false],
    ['preview=yes', 'yes'],
    ['preview=01', '01'],
    ['preview=', ''],
  ])('converts %s to a boolean only when it is one', (query, preview) => {
    expect(read('import_batches.remove', { params: { id: '1' }, query })).toEqual({ ok: true, value: { id: '1', preview } });
  });

  it('refuses a repeated parameter', () => {
    expect(read('records.list', { query: 'limit=1&limit=2' })).toMatchObject({
      ok: false,
      error: { code: 'validation_failed', errors: [{ path: 'limit', code: 'repeated' }] },
    });
  });

  it.each([[[]], [null], ['text'], [5]])('refuses %j as a body', (body) => {
    expect(read('records.create', { body })).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
  });

  it('joins path and body, and takes a missing body for an empty one', () => {
    expect(read('runs.start', { params: { id: '7' }, body: { mode: 'commit' } })).toEqual({ ok: true, value: { id: '7', mode: 'commit' } });
    expect(read('runs.start', { params: { id: '7' } })).toEqual({ ok: true, value: { id: '7' } });
  });

  it('refuses a member in the wrong place', () => {
    const other = { params: { id: '7' } };
    expect(read('records.update', { ...other, body: { id: '8' } })).toMatchObject({ ok: false, error: { code: 'read_only_field' } });
    expect(read('runs.list', { ...other, query: 'id=8' })).toMatchObject({ ok: false, error: { code: 'unknown_field' } });
    expect(read('runs.start', { ...other, query: 'mode=commit' })).toMatchObject({ ok: false, error: { errors: [{ path: 'mode' }] } });
    expect(read('import_batches.remove', { ...other, body: { preview: true } })).toMatchObject({
      ok: false,
      error: { code: 'unknown_field' },
    });
  });
});
