import { createHash } from 'node:crypto';
import {
  ageOf,
  causesOf,
  clearingTimes,
  coveringHash,
  coveringOf,
  coveringOfAll,
  journalOf,
  type LedgerInput,
  type Statement,
  statementOf,
} from '../../src-main/domain/ledger/index.ts';
import type { CloseReport, ReportAuditEntry, ReportMatch, ReportSignOff } from '../../src-main/domain/report/index.ts';
import { cfp, CFP_MATCHED, dayOf } from './inputs/ledger-input.ts';

/** The worked example with notes on its open items. */
const JUNE: LedgerInput = {
  ...CFP_MATCHED,
  notes: [
    { recordId: cfp('bank', 'CHG-Q2'), status: 'to_be_booked', owner: 'Amira Patel', comment: 'Post in July' },
    { recordId: cfp('bank', 'INT-JUN'), status: 'to_be_booked', owner: 'Amira Patel', comment: 'Post in July' },
    { recordId: cfp('books', 'CHQ-1043'), status: 'outstanding', owner: 'Amira Patel', comment: 'Posted 12/06, supplier told' },
    { recordId: cfp('books', 'RCT-DEL'), status: 'in_transit', owner: 'Ben Osei', comment: 'Paid in 30/06 after hours' },
  ],
};

const DONE = { prepare: 'prepared', review: 'reviewed', close: 'closed', reopen: 'reopened' } as const;

/** Returns audit entries with a valid chain, as the store writes them: matches that were made, then the sign-offs. */
export function auditChain(count: number, signOffs: readonly ReportSignOff[] = [], previous: string = '4f'.repeat(32)): ReportAuditEntry[] {
  const entries: ReportAuditEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    const before = entries.at(-1)?.hash ?? previous;
    const content = index % 3 === 0 ? null : createHash('sha256').update(String(index)).digest('hex');
    const signOff = signOffs[index - (count - signOffs.length)];
    const said =
      signOff === undefined
        ? { atMs: 1_782_900_000_000 + index * 60_000, action: 'match.made', detail: { id: index, note: 'café </script> “quoted”' } }
        : {
            atMs: Date.parse(signOff.at),
            action: `period.${DONE[signOff.kind]}`,
            detail: { period_id: 1, signed_by: signOff.by, reason: signOff.reason, covering_hash: signOff.hash },
          };
    const entry = { id: 2417 + index, environmentId: 1, actor: 'window', ...said, detail: JSON.stringify(said.detail) };
    const parts = [before, entry.environmentId, entry.atMs, entry.actor, entry.action, entry.detail];
    const hash = createHash('sha256')
      .update((content === null ? parts : [...parts, content]).join('\n'))
      .digest('hex');
    entries.push({ ...entry, content, previousHash: before, hash });
  }
  return entries;
}

/** Returns sign-offs with the audit log and the head of it that each one followed. */
export function signedBy(count: number, signOffs: readonly ReportSignOff[]): Pick<CloseReport, 'auditEntries' | 'signOffs'> {
  const auditEntries = auditChain(count, signOffs);
  const first = count - signOffs.length;
  return {
    auditEntries,
    signOffs: signOffs.map((signOff, index) => ({ ...signOff, auditHead: auditEntries[first + index]?.previousHash ?? null })),
  };
}

function made(id: number): ReportMatch {
  const rule = { id, origin: 'rule', certainty: 'unique', isConfirmedInBulk: false, by: null, at: null, note: null } as const;
  if (id <= 10) return { ...rule, rule: 'Same reference, same amount' };
  if (id === 11) return { ...rule, rule: 'Same amount and day, no reference on either side' };
  const at = `2026-07-01T11:0${id - 10}:00.000Z`;
  if (id === 12)
    return { ...rule, origin: 'confirmed', rule: 'Same reference, amount within 0.02', by: 'Amira Patel', at, note: 'At the carrier' };
  const note = ['Digits transposed, invoice seen', 'To savings: the bank uses its own reference', 'One deposit: 300.00 + 250.00 + 350.00'][
    id - 13
  ];
  return { ...rule, origin: 'manual', rule: null, certainty: null, by: 'Amira Patel', at, note: note ?? null };
}

export function statedBy(input: LedgerInput): Statement {
  const result = statementOf(input);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Returns a report of a close; `rest` overrides what follows from the input. */
export function reportOf(input: LedgerInput, rest: Partial<CloseReport> = {}): CloseReport {
  const statement = statedBy(input);
  const causes = causesOf(input, statement);
  const times = clearingTimes(input, statement);
  const covered = coveringOfAll([{ currency: input.currency, rows: coveringOf(input, statement) }]);
  const reasons = {
    bank_charge: '7901 Bank charges',
    interest: '4906 Bank interest received',
    rounding: '7906 Rounding',
    book_error: '2100 Creditors',
  };
  return {
    bookName: 'Quillmoor Café Ltd',
    reconciliation: 'Northgate current',
    isNeutral: input.isNeutral,
    bankSide: input.bankSide,
    sides: {
      bank: { accountName: 'Northgate Bank Business Current', accountNumber: '40-12-88 71449302', sources: ['northgate-june.csv'] },
      books: { accountName: 'Cash book, account 1200', accountNumber: '1200', sources: ['cash-book-june.csv'] },
    },
    balanceSources: { bank: { opening: null, stated_closing: null }, books: { opening: null, stated_closing: null } },
    state: 'open',
    preparedBy: null,
    reviewedBy: null,
    isStale: false,
    bookWarnings: [],
    staleChanges: [],
    statement,
    undone: [],
    records: input.records,
    openItems: statement.openItems.map((item) => ({
      item,
      causes: causes.of(item),
      age: ageOf(item, input.period.to, times),
      expectedOn: null,
      isCarriedForward: item.record.day < input.period.from,
    })),
    matches: statement.clearedMatches.map(({ id }) => made(id)),
    journal: journalOf(input, statement, {
      day: dayOf('2026-07-01'),
      accounts: { bank: '1200 Northgate current', byReason: reasons },
      reasonOf: ({ record }) => (record.amount < 0 ? 'bank_charge' : 'interest'),
    }),
    exceptions: [],
    imports: [],
    lastClose: null,
    changesSinceLastClose: [],
    signOffs: [],
    covered,
    coveringHash: coveringHash(covered),
    auditEntries: [],
    printedAt: '2026-07-03T09:05:00.000Z',
    version: '2.4',
    ...rest,
  };
}

const FILE = { refusedRows: 0, importedAt: '2026-07-01T10:36:00.000Z', by: 'Amira Patel', remarks: [], from: dayOf('2026-06-01') } as const;

/** Returns the closed June of the worked example, with every part that a report may have. */
export function closedJune(): CloseReport {
  const open = reportOf(JUNE);
  const figures = {
    adjustedBank: 1_271_579,
    adjustedBooks: 1_271_579,
    unexplained: 0,
    hash: open.coveringHash,
    auditHead: null,
  };
  const signed = { ...figures, reason: null, stands: true } as const;
  return {
    ...open,
    state: 'closed',
    preparedBy: 'Amira Patel',
    reviewedBy: 'Tom Whitfield',
    imports: [
      {
        ...FILE,
        side: 'bank',
        fileName: 'northgate-june.csv',
        contentHash: '0fb51bf04ad0bb43da5fe224c7e760f22c6465801a12307b4df31a1809a9edb0',
        bytes: 1_100,
        rows: 17,
        to: dayOf('2026-06-30'),
        proof: 'All 17 running balances in the file add up.',
      },
      {
        ...FILE,
        side: 'books',
        fileName: 'cash-book-june.csv',
        contentHash: '5d62d607df798308a2425244f4ad19a0003d5b1de551ef661d80b38eaf1c382a',
        bytes: 1_083,
        rows: 20,
        to: dayOf('2026-06-29'),
        proof: null,
        remarks: ['Row 8: (1,275.00) under Payments was read as a payment.'],
      },
    ],
    exceptions: [
      {
        title: 'CHQ-1043 is not paid out after 14 days',
        status: 'open',
        recordId: cfp('books', 'CHQ-1043'),
        amount: -127_500,
        openedAt: '2026-06-27T06:00:00.000Z',
        owner: 'Amira Patel',
        comment: null,
      },
    ],
    lastClose: { period: 'May 2026', at: '2026-06-02T16:20:00.000Z' },
    changesSinceLastClose: [
      { at: '2026-07-01T10:39:00.000Z', by: 'Amira Patel', what: 'Book balance, 01/06/2026', before: null, after: '12,500.00' },
      {
        at: '2026-07-01T16:48:00.000Z',
        by: 'Ben Osei',
        what: 'RCT-0629 in the cash book, date',
        before: '29/06/2026',
        after: '28/06/2026',
      },
    ],
    ...signedBy(12, [
      { ...signed, kind: 'prepare', by: 'Amira Patel', at: '2026-07-02T09:14:00.000Z', stands: false, hash: 'c191d4f67cd01f32'.repeat(4) },
      { ...signed, kind: 'prepare', by: 'Amira Patel', at: '2026-07-02T11:20:00.000Z' },
      { ...signed, kind: 'review', by: 'Tom Whitfield', at: '2026-07-02T15:42:00.000Z' },
      { ...signed, kind: 'close', by: 'Amira Patel', at: '2026-07-03T09:03:00.000Z' },
    ]),
  };
}
