import { expect, test } from 'vitest';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import { customers, rents } from '../../bench/data/evidence-generators.ts';
import type { EvidenceSet } from '../../bench/data/evidence-sets.ts';
import { addLines, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { some } from '../../support/long.ts';

const IMPORTS = 10;

type Side = 'a' | 'b';
const lineOf = (side: Side, { id, amountMinor, direction, day, description, metadata }: EvidenceSet['a'][number]) => ({
  external_id: `${side}${id}`,
  amount: amountMinor,
  direction,
  date: isoFromDay(day),
  description: description ?? '',
  metadata,
});

/** What is committed, as pairs of external ids, after runs behind each part of the book. */
async function committed(set: EvidenceSet, parts: number) {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: [], b: [] }, presetRules('evidence'));
  const of = (side: Side, part: number) => {
    const lines = set[side].toSorted((left, right) => left.day - right.day || left.id - right.id);
    const size = Math.ceil(lines.length / parts);
    return lines.slice(part * size, (part + 1) * size).map((line) => lineOf(side, line));
  };
  for (let part = 0; part < parts; part += 1) {
    await addLines(book.client, 'ledger', of('a', part));
    await addLines(book.client, 'bank', of('b', part));
    await book.run(reconciliation.id);
  }
  return { book, id: reconciliation.id, pairs: pairsOf(book) };
}

interface Tied {
  readonly id: number;
  readonly likelihood: number;
  readonly isCommitted: boolean;
}

/** Matches and proposals by the external ids that they hold; log odds in 1/64 bit. */
function pairsOf({ database }: QuietBook): Map<string, Tied> {
  const rows = database.connection
    .prepare(
      `SELECT m.id, m.likelihood, m.status, group_concat(r.external_id ORDER BY r.external_id) AS ids FROM matches m
       JOIN records r ON r.id IN (m.a_record_id, m.b_record_id) OR r.id IN (SELECT record_id FROM match_records WHERE match_id = m.id)
       WHERE m.run_id = (SELECT max(id) FROM runs) OR m.status = 'matched' GROUP BY m.id`,
    )
    .all() as { id: number; likelihood: number; status: string; ids: string }[];
  return new Map(rows.map(({ ids, id, likelihood, status }) => [ids, { id, likelihood, isCommitted: status === 'matched' }]));
}

/** A committed match that weighs less than this is shown for review: odds of 0.97. */
const REVIEWED_BELOW = 64 * Math.log2(0.97 / 0.03);
const countOf = (pairs: ReadonlyMap<string, Tied>) => [...pairs.values()].filter(({ isCommitted }) => isCommitted).length;

/** Pairs that one way commits and the other leaves open although its evidence did not change. */
function missing(from: ReadonlyMap<string, Tied>, to: ReadonlyMap<string, Tied>, reviewed: ReadonlySet<number>): string[] {
  return [...from].flatMap(([pair, { id, isCommitted }]) => {
    const other = to.get(pair);
    // Both find it likely; a shade more or less stands between committed and proposed.
    const isDrift = other !== undefined && (other.isCommitted || other.likelihood >= REVIEWED_BELOW);
    return !isCommitted || isDrift || reviewed.has(id) ? [] : [pair];
  });
}

const BOOKS = [
  ['rents', rents(20), 240],
  ['customers', customers(200), 165],
] as const;

test.each(some(BOOKS, 1))(
  '%s: what runs after each of ten imports commit is what one run commits, but for what is shown for review',
  { timeout: 120_000 },
  async (_, set, least) => {
    const [ten, one] = [await committed(set, IMPORTS), await committed(set, 1)];
    const reviews = (await ten.book.client.get('evidence.reviews', { id: ten.id, limit: 500, offset: 0 })).data;
    const reviewed = new Set(reviews.map((review) => review.match_id));
    expect(missing(ten.pairs, one.pairs, reviewed)).toEqual([]);
    expect(missing(one.pairs, ten.pairs, new Set())).toEqual([]);
    expect(reviews.length).toBeLessThan(countOf(one.pairs) / 50);
    expect(Math.abs(countOf(one.pairs) - countOf(ten.pairs))).toBeLessThanOrEqual(countOf(one.pairs) / 50);
    expect(countOf(one.pairs)).toBeGreaterThanOrEqual(least);
  },
);
