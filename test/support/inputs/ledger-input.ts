import type { LedgerInput, LedgerMatch, LedgerRecord } from '../../../src-main/domain/ledger/index.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { present } from '../../../src-shared/values/assert.ts';

export function dayOf(iso: string): number {
  return present(dayFromIso(iso), iso);
}

/** A close of June 2026 without records; both sides open at 0. */
export const EMPTY_JUNE: LedgerInput = {
  period: { from: dayOf('2026-06-01'), to: dayOf('2026-06-30') },
  currency: 'GBP',
  decimalPlaces: 2,
  isNeutral: false,
  bankSide: 'b',
  balances: { bank: { opening: 0, stated: null }, books: { opening: 0, stated: null } },
  records: [],
  matches: [],
  notes: [],
  imports: [],
};

export function line(record: Pick<LedgerRecord, 'id' | 'side' | 'amount'> & Partial<LedgerRecord>): LedgerRecord {
  return {
    day: EMPTY_JUNE.period.from,
    reference: null,
    description: null,
    kindText: null,
    streamId: record.side === 'bank' ? 1 : 2,
    importId: null,
    isAdjustment: false,
    ...record,
  };
}

export function match(id: number, ...recordIds: number[]): LedgerMatch {
  return { id, recordIds, status: 'confirmed', reason: null };
}

/** Day of June 2026, the bank's text, the bank's kind, minor units. */
const BANK: readonly (readonly [number, string | null, string, number])[] = [
  [1, 'RCT-0601', 'BGC', 182_050],
  [3, 'CHG-Q2', 'CHG', -3_000],
  [5, 'DD-RENT', 'SO', -240_000],
  [7, 'FPO-WAGES', 'FPO', -318_000],
  [8, 'RCT-0608', 'BGC', 214_075],
  [10, 'INV-2026-035', 'FPO', -74_260],
  [12, 'DD-ELEC', 'DD', -31_890],
  [15, 'RCT-0615', 'BGC', 197_520],
  [16, 'RCT-MILLER', 'FPI', 50_000],
  [18, 'INV-2230', 'FPO', -6_431],
  [20, 'INV-2214', 'FPO', -81_900],
  [22, 'DD-INS', 'DD', -9_650],
  [23, 'RCT-BARISTA', 'BGC', 12_840],
  [25, 'TRF-998812', 'TFR', -100_000],
  [27, null, 'DD', -4_520],
  [29, 'DEP-0629', 'BGC', 90_000],
  [30, 'INT-JUN', 'INT', 1_215],
];

/** Day of June 2026, voucher, particulars, minor units. */
const BOOKS: readonly (readonly [number, string | null, string, number])[] = [
  [1, 'RCT-0601', 'Card takings 01 Jun', 182_050],
  [5, 'DD-RENT', 'Grafton Estates rent', -240_000],
  [7, 'FPO-WAGES', 'Staff wages w/e 07 Jun', -318_000],
  [8, 'RCT-0608', 'Card takings 08 Jun', 214_075],
  [10, 'INV-2026-035', 'Barista Co Ltd coffee order', -74_260],
  [12, 'DD-ELEC', 'PowerGrid Energy direct debit', -31_890],
  [13, 'CHQ-1043', 'Fresh Produce Ltd', -127_500],
  [15, 'RCT-0615', 'Card takings 15 Jun', 197_520],
  [16, 'RCT-MILLER', 'Miller event deposit', 50_000],
  [18, 'INV-2230', 'DHL import duty', -6_430],
  [20, 'INV-2214', 'Thornton Bakery Ltd', -89_100],
  [22, 'DD-INS', 'Hiscox Insurance direct debit', -9_650],
  [23, 'RCT-BARISTA', 'Barista Co Ltd supplier rebate', 12_840],
  [25, 'TRF-5567', 'Transfer to savings account', -100_000],
  [26, 'RCT-DEL', 'Delgado cheque received', 45_000],
  [27, null, 'Verifone card machine fee', -4_520],
  [27, 'RCT-W1', 'Webb catering deposit', 30_000],
  [28, 'RCT-W2', 'Webb bar sales', 25_000],
  [29, 'RCT-W3', 'Webb function room hire', 35_000],
  [29, 'RCT-0629', 'Card takings 29 Jun', 226_030],
];

const FIRST = EMPTY_JUNE.period.from - 1;
const BOOKS_FROM = 101;

/** The records of the cfp June pair; ids of the bank begin at 1, those of the books at 101. */
export const CFP_RECORDS: readonly LedgerRecord[] = [
  ...BANK.map(([day, description, kindText, amount], index) =>
    line({ id: index + 1, side: 'bank', day: FIRST + day, amount, description, kindText }),
  ),
  ...BOOKS.map(([day, reference, description, amount], index) =>
    line({ id: index + BOOKS_FROM, side: 'books', day: FIRST + day, amount, reference, description }),
  ),
];

/** Returns the id of a record by its reference, or by its text at the bank. */
export function cfp(side: 'bank' | 'books', label: string): number {
  const found = CFP_RECORDS.find((record) => record.side === side && (record.reference ?? record.description) === label);
  return present(found, label).id;
}

/** The references that the default rules match; they also match the fee of the card machine. */
const EXACT = [
  'RCT-0601',
  'DD-RENT',
  'FPO-WAGES',
  'RCT-0608',
  'INV-2026-035',
  'DD-ELEC',
  'RCT-0615',
  'RCT-MILLER',
  'DD-INS',
  'RCT-BARISTA',
];

/** The cfp June pair before any manual work. */
export const CFP_JUNE: LedgerInput = {
  ...EMPTY_JUNE,
  balances: { bank: { opening: 1_250_000, stated: 1_128_049 }, books: { opening: 1_250_000, stated: null } },
  records: CFP_RECORDS,
  matches: [
    ...EXACT.map((label, index) => match(index + 1, cfp('bank', label), cfp('books', label))),
    match(11, 15, cfp('books', 'Verifone card machine fee')),
  ],
};

/** The same after a person has decided everything that can be matched. */
export const CFP_MATCHED: LedgerInput = {
  ...CFP_JUNE,
  matches: [
    ...CFP_JUNE.matches,
    { ...match(12, cfp('bank', 'INV-2230'), cfp('books', 'INV-2230')), reason: 'rounding' },
    { ...match(13, cfp('bank', 'INV-2214'), cfp('books', 'INV-2214')), reason: 'book_error' },
    match(14, cfp('bank', 'TRF-998812'), cfp('books', 'TRF-5567')),
    match(15, cfp('bank', 'DEP-0629'), cfp('books', 'RCT-W1'), cfp('books', 'RCT-W2'), cfp('books', 'RCT-W3')),
  ],
};
