import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { countAdjustments } from '../../support/books/adjusted.ts';
import { addLines, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { failEachStatement } from '../../support/faults/failing-statements.ts';

/** A bound on the statements of one operation, so that a loop without end is a failure. */
const MOST_STATEMENTS = 40;
const CREATE = { reconciliation_id: 1, create_adjustment: true, adjustment_reason: 'Fee' };

type Act = (book: QuietBook) => Promise<Outcome<unknown>>;
const create: Act = ({ client }) => client.call('matches.create', { ...CREATE, record_ids: [1, 2] });

const NEAR: RuleBody = {
  filters: { rules: [{ key: 'amount', value: 'amount', tolerance_amount: 2, tolerance_unit: 'minor' }] },
  outcome: 'propose',
};
const propose: readonly Act[] = [
  ({ client }) => client.call('rules.replace', { id: 1, rules: [NEAR] }),
  async ({ run }) => ({ ok: true, value: await run(1) }),
];
const SAID = { id: 1, create_adjustment: true, difference_reason: { code: 'bank_charge', note: 'Fee' } } as const;
const confirm: Act = ({ client }) => client.call('matches.confirm', SAID);

/** What is there before, and what is done; match 1 is of records 1 and 2. */
const OPERATIONS: Readonly<Record<string, readonly [before: readonly Act[], act: Act, adjustments: number]>> = {
  'matches.create, the first one': [[], create, 1],
  'matches.create, a further one': [[create], ({ client }) => client.call('matches.create', { ...CREATE, record_ids: [3, 4] }), 2],
  'matches.remove': [[create], ({ client }) => client.call('matches.remove', { id: 1 }), 0],
  'matches.restore': [
    [create, ({ client }) => client.call('matches.remove', { id: 1 })],
    ({ client }) => client.call('matches.restore', { id: 1 }),
    1,
  ],
  'matches.undo_create': [[create], ({ client }) => client.call('matches.undo_create', { id: 1 }), 0],
  'matches.confirm': [propose, confirm, 1],
  'matches.undo_create, of a confirmation': [[...propose, confirm], ({ client }) => client.call('matches.undo_create', { id: 1 }), 0],
  'reconciliations.remove': [[create], ({ client }) => client.call('reconciliations.remove', { id: 1 }), 0],
};

test.each(Object.entries(OPERATIONS))('%s: whichever statement fails, all is as it was; then it works', async (_what, scene) => {
  const [before, act, adjustments] = scene;
  const book = openQuietBook();
  await setUpPair(book.client, { a: [{ amount: 5 }], b: [{ amount: 7 }] });
  await addLines(book.client, 'ledger', [{ amount: 8 }]);
  await addLines(book.client, 'bank', [{ amount: 9 }]);
  for (const step of before) expect(await step(book)).toMatchObject({ ok: true });
  const { outcomes, isUnchanged } = await failEachStatement(book.database, () => act(book), MOST_STATEMENTS);
  expect(outcomes.length).toBeGreaterThan(2);
  expect(outcomes).toEqual([...outcomes.slice(1).map(() => 'storage_full'), 'done']);
  expect(isUnchanged).toEqual(outcomes.map((outcome) => outcome !== 'done'));
  expect(firstBrokenAuditEntry(book.database)).toBeNull();
  expect(countAdjustments(book.database)).toEqual({ all: adjustments, loose: 0 });
});
