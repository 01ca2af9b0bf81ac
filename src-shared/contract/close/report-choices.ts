/** The formats of a report. `pack` is HTML that checks itself; `journal` lists the entries that the books must post. */
export const REPORT_FORMATS = ['html', 'pdf', 'xlsx', 'csv', 'pack', 'journal'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Layouts of the journal: those that a ledger's import accepts unchanged, and `plain`, whose columns can be chosen. */
export const JOURNAL_LAYOUT_IDS = ['plain', 'xero', 'quickbooks_online', 'sage_50'] as const;
export type JournalLayoutId = (typeof JOURNAL_LAYOUT_IDS)[number];
