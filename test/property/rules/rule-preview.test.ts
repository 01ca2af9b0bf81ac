import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Condition, RuleBody, RuleGroup, WouldBeMatch } from '../../../src-shared/contract/index.ts';
import { dumpBook } from '../../support/faults/failing-statements.ts';
import { type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { runs } from '../../support/long.ts';

/** Few values, so that ties, contests and rules that take from one another are many. */
const line: fc.Arbitrary<LineInput> = fc.record({
  amount: fc.constantFrom(100, 100, 101, 200),
  date: fc.constantFrom('2026-06-01', '2026-06-02', '2026-06-05'),
  description: fc.constantFrom('rent', 'fee'),
  metadata: fc.record({ ref: fc.constantFrom('', 'R1', 'R2'), due: fc.constantFrom('2026-06-01', 'soon') }),
});
const condition: fc.Arbitrary<Condition> = fc.constantFrom(
  { key: 'amount', value: 'amount' },
  { key: 'amount', value: 'amount', tolerance_amount: 1 },
  { key: 'date', value: 'date', tolerance_amount: 1 },
  { key: 'description', value: 'description' },
  { key: 'metadata.ref', value: 'metadata.ref' },
  { key: 'metadata.ref', value: 'metadata.ref', operand: 'eq_or_missing' },
  { key: 'metadata.due', value: 'date' },
);
const group: fc.Arbitrary<RuleGroup> = fc.record({
  operand: fc.constantFrom('and', 'and', 'or'),
  rules: fc.array(condition, { minLength: 1, maxLength: 3 }),
});
const rule: fc.Arbitrary<RuleBody> = fc.record({
  filters: group,
  priority: fc.integer({ min: 1, max: 3 }),
  outcome: fc.constantFrom('match', 'match', 'propose'),
  commit_certainty: fc.subarray(['unique', 'best', 'interchangeable', 'contested'] as const, { minLength: 1 }),
});
const side = fc.array(line, { maxLength: 7 });
const situation = fc.record({
  a: side,
  b: side,
  rules: fc.array(rule, { maxLength: 3 }),
  previewed: rule,
  /** Which of the rules it stands for, if there are so many. */
  replaced: fc.option(fc.nat({ max: 2 })),
  /** Match by hand the first records that a first run proposes or leaves. */
  isWorkedOn: fc.boolean(),
});

/** A run's matches by rule, as sets of records. */
async function tiesByRule(book: QuietBook, id: number, runId: number): Promise<Map<number | null, string[]>> {
  const { data } = await book.client.get('runs.would_be_matches', { id, run_id: runId, limit: 100 });
  const groups = Map.groupBy(data, (match) => match.reconciliation_rule_id);
  return new Map([...groups].map(([ruleId, matches]) => [ruleId, matches.map(tie)]));
}

function tie(match: WouldBeMatch): string {
  return `${match.status} ${match.certainty} ${match.side_a_record_ids.join('+')}=${match.side_b_record_ids.join('+')}`;
}

async function dryRun(book: QuietBook, id: number) {
  const run = await book.client.call('runs.start', { id, mode: 'dry_run' });
  // Without an active rule there is no run, and nothing to match.
  if (!run.ok) return new Map<number | null, string[]>();
  book.work();
  return tiesByRule(book, id, run.value.id);
}

test('a preview tells what a run with that rule then does, and writes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(situation, async ({ a, b, rules, previewed, replaced, isWorkedOn }) => {
      const book = openQuietBook();
      const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a, b }, []);
      const { id } = reconciliation;
      for (const body of rules) await book.client.get('rules.create', { reconciliation_id: id, ...body });
      const stored = await book.client.get('rules.list', { reconciliation_id: id });
      if (isWorkedOn && aIds[0] !== undefined && bIds[0] !== undefined) {
        const made = await book.client.get('matches.create', { reconciliation_id: id, record_ids: [aIds[0], bIds[0]] });
        await book.client.get('matches.remove', { id: made.id });
        if (aIds[1] !== undefined) await book.client.get('matches.create', { reconciliation_id: id, record_ids: [aIds[1], bIds[0]] });
      }
      const replaces = replaced === null ? undefined : stored[replaced]?.id;
      const without = await dryRun(book, id);
      const before = dumpBook(book.database);
      const found = await book.client.get('rules.preview', {
        reconciliation_id: id,
        ...previewed,
        sample: 1_000,
        ...(replaces === undefined ? {} : { replaces }),
      });
      expect(dumpBook(book.database)).toEqual(before);

      const now =
        replaces === undefined
          ? await book.client.get('rules.create', { reconciliation_id: id, ...previewed })
          : await book.client.get('rules.update', { id: replaces, ...previewed });
      const withRule = await dryRun(book, id);
      expect(found.sample.map(tie)).toEqual(withRule.get(now.id) ?? []);
      const later = (await book.client.get('rules.list', { reconciliation_id: id })).map((each) => each.id);
      const lost = later.slice(later.indexOf(now.id) + 1).map((ruleId) => ({
        rule_id: ruleId,
        matches: (without.get(ruleId)?.length ?? 0) - (withRule.get(ruleId)?.length ?? 0),
      }));
      expect(found.taken_from).toEqual(lost.filter(({ matches }) => matches > 0));

      const run = await book.run(id);
      const summary = run.rule_summary[String(now.id)];
      expect([found.matches, found.proposed]).toEqual([(summary?.matches ?? 0) + (summary?.proposed ?? 0), summary?.proposed ?? 0]);
      expect([found.matched_a, found.matched_b]).toEqual([found.matches, found.matches]);
      expect(found.contested).toBe(found.sample.filter((match) => match.certainty === 'contested').length);
    }),
    { numRuns: runs(60) },
  );
});
