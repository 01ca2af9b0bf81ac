import type { Body } from '../make.ts';
import { all, type Case, type CaseRecord } from './language-cases.ts';

const rolled = (group_by: readonly string[], rollup: Body, ...conditions: Body[]): Body => ({
  ...all(...conditions),
  cardinality: 'many_to_one',
  group_by,
  rollup,
});
const WINDOW: Body = { lookback_days: 3, date_field: 'date' };
const byDate = (...conditions: Body[]) => rolled(['date'], { ...WINDOW, group_by_kind: 'date' }, ...conditions);
const byBatch = (rollup: Body = {}, ...conditions: Body[]) =>
  rolled(['metadata.batch'], { group_by_kind: 'identifier', ...rollup }, ...conditions);
const line = (name: string, amount: number, date: string, more: Body = {}): CaseRecord => [name, { amount, date, ...more }];
const of = (batch: string, name: string, amount: number, more: Body = {}, metadata: Body = {}): CaseRecord => [
  name,
  { amount, ...more, metadata: { batch, ...metadata } },
];

const dates: readonly Case[] = [
  {
    id: 'rollup.date',
    says: "days in a row whose net is one record's amount; a day without rows adds nothing",
    rules: [byDate()],
    a: [line('a1', 100, '2026-06-08'), line('a2', 250, '2026-06-10'), line('a3', 50, '2026-06-10', { direction: 'debit' })],
    b: [line('b', 300, '2026-06-10')],
    ties: ['a1 a2 a3 b'],
  },
  {
    id: 'rollup.date.default',
    says: 'group_by_kind is date unless it is given',
    rules: [rolled(['date'], WINDOW)],
    a: [line('a1', 100, '2026-06-09'), line('a2', 200, '2026-06-10')],
    b: [line('b', 300, '2026-06-10')],
    ties: ['a1 a2 b'],
  },
  {
    id: 'rollup.date.window',
    says: 'the window ends on the day of the record and begins lookback_days before, both inclusive',
    rules: [byDate()],
    a: [line('a1', 100, '2026-06-07'), line('a2', 200, '2026-06-10')],
    b: [line('b', 300, '2026-06-10')],
    ties: ['a1 a2 b'],
  },
  {
    id: 'rollup.date.outside',
    says: 'and nothing outside of it is taken',
    rules: [byDate()],
    a: [line('a1', 100, '2026-06-06'), line('a2', 200, '2026-06-10'), line('a3', 700, '2026-06-11')],
    b: [line('b1', 300, '2026-06-10'), line('b2', 900, '2026-06-10')],
    ties: [],
  },
  {
    id: 'rollup.date.latest',
    says: 'of the runs that fit the one with the latest last day',
    rules: [byDate()],
    a: [line('a1', 300, '2026-06-08'), line('a2', 300, '2026-06-09')],
    b: [line('b', 300, '2026-06-10')],
    ties: ['a2 b best'],
  },
  {
    id: 'rollup.date.fewest',
    says: 'and among those the one with the fewest days',
    rules: [byDate()],
    a: [line('a1', 50, '2026-06-08'), line('a2', 50, '2026-06-08', { direction: 'debit' }), line('a3', 300, '2026-06-09')],
    b: [line('b', 300, '2026-06-10')],
    ties: ['a3 b best'],
  },
  {
    id: 'rollup.date.segments',
    says: 'further keys make segments, and side B carries the same values',
    rules: [rolled(['date', 'metadata.till'], { ...WINDOW, group_by_kind: 'date' })],
    a: [
      line('a1', 100, '2026-06-10', { metadata: { till: '1' } }),
      line('a2', 200, '2026-06-10', { metadata: { till: '1' } }),
      line('a3', 500, '2026-06-10', { metadata: { till: '2' } }),
    ],
    b: [line('b1', 300, '2026-06-10', { metadata: { till: '1' } }), line('b2', 500, '2026-06-10', { metadata: { till: '3' } })],
    ties: ['a1 a2 b1'],
  },
  {
    id: 'rollup.date.members',
    says: 'rows that fail another condition are left out',
    rules: [byDate({ key: 'description', value: 'description' })],
    a: [
      line('a1', 100, '2026-06-10', { description: 'card' }),
      line('a2', 200, '2026-06-10', { description: 'card' }),
      line('a3', 700, '2026-06-10', { description: 'cash' }),
    ],
    b: [line('b', 300, '2026-06-10', { description: 'card' })],
    ties: ['a1 a2 b'],
  },
  {
    id: 'rollup.date_field',
    says: "date_field is the many side's date, measured against the single record's date",
    rules: [rolled(['metadata.sold'], { lookback_days: 2, date_field: 'metadata.sold', group_by_kind: 'date' })],
    a: [
      line('a1', 100, '2026-01-01', { metadata: { sold: '2026-06-09' } }),
      line('a2', 200, '2026-01-01', { metadata: { sold: '2026-06-10' } }),
    ],
    b: [line('b', 300, '2026-06-10')],
    ties: ['a1 a2 b'],
  },
];

const identifiers: readonly Case[] = [
  {
    id: 'rollup.identifier',
    says: 'one cohort for each value; a cohort may have one record',
    rules: [byBatch()],
    a: [of('id-1', 'a1', 100), of('id-1', 'a2', 200), of('id-2', 'a3', 700)],
    b: [line('b1', 300, '2026-06-10'), line('b2', 700, '2026-06-10')],
    ties: ['a1 a2 b1', 'a3 b2'],
  },
  {
    id: 'rollup.identifier.composite',
    says: 'over all keys together',
    rules: [rolled(['metadata.batch', 'metadata.till'], { group_by_kind: 'identifier' })],
    a: [of('comp', 'a1', 100, {}, { till: '1' }), of('comp', 'a2', 200, {}, { till: '1' }), of('comp', 'a3', 400, {}, { till: '2' })],
    b: [line('b', 300, '2026-06-10')],
    ties: ['a1 a2 b'],
  },
  {
    id: 'rollup.identifier.empty',
    says: 'an empty group key is in no cohort',
    rules: [byBatch()],
    a: [of('', 'a1', 100), of('', 'a2', 200)],
    b: [line('b', 300, '2026-06-10')],
    ties: [],
  },
  {
    id: 'rollup.identifier.window',
    says: 'every member lies in the window, else the cohort is no candidate',
    rules: [byBatch(WINDOW)],
    a: [
      of('win-1', 'a1', 100, { date: '2026-06-07' }),
      of('win-1', 'a2', 200),
      of('win-2', 'a3', 500, { date: '2026-06-06' }),
      of('win-2', 'a4', 200),
    ],
    b: [line('b1', 300, '2026-06-10'), line('b2', 700, '2026-06-10')],
    ties: ['a1 a2 b1'],
  },
  {
    id: 'rollup.identifier.members',
    says: 'one row that fails another condition rejects the cohort',
    rules: [byBatch({}, { key: 'description', value: 'description' })],
    a: [
      of('mem-1', 'a1', 100, { description: 'card' }),
      of('mem-1', 'a2', 200, { description: 'cash' }),
      of('mem-2', 'a3', 500, { description: 'card' }),
      of('mem-2', 'a4', 200, { description: 'card' }),
    ],
    b: [line('b1', 300, '2026-06-10', { description: 'card' }), line('b2', 700, '2026-06-10', { description: 'card' })],
    ties: ['a3 a4 b2'],
  },
  {
    id: 'rollup.identifier.contested',
    says: 'a cohort that two records could take is contested; the one of the earlier date takes it',
    rules: [byBatch()],
    a: [of('con', 'a1', 100), of('con', 'a2', 200)],
    b: [line('b1', 300, '2026-06-12'), line('b2', 300, '2026-06-11')],
    ties: ['a1 a2 b2 contested proposed'],
  },
  {
    id: 'rollup.tolerance',
    says: "a condition on the amount speaks of the cohort's total, with its tolerance",
    rules: [byBatch({}, { key: 'amount', value: 'amount', tolerance_amount: 2 })],
    a: [of('tol-1', 'a1', 100), of('tol-1', 'a2', 200), of('tol-2', 'a3', 500), of('tol-2', 'a4', 200)],
    b: [line('b1', 302, '2026-06-10'), line('b2', 703, '2026-06-10')],
    ties: ['a1 a2 b1'],
  },
  {
    id: 'rollup.many_side',
    says: 'many_side b swaps the roles, group_by naming fields of side B',
    rules: [byBatch({ many_side: 'b' })],
    a: [line('a', 300, '2026-06-10')],
    b: [of('many', 'b1', 100), of('many', 'b2', 200)],
    ties: ['a b1 b2'],
  },
];

export const ROLLUP_CASES: readonly Case[] = [...dates, ...identifiers];
