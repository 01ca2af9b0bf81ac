import { that } from './that.ts';
import type { Line } from './line.ts';
import { bodyOf } from './make.ts';

const item = { data_stream_key: 'bank', date: '2026-06-10', amount: 10, direction: 'credit', currency: 'GBP' };

export const idempotencyLines: readonly Line[] = [
  {
    id: 'idempotency.bulk',
    says: 'the same key answers the request there is, whatever the body, and makes no other',
    operations: ['bulk_requests.create'],
    async proves(service) {
      const headers = { 'idempotency-key': service.unique('bulk') };
      const first = await service.post('/records/bulk', { records: [item] }, { headers });
      const again = await service.post('/records/bulk', { records: [item, item] }, { headers });
      that(bodyOf(again, 202)['id']).toBe(bodyOf(first, 202)['id']);
      that(bodyOf(again, 202)['total_items']).toBe(1);
      that([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    },
  },
  {
    id: 'idempotency.environment',
    says: 'a key of another environment is another key',
    operations: ['bulk_requests.create'],
    async proves(service) {
      const headers = { 'idempotency-key': service.unique('bulk') };
      const live = bodyOf(await service.post('/records/bulk', { records: [item] }, { headers }), 202);
      const test = await service.post('/records/bulk', { records: [item] }, { headers, key: 'test' });
      that(test.headers['idempotent-replayed']).toBeUndefined();
      that(bodyOf(test, 202)['id']).not.toBe(live['id']);
    },
  },
  {
    id: 'idempotency.same_body',
    says: 'on every other POST the same key and body answer what was answered first, and do nothing again',
    operations: ['records.create'],
    async proves(service) {
      const headers = { 'idempotency-key': service.unique('record') };
      const first = await service.post('/records', item, { headers });
      const again = await service.post('/records', item, { headers });
      that(bodyOf(again, 201)).toEqual(bodyOf(first, 201));
      that(again.headers['idempotent-replayed']).toBe('true');
    },
  },
  {
    id: 'idempotency.other_body',
    says: 'on every other POST the same key with another body is 422',
    operations: ['records.create'],
    codes: ['idempotency_mismatch'],
    async proves(service) {
      const headers = { 'idempotency-key': service.unique('record') };
      bodyOf(await service.post('/records', item, { headers }), 201);
      const again = await service.post('/records', { ...item, amount: 11 }, { headers });
      that(bodyOf(again, 422)).toMatchObject({ code: 'idempotency_mismatch' });
    },
  },
  {
    id: 'idempotency.form',
    says: 'a key of more than 255 characters is 400',
    operations: ['records.create'],
    codes: ['malformed_header'],
    async proves(service) {
      const answer = await service.post('/records', item, { headers: { 'idempotency-key': 'k'.repeat(256) } });
      that(bodyOf(answer, 400)).toMatchObject({ code: 'malformed_header' });
    },
  },
];
