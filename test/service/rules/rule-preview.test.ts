import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../src-main/service/handler.ts';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import {
  BY_AMOUNT,
  BY_AMOUNT_PROPOSED,
  BY_EXTERNAL_ID,
  type LineInput,
  numbered,
  proposeRule,
  setUpPair,
} from '../../support/books/lines.ts';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';
import { dumpBook } from '../../support/faults/failing-statements.ts';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { insertPreset } from '../../../src-main/reconciliations/operations/reconciliation-sides.ts';
import { type Preset, PRESETS } from '../../../src-shared/contract/rules/rules.ts';

interface Lines {
  readonly a: readonly LineInput[];
  readonly b: readonly LineInput[];
}

/** A book whose previews must leave it as it is. */
async function bookWith(lines: Lines, rules: readonly RuleBody[] = []) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, lines, rules);
  const id = pair.reconciliation.id;
  const unchanged = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = dumpBook(book.database);
    const result = await work();
    expect(dumpBook(book.database)).toEqual(before);
    return result;
  };
  const preview = (body: RuleBody & Readonly<Record<string, unknown>>) =>
    unchanged(() => book.client.get('rules.preview', { reconciliation_id: id, ...body }));
  const refused = (body: object) => unchanged(() => book.client.refusal('rules.preview', { reconciliation_id: id, ...body }));
  return { ...book, ...pair, id, preview, refused };
}

const TWINS: Lines = {
  a: [
    { amount: 100, description: 'one' },
    { amount: 100, description: 'two' },
    { amount: 300, description: 'three' },
  ],
  b: [
    { amount: 100, description: 'uno' },
    { amount: 300, description: 'tre' },
    { amount: 900, description: 'nove' },
  ],
};

describe('what a preview tells', () => {
  test('matches, records of each side, and how many have an alternative', async () => {
    const { preview, aIds, bIds } = await bookWith(TWINS);
    const found = await preview(BY_AMOUNT);
    expect(found).toMatchObject({ matches: 2, proposed: 1, matched_a: 2, matched_b: 2, contested: 1, incomparable: [], taken_from: [] });
    expect(found.sample).toHaveLength(2);
    const sure = found.sample.find((match) => match.certainty === 'unique');
    expect(sure).toMatchObject({
      status: 'matched',
      reconciliation_rule_id: null,
      record_count: 2,
      difference: 0,
      side_a_record_ids: [aIds[2]],
      side_b_record_ids: [bIds[1]],
      explanation: ['Signed amount 3.00 USD equals 3.00 USD.'],
    });
    expect(sure?.records.map(({ id, side, description, status }) => [id, side, description, status])).toEqual([
      [aIds[2], 'a', 'three', 'unreconciled'],
      [bIds[1], 'b', 'tre', 'unreconciled'],
    ]);
  });

  test('a rule that proposes, and one that commits what is contested', async () => {
    const { preview } = await bookWith(TWINS);
    expect(await preview(BY_AMOUNT_PROPOSED)).toMatchObject({ matches: 2, proposed: 2 });
    expect(await preview({ ...BY_AMOUNT, commit_certainty: ['unique', 'contested'] })).toMatchObject({
      matches: 2,
      proposed: 0,
      contested: 1,
    });
  });

  test('nothing where nothing fits', async () => {
    const { preview } = await bookWith(TWINS);
    expect(await preview({ filters: { rules: [{ key: 'description', value: 'description' }] } })).toEqual({
      matches: 0,
      proposed: 0,
      matched_a: 0,
      matched_b: 0,
      outside_window: 0,
      contested: 0,
      plan: ['Look up by equal currency.', 'Look up by equal description.'],
      incomparable: [],
      taken_from: [],
      sample: [],
    });
  });

  test('the search plan, chosen for the lines that the rule sees', async () => {
    const far = numbered(12, (index) => ({ amount: 1_000 * (index + 1), date: '2026-06-01' }));
    const alike = numbered(12, (index) => ({ amount: 100, date: `2026-06-${2 * index + 1 < 10 ? '0' : ''}${2 * index + 1}` }));
    const filters: RuleBody['filters'] = {
      rules: [
        { key: 'amount', value: 'amount', tolerance_amount: 5 },
        { key: 'date', value: 'date', tolerance_amount: 1 },
      ],
    };
    const planOf = async (lines: LineInput[], rules: readonly RuleBody[] = []) =>
      (await (await bookWith({ a: lines, b: lines }, rules)).preview({ filters })).plan;
    expect(await planOf(far)).toEqual([
      'Look up by equal currency.',
      'Search sorted amount within 5 minor units.',
      "Test on each pair found: side A's date equals side B's date, within 1 day.",
    ]);
    expect(await planOf(alike)).toEqual([
      'Look up by equal currency.',
      'Search sorted date within 1 day.',
      "Test on each pair found: side A's amount equals side B's amount, within 5 minor units.",
    ]);
    // An earlier rule takes all of them.
    expect(await planOf(far, [BY_AMOUNT])).toEqual([
      'Look up by equal currency.',
      'Search sorted amount within 5 minor units.',
      'Search sorted date within 1 day.',
      'Which of these it searches, and which it tests on the pairs found, depends on the records.',
    ]);
  });

  test('a sample from all over the result, 20 matches by default', async () => {
    const dated = numbered(28, (index) => ({ date: `2026-06-${String(index + 1).padStart(2, '0')}` }));
    const { preview } = await bookWith({ a: dated, b: dated });
    expect((await preview(BY_EXTERNAL_ID)).sample).toHaveLength(20);
    const { sample } = await preview({ ...BY_EXTERNAL_ID, sample: 4 });
    expect(sample.map((match) => match.group_key)).toEqual(['x1', 'x8', 'x15', 'x22']);
    expect((await preview({ ...BY_EXTERNAL_ID, sample: 1_000 })).sample).toHaveLength(28);
  });
});

describe('the free records, as a run now would see them', () => {
  test('are those that no match holds and no earlier rule takes', async () => {
    const { preview, client, id, aIds, bIds } = await bookWith({ a: numbered(5), b: numbered(5) }, [
      {
        filters: {
          rules: [
            { key: 'external_id', value: 'external_id' },
            { key: 'amount', value: 'amount' },
          ],
        },
        priority: 10,
      },
    ]);
    // Behind the stored rule, which takes everything.
    expect(await preview(BY_AMOUNT)).toMatchObject({ matches: 0, taken_from: [] });
    expect(await preview({ ...BY_AMOUNT, priority: 5 })).toMatchObject({ matches: 5, taken_from: [{ rule_id: 1, matches: 5 }] });
    await client.get('matches.create', { reconciliation_id: id, record_ids: [aIds[0] ?? 0, bIds[0] ?? 0] });
    expect(await preview({ ...BY_AMOUNT, priority: 5 })).toMatchObject({ matches: 4, taken_from: [{ rule_id: 1, matches: 4 }] });
  });

  test('without separations: records that a person separated are not shown as a match', async () => {
    const { preview, run, client, id } = await bookWith({ a: numbered(3), b: numbered(3) }, [BY_EXTERNAL_ID]);
    await run(id);
    await client.get('matches.remove', { id: 1 });
    expect(await preview({ ...BY_AMOUNT, priority: 5 })).toMatchObject({ matches: 0 });
  });

  test('of the same priority, the stored rule comes first; a proposed rule is not run', async () => {
    const { preview, database, id } = await bookWith({ a: numbered(2), b: numbered(2) }, [BY_EXTERNAL_ID]);
    expect(await preview({ ...BY_AMOUNT, priority: 10 })).toMatchObject({ matches: 0 });
    const proposed = proposeRule(database, id, BY_AMOUNT, 1);
    expect(await preview({ ...BY_AMOUNT, priority: 9 })).toMatchObject({ matches: 2, taken_from: [{ rule_id: 1, matches: 2 }] });
    expect(proposed).toBe(2);
  });

  test('a later rule that loses nothing is not named', async () => {
    const other = numbered(2, (index) => (index === 0 ? {} : { external_id: 'y' }));
    const { preview } = await bookWith({ a: numbered(2), b: other }, [BY_EXTERNAL_ID, BY_AMOUNT]);
    const byBoth = { filters: { rules: [...BY_EXTERNAL_ID.filters.rules, ...BY_AMOUNT.filters.rules] } };
    expect(await preview({ ...byBoth, priority: 1 })).toMatchObject({ matches: 1, taken_from: [{ rule_id: 1, matches: 1 }] });
    expect(await preview({ ...BY_AMOUNT, priority: 1 })).toMatchObject({
      taken_from: [
        { rule_id: 1, matches: 1 },
        { rule_id: 2, matches: 1 },
      ],
    });
  });
});

describe('in the place of a stored rule', () => {
  const WIDE: RuleBody = { filters: { rules: [{ key: 'amount', value: 'amount', tolerance_amount: 1_000 }] } };

  test('it has that rule’s priority and is compared with it', async () => {
    const { preview } = await bookWith({ a: numbered(4), b: numbered(4, (index) => ({ external_id: `z${index}` })) }, [
      BY_EXTERNAL_ID,
      WIDE,
      BY_AMOUNT,
    ]);
    // Rule 1 finds nothing; a wide one in its place takes what the second one has.
    const found = await preview({ ...WIDE, replaces: 1 });
    expect(found).toMatchObject({ matches: 4, taken_from: [{ rule_id: 2, matches: 4 }] });
    expect(new Set(found.sample.map((match) => match.reconciliation_rule_id))).toEqual(new Set([1]));
    // The second one as it is: nothing changes.
    expect(await preview({ ...WIDE, replaces: 2 })).toMatchObject({ matches: 4, taken_from: [] });
    // Behind the third, which then gets all.
    expect(await preview({ ...WIDE, replaces: 2, priority: 100 })).toMatchObject({ matches: 0, taken_from: [] });
  });

  test('for a proposed rule it is compared with the book without it', async () => {
    const { preview, database, id } = await bookWith({ a: numbered(2), b: numbered(2) }, [BY_EXTERNAL_ID]);
    const proposed = proposeRule(database, id, BY_AMOUNT, 1);
    expect(await preview({ ...BY_AMOUNT, replaces: proposed })).toMatchObject({ matches: 2, taken_from: [{ rule_id: 1, matches: 2 }] });
  });
});

describe('values that cannot be compared', () => {
  test('are counted by field of a condition, with examples', async () => {
    const due = (value: unknown): LineInput => ({ amount: 100, metadata: { due: value, fee: value } });
    const { preview, aIds, bIds } = await bookWith({
      a: [due('2026-06-01'), due('soon'), due(''), due('n/a'), due('later'), due('never'), due(null)],
      b: [due('2026-06-01'), due(['2026-06-01']), due('12.50')],
    });
    const filters = {
      rules: [
        {
          operand: 'or',
          rules: [
            { key: 'metadata.due', value: 'date' },
            { key: 'date', value: 'metadata.due' },
          ],
        },
        { key: 'amount', value: 'metadata.fee' },
      ],
    } as const;
    expect((await preview({ filters: JSON.parse(JSON.stringify(filters)) as RuleBody['filters'] })).incomparable).toEqual([
      {
        path: 'filters.rules.0.rules.0.key',
        count: 4,
        examples: [
          { record_id: aIds[1], value: 'soon' },
          { record_id: aIds[3], value: 'n/a' },
          { record_id: aIds[4], value: 'later' },
        ],
      },
      {
        path: 'filters.rules.0.rules.1.value',
        count: 2,
        examples: [
          { record_id: bIds[1], value: 'a list or an object' },
          { record_id: bIds[2], value: '12.50' },
        ],
      },
      {
        path: 'filters.rules.1.value',
        count: 2,
        examples: [
          { record_id: bIds[0], value: '2026-06-01' },
          { record_id: bIds[1], value: 'a list or an object' },
        ],
      },
    ]);
  });

  test('only of records that the rule gets to see', async () => {
    const lines = [{ amount: 100, external_id: 'x', metadata: { due: 'soon' } }];
    const { preview } = await bookWith({ a: lines, b: lines }, [BY_EXTERNAL_ID]);
    const body: RuleBody = { filters: { rules: [{ key: 'metadata.due', value: 'date' }] } };
    expect((await preview(body)).incomparable).toEqual([]);
    expect((await preview({ ...body, priority: 1 })).incomparable).toMatchObject([{ path: 'filters.rules.0.key', count: 1 }]);
  });
});

describe('refusals', () => {
  test('things that are not there', async () => {
    const { refused, testEnvironment, id, client } = await bookWith(TWINS, [BY_AMOUNT]);
    const message = 'There is no reconciliation 99 in this environment.';
    expect(await refused({ ...BY_AMOUNT, reconciliation_id: 99 })).toEqual({
      code: 'unknown_reference',
      message,
      errors: [{ path: 'reconciliation_id', code: 'unknown_reference', message }],
    });
    expect(await testEnvironment.refusal('rules.preview', { reconciliation_id: id, ...BY_AMOUNT })).toMatchObject({
      code: 'unknown_reference',
    });
    expect(await refused({ ...BY_AMOUNT, replaces: 7 })).toMatchObject({
      code: 'unknown_reference',
      errors: [{ path: 'replaces', message: `Reconciliation ${id} has no rule 7.` }],
    });
    const stream = await client.get('streams.create', { key: 'c', name: 'C' });
    const sides = { side_a_stream_ids: [stream.id], side_b_stream_ids: [1] };
    const other = await client.get('reconciliations.create', { name: 'Other', run_type: 'batch', ...sides });
    expect(await refused({ ...BY_AMOUNT, reconciliation_id: other.id, replaces: 1 })).toMatchObject({ errors: [{ path: 'replaces' }] });
  });

  test.each([0, 1_001, 1.5, '20'])('a sample of %j', async (sample) => {
    const { refused } = await bookWith(TWINS);
    expect(await refused({ ...BY_AMOUNT, sample })).toMatchObject({ code: 'validation_failed', errors: [{ path: 'sample' }] });
  });

  test('a rule that cannot mean anything, with the path of each fault', async () => {
    const { refused } = await bookWith(TWINS);
    expect(await refused({ filters: { rules: [{ key: 'amuont', value: 'amount' }] } })).toMatchObject({
      code: 'invalid_rule',
      errors: [{ path: 'filters.rules.0.key', code: 'unknown_field' }],
    });
    expect(await refused({})).toMatchObject({ code: 'validation_failed', errors: [{ path: 'filters', code: 'required' }] });
  });

  test.each(['id', 'source', 'status', 'confidence', 'sample_match_rate', 'created_at'])(
    '`%s`, which the service settles',
    async (name) => {
      const { refused } = await bookWith(TWINS);
      expect(await refused({ ...BY_AMOUNT, [name]: 'x' })).toMatchObject({ code: 'read_only_field', errors: [{ path: name }] });
      expect(await refused({ ...BY_AMOUNT, [`${name}s`]: 'x' })).toMatchObject({ code: 'unknown_field' });
    },
  );

  test('a stored rule that a run could not work with either is named', async () => {
    const { refused, database } = await bookWith(TWINS, [BY_AMOUNT]);
    database.connection.exec(`UPDATE rules SET filters = '{"rules":[{"key":"nonsense","value":"amount"}]}'`);
    const { code, message, errors } = await refused({ ...BY_EXTERNAL_ID, priority: 5 });
    expect([code, message.startsWith('Rule 1 cannot run.'), errors?.[0]?.path]).toEqual(['invalid_rule', true, '']);
  });
});

const WITH_KEY: Caller = {
  environmentId: 1,
  environment: 'live',
  permission: 'read_write',
  surface: 'public',
  actor: 'key:1',
  idempotencyKey: 'a',
};

describe('with an Idempotency-Key', () => {
  test('the first answer is repeated, and another rule refused', async () => {
    const { dispatch, client, id } = await bookWith(TWINS);
    const ask = (body: object) => dispatch('rules.preview', { reconciliation_id: id, ...body }, WITH_KEY);
    const first = await ask(BY_AMOUNT);
    expect(first).toMatchObject({ ok: true, value: { matches: 2 } });
    await client.get('records.remove', { id: 1 });
    expect(await ask(BY_AMOUNT)).toEqual({ ...first, meta: { replayed: true } });
    expect(await ask(BY_EXTERNAL_ID)).toMatchObject({ ok: false, error: { code: 'idempotency_mismatch' } });
  });

  test('of two at the same time, both have the answer that is stored first', async () => {
    const { dispatch, id } = await bookWith(TWINS);
    const ask = (body: RuleBody) => dispatch('rules.preview', { reconciliation_id: id, ...body }, WITH_KEY);
    const [first, same, other] = await Promise.all([ask(BY_AMOUNT), ask(BY_AMOUNT), ask(BY_EXTERNAL_ID)]);
    expect(first).toMatchObject({ ok: true, value: { matches: 2 } });
    expect(same).toEqual({ ...first, meta: { replayed: true } });
    expect(other).toMatchObject({ ok: false, error: { code: 'idempotency_mismatch' } });
  });
});

describe('found once: previews tie returned lines', () => {
  /** A payment that came back, and one that did not; the ledger has both. */
  async function bookOf(preset: Preset) {
    const book = openQuietBook();
    const a = [
      { amount: -4_520, date: '2026-06-01', description: 'Gas company invoice GAS-1' },
      { amount: -1_234, date: '2026-06-02', description: 'Water company invoice WATER-7' },
    ];
    const { reconciliation } = await setUpPair(book.client, { a, b: [] }, []);
    const { id } = reconciliation;
    book.database.write((write) => insertPreset(write, id, 7, preset));
    const file = path.join(book.folder, 'june.csv');
    writeFileSync(
      file,
      'Date,Description,Amount\n2026-06-01,Gas company GAS-1,-45.20\n2026-06-03,RETOURE Gas company,45.20\n2026-06-02,Water company WATER-7,-12.34\n',
    );
    importHere(book, { path: file, currency: 'USD', streamKey: 'bank', acceptTarget: true });
    const rules = await book.client.get('rules.list', { reconciliation_id: id });
    return { ...book, book, id, rules };
  }

  /** Which lines of the gas company a match holds: the invoice is 1, the payment 3 and its return 4. */
  const ofGas = ({
    side_a_record_ids: a,
    side_b_record_ids: b,
  }: {
    side_a_record_ids: readonly number[];
    side_b_record_ids: readonly number[];
  }) => [...a, ...b].filter((id) => [1, 3, 4].includes(id)).toSorted();

  test.each(PRESETS)('%s: a dry run, a preview and a back-test hold a line and its return back, as a run does', async (preset) => {
    const { book, client, id, rules } = await bookOf(preset);
    const { id: run } = await client.get('runs.start', { id, mode: 'dry_run' });
    expect(book.work()).toEqual({ end: 'completed' });
    const { data: dry } = await client.get('runs.would_be_matches', { id, run_id: run, limit: 100 });
    expect(dry.map(ofGas).filter((ids) => ids.length > 0)).toEqual([[3, 4]]);

    const found = await Promise.all(
      rules.map(
        async ({ id: replaces, filters, outcome, commit_certainty, cardinality, group_by, rollup, method, budget, description }) => {
          const plain = { filters, outcome, description, cardinality, group_by, rollup, commit_certainty };
          const body = method === 'evidence' ? { filters, description, method, budget } : plain;
          const preview = await client.get('rules.preview', { reconciliation_id: id, replaces, sample: 100, ...body } as never);
          const backtest = await client.get('rules.backtest', { id: replaces, examples: 100 });
          const [previewed, tested] = [preview.sample, backtest.examples].map((matches) =>
            matches.map(ofGas).filter((ids) => ids.length > 0),
          );
          return { previewed: previewed ?? [], tested: [...(tested ?? []), ...Array.from({ length: backtest.waiting }, () => 'waits')] };
        },
      ),
    );
    // The pair is proposed in the end, by the last of them, or by the one that is looked at alone; examples show what would not wait.
    expect(found.flatMap(({ previewed }) => previewed)).toEqual([[3, 4]]);
    expect(found.map(({ tested }) => tested)).toEqual(rules.map(({ outcome }) => (outcome === 'propose' ? [[3, 4]] : ['waits'])));
  });

  test('a rule of a person may match returned lines, and reports the rules whose matches it takes', async () => {
    const { client, id, rules } = await bookOf('amount_and_date');
    for (const priority of [1, 99]) {
      const preview = await client.get('rules.preview', { ...BY_AMOUNT, reconciliation_id: id, priority, sample: 100 } as never);
      expect(preview.sample.map(ofGas).filter((ids) => ids.length > 0)).toEqual([[1, 3]]);
      expect(preview.taken_from.map(({ rule_id }) => rules.some((rule) => rule.id === rule_id))).toEqual(
        priority === 1 ? [true, true] : [],
      );
    }
  });
});
