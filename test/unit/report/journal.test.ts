import { describe, expect, it } from 'vitest';
import type { Journal } from '../../../src-main/domain/ledger/index.ts';
import { JOURNAL_LAYOUTS, journalCsv, type JournalLayout, PLAIN_LAYOUT } from '../../../src-main/domain/report/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { closedJune } from '../../support/close-report.ts';

const { journal, statement } = closedJune();

function rowsOf(id: string, of: Journal = journal): string[] {
  const layout = present(
    JOURNAL_LAYOUTS.find((each) => each.id === id),
    id,
  );
  return journalCsv(of, statement, layout).trimEnd().split('\r\n');
}

describe('the journal as CSV', () => {
  it('has a row for each line of an entry, leading back to its match or record', () => {
    expect(rowsOf('plain').slice(0, 5)).toEqual([
      'Entry,Date,Account,Debit,Credit,Currency,Text,Reason,Source',
      '1,2026-07-01,7906 Rounding,0.01,,GBP,INV-2230,Rounding,match 12',
      '1,2026-07-01,1200 Northgate current,,0.01,GBP,INV-2230,Rounding,match 12',
      '2,2026-07-01,1200 Northgate current,72.00,,GBP,INV-2214,Book error,match 13',
      '2,2026-07-01,2100 Creditors,,72.00,GBP,INV-2214,Book error,match 13',
    ]);
  });

  it('fits the template of Xero', () => {
    expect(rowsOf('xero').slice(0, 3)).toEqual([
      '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount',
      'match 12,01/07/2026,INV-2230,7906,Tax Exempt,0.01',
      'match 12,01/07/2026,INV-2230,1200,Tax Exempt,-0.01',
    ]);
  });

  it('fits the import of QuickBooks Online', () => {
    expect(rowsOf('quickbooks_online').slice(0, 3)).toEqual([
      'Journal No.,Journal Date,Account Name,Debits,Credits,Description,Memo',
      '1,07/01/2026,Rounding,0.01,,INV-2230,match 12',
      '1,07/01/2026,Northgate current,,0.01,INV-2230,match 12',
    ]);
  });

  it('fits the import of Sage 50', () => {
    expect(rowsOf('sage_50').slice(0, 2)).toEqual([
      'JD,,7906,0,01/07/2026,match 12,INV-2230,0.01,T9,0.00',
      'JC,,1200,0,01/07/2026,match 12,INV-2230,0.01,T9,0.00',
    ]);
  });

  it('balances in every layout', () => {
    for (const { id, hasHeader } of JOURNAL_LAYOUTS) expect([id, rowsOf(id).length]).toEqual([id, hasHeader ? 9 : 8]);
    const amounts = rowsOf('xero')
      .slice(1)
      .map((row) => Math.round(Number(row.split(',').at(-1)) * 100));
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(0);
  });

  it('has the columns that one chooses', () => {
    const layout: JournalLayout = {
      ...PLAIN_LAYOUT,
      dayFormat: 'DD/MM/YYYY',
      columns: [
        { title: 'Konto', field: 'account_code' },
        { title: 'S/H', field: 'side', value: 'S|H' },
        { title: 'Betrag', field: 'size' },
        { title: 'Firma', field: 'fixed', value: '001' },
      ],
    };
    expect(journalCsv(journal, statement, layout).split('\r\n').slice(0, 2)).toEqual(['Konto,S/H,Betrag,Firma', '7906,S,0.01,001']);
  });

  it('keeps texts that look like formulas from running, and writes nothing without entries', () => {
    const entries = journal.entries.slice(0, 1).map((entry) => ({ ...entry, text: '=cmd()', account: null }));
    expect(rowsOf('plain', { ...journal, entries })[1]).toBe("1,2026-07-01,,0.01,,GBP,'=cmd(),Rounding,match 12");
    expect(rowsOf('sage_50', { ...journal, entries: [] })).toEqual(['']);
  });
});
