import { describe, expect, it } from 'vitest';
import {
  changesBetween,
  type CoveredRow,
  coveringHash,
  coveringOf,
  type LedgerInput,
  statementOf,
} from '../../../src-main/domain/ledger/index.ts';
import { cfp, CFP_MATCHED, dayOf, line, match } from '../../support/inputs/ledger-input.ts';

function covered(input: LedgerInput): CoveredRow[] {
  const statement = statementOf(input);
  if (!statement.ok) throw new Error(statement.error.message);
  return coveringOf(input, statement.value);
}

const SIGNED = covered(CFP_MATCHED);
const changes = (input: LedgerInput): unknown => changesBetween(SIGNED, covered(input));

function changed(id: number, change: Partial<LedgerInput['records'][number]>): LedgerInput {
  return { ...CFP_MATCHED, records: CFP_MATCHED.records.map((record) => (record.id === id ? { ...record, ...change } : record)) };
}

describe('what a sign-off covers', () => {
  it('is the same in any order, and made again under other numbers', () => {
    const turned = {
      ...CFP_MATCHED,
      records: CFP_MATCHED.records.toReversed(),
      matches: CFP_MATCHED.matches.map((made) => ({ ...made, id: made.id + 500, recordIds: made.recordIds.toReversed() })).toReversed(),
    };
    expect(coveringHash(covered(turned))).toBe(coveringHash(SIGNED));
    expect(changes(turned)).toEqual([]);
    expect(coveringHash(SIGNED)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('what July brings changes nothing of June', () => {
    const july = line({ id: 900, side: 'bank', amount: 45_000, day: dayOf('2026-07-02') });
    const comment = { recordId: cfp('bank', 'CHG-Q2'), status: 'to_be_booked' as const, owner: 'AP', comment: 'Post in July' };
    const input = {
      ...CFP_MATCHED,
      records: [...CFP_MATCHED.records, july],
      matches: [
        ...CFP_MATCHED.matches,
        match(90, 900, cfp('books', 'RCT-DEL')),
        { ...match(91, cfp('bank', 'CHG-Q2')), status: 'proposed' as const },
      ],
      notes: [comment],
    };
    expect(changes(input)).toEqual([]);
  });

  it('lists what changed, before and after', () => {
    const id = cfp('books', 'RCT-DEL');
    const [input, before] = [changed(id, { amount: 54_000 }), { amount: 45_000, date: '2026-06-26', reference: 'RCT-DEL' }];
    expect(changes(input)).toMatchObject([{ kind: 'record', id, before, after: { ...before, amount: 54_000 } }]);
    expect(coveringHash(covered(input))).not.toBe(coveringHash(SIGNED));
  });

  it('a reconciled line that is gone stays visible, with the match that it was in', () => {
    const id = cfp('bank', 'INV-2214');
    const input = {
      ...CFP_MATCHED,
      records: CFP_MATCHED.records.filter((record) => record.id !== id),
      matches: CFP_MATCHED.matches.filter((made) => !made.recordIds.includes(id)),
    };
    expect(changes(input)).toMatchObject([
      { kind: 'match', id: 13, before: { record_ids: [id, cfp('books', 'INV-2214')], reason: 'book_error' }, after: null },
      { kind: 'record', id, before: { amount: -81_900 }, after: null },
    ]);
  });

  it('balances, marks that move a figure, reasons and imports count as well', () => {
    const record = cfp('bank', 'INT-JUN');
    expect(changes({ ...CFP_MATCHED, balances: { ...CFP_MATCHED.balances, books: { opening: 1, stated: null } } })).toMatchObject([
      { kind: 'balance', id: null, key: 'books', before: { opening: 1_250_000 }, after: { opening: 1 } },
    ]);
    expect(changes({ ...CFP_MATCHED, notes: [{ recordId: record, status: 'bank_error', owner: null, comment: null }] })).toMatchObject([
      { kind: 'note', id: record, before: null, after: { status: 'bank_error' } },
    ]);
    const matches = CFP_MATCHED.matches.map((made) => (made.id === 12 ? { ...made, reason: 'fx' as const } : made));
    expect(changes({ ...CFP_MATCHED, matches })).toMatchObject([
      { kind: 'match', before: { reason: 'rounding' }, after: { reason: 'fx' } },
    ]);
    const brought = {
      ...changed(record, { importId: 7 }),
      imports: [{ id: 7, side: 'bank' as const, name: 'a.csv', contentHash: 'ab', breaks: [] }],
    };
    expect(changes(brought)).toMatchObject([{ kind: 'import', id: 7, before: null, after: { name: 'a.csv', content_hash: 'ab' } }]);
  });
});
