/**
 * The days that the file of a batch speaks of, also where all of its lines were there before: a JSON list of
 * {account, firstDay, lastDay, openingMinor, closingMinor}, one for each statement in the file. Null for a batch that is older than this or
 * came from no file; then its first and last record tell.
 */
export const statementPeriods = {
  version: 16,
  name: 'statement periods',
  sql: 'ALTER TABLE import_batches ADD COLUMN periods TEXT;',
};
