import { describe, expect, test } from 'vitest';
import type { BacktestExample, RuleBody } from '../../../src-shared/contract/index.ts';
import { BY_AMOUNT, BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, type LineInput, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { undoSteps } from '../../support/books/wipes.ts';
import { dumpBook } from '../../support/faults/failing-statements.ts';

interface Lines {
  readonly a: readonly LineInput[];
  readonly b: readonly LineInput[];
}

/** A book whose back-tests must leave it as it is. */
async function bookWith(lines: Lines, rules: readonly RuleBody[] = [BY_AMOUNT]) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, lines, rules);
  const id = pair.reconciliation.id;
  const tie = (...recordIds: readonly (number | undefined)[]) =>
    book.client.get('matches.create', { reconciliation_id: id, record_ids: recordIds.flatMap((each) => each ?? []) });
  const unchanged = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = dumpBook(book.database);
    const result = await work();
    expect(dumpBook(book.database)).toEqual(before);
    return result;
  };
  const stored = (more: object = {}) => unchanged(() => book.client.get('rules.backtest', { id: 1, ...more }));
  const unsaved = (body: RuleBody & Readonly<Record<string, unknown>>) =>
    unchanged(() => book.client.get('rules.backtest_unsaved', { reconciliation_id: id, ...body }));
  return { ...book, ...pair, id, tie, stored, unsaved };
}

const SIX: Lines = { a: numbered(6), b: numbered(6) };

function shown(examples: readonly BacktestExample[]): unknown[] {
  return examples.map(({ verdict, side_a_record_ids: a, side_b_record_ids: b, against_match_ids: against }) => [verdict, a, b, against]);
}

describe('what a back-test tells', () => {
  test('agreements and contradictions with what people matched, confirmed and took apart', async () => {
    const { client, run, id, tie, stored, unsaved, aIds: a, bIds: b } = await bookWith(SIX, [BY_AMOUNT_PROPOSED]);
    await run(id);
    // Confirmed, rejected, matched by hand as the rule would, and otherwise.
    const { data } = await client.get('matches.list', { reconciliation_id: id });
    const proposalOf = (place: number) => data.find((match) => match.explanation.join().includes(`${place + 1}.00 USD equals`))?.id ?? 0;
    const confirmed = await client.get('matches.confirm', { id: proposalOf(0) });
    await client.get('matches.remove', { id: proposalOf(1) });
    const byHand = await tie(a[2], b[2]);
    const otherwise = await tie(a[3], b[4]);
    const found = await stored();
    expect(found).toMatchObject({
      records_a: 6,
      records_b: 6,
      matches: 6,
      agreements: 2,
      partial_agreements: 0,
      contradictions: 3,
      tied_otherwise: 2,
      taken_apart: 1,
      unjudged: 1,
      waiting: 0,
      judged: 3,
      judged_outside: 0,
      precision: { count: 2, of: 5, value: 0.4, low: 0.1176, high: 0.7693 },
      recall: { count: 2, of: 3, value: 0.6667, low: 0.2077, high: 0.9385 },
      outside_window: 0,
      gave_up: 0,
    });
    expect(found.summary).toBe(
      'Of the 5 matches of this rule that people judged, 2 agree with people and 3 contradict them (1 taken apart by a person): precision 40 % (95 % interval: 11.76 % to 76.93 %). Of 3 matches of people it makes 2: recall 66.67 % (95 % interval: 20.77 % to 93.85 %).',
    );
    expect(shown(found.examples)).toEqual([
      ['agreement', [a[0]], [b[0]], [confirmed.id]],
      ['agreement', [a[2]], [b[2]], [byHand.id]],
      ['tied_otherwise', [a[3]], [b[3]], [otherwise.id]],
      ['tied_otherwise', [a[4]], [b[4]], [otherwise.id]],
      ['taken_apart', [a[1]], [b[1]], []],
      ['new', [a[5]], [b[5]], []],
    ]);
    const [first] = found.examples;
    expect(first?.explanation).toEqual(['Signed amount 1.00 USD equals 1.00 USD.']);
    expect(first?.records.map((record) => [record.id, record.side, record.status])).toEqual([
      [a[0], 'a', 'reconciled'],
      [b[0], 'b', 'reconciled'],
    ]);
    expect(first?.reconciliation_rule_id).toBe(1);
    expect(found.by_certainty.map(({ certainty, matches, waiting, agreements }) => [certainty, matches, waiting, agreements])).toEqual([
      ['unique', 6, 6, 2],
      ['best', 0, 0, 0],
      ['interchangeable', 0, 0, 0],
      ['contested', 0, 0, 0],
    ]);
    // The same of a rule that is not stored, which has no id.
    const same = await unsaved(BY_AMOUNT_PROPOSED);
    expect(same).toEqual({ ...found, examples: found.examples.map((example) => ({ ...example, reconciliation_rule_id: null })) });
  });

  test('matches of rules are no evidence, and are counted separately', async () => {
    const { client, run, id, stored, unsaved, tie, aIds, bIds } = await bookWith(
      { a: numbered(4), b: numbered(4, (index) => ({ external_id: `x${index < 2 ? index + 1 : 5 - index + 1}` })) },
      [BY_AMOUNT],
    );
    await run(id);
    expect(await stored()).toMatchObject({
      matches: 4,
      same_as_automatic: 4,
      differs_from_automatic: 0,
      unjudged: 4,
      precision: null,
      recall: null,
      judged: 0,
      summary:
        'Nothing was matched by people yet, so nothing says how right the 4 matches of this rule would be: match lines by hand, or confirm proposals, and ask again.',
    });
    expect(await unsaved(BY_EXTERNAL_ID)).toMatchObject({ matches: 4, same_as_automatic: 2, differs_from_automatic: 2, precision: null });
    // Taken apart and matched by hand again: the match is the later word.
    const { data } = await client.get('matches.list', { reconciliation_id: id, status: 'matched' });
    for (const match of data) await client.get('matches.remove', { id: match.id });
    await tie(aIds[0], bIds[0]);
    expect(await stored()).toMatchObject({ agreements: 1, taken_apart: 3, contradictions: 3, same_as_automatic: 0 });
  });

  test('a pair inside a larger match is a partial agreement, in no share; beyond it a contradiction', async () => {
    const {
      tie,
      stored,
      aIds: a,
      bIds: b,
    } = await bookWith({
      a: numbered(4, (index) => (index === 1 ? { amount: 700 } : {})),
      b: numbered(4, (index) => (index === 1 ? { amount: 700 } : {})),
    });
    const large = await tie(a[0], a[1], b[0], b[1]);
    await tie(a[2], b[2], b[3]);
    const found = await stored();
    expect(found).toMatchObject({ matches: 4, agreements: 0, partial_agreements: 3, tied_otherwise: 1, judged: 2 });
    expect(found).toMatchObject({ precision: { count: 0, of: 1, value: 0 }, recall: { count: 0, of: 2, value: 0 } });
    expect(shown(found.examples).slice(0, 2)).toEqual([
      ['partial_agreement', [a[0]], [b[0]], [large.id]],
      ['partial_agreement', [a[2]], [b[2]], [large.id + 1]],
    ]);
  });

  test('a rule that matches batches is compared with matches of several lines', async () => {
    const batch = (name: string) => ({ metadata: { batch: name } });
    const {
      tie,
      unsaved,
      aIds: a,
      bIds: b,
    } = await bookWith({
      a: [
        { amount: 100, ...batch('p') },
        { amount: 200, ...batch('p') },
        { amount: 300, ...batch('q') },
        { amount: 400, ...batch('q') },
      ],
      b: [
        { amount: 300, ...batch('p') },
        { amount: 700, ...batch('q') },
      ],
    });
    const batches: RuleBody = {
      filters: { rules: [{ key: 'metadata.batch', value: 'metadata.batch' }] },
      cardinality: 'many_to_one',
      group_by: ['metadata.batch'],
      rollup: { group_by_kind: 'identifier' },
    };
    await tie(a[0], a[1], b[0]);
    await tie(a[2], b[1]);
    expect(await unsaved(batches)).toMatchObject({ matches: 2, agreements: 1, tied_otherwise: 1, partial_agreements: 0, judged: 2 });
  });

  test('a line that a person gave an adjustment has no counterpart', async () => {
    const { client, id, stored, aIds: a } = await bookWith(SIX);
    await client.get('matches.create', { reconciliation_id: id, record_ids: [a[0] ?? 0, a[1] ?? 0], create_adjustment: true });
    expect(await stored()).toMatchObject({ matches: 6, tied_otherwise: 2, judged: 1, recall: { count: 0, of: 1 } });
  });

  test('matches that would wait for a person are counted apart', async () => {
    const twins = {
      a: [{ amount: 100, description: 'one' }, ...numbered(3).slice(1)],
      b: [...numbered(1), { amount: 100 }, { amount: 200 }],
    };
    const { tie, stored, aIds: a, bIds: b } = await bookWith(twins);
    await tie(a[0], b[0]);
    await tie(a[1], b[2]);
    const found = await stored();
    expect(found).toMatchObject({ matches: 1, agreements: 1, waiting: 1, judged: 2, recall: { count: 1, of: 2 } });
    expect(found.by_certainty.find(({ certainty }) => certainty === 'contested')).toMatchObject({ matches: 1, waiting: 1 });
  });

  test('no other rule and no other match stands in its way, and the answer is the same every time', async () => {
    const {
      run,
      id,
      stored,
      tie,
      aIds: a,
      bIds: b,
    } = await bookWith(SIX, [
      { ...BY_AMOUNT, priority: 9 },
      { ...BY_EXTERNAL_ID, priority: 1 },
    ]);
    const fresh = await stored();
    expect(fresh).toMatchObject({ matches: 6, unjudged: 6 });
    await tie(a[5], b[0]);
    await run(id);
    const found = await stored();
    expect(found).toMatchObject({ matches: 6, tied_otherwise: 2, same_as_automatic: 4 });
    expect(await stored()).toEqual(found);
  });

  test('nothing where nothing is', async () => {
    const { stored } = await bookWith({ a: [], b: [] });
    expect(await stored()).toMatchObject({
      records_a: 0,
      records_b: 0,
      matches: 0,
      judged: 0,
      precision: null,
      recall: null,
      examples: [],
      summary: 'The rule would make no match, and nothing was matched by people that could judge it.',
    });
  });
});

describe('of a period', () => {
  const days: Lines = {
    a: numbered(4, (index) => ({ date: `2026-06-0${index + 1}` })),
    b: numbered(4, (index) => ({ date: `2026-06-0${index + 1}` })),
  };

  test('records of other days are left out, and matches that include them are no evidence', async () => {
    const { stored, tie, aIds: a, bIds: b } = await bookWith(days);
    await tie(a[0], b[0]);
    await tie(a[1], b[3]);
    await tie(a[2], b[2]);
    expect(await stored()).toMatchObject({ records_a: 4, agreements: 2, tied_otherwise: 2, judged: 3, judged_outside: 0 });
    const within = await stored({ date_from: '2026-06-02', date_to: '2026-06-03' });
    expect(within).toMatchObject({
      records_a: 2,
      records_b: 2,
      matches: 2,
      agreements: 1,
      contradictions: 0,
      outside_period: 1,
      judged: 1,
      judged_outside: 2,
      precision: { count: 1, of: 1 },
    });
    expect(within.summary).toContain(' 2 matches of people reach outside the period and judged nothing.');
    expect(await stored({ date_from: '2026-06-04' })).toMatchObject({ records_a: 1, matches: 1, outside_period: 1, judged: 0 });
    expect(await stored({ date_to: '2026-06-01' })).toMatchObject({ records_a: 1, agreements: 1, judged: 1, judged_outside: 2 });
  });

  test('that has no days is refused', async () => {
    const { client, id } = await bookWith(days);
    const period = { date_from: '2026-06-02', date_to: '2026-06-01' };
    const refused = { code: 'validation_failed', errors: [{ path: 'date_to' }] };
    expect(await client.refusal('rules.backtest', { id: 1, ...period })).toMatchObject(refused);
    expect(await client.refusal('rules.backtest_unsaved', { reconciliation_id: id, ...BY_AMOUNT, ...period })).toMatchObject(refused);
    expect(await client.refusal('rules.backtest', { id: 1, date_from: '2026-02-30' })).toMatchObject({ errors: [{ path: 'date_from' }] });
  });
});

describe('refusals', () => {
  test('things that are not there, or of another environment', async () => {
    const { client, testEnvironment, id } = await bookWith(SIX);
    const missing = { code: 'not_found', message: 'There is no rule 1 in this environment.' };
    expect(await testEnvironment.refusal('rules.backtest', { id: 1 })).toEqual(missing);
    expect(await client.refusal('rules.backtest', { id: 9 })).toMatchObject({ code: 'not_found' });
    const other = { reconciliation_id: id, ...BY_AMOUNT };
    expect(await testEnvironment.refusal('rules.backtest_unsaved', other)).toMatchObject({ code: 'unknown_reference' });
    expect(await testEnvironment.refusal('rules.cancel_backtests', { id })).toMatchObject({ code: 'not_found' });
  });

  test('a rule that cannot mean anything, with the path of each fault', async () => {
    const { client, id, database } = await bookWith(SIX);
    const faulty: RuleBody = { filters: { rules: [{ key: 'amuont', value: 'amount' }] } };
    const refused = { code: 'invalid_rule', errors: [{ path: 'filters.rules.0.key', code: 'unknown_field' }] };
    expect(await client.refusal('rules.backtest_unsaved', { reconciliation_id: id, ...faulty })).toMatchObject(refused);
    database.connection.exec(`UPDATE rules SET filters = '${JSON.stringify(faulty.filters)}'`);
    expect(await client.refusal('rules.backtest', { id: 1 })).toMatchObject(refused);
  });

  test.each([-1, 101, 1.5])('%j examples', async (examples) => {
    const { client } = await bookWith(SIX);
    expect(await client.refusal('rules.backtest', { id: 1, examples })).toMatchObject({ errors: [{ path: 'examples' }] });
  });
});

test('matches of a wiped stream are no evidence, from its publish step on', async () => {
  const book = openQuietBook();
  const { client } = book;
  const records = Array.from({ length: 3 }, (_, index) => ({
    data_stream_key: 'bank',
    date: '2026-06-10',
    amount: (index + 1) * 100,
    external_id: `b${index}`,
  }));
  const { reconciliation, aIds } = await setUpPair(client, { a: numbered(3), b: [] }, [BY_AMOUNT]);
  await client.get('bulk_requests.create', { records });
  book.bulk.step();
  const bank = await client.get('records.list', { data_stream_key: 'bank' });
  const bId = bank.data.find((record) => record.external_id === 'b0')?.id ?? 0;
  await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, bId] });
  const look = () => client.get('rules.backtest', { id: 1 });
  expect(await look()).toMatchObject({ records_b: 3, matches: 3, agreements: 1, judged: 1 });
  const told: unknown[] = [];
  for (const step of undoSteps(book, 1)) {
    const { records_b: b, matches, judged } = await look();
    told.push([step, b, matches, judged]);
  }
  const published = told.findIndex((each) => Array.isArray(each) && each[0] === 'published');
  expect(published).toBeGreaterThan(-1);
  for (const each of told.slice(0, published)) expect(each).toMatchObject([expect.anything(), 3, 3, 1]);
  for (const each of told.slice(published)) expect(each).toMatchObject([expect.anything(), 0, 0, 0]);
});
