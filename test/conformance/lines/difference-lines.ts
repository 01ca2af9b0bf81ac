import type { Line } from '../line.ts';
import { type Body, bodyOf, listOf, newPair, newRecord, newRule, run } from '../make.ts';
import type { Service } from '../service.ts';
import { that } from '../that.ts';

/** Two lines that differ by 3, one on each side, ready to be matched. */
async function unbalanced(service: Service) {
  const pair = await newPair(service, { sign_convention: 'same' });
  const left = await newRecord(service, pair.a.key, { amount: 10 });
  const right = await newRecord(service, pair.b.key, { amount: 7 });
  return { pair, body: { reconciliation_id: String(pair.id), record_ids: [String(left['id']), String(right['id'])] } };
}

const OPEN = { code: 'left_open', note: 'Ask the bank' };

export const differenceLines: readonly Line[] = [
  {
    id: 'match.difference.reason',
    says: 'a match whose sides differ carries the reason that was given; without one it is allowed, and says null',
    operations: ['matches.create', 'matches.get', 'matches.list'],
    async proves(service) {
      const { pair, body } = await unbalanced(service);
      const made = bodyOf(await service.post('/reconciliation_matches', { ...body, difference_reason: OPEN }), 201);
      that(made).toMatchObject({ difference: 3, difference_reason: OPEN, adjustment_record_id: null });
      that(bodyOf(await service.get(`/reconciliation_matches/${String(made['id'])}`), 200)).toEqual(made);
      that(listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}`))).toEqual([made]);
      const other = await unbalanced(service);
      that(bodyOf(await service.post('/reconciliation_matches', other.body), 201)).toMatchObject({
        difference: 3,
        difference_reason: null,
      });
    },
  },
  {
    id: 'match.difference.adjusted',
    says: 'beside create_adjustment the adjustment carries the same code, and the note where it has no words of its own',
    operations: ['matches.create'],
    async proves(service) {
      for (const code of ['bank_charge', 'interest', 'fx', 'rounding', 'book_error', 'bank_error', 'write_off']) {
        const { body } = await unbalanced(service);
        const asked = { ...body, create_adjustment: true, difference_reason: { code, note: 'Why' } };
        const made = bodyOf(await service.post('/reconciliation_matches', asked), 201);
        that(made).toMatchObject({ difference: 0, difference_reason: { code, note: 'Why' } });
        const adjustment = bodyOf(await service.get(`/records/${String(made['adjustment_record_id'])}`), 200);
        that(adjustment).toMatchObject({ amount: 3, description: 'Why', metadata: { difference_code: code } });
      }
    },
  },
  {
    id: 'match.difference.refused',
    says: 'a code that is none, left_open beside an adjustment, and a reason where nothing differs are 422 and name the field',
    operations: ['matches.create'],
    codes: ['validation_failed'],
    async proves(service) {
      const { pair, body } = await unbalanced(service);
      const even = [await newRecord(service, pair.a.key, { amount: 4 }), await newRecord(service, pair.b.key, { amount: 4 })];
      const balanced = { reconciliation_id: String(pair.id), record_ids: even.map((record) => String(record['id'])) };
      for (const [asked, path] of [
        [{ ...body, difference_reason: { code: 'theft' } }, 'difference_reason.code'],
        [{ ...body, create_adjustment: true, difference_reason: OPEN }, 'difference_reason.code'],
        [{ ...balanced, difference_reason: OPEN }, 'difference_reason'],
      ] as const) {
        const refused = bodyOf(await service.post('/reconciliation_matches', asked), 422);
        that((refused['errors'] as Body[]).map((error) => error['path'])).toEqual([path]);
      }
    },
  },
  {
    id: 'match.difference.confirmed',
    says: 'a proposal that differs is confirmed with a reason, with an adjustment, or with neither',
    operations: ['matches.confirm'],
    slow: true,
    async proves(service) {
      const ways: readonly (readonly [Body, Body])[] = [
        [{ difference_reason: OPEN }, { difference: 3, difference_reason: OPEN }],
        [
          { create_adjustment: true, difference_reason: { code: 'fx' } },
          { difference: 0, difference_reason: { code: 'fx', note: null } },
        ],
        [{}, { difference: 3, difference_reason: null }],
      ];
      for (const [asked, expected] of ways) {
        const { pair } = await unbalanced(service);
        const near = { key: 'amount', value: 'amount', tolerance_amount: 5, tolerance_unit: 'minor' };
        await newRule(service, pair, { outcome: 'propose', filters: { rules: [near] } });
        await run(service, pair);
        const [proposal = {}] = listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}&status=proposed`));
        that(proposal).toMatchObject({ difference: 3, difference_reason: null });
        const confirmed = bodyOf(await service.post(`/reconciliation_matches/${String(proposal['id'])}/confirm`, asked), 200);
        that(confirmed).toMatchObject({ id: proposal['id'], status: 'matched', ...expected });
      }
    },
  },
];
