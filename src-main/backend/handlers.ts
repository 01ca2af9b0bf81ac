import { answeredOnce } from '../service/idempotency.ts';
import { backupHandlers } from '../book/operations/backups.ts';
import { bankAccountBalanceHandlers } from '../streams/operations/bank-account-balances.ts';
import { bankAccountHandlers } from '../streams/operations/bank-accounts.ts';
import { batchCurrencyHandlers } from '../imports/operations/batch-currency.ts';
import { bulkRequestHandlers } from '../records/operations/bulk-requests.ts';
import { apiKeyHandlers } from '../book/operations/api-key-operations.ts';
import { confirmationHandlers } from '../matches/operations/confirmations.ts';
import type { ServiceContext } from '../service/context.ts';
import { coverageHandlers } from '../streams/operations/coverage.ts';
import { evidenceHandlers } from '../rules/operations/evidence.ts';
import type { Handlers } from '../service/handler.ts';
import { exceptionHandlers } from '../records/operations/exceptions.ts';
import { homeHandlers } from '../book/operations/home.ts';
import { importBatchHandlers } from '../imports/operations/import-batches.ts';
import { importedFileHandlers } from '../imports/operations/imported-files.ts';
import { importRecipeHandlers } from '../imports/operations/import-recipes.ts';
import { importRowHandlers } from '../imports/operations/import-rows.ts';
import { importHandlers } from '../imports/operations/imports.ts';
import { instanceHandlers } from '../book/operations/instance.ts';
import { localPortHandlers } from '../book/operations/local-port.ts';
import { matchHandlers } from '../matches/operations/matches.ts';
import { openItemHandlers } from '../close/operations/open-items.ts';
import { periodHandlers } from '../close/operations/periods.ts';
import { reportHandlers } from '../close/operations/reports.ts';
import { signOffHandlers } from '../close/operations/sign-offs.ts';
import { proposalHandlers } from '../rules/operations/proposals.ts';
import { propertyDefinitionHandlers } from '../streams/operations/property-definitions.ts';
import { overdueHandlers } from '../records/operations/overdue.ts';
import { reconciliationHandlers } from '../reconciliations/operations/reconciliations.ts';
import { recordHandlers } from '../records/operations/records.ts';
import { rulePreviewHandlers } from '../rules/operations/rule-preview.ts';
import { backtestHandlers } from '../rules/operations/backtests.ts';
import { ruleHandlers } from '../rules/operations/rules.ts';
import { runHandlers } from '../runs/operations/runs.ts';
import { separationHandlers } from '../matches/operations/separations.ts';
import { storyHandlers } from '../streams/operations/stories.ts';
import { streamOperationHandlers } from '../streams/operations/stream-operations.ts';
import { streamHandlers } from '../streams/operations/streams.ts';
import { sumSuggestionHandlers } from '../matches/operations/sum-suggestions.ts';
import { syncConflictHandlers } from '../sync/operations/sync-conflicts.ts';
import { syncUnsureHandlers } from '../sync/operations/sync-unsure.ts';
import { syncUndoHandlers } from '../sync/operations/sync-undo.ts';
import { syncHistoryHandlers } from '../sync/operations/sync-history.ts';
import { syncWhyHandlers } from '../sync/operations/sync-why.ts';
import { syncRemoteHandlers } from '../sync/operations/sync-remotes.ts';
import { syncHandlers } from '../sync/operations/syncs.ts';
import { wouldBeMatchHandlers } from '../matches/operations/would-be-matches.ts';

/** Every operation of the contract with its handler. */
export function createHandlers(context: ServiceContext): Handlers {
  const batches = importBatchHandlers(context);
  return answeredOnce(context, {
    ...streamHandlers(context),
    ...streamOperationHandlers(context),
    ...recordHandlers(context),
    ...bulkRequestHandlers(context),
    ...overdueHandlers(context),
    ...exceptionHandlers(context),
    ...batches,
    ...importedFileHandlers(context, batches['import_batches.remove']),
    ...batchCurrencyHandlers(context),
    ...coverageHandlers(context),
    ...reconciliationHandlers(context),
    ...homeHandlers(context),
    ...ruleHandlers(context),
    ...rulePreviewHandlers(context),
    ...backtestHandlers(context),
    ...proposalHandlers(context),
    ...runHandlers(context),
    ...periodHandlers(context),
    ...signOffHandlers(context),
    ...reportHandlers(context),
    ...openItemHandlers(context),
    ...wouldBeMatchHandlers(context),
    ...matchHandlers(context),
    ...confirmationHandlers(context),
    ...evidenceHandlers(context),
    ...separationHandlers(context),
    ...sumSuggestionHandlers(context),
    ...importRecipeHandlers(context),
    ...importRowHandlers(context),
    ...importHandlers(context),
    ...apiKeyHandlers(context),
    ...localPortHandlers(context),
    ...instanceHandlers(context),
    ...backupHandlers(context.keeper),
    ...syncRemoteHandlers(context),
    ...syncHandlers(context),
    ...syncConflictHandlers(context),
    ...syncUnsureHandlers(context),
    ...syncHistoryHandlers(context),
    ...syncUndoHandlers(context),
    ...syncWhyHandlers(context),
    ...bankAccountHandlers(context),
    ...bankAccountBalanceHandlers(context),
    ...storyHandlers(context),
    ...propertyDefinitionHandlers(context),
  });
}
