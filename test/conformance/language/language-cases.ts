import type { Body } from '../make.ts';

/** A record of a case: its name, and what differs from one of 2026-06-10, 100.00 GBP, credit. Records of one name are alike. */
export type CaseRecord = readonly [name: string, differs?: Body];

/**
 * Rules on records of their own. All cases stand in one reconciliation (convention `same`) whose side A stream names `description`
 * as its reference and whose side B stream names `external_id`.
 */
export interface Case {
  readonly id: string;
  readonly says: string;
  /** Conditions of the rule, all to hold; or rules. */
  readonly rules: readonly Body[];
  readonly a: readonly CaseRecord[];
  readonly b: readonly CaseRecord[];
  /**
   * What is tied: names in order; behind them, unless the pair is unique, its certainty; `#2` when the second rule tied it;
   * `proposed` when it waits for a person.
   */
  readonly ties: readonly string[];
}

export const all = (...rules: Body[]): Body => ({ filters: { rules } });
const TEXT: Body = { key: 'description', value: 'description' };
const AMOUNT: Body = { key: 'amount', value: 'amount' };
const SIGNED: Body = { key: 'signed_amount', value: 'signed_amount' };
const DATE: Body = { key: 'date', value: 'date' };
const text = (name: string, description: string): CaseRecord => [name, { description }];
const amount = (name: string, minor: number, more: Body = {}): CaseRecord => [name, { amount: minor, ...more }];
const day = (name: string, date: string): CaseRecord => [name, { date }];
const meta = (name: string, metadata: Body, more: Body = {}): CaseRecord => [name, { ...more, metadata }];

/** One condition: which of the records of side B a record of side A is tied with, each pair tried on its own. */
function one(id: string, says: string, condition: Body, a: CaseRecord, hit: CaseRecord, ...misses: CaseRecord[]): Case[] {
  return [
    { id, says, rules: [all(condition)], a: [a], b: [hit], ties: [`${a[0]} ${hit[0]}`] },
    ...misses.map((miss, index): Case => ({
      id: `${id}.not_${index + 1}`,
      says: `${says}: and no other`,
      rules: [all(condition)],
      a: [a],
      b: [miss],
      ties: [],
    })),
  ];
}

/** What a transform makes of a text of side A is the text of side B; the text itself is not. */
const transform = (name: string, given: string, made: string, applied: unknown = name): Case[] =>
  one(
    `transform.${name}`,
    `${name} turns one text into the other before they are compared`,
    { ...TEXT, transforms: { key: applied } },
    text('a', given),
    text('b', made),
    text('b', `${made}#`),
  );

const fields: readonly Case[] = [
  ...one('field.amount', 'amount is a magnitude', AMOUNT, amount('a', 500), amount('b', 500, { direction: 'debit' }), amount('b', 501)),
  ...one(
    'field.signed_amount',
    'signed_amount knows the direction',
    SIGNED,
    amount('a', 500),
    amount('b', 500),
    amount('b', 500, { direction: 'debit' }),
  ),
  ...one('field.date', 'date', DATE, day('a', '2026-06-04'), day('b', '2026-06-04'), day('b', '2026-06-05')),
  ...one(
    'field.direction',
    'direction, as it is stored',
    { key: 'direction', value: 'direction' },
    ['a', { direction: 'debit' }],
    ['b', { direction: 'debit' }],
    ['b', { direction: 'credit' }],
  ),
  ...one('field.description', 'description', TEXT, text('a', 'Rent'), text('b', 'Rent'), text('b', 'rent')),
  ...one(
    'field.external_id',
    'external_id',
    { key: 'description', value: 'external_id' },
    text('a', 'field-1'),
    ['b', { external_id: 'field-1' }],
    ['b', { external_id: 'field-2' }],
  ),
  ...one(
    'field.reference',
    'reference is the field that each stream names as its reference',
    { key: 'reference', value: 'reference' },
    text('a', 'R-77'),
    ['b', { external_id: 'R-77' }],
    ['b', { external_id: 'R-78', description: 'R-77' }],
  ),
  ...one(
    'field.data_stream_key',
    'data_stream_key',
    { key: 'data_stream_key', value: 'description' },
    ['a'],
    text('b', 'language-a'),
    text('b', 'language-b'),
  ),
  ...one(
    'field.metadata',
    'dots reach into the objects of metadata',
    { key: 'metadata.order.id', value: 'metadata.ref' },
    meta('a', { order: { id: 'O-1' } }),
    meta('b', { ref: 'O-1' }),
    meta('b', { ref: 'O-2' }),
  ),
  ...one(
    'field.side',
    'key is a field of side A and value one of side B',
    { key: 'description', value: 'metadata.note' },
    meta('a', { note: 'wrong' }, { description: 'right' }),
    meta('b', { note: 'right' }, { description: 'wrong' }),
    meta('b', { note: 'wrong' }, { description: 'right' }),
  ),
];

const operands: readonly Case[] = [
  ...one('operand.neq', 'neq', { ...TEXT, operand: 'neq' }, text('a', 'x'), text('b', 'y'), text('b', 'x'), ['b']),
  ...one('operand.gt', 'gt', { ...AMOUNT, operand: 'gt' }, amount('a', 501), amount('b', 500), amount('b', 501)),
  ...one('operand.gte', 'gte', { ...AMOUNT, operand: 'gte' }, amount('a', 500), amount('b', 500), amount('b', 501)),
  ...one('operand.lt', 'lt', { ...AMOUNT, operand: 'lt' }, amount('a', 500), amount('b', 501), amount('b', 500)),
  ...one('operand.lte', 'lte', { ...AMOUNT, operand: 'lte' }, amount('a', 500), amount('b', 500), amount('b', 499)),
  ...one(
    'operand.contains',
    "contains: A's text contains B's",
    { ...TEXT, operand: 'contains' },
    text('a', 'paid INV-7'),
    text('b', 'INV-7'),
    text('b', 'paid INV-7 twice'),
  ),
  ...one(
    'operand.in.array',
    "in: A's value is one of B's JSON array",
    { key: 'description', value: 'metadata.list', operand: 'in' },
    text('a', 'R1'),
    meta('b', { list: ['R0', 'R1'] }),
    meta('b', { list: ['R0', 'R11'] }),
  ),
  ...one(
    'operand.in.text',
    "in: A's value is one of a text split on commas",
    { key: 'description', value: 'metadata.list', operand: 'in' },
    text('a', 'R1'),
    meta('b', { list: 'R0, R1' }),
    meta('b', { list: 'R0 R1' }),
  ),
  ...one(
    'operand.not_in',
    'not_in',
    { key: 'description', value: 'metadata.list', operand: 'not_in' },
    text('a', 'R1'),
    meta('b', { list: 'R0,R2' }),
    meta('b', { list: 'R0,R1' }),
    meta('b', {}),
  ),
  ...one(
    'operand.eq_or_missing',
    'eq_or_missing: equal, or missing on a side',
    { ...TEXT, operand: 'eq_or_missing' },
    text('a', 'x'),
    ['b'],
    text('b', 'y'),
  ),
  ...one(
    'missing.value',
    'an empty value makes a condition false',
    { ...TEXT, operand: 'neq' },
    text('a', 'x'),
    text('b', 'y'),
    text('b', ' '),
  ),
  ...one(
    'missing.transformed',
    'and so does one that transforms emptied',
    { ...TEXT, operand: 'neq', transforms: { value: 'digits_only' } },
    text('a', 'x'),
    text('b', 'no 7'),
    text('b', 'none'),
  ),
  ...one(
    'incomparable',
    'a pair that cannot be compared is no match',
    { key: 'date', value: 'metadata.due' },
    day('a', '2026-06-04'),
    meta('b', { due: '2026-06-04' }),
    meta('b', { due: 'soon' }),
  ),
  {
    id: 'group.and',
    says: 'a group without an operand means and',
    rules: [all(TEXT, AMOUNT)],
    a: [
      ['a1', { description: 'x', amount: 1 }],
      ['a2', { description: 'y', amount: 2 }],
    ],
    b: [
      ['b1', { description: 'x', amount: 1 }],
      ['b2', { description: 'y', amount: 9 }],
    ],
    ties: ['a1 b1'],
  },
  {
    id: 'group.or',
    says: 'or in a group within a group',
    rules: [all(DATE, { operand: 'or', rules: [TEXT, AMOUNT] })],
    a: [
      ['a1', { description: 'x', amount: 1 }],
      ['a2', { description: 'y', amount: 2 }],
      ['a3', { description: 'z', amount: 3, date: '2026-06-11' }],
    ],
    b: [
      ['b1', { description: 'x', amount: 7 }],
      ['b2', { description: 'w', amount: 2 }],
      ['b3', { description: 'z', amount: 3 }],
    ],
    ties: ['a1 b1', 'a2 b2'],
  },
];

const near = (condition: Body, tolerance_amount: number, tolerance_unit?: string): Body => ({
  ...condition,
  tolerance_amount,
  ...(tolerance_unit === undefined ? {} : { tolerance_unit }),
});

const tolerances: readonly Case[] = [
  ...one('tolerance.minor', 'minor units are the unit of numbers', near(AMOUNT, 5), amount('a', 500), amount('b', 505), amount('b', 506)),
  ...one(
    'tolerance.day',
    'days are the unit of dates',
    near(DATE, 2),
    day('a', '2026-06-10'),
    day('b', '2026-06-08'),
    day('b', '2026-06-13'),
  ),
  ...one('tolerance.edit', 'edits are the unit of text', near(TEXT, 1), text('a', 'martha'), text('b', 'marhta'), text('b', 'marht')),
  ...one(
    'tolerance.dollar',
    'dollar is whole currency units, floored to minor units',
    near(AMOUNT, 0.509, 'dollar'),
    amount('a', 1000),
    amount('b', 950),
    amount('b', 949),
  ),
  ...one(
    'tolerance.percent',
    'percent is of the larger magnitude, inclusive',
    near(AMOUNT, 10, 'percent'),
    amount('a', 900),
    amount('b', 1000),
    amount('b', 1001),
  ),
  ...one(
    'tolerance.edit.metadata',
    'edit, named, is the unit of text in metadata',
    near({ key: 'metadata.ref', value: 'metadata.ref' }, 1, 'edit'),
    meta('a', { ref: 'INV-17' }),
    meta('b', { ref: 'INV-18' }),
    meta('b', { ref: 'INV-29' }),
  ),
  ...one(
    'tolerance.percent.metadata',
    'percent of an amount in metadata',
    near({ key: 'amount', value: 'metadata.total' }, 10, 'percent'),
    amount('a', 90_000),
    meta('b', { total: 1000 }),
    meta('b', { total: 1001 }),
  ),
  ...one(
    'tolerance.month',
    'month is the same month of the same year, whatever the amount',
    near(DATE, 0, 'month'),
    day('a', '2026-06-01'),
    day('b', '2026-06-30'),
    day('b', '2026-07-01'),
    day('b', '2025-06-01'),
  ),
  ...one(
    'tolerance.business_day',
    'business_day steps from Monday to Friday, a weekend counting as the next Monday',
    near(DATE, 1, 'business_day'),
    day('a', '2026-06-12'),
    day('b', '2026-06-14'),
    day('b', '2026-06-16'),
  ),
  ...one(
    'scale',
    'different decimal places are compared at the finer scale',
    AMOUNT,
    amount('a', 1000),
    amount('b', 10_000, { decimal_places: 3 }),
    amount('b', 10_001, { decimal_places: 3 }),
  ),
  ...one(
    'tolerance.minor.scale',
    'and so are tolerances in minor units',
    near(AMOUNT, 5),
    amount('a', 1000),
    amount('b', 10_005, { decimal_places: 3 }),
    amount('b', 10_006, { decimal_places: 3 }),
  ),
  ...one(
    'metadata.number',
    'metadata numbers are currency units, read as exact decimals',
    { key: 'amount', value: 'metadata.total' },
    amount('a', 1499),
    meta('b', { total: 14.99 }),
    meta('b', { total: 1499 }),
  ),
  ...one(
    'currency.shared',
    'both records share the currency unless a condition names it',
    AMOUNT,
    amount('a', 500, { currency: 'EUR' }),
    amount('b', 500, { currency: 'EUR' }),
    amount('b', 500),
  ),
  {
    id: 'currency.named',
    says: 'a condition that names currency lifts that',
    rules: [all(AMOUNT, { key: 'currency', value: 'currency', operand: 'neq' })],
    a: [amount('a', 500, { currency: 'EUR' })],
    b: [amount('b', 500)],
    ties: ['a b'],
  },
];

const transforms: readonly Case[] = [
  ...transform('lowercase', 'Ab-1', 'ab-1'),
  ...transform('uppercase', 'Ab-1', 'AB-1'),
  ...transform('alphanumeric_only', 'A-b 1', 'Ab1'),
  ...transform('digits_only', 'A1-2', '12'),
  ...transform('trim', ' A 1 ', 'A 1'),
  ...transform('strip_leading_zeros', '00120', '120'),
  ...transform('remove_accents', 'Café', 'Cafe'),
  ...transform('words', 'Smith, John SMITH', 'john smith'),
  ...transform('first_n_chars', 'abcdef', 'abc', { name: 'first_n_chars', args: { n: 3 } }),
  ...transform('last_n_chars', 'abcdef', 'def', { name: 'last_n_chars', args: { n: 3 } }),
  ...transform('extract', 'paid INV-77 today', '77', { name: 'extract', args: { pattern: 'INV-([0-9]+)' } }),
  ...transform('array', 'A1234', '34', ['digits_only', { name: 'last_n_chars', args: { n: 2 } }]),
  ...transform('array.order', '12A4', '4', [{ name: 'last_n_chars', args: { n: 2 } }, 'digits_only']),
  ...one(
    'transform.value',
    "value transforms side B's text",
    { ...TEXT, transforms: { value: 'uppercase' } },
    text('a', 'AB'),
    text('b', 'ab'),
    text('b', 'abc'),
  ),
  ...one(
    'transform.absolute',
    'absolute takes the sign off',
    { ...SIGNED, transforms: { key: 'absolute' } },
    amount('a', 500, { direction: 'debit' }),
    amount('b', 500),
    amount('b', 500, { direction: 'debit' }),
  ),
  ...one(
    'transform.negate',
    'negate turns the sign',
    { ...SIGNED, transforms: { key: 'negate' } },
    amount('a', 500),
    amount('b', 500, { direction: 'debit' }),
    amount('b', 500),
  ),
];

const assignments: readonly Case[] = [
  {
    id: 'pairs.most',
    says: 'as many pairs as can be, before the nearest',
    rules: [all(near(AMOUNT, 1))],
    a: [amount('a1', 100), amount('a2', 101)],
    b: [amount('b1', 101), amount('b2', 102)],
    ties: ['a1 b1 best', 'a2 b2 best'],
  },
  {
    id: 'pairs.days',
    says: 'then the fewest days apart',
    rules: [all(near(DATE, 5), near(AMOUNT, 5))],
    a: [['a', { date: '2026-06-10' }]],
    b: [
      ['b1', { date: '2026-06-12' }],
      ['b2', { date: '2026-06-11', amount: 10_003 }],
    ],
    ties: ['a b2 best'],
  },
  {
    id: 'pairs.minor',
    says: 'then the fewest minor units apart',
    rules: [all(near(AMOUNT, 5))],
    a: [amount('a', 500)],
    b: [amount('b1', 503), amount('b2', 498)],
    ties: ['a b2 best'],
  },
  {
    id: 'pairs.edits',
    says: 'then the fewest edits of the text conditions',
    rules: [all(near(TEXT, 3))],
    a: [text('a', 'invoice')],
    b: [text('b1', 'invoce'), text('b2', 'invoice')],
    ties: ['a b2 best'],
  },
  {
    id: 'certainty.interchangeable',
    says: 'records alike in all that a person sees are interchangeable, and count',
    rules: [all(AMOUNT)],
    a: [amount('a', 500), amount('a', 500)],
    b: [amount('b', 500)],
    ties: ['a b interchangeable'],
  },
  {
    id: 'certainty.contested',
    says: 'an assignment as good between records that differ is contested, and waits for a person',
    rules: [all(AMOUNT)],
    a: [
      ['a', { description: 'one' }],
      ['a', { description: 'two' }],
    ],
    b: [['b']],
    ties: ['a b contested proposed'],
  },
  {
    id: 'commit_certainty',
    says: 'what is not in commit_certainty waits for a person',
    rules: [{ ...all(near(AMOUNT, 5)), commit_certainty: ['unique'] }],
    a: [amount('a1', 500), amount('a2', 900)],
    b: [amount('b1', 503), amount('b2', 498), amount('b3', 900)],
    ties: ['a1 b2 best proposed', 'a2 b3'],
  },
  {
    id: 'commit_certainty.all',
    says: 'what is in commit_certainty counts at once',
    rules: [{ ...all(AMOUNT), commit_certainty: ['contested'] }],
    a: [
      ['a', { description: 'one' }],
      ['a', { description: 'two' }],
    ],
    b: [['b']],
    ties: ['a b contested'],
  },
  {
    id: 'outcome',
    says: 'outcome propose lets all of its matches wait',
    rules: [{ ...all(AMOUNT), outcome: 'propose' }],
    a: [['a']],
    b: [['b']],
    ties: ['a b proposed'],
  },
  {
    id: 'held_back',
    says: 'a record in a proposal is held back from lower rules',
    rules: [{ ...all(TEXT), outcome: 'propose' }, all(AMOUNT)],
    a: [['a', { description: 'x' }]],
    b: [
      ['b1', { description: 'x', amount: 1 }],
      ['b2', { description: 'y' }],
    ],
    ties: ['a b1 proposed'],
  },
  {
    id: 'priority',
    says: 'lower priorities come first, and later rules see what is free',
    rules: [
      { ...all(AMOUNT), priority: 9_000 },
      { ...all(TEXT), priority: 8_990 },
    ],
    a: [text('a1', 'x'), text('a2', 'y')],
    b: [text('b1', 'x'), text('b2', 'z')],
    ties: ['a1 b1 #2', 'a2 b2'],
  },
  {
    id: 'priority.same',
    says: 'and of the same priority the older rule',
    rules: [
      { ...all(AMOUNT), priority: 9_010 },
      { ...all(TEXT), priority: 9_010 },
    ],
    a: [text('a', 'x')],
    b: [text('b', 'x')],
    ties: ['a b'],
  },
];

export const LANGUAGE_CASES: readonly Case[] = [...fields, ...operands, ...tolerances, ...transforms, ...assignments];
