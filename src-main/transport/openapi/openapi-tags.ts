import type { JsonSchema } from './json-schema.ts';

/** Description of each group of addresses, by their first segment. A test fails while a segment of the contract has none. */
const WORDS: Readonly<Record<string, string>> = {
  data_streams: 'Streams of records, such as a bank account or a ledger, with their deletes and resets as operations to poll',
  records: 'The records of streams, one by one and in bulk',
  bulk_requests: 'Progress and results of bulk requests',
  reconciliations: 'Two sides of streams that are matched, and the runs that match them',
  reconciliation_periods: 'Periods of a reconciliation with their statements and sign-offs',
  figures: 'Figures for spreadsheets: one value or one small table as of a day',
  reconciliation_exceptions: 'What is overdue and unmatched, as something that a person looks into',
  import_batches: 'What came in with one import, and its undoing',
  imported_files: 'What imported files state apart from their lines, as one Tieout tells another',
  reconciliation_rules: 'How records of both sides are matched',
  reconciliation_matches: 'Records that belong together',
  bank_accounts: 'Bank accounts, to which streams can be linked',
  bank_account_balances: 'Balances of bank accounts by date and type',
  reconciliation_stories: 'Reconciliations in an ordered chain',
  data_stream_property_definitions: 'Names and types of metadata fields',
  instance: 'Which book answers, and how far its history has come',
};

/** Returns the tag of an operation: the first segment of its path. */
export function tagOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Returns the tag objects in the order in which the contract declares operations. */
export function tagsOf(paths: readonly string[]): JsonSchema[] {
  return [...new Set(paths.map(tagOf))].map((name) => (WORDS[name] === undefined ? { name } : { name, description: WORDS[name] }));
}
