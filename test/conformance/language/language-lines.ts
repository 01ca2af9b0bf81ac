import { that } from '../that.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { type Case, type CaseRecord, LANGUAGE_CASES } from './language-cases.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, bulk, listOf, newRule, newStream, run } from '../make.ts';
import { ROLLUP_CASES } from './rollup-cases.ts';
import type { Service } from '../service.ts';

const CASES: readonly Case[] = [...LANGUAGE_CASES, ...ROLLUP_CASES];
const PAGE = 100;

/** The metadata field that the records of a case have and no others, so that its rules see these records alone. */
const mark = (index: number) => `case_${index}`;

function item(key: string, index: number, [, differs = {}]: CaseRecord): Body {
  const metadata = { ...(differs['metadata'] as Body | undefined), [mark(index)]: 'x' };
  return { data_stream_key: key, date: '2026-06-10', amount: 10_000, direction: 'credit', currency: 'GBP', ...differs, metadata };
}

function ruleOf(body: Body, index: number): Body {
  const filters = body['filters'] as { rules: readonly unknown[] };
  return { ...body, filters: { rules: [{ key: `metadata.${mark(index)}`, value: `metadata.${mark(index)}` }, ...filters.rules] } };
}

/** What a dry run over the records of all cases would tie, case by case. */
async function outcomes(service: Service): Promise<readonly string[][]> {
  const [a, b] = [
    await newStream(service, { reference_field: 'description' }),
    await newStream(service, { reference_field: 'external_id' }),
  ];
  const body = { name: 'Language', run_type: 'batch', sign_convention: 'same', side_a_stream_ids: [a.id], side_b_stream_ids: [b.id] };
  const id = Number(bodyOf(await service.post('/reconciliations', body), 201)['id']);
  const places = CASES.flatMap((each, index) => [
    ...each.a.map((record) => ({ index, name: record[0], item: item(a.key, index, record) })),
    ...each.b.map((record) => ({ index, name: record[0], item: item(b.key, index, record) })),
  ]).map((place) => ({ ...place, item: JSON.parse(JSON.stringify(place.item).replaceAll('language-a', a.key)) as Body }));
  const request = await bulk(
    service,
    places.map((place) => place.item),
  );
  that(request).toMatchObject({ failed_items: 0, skipped_items: 0 });
  const names = new Map<number, string>();
  for (let offset = 0; offset < places.length; offset += PAGE) {
    const detail = bodyOf(await service.get(`/bulk_requests/${String(request['id'])}?limit=${PAGE}&offset=${offset}`), 200);
    for (const result of (detail['results'] as Body)['data'] as Body[]) {
      names.set(Number(result['record_id']), present(places[Number(result['index'])], 'item').name);
    }
  }
  const rules = new Map<number, { readonly index: number; readonly place: number }>();
  for (const [index, each] of CASES.entries()) {
    for (const [place, rule] of each.rules.entries()) {
      const made = await newRule(service, { id }, ruleOf(rule, index));
      rules.set(Number(made['id']), { index, place });
    }
  }
  const ended = await run(service, { id }, { mode: 'dry_run' });
  that(ended).toMatchObject({ status: 'completed', error_message: null });
  const ties = CASES.map((): string[] => []);
  const path = `/reconciliations/${id}/runs/${String(ended['id'])}/would_be_matches?limit=${PAGE}`;
  for (let offset = 0, isMore = true; isMore; offset += PAGE) {
    const page = bodyOf(await service.get(`${path}&offset=${offset}`), 200);
    isMore = page['has_more'] === true;
    for (const would of page['data'] as Body[]) {
      const { index, place } = present(rules.get(Number(would['reconciliation_rule_id'])), 'rule of the match');
      present(ties[index], 'case').push(words(would, names, place));
    }
  }
  return ties;
}

function words(would: Body, names: ReadonlyMap<number, string>, place: number): string {
  const ids = [...(would['side_a_record_ids'] as number[]), ...(would['side_b_record_ids'] as number[])];
  const named = ids.map((id) => present(names.get(id), 'name of the record')).toSorted();
  return [
    ...named,
    ...(would['certainty'] === 'unique' ? [] : [String(would['certainty'])]),
    ...(place === 0 ? [] : [`#${place + 1}`]),
    ...(would['status'] === 'proposed' ? ['proposed'] : []),
  ].join(' ');
}

/** One run serves the proofs of all cases on one service. */
const found = new WeakMap<Service, Promise<readonly string[][]>>();

function outcomesOf(service: Service): Promise<readonly string[][]> {
  const known = found.get(service) ?? outcomes(service);
  found.set(service, known);
  return known;
}

const cases: readonly Line[] = CASES.map(({ id, says, ties }, index) => ({
  id: `language.${id}`,
  says,
  operations: ['rules.create', 'runs.start', 'runs.would_be_matches'],
  slow: true,
  async proves(service) {
    const tied = (await outcomesOf(service))[index];
    that(tied?.toSorted()).toEqual([...ties].toSorted());
  },
}));

const previews: readonly Line[] = [
  {
    id: 'preview.figures',
    says: 'the answer has exactly its fields; contested counts, cohorts outside their window, values that cannot be compared',
    operations: ['rules.preview'],
    slow: true,
    async proves(service) {
      const [a, b] = [await newStream(service), await newStream(service)];
      const made = { name: 'Preview', run_type: 'batch', side_a_stream_ids: [a.id], side_b_stream_ids: [b.id] };
      const id = Number(bodyOf(await service.post('/reconciliations', made), 201)['id']);
      const record = { date: '2026-06-10', amount: 500, direction: 'credit', currency: 'GBP' };
      const far = { ...record, date: '2026-01-10', amount: 300, metadata: { batch: 'B-1' } };
      await bulk(service, [
        { ...record, data_stream_key: a.key, description: 'one', metadata: { due: '2026-06-10' } },
        { ...record, data_stream_key: a.key, description: 'two', metadata: { due: 'soon' } },
        { ...far, data_stream_key: a.key },
        { ...record, data_stream_key: b.key },
        { ...record, data_stream_key: b.key, amount: 300 },
      ]);
      const rule = await newRule(service, { id });
      const preview = async (body: Body) =>
        bodyOf(await service.post('/reconciliation_rules/preview', { reconciliation_id: String(id), ...body }), 200);
      const same = await preview({ filters: { rules: [{ key: 'amount', value: 'amount' }] }, priority: 1, sample: 1 });
      that(Object.keys(same).toSorted()).toEqual(
        [
          'matches',
          'proposed',
          'matched_a',
          'matched_b',
          'contested',
          'outside_window',
          'plan',
          'incomparable',
          'taken_from',
          'sample',
        ].toSorted(),
      );
      that(same).toMatchObject({ matches: 2, matched_a: 2, matched_b: 2, contested: 1, taken_from: [{ rule_id: rule['id'], matches: 2 }] });
      const [sample, ...others] = same['sample'] as Body[];
      that(others).toEqual([]);
      that((present(sample, 'sample')['records'] as Body[]).map((each) => each['side'])).toEqual(['a', 'b']);
      const due = await preview({ filters: { rules: [{ key: 'metadata.due', value: 'date' }] }, priority: 1 });
      that(due).toMatchObject({ matches: 1, incomparable: [{ path: 'filters.rules.0.key', count: 1, examples: [{ value: 'soon' }] }] });
      const window = { lookback_days: 3, date_field: 'date', group_by_kind: 'identifier' };
      const rolled = { filters: { rules: [{ key: 'currency', value: 'currency' }] }, cardinality: 'many_to_one' };
      that(await preview({ ...rolled, priority: 1, group_by: ['metadata.batch'], rollup: window })).toMatchObject({
        matches: 0,
        outside_window: 1,
      });
      that(listOf(await service.get(`/reconciliation_rules?reconciliation_id=${id}`)).length).toBe(1);
    },
  },
];

export const languageLines: readonly Line[] = [...cases, ...previews];
