import { firstBook } from './0001-first-book.ts';
import { bankAccounts } from './0002-bank-accounts.ts';
import { streamOperations } from './0003-stream-operations.ts';
import { stories } from './0004-stories.ts';
import { propertyDefinitions } from './0005-property-definitions.ts';
import { bulkRequests } from './0006-bulk-requests.ts';
import { overdue } from './0007-overdue.ts';
import { idempotentAnswers } from './0008-idempotent-answers.ts';
import { ruleReview } from './0009-rule-review.ts';
import { adjustments } from './0010-adjustments.ts';
import { wipes } from './0011-wipes.ts';
import { dueRuns } from './0012-due-runs.ts';
import { recordPages } from './0013-record-pages.ts';
import { batchesByDay } from './0014-batches-by-day.ts';
import { statementBalances } from './0015-statement-balances.ts';
import { statementPeriods } from './0016-statement-periods.ts';
import { reconciledDays } from './0017-reconciled-days.ts';
import { proposals } from './0018-proposals.ts';
import { importRecipes } from './0019-import-recipes.ts';
import { separationsWithIds } from './0020-separations-with-ids.ts';
import { leanMatches } from './0021-lean-matches.ts';
import { fewerRecordIndices } from './0022-fewer-record-indices.ts';
import { columnPacks } from './0023-column-packs.ts';
import { runBases } from './0024-run-bases.ts';
import { margins } from './0025-margins.ts';
import { matchesOfRuns } from './0026-matches-of-runs.ts';
import { cohorts } from './0027-cohorts.ts';
import { listedRecords } from './0028-listed-records.ts';
import { rowsAndFormerRecipes } from './0029-rows-and-former-recipes.ts';
import { sheetsAndDeletedAccounts } from './0030-sheets-and-deleted-accounts.ts';
import { differenceReasons } from './0031-difference-reasons.ts';
import { evidence } from './0032-evidence.ts';
import { whoseFiles } from './0033-whose-files.ts';
import { runsWithoutSharedCurrency } from './0034-runs-without-shared-currency.ts';
import { contentDigests } from './0035-content-digests.ts';
import { reversals } from './0036-reversals.ts';
import { valueDates } from './0037-value-dates.ts';
import { wordings } from './0038-wordings.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Contiguous from 1; the last one's version is the version of a book that this Tieout writes. */
export const MIGRATIONS: readonly Migration[] = [
  firstBook,
  bankAccounts,
  streamOperations,
  stories,
  propertyDefinitions,
  bulkRequests,
  overdue,
  idempotentAnswers,
  ruleReview,
  adjustments,
  wipes,
  dueRuns,
  recordPages,
  batchesByDay,
  statementBalances,
  statementPeriods,
  reconciledDays,
  proposals,
  importRecipes,
  separationsWithIds,
  leanMatches,
  fewerRecordIndices,
  columnPacks,
  runBases,
  margins,
  matchesOfRuns,
  cohorts,
  listedRecords,
  rowsAndFormerRecipes,
  sheetsAndDeletedAccounts,
  differenceReasons,
  evidence,
  whoseFiles,
  runsWithoutSharedCurrency,
  contentDigests,
  reversals,
  valueDates,
  wordings,
];
export const BOOK_VERSION = MIGRATIONS.length;
