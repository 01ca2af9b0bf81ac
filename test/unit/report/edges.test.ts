import { describe, expect, it } from 'vitest';
import type { LedgerInput } from '../../../src-main/domain/ledger/index.ts';
import {
  causeTitle,
  type CloseReport,
  documentOf,
  packHtml,
  reportCsv,
  reportHtml,
  reportWorkbook,
} from '../../../src-main/domain/report/index.ts';
import { closedJune, reportOf } from '../../support/close-report.ts';
import { cfp, CFP_MATCHED, EMPTY_JUNE, line, match } from '../../support/inputs/ledger-input.ts';
import { IS_LONG } from '../../support/long.ts';
import { cellsOf } from '../../support/report-workbooks.ts';

/** Every format of a report. */
function rendered(report: CloseReport): Record<'html' | 'csv' | 'pack', string> & { readonly xlsx: Uint8Array } {
  const document = documentOf(report);
  return { html: reportHtml(document), csv: reportCsv(document), pack: packHtml(report), xlsx: reportWorkbook(document) };
}

const visible = (page: string): string => page.slice(page.indexOf('<main'), page.indexOf('</main>'));

describe('what people and files wrote', () => {
  const evil = '</script><script>alert(1)</script>';
  const report = reportOf(
    {
      ...EMPTY_JUNE,
      records: [
        line({ id: 1, side: 'bank', amount: 500, reference: '=1+1', description: '=HYPERLINK("http://x")' }),
        line({ id: 2, side: 'books', amount: -700, reference: '@cmd', description: evil }),
        line({ id: 3, side: 'books', amount: -1, reference: '-1+1', description: `"quoted" & 'single' \u0000\r\n\u2028` }),
      ],
    },
    { reconciliation: `";}</style>${evil}`, bookName: '<b>' },
  );
  const { html, csv, pack, xlsx } = rendered(report);

  it('is text in HTML and in the pack, and ends no block', () => {
    for (const page of [html, pack]) expect(page).not.toContain('<script>alert');
    expect(html).not.toMatch(/<\/style>.*<\/style>/s);
    expect(pack.match(/<\/script>/g)).toHaveLength(2);
    expect(visible(html)).toContain('&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('runs in no spreadsheet', () => {
    expect(csv).toContain(`,'=1+1,`);
    expect(csv).toContain(`'@cmd`);
    expect(csv).toContain(`'-1+1`);
    const all = [...cellsOf(xlsx).values()].flatMap((sheet) => [...sheet.values()]);
    const found = all.filter(({ v }) => typeof v === 'string' && /^[=@+-]/.test(v));
    expect(found.length).toBeGreaterThan(4);
    for (const cell of found) expect([cell.t, cell.f]).toEqual(['s', undefined]);
    for (const { f } of all) expect(f ?? '').not.toContain('HYPERLINK');
  });

  it('is cut in the margins where it is long, and nowhere else', () => {
    const name = 'Anglo-Hibernian '.repeat(20).trim();
    const long = reportOf(CFP_MATCHED, {
      sides: { ...report.sides, bank: { accountName: name, accountNumber: '1'.repeat(80), sources: ['x'.repeat(300)] } },
    });
    const page = reportHtml(documentOf(long));
    expect(page.slice(0, page.indexOf(':root'))).not.toContain(name);
    expect(visible(page)).toContain(name);
  });
});

describe('what is missing', () => {
  it('is said where a list is empty', () => {
    const { html, csv, pack, xlsx } = rendered(reportOf(EMPTY_JUNE));
    for (const text of ['No item is open at 30/06/2026.', 'Nothing is matched.', 'Nobody has signed this period.', 'No exceptions.']) {
      expect(html).toContain(text);
      expect(csv).toContain(text);
      expect(pack).toContain(text);
    }
    expect([...cellsOf(xlsx).keys()]).toContain('Open items');
    expect(visible(html)).toContain('DRAFT');
  });

  it('an unknown balance is no figure, and a warning says which', () => {
    const input: LedgerInput = { ...CFP_MATCHED, balances: { ...CFP_MATCHED.balances, books: { opening: null, stated: null } } };
    const { html, csv } = rendered(reportOf(input));
    expect(visible(html)).toContain('not known');
    expect(visible(html)).toContain('No balance of the books is known');
    expect(visible(html)).toContain('Not known whether the figures agree.');
    expect(visible(html)).not.toContain('computed, not stated');
    expect(visible(html)).toContain('and no balance of the books is known');
    expect(csv).toContain('Unexplained,Not known whether the figures agree. No balance of the books is known.,\r\n');
  });

  it('an unexplained rest is named as such', () => {
    const input: LedgerInput = { ...CFP_MATCHED, balances: { ...CFP_MATCHED.balances, books: { opening: 1_200_000, stated: null } } };
    const html = visible(reportHtml(documentOf(reportOf(input))));
    expect(html).toContain('The figures do not agree.');
    expect(html).toContain('500.00 is left unexplained');
  });
});

describe('other closes', () => {
  it('a stale period says so above all figures and lists what changed', () => {
    const staleChanges = [{ at: '2026-07-04T08:00:00.000Z', by: 'Ben Osei', what: 'INV-2230, amount', before: '64.31', after: '64.30' }];
    const html = reportHtml(documentOf({ ...closedJune(), state: 'reviewed', isStale: true, staleChanges }));
    expect(html).toContain('CHANGED SINCE SIGNED');
    expect(visible(html)).toContain('Something has changed since this period was reviewed; section 9 lists it (1).');
    expect(visible(html)).toContain('INV-2230, amount');
  });

  it('without a bank it speaks of side A and side B', () => {
    const html = visible(reportHtml(documentOf(reportOf({ ...CFP_MATCHED, isNeutral: true }))));
    expect(html).toContain('Reconciliation statement');
    expect(html).toContain('Adjusted balance of side B');
    expect(html).toContain('Add: receipts only on side A');
    expect(html.replaceAll(/Northgate Bank|the bank uses its own reference/g, '')).not.toMatch(/[Bb](?:ank|ooks)/);
  });

  it('errors of the bank, by a line and by a match, come to the total of the statement', () => {
    const input: LedgerInput = {
      ...CFP_MATCHED,
      matches: CFP_MATCHED.matches.map((made) => (made.id === 13 ? { ...made, reason: 'bank_error' as const } : made)),
      notes: [
        { recordId: cfp('bank', 'INT-JUN'), status: 'bank_error', owner: null, comment: null },
        { recordId: cfp('books', 'RCT-DEL'), status: 'book_error', owner: null, comment: null },
      ],
    };
    const report = reportOf(input);
    expect(report.statement.bankErrors.total).toBe(-8_415);
    const open = documentOf(report).sections[1]?.blocks[0];
    const totals = open?.kind === 'table' ? open.groups.map(({ number, totals: sums }) => [number, sums[0]?.cells[0]?.value]) : [];
    expect(totals).toEqual([
      ['1.1', 226_030],
      ['1.2', -127_500],
      ['1.4', -3_000],
      ['1.5', -8_415],
      ['1.6', -45_000],
    ]);
  });

  it('a currency without decimals has none', () => {
    const { html, csv, xlsx } = rendered(reportOf({ ...CFP_MATCHED, currency: 'JPY', decimalPlaces: 0 }));
    expect(visible(html)).toContain('>1,271,579<');
    expect(visible(html)).toContain('all amounts in JPY');
    expect(csv).toContain(',1271579\r\n');
    const adjusted = [...(cellsOf(xlsx).get('Statement')?.values() ?? [])].find(({ v }) => v === 1_271_579);
    expect(adjusted?.z).toBe('#,##0;-#,##0');
  });

  it('matches confirmed in bulk stand on a line of their own', () => {
    const report = reportOf(CFP_MATCHED);
    const matches = report.matches.map((made) =>
      made.id <= 4 ? { ...made, origin: 'confirmed' as const, isConfirmedInBulk: true, by: 'Ben Osei' } : made,
    );
    const html = visible(reportHtml(documentOf({ ...report, matches })));
    expect(html).toContain('proposed, confirmed in bulk');
    expect(html).toContain('4 matches were confirmed in bulk, many in one step.');
  });
});

describe('a large month', () => {
  const PAIRS = IS_LONG ? 10_000 : 2_000;
  const records = Array.from({ length: PAIRS }, (_, index) => {
    const amount = index % 2 === 0 ? 100 + index : -100 - index;
    const day = EMPTY_JUNE.period.from + (index % 30);
    const common = { amount, day, reference: `REF-${index}`, description: `Payment ${index} of a customer` };
    return [line({ id: 2 * index + 1, side: 'bank', ...common }), line({ id: 2 * index + 2, side: 'books', ...common })];
  }).flat();
  const input = {
    ...EMPTY_JUNE,
    records,
    matches: Array.from({ length: PAIRS }, (_, index) => match(index + 1, 2 * index + 1, 2 * index + 2)),
  };
  const report = reportOf(input, {
    matches: input.matches.map(({ id }) => ({
      id,
      origin: 'rule',
      rule: 'Same reference, same amount',
      certainty: 'unique',
      isConfirmedInBulk: false,
      by: null,
      at: null,
      note: null,
    })),
  });

  it('is short on paper, and whole in the workbook and the pack', () => {
    const { html, csv, pack, xlsx } = rendered(report);
    expect(visible(html)).toContain(`${(PAIRS - 100).toLocaleString('en')} more, each listed in the workbook and the close pack`);
    expect(html.length).toBeLessThan(200_000);
    expect(csv.split('\r\n').length).toBeGreaterThan(3 * PAIRS);
    expect(pack).toContain(`REF-${PAIRS - 1}`);
    expect(pack.length).toBeLessThan(25_000_000);
    expect(xlsx.length).toBeLessThan(5_000_000);
  });
});

it('causes mention no bank where there is none', () => {
  const kinds = ['unbooked', 'bank_charge', 'interest', 'deposit_in_transit', 'outstanding_payment', 'long_outstanding'] as const;
  for (const kind of kinds) {
    expect(causeTitle({ isNeutral: true }, kind)).not.toMatch(/bank|book|transit|outstanding/i);
    expect(causeTitle({ isNeutral: false }, kind)).toMatch(/book|transit|outstanding/i);
  }
  expect(causeTitle({ isNeutral: true }, 'unbooked')).toBe('Not on the other side');
  expect(causeTitle({ isNeutral: true }, 'interest')).toBe('Interest, only on one side');
  expect(causeTitle({ isNeutral: true }, 'bank_charge')).toBe('Charge, only on one side');
});
