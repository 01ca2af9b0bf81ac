/** What a report is written as; `pack` is HTML that checks itself, `journal` what the books must take over. */
export const REPORT_FORMATS = ['html', 'pdf', 'xlsx', 'csv', 'pack', 'journal'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Ledgers whose import takes the journal as it is; `plain` has columns that may be chosen. */
export const JOURNAL_LAYOUT_IDS = ['plain', 'xero', 'quickbooks_online', 'sage_50'] as const;
export type JournalLayoutId = (typeof JOURNAL_LAYOUT_IDS)[number];
